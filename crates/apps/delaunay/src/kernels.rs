//! The operator and its kernels.
use glam::Vec3;
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{Block, ElementKind, In, NONE, Out, Parameter, atomic, kernel};
use ribbonmesh_dynamic::{Cavity, DynamicView, Fill, Operator, Refusal, operators, templates};
use ribbonmesh_features::triangle::not_delaunay;

/// Refused: the normals of the faces would turn too far.
pub const TURNS: Refusal = operators::OWN;

/// An edge counts as Delaunay if the sine of the sum of its opposite angles is above minus this: angles are known to
/// about as much in `f32`, and of two diagonals of four points on a circle neither is then flipped.
pub const TOLERANCE: f32 = 2e-6;

/// Flips edges that are not Delaunay.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct FlipDelaunay<'a> {
    /// Positions.
    pub x: In<'a, Vec3>,
    /// The cosine of the largest angle between the normals of a face before and after; at most -1 for any.
    pub least_cosine: f32,
}

/// Whether the angle between two normals, of any length, has at least this cosine.
#[inline(always)]
fn near(n: Vec3, m: Vec3, least_cosine: f32) -> bool {
    n.dot(m) >= least_cosine * sqrt(n.dot(n)) * sqrt(m.dot(m))
}

impl FlipDelaunay<'_> {
    /// Whether edge `e` has two faces and is not Delaunay.
    #[inline(always)]
    fn bad(&self, mesh: DynamicView<'_>, e: u32) -> bool {
        let sides = mesh.sides(e);
        if sides[0] == NONE || sides[1] == NONE {
            return false;
        }
        not_delaunay(mesh.diamond(sides).map(|v| self.x.get(v)), TOLERANCE)
    }
}

impl Operator for FlipDelaunay<'_> {
    const SEED: ElementKind = ElementKind::Edge;
    const CLAIMS: bool = true;
    const GROWS: bool = false;
    const LOCAL: bool = true;

    #[inline(always)]
    fn propose(&self, mesh: DynamicView<'_>, edge: u32) -> Option<f32> {
        if self.bad(mesh, edge) { Some(0.0) } else { None }
    }
    #[inline(always)]
    fn judge(&self, mesh: DynamicView<'_>, edge: u32) -> Option<Refusal> {
        if self.least_cosine <= -1.0 {
            return None;
        }
        let [a, b, c, d] = mesh.diamond(mesh.sides(edge)).map(|v| self.x.get(v));
        let (old, other_old) = ((b - a).cross(c - a), (a - b).cross(d - b));
        let (new, other_new) = ((a - c).cross(d - c), (b - d).cross(c - d));
        let all = near(old, new, self.least_cosine)
            && near(old, other_new, self.least_cosine)
            && near(other_old, new, self.least_cosine)
            && near(other_old, other_new, self.least_cosine);
        if all { None } else { Some(TURNS) }
    }
    #[inline(always)]
    fn faces(&self, mesh: DynamicView<'_>, edge: u32, visit: impl FnMut(u32)) {
        templates::of_edge(mesh, edge, visit)
    }
    #[inline(always)]
    fn fill<F: Fill>(&self, cavity: &Cavity<'_>, fill: &mut F) {
        operators::flip(cavity, fill)
    }
}

ribbonmesh_dynamic::operator! {
    /// Flips edges that are not Delaunay.
    FlipDelaunay<'a>: flip_claim FlipClaim, flip_apply FlipApply
}

/// Counts the edges that are not Delaunay into `count[0]`.
#[kernel(threads = 256)]
pub fn count_bad<'a>(block: &Block, mesh: DynamicView<'a>, edges: u32, x: In<'a, Vec3>, count: Out<'a, u32>) {
    let operator = FlipDelaunay { x, least_cosine: -2.0 };
    block.for_each_tile(edges, |base, len| {
        let n = block.count_where(len, |i| operator.bad(mesh, base + i));
        block.single_nosync(|| {
            if n > 0 {
                atomic::fetch_add(count, 0, n, atomic::Order::Relaxed, atomic::Scope::Device);
            }
        });
    });
}
