//! Operators that break the rules, each in its way.
use core::sync::atomic::{AtomicU32, Ordering};
use ribbonmesh::device::{Edge, EdgeId, Face, FaceId, HalfEdge, Out, Parameter};
use ribbonmesh::dynamic::templates::{self, FacesOfEdge};
use ribbonmesh::dynamic::{Cavity, Fill, Filled, MeshRef, Operator, Rejection, fillings, operator};

/// Why [`REJECTS`] rejects.
pub const UNWILLING: Rejection = Rejection::own(2);

/// Wants every cavity and fills none.
pub const REJECTS: u32 = 0;
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
/// Splits edges, though it is declared to be in place.
pub const GROWS_UNANNOUNCED: u32 = 9;

/// One of them: [`NEVER_ENDS`] and [`GROWS_UNANNOUNCED`] at edges, the others at faces.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Broken<'a> {
    /// The way in which the operator is broken.
    pub how: u32,
    /// Most seeds that are proposed.
    pub seeds: u32,
    /// How often each seed's cavity was filled.
    pub filled: Out<'a, u32>,
    /// Faces at the beginning.
    pub faces: u32,
}

/// For [`MAKES_MORE`] and [`MAKES_LESS`], of each seed whether its filling is being written: neither the
/// cavity nor the decision tells, but a static can.
static WRITING: [AtomicU32; MOST_SEEDS as usize] = [const { AtomicU32::new(0) }; MOST_SEEDS as usize];
/// The greatest number of seeds of these operators.
pub const MOST_SEEDS: u32 = 8;

#[inline(always)]
fn writing(cavity: &Cavity<'_, Face>) -> &'static AtomicU32 {
    &WRITING[(cavity.seed().index() % MOST_SEEDS) as usize]
}

/// At edges: [`NEVER_ENDS`] and [`GROWS_UNANNOUNCED`], by whether the filling is a split.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct BrokenAtEdges<'a> {
    /// Its mistake.
    pub broken: Broken<'a>,
}
#[operator(seed = Edge, cavity = FacesOfEdge, in_place)]
impl Operator for BrokenAtEdges<'_> {
    /// Whether it splits.
    type Decision = bool;

    fn priority(&self, _: impl MeshRef, seed: EdgeId) -> Option<f32> {
        (seed.index() < self.broken.seeds).then_some(0.0)
    }
    fn decide(&self, _: impl MeshRef, _: &Cavity<'_, Edge>) -> Result<bool, Rejection> {
        Ok(self.broken.how == GROWS_UNANNOUNCED)
    }
    fn fill(cavity: &Cavity<'_, Edge>, splits: &bool, fill: &mut impl Fill) -> Result<(), Rejection> {
        if *splits {
            fillings::split_edge(cavity, fill);
        } else {
            fillings::flip(cavity, fill)?;
        }
        Ok(())
    }
}

/// At faces: the others.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct BrokenAtFaces<'a> {
    /// Its mistake.
    pub broken: Broken<'a>,
}
#[operator(seed = Face)]
impl Operator for BrokenAtFaces<'_> {
    /// The way in which the operator is broken.
    type Decision = u32;

    fn priority(&self, _: impl MeshRef, seed: FaceId) -> Option<f32> {
        (seed.index() < self.broken.seeds).then_some(0.0)
    }
    fn faces(&self, mesh: impl MeshRef, seed: FaceId, mut visit: impl FnMut(HalfEdge)) {
        let broken = &self.broken;
        if broken.how == MOVES_ON {
            // all seeds want the same face, the next one after each filling
            let (mut filled, mut i) = (0, 0);
            while i < broken.seeds {
                filled += broken.filled.get(i);
                i += 1;
            }
            return visit(FaceId::new(filled % broken.faces).half_edge(0));
        }
        if broken.how == FACE_TWICE {
            visit(seed.half_edge(0));
        }
        templates::one_face(mesh, seed, visit)
    }
    fn decide(&self, _: impl MeshRef, cavity: &Cavity<'_, Face>) -> Result<u32, Rejection> {
        writing(cavity).store(0, Ordering::Relaxed);
        if self.broken.how == REJECTS { Err(UNWILLING) } else { Ok(self.broken.how) }
    }
    fn gather(&self, cavity: &Cavity<'_, Face>, _: &u32) {
        writing(cavity).store(1, Ordering::Relaxed);
    }
    fn fill(cavity: &Cavity<'_, Face>, &how: &u32, fill: &mut impl Fill) -> Result<(), Rejection> {
        let [a, b, c] = [cavity.side(0), cavity.side(1), cavity.side(2)];
        let writing = writing(cavity).load(Ordering::Relaxed) != 0;
        let fan = match how {
            MAKES_MORE => writing,
            MAKES_LESS => !writing,
            SIDE_TWICE => {
                let apex = fill.vertex();
                let [x, y] = [fill.edge(a.from(), apex), fill.edge(a.to(), apex)];
                fill.face([a, y, x.reversed()]);
                fill.face([a, y, x.reversed()]);
                false
            }
            BARE_EDGE => {
                let apex = fill.vertex();
                fill.edge(a.from(), apex);
                fill.face([a, b, c]);
                false
            }
            GAP => {
                fill.face([a, c, b]);
                false
            }
            _ => true,
        };
        if fan {
            fillings::split_face(cavity, fill);
        }
        Ok(())
    }
    fn scatter(&self, cavity: &Filled<'_, Face>, &how: &u32, _: (), _: &()) {
        if how == MOVES_ON {
            let (filled, seed) = (self.broken.filled, cavity.seed().index());
            filled.set(seed, filled.get(seed) + 1);
        }
    }
}
