//! The classic operators (thesis Figure 5.2), as fillings of cavities. An operator of one's own decides where, and
//! calls one of these.
//!
//! | operator | cavity | filling |
//! |---|---|---|
//! | edge flip | [`of_edge`] | [`flip`] |
//! | edge split | [`of_edge`] | [`split_edge`] |
//! | edge collapse | [`stars_of_edge`] | [`collapse_edge`] |
//! | edge collapse onto one of its ends | [`star_at`], of the other | [`collapse_onto`] |
//! | face split 1→3 | [`one_face`] | [`split_face`] |
//! | face collapse | [`stars_of_face`] | [`collapse_face`] |
//! | vertex split | [`star`] | [`split_vertex`] |
//! | delete a vertex, an edge, a face | [`star`], [`of_edge`], [`one_face`] | nothing |
//!
//! [`of_edge`]: crate::templates::of_edge
//! [`stars_of_edge`]: crate::templates::stars_of_edge
//! [`one_face`]: crate::templates::one_face
//! [`stars_of_face`]: crate::templates::stars_of_face
//! [`star`]: crate::templates::star
//! [`star_at`]: crate::templates::star_at
use crate::cavity::Cavity;
use crate::control::{Refusal, refusals};
use crate::fill::Fill;
use ribbonmesh::device::NONE;

/// Refused: the operator needs an edge, or a vertex, inside of the surface.
pub const ON_BOUNDARY: Refusal = refusals::USER;
/// Refused: both ends lie on the boundary, but the edge does not: the surface would be pinched.
pub const PINCHES: Refusal = refusals::USER + 1;
/// Refused: the component would vanish.
pub const VANISHES: Refusal = refusals::USER + 2;
/// The first reason that no classic operator uses.
pub const OWN: Refusal = refusals::USER + 3;

/// Joins the vertices opposite of the edge. The loop is that of the edge's two faces: b c a d, for the edge a b.
#[inline(always)]
pub fn flip<F: Fill>(cavity: &Cavity<'_>, fill: &mut F) {
    if cavity.len() != 4 {
        fill.refuse(ON_BOUNDARY);
        return;
    }
    let across = fill.edge(cavity.vertex(1), cavity.vertex(3));
    fill.face([cavity.side(1), cavity.side(2), across.reversed()]);
    fill.face([cavity.side(3), cavity.side(0), across]);
}

/// Puts a vertex on the edge, and joins it with the vertices opposite; returns it. Of an edge on the boundary the two
/// halves lie there, too.
#[inline(always)]
pub fn split_edge<F: Fill>(cavity: &Cavity<'_>, fill: &mut F) -> u32 {
    let middle = fill.vertex();
    // a single face: its loop begins at the edge, whose side is deleted; other open sides stay
    if cavity.deleted_faces() == 1 {
        let [a, b] = [fill.edge(cavity.vertex(1), middle), fill.edge(cavity.vertex(2), middle)];
        fill.face([cavity.side(1), b, a.reversed()]);
        let c = fill.edge(cavity.vertex(0), middle);
        fill.face([cavity.side(2), c, b.reversed()]);
    } else {
        fill.fan(cavity, middle, false);
    }
    middle
}

/// What a collapse does: see [`collapse_edge`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Collapsed {
    /// The vertex that stays: new, or one of the loop.
    pub vertex: u32,
    /// Whether it is new, and needs its attributes; else it is the end that lies on the boundary.
    pub new: bool,
}

