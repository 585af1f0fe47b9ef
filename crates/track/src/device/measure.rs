//! Sums over a mesh, for the report of a step.
use glam::Vec3;
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{Block, EdgeId, FaceId, In, Out, Pod, TILE, Values, Vertex, kernel};
use ribbonmesh::dynamic::{DynamicView, MeshRef};
use ribbonmesh::features::triangle::smallest_sine;

/// Sums over elements, and extremes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums {
    /// The enclosed volume.
    pub volume: f64,
    /// The sum of the lengths of all edges.
    pub area: f64,
    /// The sum of the least angles of all faces, in radians.
    pub lengths: f64,
    /// The least angles of all faces, in radians.
    pub angles: f64,
    /// Minus the least of these angles.
    pub minus_least_angle: f32,
    /// Minus the least length of an edge.
    pub minus_shortest: f32,
    /// The greatest length of an edge.
    pub longest: f32,
    /// Number of faces.
    pub faces: u32,
    /// Number of edges.
    pub edges: u32,
    /// Number of edges on the boundary.
    pub open: u32,
    /// Number of edges below the lower length.
    pub short: u32,
    /// Number of edges above the upper length.
    pub long: u32,
}
// SAFETY: 64 bytes of plain numbers, no padding.
unsafe impl ribbonmesh::device::bytemuck::Zeroable for Sums {}
// SAFETY: as above.
unsafe impl Pod for Sums {}

impl Sums {
    /// Sums over no elements.
    pub const NONE: Self = Self {
        volume: 0.0,
        area: 0.0,
        lengths: 0.0,
        angles: 0.0,
        minus_least_angle: f32::NEG_INFINITY,
        minus_shortest: f32::NEG_INFINITY,
        longest: f32::NEG_INFINITY,
        faces: 0,
        edges: 0,
        open: 0,
        short: 0,
        long: 0,
    };
    /// Sums over the elements of both.
    #[inline(always)]
    pub fn and(self, other: Self) -> Self {
        Self {
            volume: self.volume + other.volume,
            area: self.area + other.area,
            lengths: self.lengths + other.lengths,
            angles: self.angles + other.angles,
            minus_least_angle: self.minus_least_angle.max(other.minus_least_angle),
            minus_shortest: self.minus_shortest.max(other.minus_shortest),
            longest: self.longest.max(other.longest),
            faces: self.faces + other.faces,
            edges: self.edges + other.edges,
            open: self.open + other.open,
            short: self.short + other.short,
            long: self.long + other.long,
        }
    }
}

/// Computes sums for each tile of faces and edges, by their numbers of ids. `bounds`: the lower and the upper
/// length, times the least `scale` at the ends if there are scales. About 120 bytes for each face.
#[kernel(threads = 256)]
pub fn measure<'a>(
    block: &Block,
    mesh: DynamicView<'a>,
    x: Values<'a, Vertex, Vec3>,
    faces: u32,
    edges: u32,
    bounds: [f32; 2],
    scale: Values<'a, Vertex, f32>,
    sums: Out<'a, Sums>,
) {
    block.for_each_tile(if faces > edges { faces } else { edges }, |base, len| {
        let of = |i: u32| {
            let mut found = Sums::NONE;
            if base + i < faces {
                of_face(mesh, x, FaceId::new(base + i), &mut found);
            }
            if base + i < edges {
                let e = EdgeId::new(base + i);
                of_edge(mesh, x, e, bounds, scale, &mut found);
            }
            found
        };
        let sum = block.reduce(len, Sums::NONE, of, |a, b| a.and(b));
        block.single_nosync(|| sums.set(base / TILE, sum));
    });
}

#[inline(always)]
fn of_face(mesh: DynamicView<'_>, x: Values<'_, Vertex, Vec3>, f: FaceId, sums: &mut Sums) {
    let Some(corners) = mesh.living_corners(f) else { return };
    let t = corners.map(|v| x.get(v));
    let [a, b, c] = t.map(|p| p.as_dvec3());
    let n = (b - a).cross(c - a);
    sums.volume = a.dot(n) / 6.0;
    sums.area = 0.5 * libm::sqrt(n.dot(n));
    let angle = libm::asinf(smallest_sine(t).min(1.0));
    sums.angles = angle as f64;
    sums.minus_least_angle = -angle;
    sums.faces = 1;
}

#[inline(always)]
fn of_edge(
    mesh: DynamicView<'_>,
    x: Values<'_, Vertex, Vec3>,
    e: EdgeId,
    bounds: [f32; 2],
    scale: Values<'_, Vertex, f32>,
    sums: &mut Sums,
) {
    let Some(diamond) = mesh.diamond(e) else { return };
    let ends = diamond.ends();
    let by = if scale.is_empty() { 1.0 } else { scale.get(ends[0]).min(scale.get(ends[1])) };
    let [a, b] = ends.map(|v| x.get(v));
    let length = sqrt((b - a).length_squared());
    sums.lengths = length as f64;
    sums.minus_shortest = -length;
    sums.longest = length;
    sums.edges = 1;
    sums.open = diamond.on_boundary() as u32;
    sums.short = (length < bounds[0] * by) as u32;
    sums.long = (length > bounds[1] * by) as u32;
}

/// Adds up the sums of `n` tiles, with one block.
#[kernel(threads = 256)]
pub fn add_up<'a>(block: &Block, n: u32, sums: In<'a, Sums>, all: Out<'a, Sums>) {
    let sum = block.reduce(n, Sums::NONE, |i| sums.get(i), |a, b| a.and(b));
    block.single_nosync(|| all.set(0, sum));
}
