//! The operator and its kernels.
use glam::Vec3;
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{
    Block, Edge, EdgeId, Out, Parameter, Values, ValuesMut, Vertex, VertexId, atomic, kernel,
};
use ribbonmesh::dynamic::templates::FacesOfEdge;
use ribbonmesh::dynamic::{DynamicView, LocalEdge, MeshRef, Operator, Rejection, fillings, operator};
use ribbonmesh::features::Marks;
use ribbonmesh::features::triangle::{not_delaunay, smallest_sine};

/// The normals of the faces would turn too far.
pub const TURNS: Rejection = Rejection::own(0);
/// The edge is a seam of an attribute.
pub const SEAM: Rejection = Rejection::own(1);

/// A face would get a smaller angle than both faces have.
pub const WORSE: Rejection = Rejection::own(2);

/// A face would be made again that intersected another one.
pub const INTERSECTS: Rejection = Rejection::own(3);

/// Part of the sine of the smallest angle by which it may decrease: rounding.
const ROUNDING: f32 = 1e-5;

/// Tolerance of the criterion: an edge counts as Delaunay if the sine of the sum of its opposite angles is
/// above minus this. Angles are known to about this precision in `f32`, so neither of two diagonals of four
/// points on a circle is flipped.
pub const TOLERANCE: f32 = 2e-6;

/// Flips edges that are not Delaunay.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct FlipDelaunay<'a> {
    /// Positions.
    pub x: Values<'a, Vertex, Vec3>,
    /// Edges that are not flipped.
    pub marks: Marks<'a>,
    /// Not 0 for the vertices of faces that intersected others and were taken back, if that is `checked`; no
    /// edge is flipped so that it joins two of them.
    pub barred: ValuesMut<'a, Vertex, u32>,
    /// 1 if `barred` has values, else 0.
    pub checked: u32,
    /// The cosine of the largest angle between the normals of a face before and after; at most -1 for any.
    pub least_cosine: f32,
}

/// Whether the angle between two normals, of any length, has at least this cosine.
#[inline(always)]
fn near(n: Vec3, m: Vec3, least_cosine: f32) -> bool {
    n.dot(m) >= least_cosine * sqrt(n.dot(n)) * sqrt(m.dot(m))
}

#[operator(seed = Edge, cavity = FacesOfEdge, filling = fillings::Flip)]
impl Operator for FlipDelaunay<'_> {
    fn priority_local(&self, edge: LocalEdge<impl MeshRef>) -> Option<f32> {
        let corners = edge.diamond()?.corners()?;
        not_delaunay(corners.map(|v| self.x.get(v)), TOLERANCE).then_some(0.0)
    }
    fn precheck(&self, mesh: impl MeshRef, edge: EdgeId) -> Result<(), Rejection> {
        if self.marks.get(edge) {
            return Err(SEAM);
        }
        let Some(corners) = mesh.diamond(edge).and_then(|diamond| diamond.corners()) else { return Ok(()) };
        let [_, _, of_c, of_d]: [VertexId; 4] = corners;
        if self.checked != 0 && self.barred.get(of_c) & self.barred.get(of_d) != 0 {
            return Err(INTERSECTS);
        }
        may_flip(corners.map(|v| self.x.get(v)), self.least_cosine)
    }
}

/// Whether the edge from `a` to `b` with the opposite points `c` and `d` may be flipped: not if the smallest
/// angle would become smaller, or if the normals of the faces would turn too far.
#[inline(always)]
pub fn may_flip([a, b, c, d]: [Vec3; 4], least_cosine: f32) -> Result<(), Rejection> {
    let smaller = |x: f32, y: f32| if x < y { x } else { y };
    let before = smaller(smallest_sine([a, b, c]), smallest_sine([b, a, d]));
    let after = smaller(smallest_sine([c, d, b]), smallest_sine([d, c, a]));
    // faces without area are not exchanged for others without area
    if after == 0.0 || after < before * (1.0 - ROUNDING) {
        return Err(WORSE);
    }
    if least_cosine <= -1.0 {
        return Ok(());
    }
    let (old, other_old) = ((b - a).cross(c - a), (a - b).cross(d - b));
    let (new, other_new) = ((a - c).cross(d - c), (b - d).cross(c - d));
    let all = near(old, new, least_cosine)
        && near(old, other_new, least_cosine)
        && near(other_old, new, least_cosine)
        && near(other_old, other_new, least_cosine);
    if all { Ok(()) } else { Err(TURNS) }
}

/// Counts the edges that are not Delaunay into `count[0]`.
#[kernel(threads = 256)]
pub fn count_bad<'a>(
    block: &Block,
    mesh: DynamicView<'a>,
    edges: u32,
    x: Values<'a, Vertex, Vec3>,
    count: Out<'a, u32>,
) {
    let bad = |e: EdgeId| {
        let corners = mesh.diamond(e).and_then(|diamond| diamond.corners());
        corners.is_some_and(|corners| not_delaunay(corners.map(|v| x.get(v)), TOLERANCE))
    };
    block.for_each_tile(edges, |base, len| {
        let n = block.count_where(len, |i| bad(EdgeId::new(base + i)));
        block.single_nosync(|| {
            if n > 0 {
                atomic::fetch_add(count, 0, n, atomic::Order::Relaxed, atomic::Scope::Device);
            }
        });
    });
}
