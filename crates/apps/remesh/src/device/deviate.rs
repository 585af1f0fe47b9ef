//! How far the mesh and the input are from each other, and shorter target lengths where that is too far.
use super::values::Values;
use glam::Vec3;
use ribbonmesh::bvh::BvhView;
use ribbonmesh::device::atomic::{self, Order, Scope};
use ribbonmesh::device::{Block, FaceId, In, ValuesMut, Vertex, VertexId, kernel};
use ribbonmesh::dynamic::{DynamicView, MeshRef};

/// Faces or points of a block: one per thread, since a search waits for memory most of the time.
pub const SEARCHES: u32 = 128;
/// A target length becomes this much of itself at least in one step, ...
const LEAST_FACTOR: f32 = 0.4;
/// ... and this much at most.
const MOST_FACTOR: f32 = 0.85;

/// The distances of the input from the vertices, the middles of the edges and the centroid of each of `n` faces: the
/// largest of a face counts at its vertices. `deviations`: bits of distances, which begin as 0. One block per
/// [`SEARCHES`].
#[kernel(threads = 128)]
pub fn deviate_faces<'a>(
    block: &Block,
    mesh: DynamicView<'a>,
    values: Values<'a>,
    input: BvhView<'a>,
    n: u32,
    deviations: ValuesMut<'a, Vertex, u32>,
) {
    let base = SEARCHES * block.index();
    block.for_each_nosync(if n - base < SEARCHES { n - base } else { SEARCHES }, |i| {
        let Some(corners) = mesh.living_corners(FaceId::new(base + i)) else { return };
        let [a, b, c] = corners.map(|v| values.x.get(v));
        let points = [a, b, c, 0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + a), (a + b + c) / 3.0];
        let (mut k, mut most, mut near) = (0, 0.0_f32, values.near.get(corners[0]));
        while k < points.len() {
            let found = input.closest_from(points[k], near);
            (most, near) = (most.max(found.distance), found.face);
            k += 1;
        }
        raise(deviations, corners, most);
    });
}

/// The distance of the mesh, whose tree is `tree`, from points of the input: it counts at the vertices of the closest
/// face. One block per [`SEARCHES`].
#[kernel(threads = 128)]
pub fn deviate_points<'a>(
    block: &Block,
    mesh: DynamicView<'a>,
    tree: BvhView<'a>,
    points: In<'a, Vec3>,
    deviations: ValuesMut<'a, Vertex, u32>,
) {
    let (n, base) = (points.len() as u32, SEARCHES * block.index());
    block.for_each_nosync(if n - base < SEARCHES { n - base } else { SEARCHES }, |i| {
        let found = tree.closest(points.get(base + i));
        if found.face < tree.faces() {
            raise(deviations, mesh.corners(FaceId::new(found.face)), found.distance);
        }
    });
}

/// A distance at three vertices.
#[inline(always)]
fn raise(deviations: ValuesMut<'_, Vertex, u32>, corners: [VertexId; 3], distance: f32) {
    for v in corners {
        // distances have the order of their bits
        atomic::fetch_max(deviations.memory(), v.index(), distance.to_bits(), Order::Relaxed, Scope::Device);
    }
}

/// Shortens the target lengths of those of `n` vertices where the mesh deviates by more than `aim`, as the deviation of a
/// smooth surface needs it, which is proportional to the squared length; not below `least`.
#[kernel(threads = 256)]
pub fn shorten<'a>(
    block: &Block,
    n: u32,
    deviations: ribbonmesh::device::Values<'a, Vertex, u32>,
    aim: f32,
    least: f32,
    lengths: ValuesMut<'a, Vertex, f32>,
) {
    block.for_each_of_tile(n, |v| {
        let v = VertexId::new(v);
        let (deviation, length) = (f32::from_bits(deviations.get(v)), lengths.get(v));
        if deviation > aim {
            let factor = ribbonmesh::device::math::sqrt(aim / deviation);
            let factor = factor.max(LEAST_FACTOR).min(MOST_FACTOR);
            lengths.set(v, (factor * length).max(least).min(length));
        }
    });
}