/// Joins the ends `a` and `b` of the edge. If both lie inside of the surface, a new vertex takes their place. If one
/// lies on the boundary, it stays. An edge on the boundary keeps `a`. Refused is what violates the link condition (Dey,
/// Edelsbrunner, Guha and Nekhayev 1999): the ends have no neighbours in common but those opposite of the edge, or else
/// the cavity has no simple loop, or another vertex inside.
#[inline(always)]
pub fn collapse_edge<F: Fill>(cavity: &Cavity<'_>, [a, b]: [u32; 2], fill: &mut F) -> Collapsed {
    let (at_a, at_b) = (cavity.find(a), cavity.find(b));
    if cavity.deleted_vertices() != (at_a == NONE) as u32 + (at_b == NONE) as u32 {
        fill.refuse(refusals::LINK);
    }
    // the vertex that stays, and the sides that are connected with it
    let (hub, first, last) = match (at_a == NONE, at_b == NONE) {
        (true, true) => (NONE, 0, cavity.len() - 1),
        (false, true) => (at_a, cavity.after(at_a), cavity.before(cavity.before(at_a))),
        (true, false) => (at_b, cavity.after(at_b), cavity.before(cavity.before(at_b))),
        (false, false) => {
            let along = cavity.after(at_a) == at_b && cavity.open(at_a) && cavity.open(at_b);
            let against = cavity.after(at_b) == at_a && cavity.open(at_b) && cavity.open(cavity.before(at_b));
            if cavity.len() == 3 || !along && !against {
                fill.refuse(if cavity.len() == 3 { VANISHES } else { PINCHES });
                return Collapsed { vertex: a, new: false };
            }
            let [from, to] = if along { [at_b, at_a] } else { [at_a, at_b] };
            (at_a, cavity.after(from), cavity.before(cavity.before(to)))
        }
    };
    // one way around for all of them: this is most of an operator's code
    let new = hub == NONE;
    let vertex = if new { fill.vertex() } else { cavity.vertex(hub) };
    let spoke = if new {
        fill.edge(cavity.vertex(first), vertex).reversed()
    } else if first == cavity.after(hub) {
        cavity.side(hub)
    } else {
        fill.edge(vertex, cavity.vertex(first))
    };
    let end = cavity.after(last);
    let close = if new {
        Some(spoke.reversed())
    } else if cavity.after(end) == hub {
        Some(cavity.side(end))
    } else {
        None
    };
    fill.fan_around(cavity, vertex, [first, last], spoke, close);
    Collapsed { vertex, new }
}

/// Joins vertex `gone` with its neighbour `kept`, which stays as it is: a half-edge collapse. The cavity is the star of
/// `gone`. On the boundary the two sides at `gone` vanish. The link condition holds where no edge to be exists.
#[inline(always)]
pub fn collapse_onto<F: Fill>(cavity: &Cavity<'_>, kept: u32, gone: u32, fill: &mut F) {
    let (at, at_gone) = (cavity.find(kept), cavity.find(gone));
    if at == NONE {
        fill.refuse(refusals::LINK);
    } else if at_gone == NONE {
        fill.fan_of_loop(cavity, at);
    } else {
        // the sides between the two, on either way around
        let n = cavity.len();
        let before = (at_gone + n - at) % n;
        let behind = n - before;
        let open = [cavity.open(at), cavity.open(cavity.before(at))];
        if before < 3 && behind < 3 && open[0] && open[1] {
            fill.refuse(VANISHES);
            return;
        }
        if before > 1 && behind > 1 && (open[0] || open[1]) {
            fill.refuse(PINCHES);
            return;
        }
        if before >= 3 {
            fill.fan_between(cavity, at, cavity.after(at), cavity.before(cavity.before(at_gone)));
        }
        if behind >= 3 {
            fill.fan_between(cavity, at, cavity.after(at_gone), cavity.before(cavity.before(at)));
        }
    }
}

/// Puts a vertex into the face; returns it.
#[inline(always)]
pub fn split_face<F: Fill>(cavity: &Cavity<'_>, fill: &mut F) -> u32 {
    let middle = fill.vertex();
    fill.fan(cavity, middle, false);
    middle
}

/// Joins the three vertices of a face inside of the surface to a new one, and returns it.
#[inline(always)]
pub fn collapse_face<F: Fill>(cavity: &Cavity<'_>, fill: &mut F) -> u32 {
    if cavity.deleted_vertices() != 3 {
        fill.refuse(ON_BOUNDARY);
    }
    let middle = fill.vertex();
    fill.fan(cavity, middle, false);
    middle
}

/// Puts an edge in the place of a vertex inside of the surface; returns its ends. The first one is joined with the
/// loop's vertices from 0 to `half`, the second with those from `half` to 0.
#[inline(always)]
pub fn split_vertex<F: Fill>(cavity: &Cavity<'_>, half: u32, fill: &mut F) -> [u32; 2] {
    let (a, b) = (fill.vertex(), fill.vertex());
    if cavity.deleted_vertices() != 1 {
        fill.refuse(ON_BOUNDARY);
        return [a, b];
    }
    let across = fill.edge(a, b);
    let first = fill.edge(cavity.vertex(0), a);
    let mut spoke = first;
    let mut i = 0;
    while i < half {
        let next = fill.edge(cavity.vertex(cavity.after(i)), a);
        fill.face([cavity.side(i), next, spoke.reversed()]);
        spoke = next;
        i += 1;
    }
    let other = fill.edge(cavity.vertex(half), b);
    fill.face([spoke.reversed(), other, across.reversed()]);
    spoke = other;
    while i < cavity.len() {
        let next = fill.edge(cavity.vertex(cavity.after(i)), b);
        fill.face([cavity.side(i), next, spoke.reversed()]);
        spoke = next;
        i += 1;
    }
    fill.face([spoke.reversed(), first, across]);
    [a, b]
}
