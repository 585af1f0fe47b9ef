//! Operators that break the rules, each in its way.
use ribbonmesh::device::{ElementKind, Out, Parameter};
use ribbonmesh_dynamic::{
    Cavity, DynamicView, Fill, Operator, Refusal, Side, operators, refusals, templates,
};

/// Why [`REFUSES`] refuses.
pub const UNWILLING: Refusal = refusals::USER + 5;

/// Wants every cavity and fills none.
pub const REFUSES: u32 = 0;
/// Flips every edge inside of the surface, in every pass.
pub const NEVER_ENDS: u32 = 1;
/// Plans nothing, and makes a vertex and a fan around it.
pub const MAKES_MORE: u32 = 2;
/// Plans a fan, and makes nothing.
pub const MAKES_LESS: u32 = 3;
/// Names another face after each filling, so that its candidates stay candidates.
pub const MOVES_ON: u32 = 4;
/// Fills with a face that has the same side twice.
pub const SIDE_TWICE: u32 = 5;
/// Fills with an edge that no face has.
pub const BARE_EDGE: u32 = 6;
/// Fills with sides that do not meet.
pub const GAP: u32 = 7;
/// Names its first face twice.
pub const FACE_TWICE: u32 = 8;
/// Splits edges, though it announces that it makes no more than it deletes.
pub const GROWS_UNANNOUNCED: u32 = 9;

/// One of them: [`NEVER_ENDS`] and [`GROWS_UNANNOUNCED`] at edges, the others at faces.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Broken<'a> {
    /// Which.
    pub how: u32,
    /// Most seeds that are proposed.
    pub seeds: u32,
    /// Of each seed: how often its cavity was filled.
    pub filled: Out<'a, u32>,
    /// Faces at the beginning.
    pub faces: u32,
}

/// At edges.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct AtEdges<'a>(pub Broken<'a>);
impl Operator for AtEdges<'_> {
    const SEED: ElementKind = ElementKind::Edge;
    const CLAIMS: bool = true;
    const GROWS: bool = false;
    #[inline(always)]
    fn propose(&self, _: DynamicView<'_>, seed: u32) -> Option<f32> {
        if seed < self.0.seeds { Some(0.0) } else { None }
    }
    #[inline(always)]
    fn faces(&self, mesh: DynamicView<'_>, seed: u32, visit: impl FnMut(u32)) {
        templates::of_edge(mesh, seed, visit)
    }
    #[inline(always)]
    fn fill<F: Fill>(&self, cavity: &Cavity<'_>, fill: &mut F) {
        if self.0.how == GROWS_UNANNOUNCED {
            operators::split_edge(cavity, fill);
        } else {
            operators::flip(cavity, fill)
        }
    }
}

/// At faces.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct AtFaces<'a>(pub Broken<'a>);
impl Operator for AtFaces<'_> {
    const SEED: ElementKind = ElementKind::Face;
    const CLAIMS: bool = true;
    const GROWS: bool = true;
    #[inline(always)]
    fn propose(&self, _: DynamicView<'_>, seed: u32) -> Option<f32> {
        if seed < self.0.seeds { Some(0.0) } else { None }
    }
    #[inline(always)]
    fn faces(&self, mesh: DynamicView<'_>, seed: u32, mut visit: impl FnMut(u32)) {
        if self.0.how == MOVES_ON {
            // all seeds want the same face, the next one after each filling
            let (mut filled, mut i) = (0, 0);
            while i < self.0.seeds {
                filled += self.0.filled.get(i);
                i += 1;
            }
            return visit(4 * (filled % self.0.faces));
        }
        if self.0.how == FACE_TWICE {
            visit(4 * seed);
        }
        templates::one_face(mesh, seed, visit)
    }
    #[inline(always)]
    fn fill<F: Fill>(&self, cavity: &Cavity<'_>, fill: &mut F) {
        let mut made = false;
        fill.write(|| made = true);
        let [a, b, c] = [cavity.side(0), cavity.side(1), cavity.side(2)];
        let fan = match self.0.how {
            REFUSES => {
                fill.refuse(UNWILLING);
                false
            }
            MAKES_MORE => made,
            MAKES_LESS => !made,
            MOVES_ON => {
                let (filled, seed) = (self.0.filled, cavity.seed);
                fill.write(|| filled.set(seed, filled.get(seed) + 1));
                true
            }
            SIDE_TWICE => {
                let apex = fill.vertex();
                let [x, y] = [fill.edge(a.from, apex), fill.edge(a.to, apex)];
                fill.face([a, y, x.reversed()]);
                fill.face([a, y, x.reversed()]);
                false
            }
            BARE_EDGE => {
                let apex = fill.vertex();
                fill.edge(a.from, apex);
                fill.face([a, b, c]);
                false
            }
            GAP => {
                fill.face([a, Side { from: c.from, to: c.to, ..b }, c]);
                false
            }
            _ => true,
        };
        if fan {
            operators::split_face(cavity, fill);
        }
    }
}

ribbonmesh_dynamic::operator! {
    /// Of [`AtEdges`].
    AtEdges<'a>: broken_edges_claim BrokenEdgesClaim, broken_edges_apply BrokenEdgesApply
}
ribbonmesh_dynamic::operator! {
    /// Of [`AtFaces`].
    AtFaces<'a>: broken_faces_claim BrokenFacesClaim, broken_faces_apply BrokenFacesApply
}
