//! Cavities of a patch: registered, chosen so that no two have a common face, rejected.
use super::NARROW;
use super::attempt::{Attempt, CANDIDATE, CHOSEN, EXISTS, IDLE, LOST, MADE};
use crate::draft::{ACTIVE, Draft, OWNED};
use crate::local::scrambled;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{NONE, Vec3};
use ribbonmesh::features::triangle::{not_delaunay, smallest_sine};

/// Tolerance of the criterion, as of the flips by claims.
const TOLERANCE: f32 = 2e-6;
/// Part of the sine of the smallest angle by which it may decrease: rounding.
const ROUNDING: f32 = 1e-5;
/// Cavities at the border of a patch that are filled at once, at most; fewer after refusals.
const BORDER: u32 = 24;

/// Key bits of a claim that are the edge.
const EDGE: u32 = 0xffff;

/// An edge with two faces: ends a and b, opposite vertices c and d, faces a b c and b a d.
#[derive(Clone, Copy)]
pub(super) struct Diamond {
    pub(super) corners: [u32; 4],
    pub(super) faces: [u32; 2],
    /// Where the edge is in each face.
    pub(super) sides: [u32; 2],
}

impl Attempt<'_, '_> {
    /// The faces of each edge.
    #[inline(always)]
    pub(super) fn find_pairs(&self) {
        let Self { block, draft, memory, .. } = *self;
        let [_, edges, faces] = draft.row.capacity;
        block.for_each(edges, |e| memory.degrees.set(e, 0));
        block.for_each(faces, |f| {
            if draft.has(2, f) {
                for i in [0, 1, 2] {
                    let e = draft.side(f, i).0;
                    let k = memory.degrees.fetch_add(e, 1);
                    if k < 2 {
                        memory.pairs.set(2 * e + k, f as u16);
                    }
                }
            }
        });
    }
    /// The diamond of an edge with two faces that run along it in opposite directions.
    #[inline(always)]
    pub(super) fn diamond(&self, e: u32) -> Option<Diamond> {
        let (draft, memory) = (self.draft, self.memory);
        if memory.degrees.get(e) != 2 {
            return None;
        }
        let faces = [0, 1].map(|k| memory.pairs.get(2 * e + k) as u32);
        let [i, j] = faces.map(|f| side_of(draft, f, e));
        let (flipped, other) = (draft.side(faces[0], i).1, draft.side(faces[1], j).1);
        if faces[0] == faces[1] || flipped == other {
            return None;
        }
        let [a, b] = [draft.corner(faces[0], i), draft.corner(faces[0], (i + 1) % 3)];
        let [c, d] = [draft.corner(faces[0], (i + 2) % 3), draft.corner(faces[1], (j + 2) % 3)];
        let apart = a != b && c != d && c != a && c != b && d != a && d != b;
        apart.then_some(Diamond { corners: [a, b, c, d], faces, sides: [i, j] })
    }
    /// Registers cavities: owned edges that are to be flipped, by their positions.
    #[inline(always)]
    pub(super) fn register(&self) {
        let Self { block, draft, memory, x, .. } = *self;
        block.for_each(draft.row.capacity[1], |e| {
            let owned = draft.words[1].get(e) & (ACTIVE | OWNED) == ACTIVE | OWNED;
            let corners = if owned { self.diamond(e).map(|diamond| diamond.corners) } else { None };
            let wanted =
                corners.is_some_and(|corners| to_be_flipped(corners.map(|v| x.get(draft.place(0, v)))));
            memory.states.set(e, if wanted { CANDIDATE } else { IDLE });
        });
    }
    /// A maximal set of cavities without common faces: greedily, in an order that looks random. All cavities
    /// of which no face has an earlier one are chosen at once, until none is left (Blelloch et al. 2012).
    #[inline(always)]
    pub(super) fn choose(&self) {
        let Self { block, draft, memory, .. } = *self;
        let [_, edges, faces] = draft.row.capacity;
        block.for_each_nosync(faces, |f| memory.taken.set(f, 0));
        let key = |e: u32| scrambled(e ^ draft.patch << 7) & !EDGE | e;
        let of = |e: u32| [0, 1].map(|k| memory.pairs.get(2 * e + k) as u32);
        while block.any(edges, |e| memory.states.get(e) == CANDIDATE) {
            block.for_each(faces, |f| memory.claims.set(f, NONE));
            block.for_each(edges, |e| {
                if memory.states.get(e) == CANDIDATE {
                    for f in of(e) {
                        memory.claims.fetch_min(f, key(e));
                    }
                }
            });
            block.for_each(edges, |e| {
                if memory.states.get(e) == CANDIDATE && of(e).map(|f| memory.claims.get(f)) == [key(e); 2] {
                    memory.states.set(e, CHOSEN);
                    for f in of(e) {
                        memory.taken.set(f, 1);
                    }
                }
            });
            block.for_each(edges, |e| {
                let [f, g] = of(e);
                if memory.states.get(e) == CANDIDATE && memory.taken.get(f) | memory.taken.get(g) != 0 {
                    self.lose(e);
                }
            });
        }
    }
    #[inline(always)]
    pub(super) fn lose(&self, e: u32) {
        self.memory.states.set(e, LOST);
        self.memory.counters.fetch_add(1, 1);
    }
    /// Wants the locks of the owners around each chosen cavity, and the stars of its vertices. Cavities at
    /// the border beyond a number lose.
    #[inline(always)]
    pub(super) fn limit_border(&self) {
        let Self { block, draft, memory, change, .. } = *self;
        let refused = atomic::load(change.gate, 1 + draft.patch, Relaxed, Device);
        let most = if refused < 2 {
            BORDER
        } else if refused < NARROW {
            BORDER / 6
        } else {
            1
        };
        block.for_each(draft.row.capacity[1], |e| {
            if memory.states.get(e) != CHOSEN {
                return;
            }
            let Some(diamond) = self.diamond(e) else { return };
            let foreign = |kind: usize, l: u32| draft.word_now(kind, l) & OWNED == 0;
            let mut inside = true;
            for v in diamond.corners {
                inside &= !foreign(0, v);
            }
            self.around(&diamond, |kind, l| inside &= !foreign(kind, l));
            if !inside && memory.counters.fetch_add(0, 1) >= most {
                return self.lose(e);
            }
            for v in diamond.corners {
                let word = draft.word_now(0, v);
                if word & OWNED == 0 {
                    memory.expansion.seek(&draft, v, word);
                }
            }
            self.around(&diamond, |kind, l| {
                let word = draft.word_now(kind, l);
                if word & OWNED == 0 {
                    memory.expansion.want(word);
                }
            });
        });
    }
    /// Visits the faces of a cavity, the edges of its loop, and the faces across them that the copy has.
    #[inline(always)]
    pub(super) fn around(&self, diamond: &Diamond, mut f: impl FnMut(usize, u32)) {
        let (draft, memory) = (self.draft, self.memory);
        let mut k = 0;
        while k < 2 {
            let (face, side) = (diamond.faces[k], diamond.sides[k]);
            f(2, face);
            for step in [1, 2] {
                let edge = draft.side(face, (side + step) % 3).0;
                f(1, edge);
                let mut i = 0;
                while i < 2 && i < memory.degrees.get(edge) {
                    let across = memory.pairs.get(2 * edge + i) as u32;
                    if across != face {
                        f(2, across);
                    }
                    i += 1;
                }
            }
            k += 1;
        }
    }
    /// Rejects chosen cavities whose new edge exists, or is made twice, those with an edge of three or more
    /// faces on their loop, and those that positions read under locks do not want; counts the others.
    #[inline(always)]
    pub(super) fn reject(&self) {
        let Self { block, draft, memory, .. } = *self;
        let edges = draft.row.capacity[1];
        block.for_each(MADE, |i| {
            memory.made.set(i, NONE);
            memory.makers.set(i, NONE);
        });
        block.for_each(edges, |e| {
            if memory.states.get(e) != CHOSEN {
                return;
            }
            let Some(diamond) = self.diamond(e) else { return memory.states.set(e, IDLE) };
            let mut two_sided = true;
            let mut k = 0;
            while k < 2 {
                for step in [1, 2] {
                    let edge = draft.side(diamond.faces[k], (diamond.sides[k] + step) % 3).0;
                    two_sided &= memory.degrees.get(edge) <= 2;
                }
                k += 1;
            }
            if !two_sided {
                return memory.states.set(e, IDLE);
            }
            // the values of all owners whose locks the block has
            if !to_be_flipped(diamond.corners.map(|v| self.x.get(draft.place(0, v)))) {
                return memory.states.set(e, IDLE);
            }
            let [_, _, c, d] = diamond.corners;
            match self.place_made(c, d, true) {
                Some(at) => _ = memory.makers.fetch_min(at, e + 1),
                // no room in the list
                None => self.lose(e),
            }
        });
        block.for_each(edges, |e| {
            if draft.has(1, e) {
                let [a, b] = draft.ends(e);
                if let Some(at) = self.place_made(a, b, false) {
                    memory.makers.fetch_min(at, EXISTS);
                }
            }
        });
        block.for_each(edges, |e| {
            if memory.states.get(e) != CHOSEN {
                return;
            }
            let Some(diamond) = self.diamond(e) else { return };
            let [_, _, c, d] = diamond.corners;
            let maker = self.place_made(c, d, false).map_or(EXISTS, |at| memory.makers.get(at));
            if maker == EXISTS {
                memory.states.set(e, IDLE);
            } else if maker == e + 1 {
                memory.counters.fetch_add(2, 1);
            } else {
                self.lose(e);
            }
        });
    }
    /// The place of the edge between two vertices in the list of those to be made; `insert` puts it there.
    #[inline(always)]
    pub(super) fn place_made(&self, c: u32, d: u32, insert: bool) -> Option<u32> {
        let key = if c < d { c << 16 | d } else { d << 16 | c };
        let mut at = scrambled(key) % MADE;
        let mut tried = 0;
        while tried < MADE {
            let made = self.memory.made;
            let seen = if insert { made.compare_exchange(at, NONE, key) } else { made.get(at) };
            if seen == key || (insert && seen == NONE) {
                return Some(at);
            }
            if seen == NONE {
                return None;
            }
            at = (at + 1) % MADE;
            tried += 1;
        }
        None
    }
}
/// The side of a face that is an edge.
#[inline(always)]
fn side_of(draft: Draft<'_>, face: u32, edge: u32) -> u32 {
    if draft.side(face, 0).0 == edge {
        0
    } else if draft.side(face, 1).0 == edge {
        1
    } else {
        2
    }
}

/// Whether the edge ab of faces a b c and b a d is not Delaunay, and the flipped faces have no smaller angle.
#[inline(always)]
fn to_be_flipped([a, b, c, d]: [Vec3; 4]) -> bool {
    if !not_delaunay([a, b, c, d], TOLERANCE) {
        return false;
    }
    let smaller = |x: f32, y: f32| if x < y { x } else { y };
    let before = smaller(smallest_sine([a, b, c]), smallest_sine([b, a, d]));
    let after = smaller(smallest_sine([c, d, b]), smallest_sine([d, c, a]));
    after != 0.0 && after >= before * (1.0 - ROUNDING)
}
