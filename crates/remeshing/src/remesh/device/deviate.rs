//! Distance of the mesh and the input from each other, and shorter target lengths where it is too large.
use super::values::Values;
use glam::Vec3;
use ribbonmesh::bvh::BvhView;
use ribbonmesh::device::atomic::{self, Order, Scope};
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{Block, FaceId, In, Out, Parameter, kernel};
use ribbonmesh::dynamic::DynamicView;

/// Faces per block: one per thread, since a search waits for memory most of the time.
pub const SEARCHES: u32 = 128;
/// Least factor by which a target length is multiplied in one step, ...
const LEAST_FACTOR: f32 = 0.25;
/// ... and the greatest one.
const MOST_FACTOR: f32 = 0.7;
/// Most parts into which a side of a face is divided for points to measure from.
const MOST_PARTS: u32 = 24;

/// The input's triangles, and the distances found at its vertices.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Found<'a> {
    /// Positions.
    pub x: In<'a, Vec3>,
    /// Vertices of faces.
    pub faces: In<'a, [u32; 3]>,
    /// Bits of the largest distance at each vertex; 0 at the beginning.
    pub deviations: Out<'a, u32>,
}
impl Found<'_> {
    /// Raises the distance at the vertices of a face to at least `distance`.
    #[inline(always)]
    fn raise(&self, face: u32, distance: f32) {
        for v in self.faces.get(face) {
            // distances have the order of their bits
            atomic::fetch_max(self.deviations, v, distance.to_bits(), Order::Relaxed, Scope::Device);
        }
    }
}

/// The points of a face of the result from which its distance from the input is measured: the corners, the
/// middles of the sides and the centroid.
#[inline(always)]
pub fn points_of_result([a, b, c]: [Vec3; 3]) -> [Vec3; 7] {
    [a, b, c, 0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + a), (a + b + c) / 3.0]
}

/// Gives the points of a face of the input from which its distance from the result is measured: the centroid,
/// and the points that divide the sides into parts of at most half of `length`, but at most 24 parts.
#[inline(always)]
pub fn points_of_input([a, b, c]: [Vec3; 3], length: f32, mut visit: impl FnMut(Vec3)) {
    let (u, v) = (b - a, c - a);
    let longest = u.length_squared().max(v.length_squared()).max((v - u).length_squared());
    let parts = ((2.0 * sqrt(longest) / length) as u32 + 1).clamp(2, MOST_PARTS);
    let step = 1.0 / parts as f32;
    visit((a + b + c) / 3.0);
    let mut j = 0;
    while j <= parts {
        let mut k = 0;
        while j + k <= parts {
            visit(a + (j as f32 * step) * u + (k as f32 * step) * v);
            k += 1;
        }
        j += 1;
    }
}

/// A target length where the surfaces are `deviation` from each other and that is more than `aim`. The factor
/// is that of a smooth surface, whose deviation is proportional to the squared length; no length falls below
/// `least`.
#[inline(always)]
pub fn shorter(length: f32, deviation: f32, aim: f32, least: f32) -> f32 {
    let factor = sqrt(aim / deviation).clamp(LEAST_FACTOR, MOST_FACTOR);
    (factor * length).max(least)
}

/// Measures the distances of the input, whose tree is `tree`, from the [`points_of_result`] of each of `n`
/// faces of the mesh. Each distance counts at the closest face of the input. One
/// block per [`SEARCHES`].
#[kernel(threads = 128)]
pub fn deviate_mesh<'a>(
    block: &Block,
    mesh: DynamicView<'a>,
    values: Values<'a>,
    tree: BvhView<'a>,
    n: u32,
    found: Found<'a>,
) {
    let base = SEARCHES * block.index();
    block.for_each_nosync(if n - base < SEARCHES { n - base } else { SEARCHES }, |i| {
        let Some(corners) = mesh.living_corners(FaceId::new(base + i)) else { return };
        let points = points_of_result(corners.map(|v| values.x.get(v)));
        let (mut k, mut near) = (0, values.near.get(corners[0]));
        while k < points.len() {
            let closest = tree.closest_from(points[k], near);
            near = closest.face;
            if near < tree.faces() {
                found.raise(near, closest.distance);
            }
            k += 1;
        }
    });
}

/// Measures the largest distance of the mesh, whose tree is `tree`, from the points of each face of the input
/// that [`points_of_input`] gives. One block per [`SEARCHES`].
#[kernel(threads = 128)]
pub fn deviate_input<'a>(block: &Block, tree: BvhView<'a>, length: f32, found: Found<'a>) {
    let (n, base) = (found.faces.len() as u32, SEARCHES * block.index());
    block.for_each_nosync(if n - base < SEARCHES { n - base } else { SEARCHES }, |i| {
        let face = base + i;
        let (corners, mut most) = (found.faces.get(face).map(|v| found.x.get(v)), 0.0_f32);
        points_of_input(corners, length, |p| most = most.max(tree.distance(p)));
        found.raise(face, most);
    });
}

/// Shortens the target lengths at the vertices of the input where the mesh deviates by more than `aim`, as
/// [`shorter`] says. `changed[0]` becomes 1 if a length has changed.
#[kernel(threads = 256)]
pub fn shorten<'a>(
    block: &Block,
    deviations: In<'a, u32>,
    aim: f32,
    least: f32,
    lengths: Out<'a, f32>,
    changed: Out<'a, u32>,
) {
    block.for_each_of_tile(deviations.len() as u32, |v| {
        let (deviation, length) = (f32::from_bits(deviations.get(v)), lengths.get(v));
        if deviation > aim {
            let shorter = shorter(length, deviation, aim, least);
            if shorter < length {
                lengths.set(v, shorter);
                atomic::store(changed, 0, 1, Order::Relaxed, Scope::Device);
            }
        }
    });
}
