//! Lengths that depend on curvature: the scale of edge lengths at each vertex (Dunyach, Vanderhaeghe, Barthe
//! and Botsch, *Adaptive remeshing for real-time mesh deformation*, 2013, section 3; Brochu and Bridson 2009
//! split by curvature, too).
use super::rank::{VERTICES, star};
use glam::Vec3;
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{Block, Parameter, Values, ValuesMut, Vertex, VertexId, kernel};
use ribbonmesh::dynamic::{DynamicView, MeshRef};

/// Greatest difference of the length between the ends of an edge, in lengths of the edge.
const SLOPE: f32 = 0.5;

/// Parameters of lengths that depend on curvature.
#[repr(C)]
#[derive(Clone, Copy, Debug, Parameter)]
pub struct Sizing {
    /// Greatest distance of an edge from the surface: a length.
    pub tolerance: f32,
    /// The length that is scaled.
    pub length: f32,
    /// The least scale and the largest.
    pub range: [f32; 2],
}
impl Sizing {
    /// The scale at which the distance of an edge from a circle of a curvature is the tolerance, by L² = 6 ε
    /// / κ − 3 ε² (Dunyach and others, equation 1).
    #[inline(always)]
    fn scale(&self, curvature: f32) -> f32 {
        let e = self.tolerance;
        let square = if curvature > 0.0 { 6.0 * e / curvature - 3.0 * e * e } else { f32::INFINITY };
        let length = if square > 0.0 { sqrt(square) } else { 0.0 };
        (length / self.length).max(self.range[0]).min(self.range[1])
    }
}

/// Computes the greatest normal curvature at each of `n` vertices over the directions of its edges, in 1 /
/// length; 0 on the boundary. Edges shorter than the shortest length count as if they were that long, since
/// smaller details are noise. Needs half-edges of vertices. One block per [`VERTICES`].
#[kernel(threads = 128)]
pub fn find_curvatures<'a>(
    block: &Block,
    mesh: DynamicView<'a>,
    x: Values<'a, Vertex, Vec3>,
    n: u32,
    sizing: Sizing,
    curvatures: ValuesMut<'a, Vertex, f32>,
) {
    let least = sizing.range[0] * sizing.length;
    let base = VERTICES * block.index();
    block.for_each_nosync(if n - base < VERTICES { n - base } else { VERTICES }, |i| {
        let v = VertexId::new(base + i);
        let Some(h) = mesh.half_edge_at(v) else { return };
        let sums = star(mesh, x, h);
        let length = sqrt(sums.normals.length_squared());
        let mut most = 0.0_f32;
        if !sums.open && length > 0.0 {
            let (p, normal) = (x.get(v), sums.normals / length);
            mesh.neighbours(h, |u, _| {
                let d = x.get(u) - p;
                let square = d.length_squared().max(least * least);
                most = most.max(2.0 * normal.dot(d).abs() / square);
                true
            });
        }
        curvatures.set(v, most);
    });
}

/// Computes the scale of each of `n` vertices, by the mean of its and its neighbours' curvatures from
/// [`find_curvatures`].
#[kernel(threads = 128)]
pub fn find_scales<'a>(
    block: &Block,
    mesh: DynamicView<'a>,
    n: u32,
    sizing: Sizing,
    curvatures: Values<'a, Vertex, f32>,
    scales: ValuesMut<'a, Vertex, f32>,
) {
    let base = VERTICES * block.index();
    block.for_each_nosync(if n - base < VERTICES { n - base } else { VERTICES }, |i| {
        let v = VertexId::new(base + i);
        let Some(h) = mesh.half_edge_at(v) else { return };
        let (mut sum, mut count) = (curvatures.get(v), 1.0);
        mesh.neighbours(h, |u, _| {
            sum += curvatures.get(u);
            count += 1.0;
            true
        });
        scales.set(v, sizing.scale(sum / count));
    });
}

/// Limits the difference of scales from a vertex to its neighbours; one step of this.
#[kernel(threads = 128)]
pub fn grade_scales<'a>(
    block: &Block,
    mesh: DynamicView<'a>,
    x: Values<'a, Vertex, Vec3>,
    n: u32,
    length: f32,
    from: Values<'a, Vertex, f32>,
    to: ValuesMut<'a, Vertex, f32>,
) {
    let base = VERTICES * block.index();
    block.for_each_nosync(if n - base < VERTICES { n - base } else { VERTICES }, |i| {
        let v = VertexId::new(base + i);
        let Some(h) = mesh.half_edge_at(v) else { return };
        let (p, mut least) = (x.get(v), from.get(v));
        mesh.neighbours(h, |u, _| {
            let way = sqrt((x.get(u) - p).length_squared()) / length;
            least = least.min(from.get(u) + SLOPE * way);
            true
        });
        to.set(v, least);
    });
}
