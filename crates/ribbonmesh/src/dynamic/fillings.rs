//! Fillings of the classic operators (thesis Figure 5.2).
//!
//! | operator | cavity | filling |
//! |---|---|---|
//! | edge flip | [`FacesOfEdge`] | [`Flip`] |
//! | edge split | [`FacesOfEdge`] | [`SplitEdge`] |
//! | edge collapse | [`StarsOfEdge`] | [`collapse_edge`] |
//! | edge collapse onto one of its ends | [`star_at`], of the other | [`collapse_onto`] |
//! | face split 1→3 | [`OneFace`] | [`SplitFace`] |
//! | face collapse | [`StarsOfFace`] | [`CollapseFace`] |
//! | vertex split | [`StarOfVertex`] | [`SplitVertex`] |
//! | delete a vertex, an edge, a face | [`StarOfVertex`], [`FacesOfEdge`], [`OneFace`] | [`Nothing`] |
//!
//! [`FacesOfEdge`]: crate::dynamic::templates::FacesOfEdge
//! [`StarsOfEdge`]: crate::dynamic::templates::StarsOfEdge
//! [`OneFace`]: crate::dynamic::templates::OneFace
//! [`StarsOfFace`]: crate::dynamic::templates::StarsOfFace
//! [`StarOfVertex`]: crate::dynamic::templates::StarOfVertex
//! [`star_at`]: crate::dynamic::templates::star_at
use crate::device::{Edge, Element, Face, NONE, Vertex, VertexId};
use crate::dynamic::cavity::Cavity;
use crate::dynamic::fill::{Corner, Fan, Fill, NewFace, Side};
use crate::dynamic::rejection::{Rejection, rejections};

/// A filling that depends on nothing but the cavity, for `#[operator(filling = …)]`.
pub trait Filling<E: Element> {
    /// The elements that it makes.
    type Made;
    /// Whether it may join vertices of the loop by an edge, close a loop of three sides by a face, or leave a
    /// hole: what needs claims of its own.
    const CHORDS: bool;
    /// Whether it may make more vertices, edges or faces than are deleted.
    const GROWS: bool;
    /// Makes it.
    /// # Errors
    /// Why it cannot be made.
    fn fill(cavity: &Cavity<'_, E>, fill: &mut impl Fill) -> Result<Self::Made, Rejection>;
}

macro_rules! fillings { ($($(#[$doc:meta])* $name:ident $kind:ident $chords:literal $grows:literal $made:ty, $function:expr;)*) => { $(
    $(#[$doc])*
    #[derive(Clone, Copy, Debug)]
    pub struct $name;
    impl Filling<$kind> for $name {
        type Made = $made;
        const CHORDS: bool = $chords;
        const GROWS: bool = $grows;
        #[inline(always)]
        fn fill(cavity: &Cavity<'_, $kind>, fill: &mut impl Fill) -> Result<$made, Rejection> {
            $function(cavity, fill)
        }
    }
)* } }
fillings! {
    /// [`flip`].
    Flip Edge true false Flipped, flip;
    /// [`split_edge`].
    SplitEdge Edge false true Split, |cavity: &_, fill: &mut _| Ok(split_edge(cavity, fill));
    /// [`split_face`].
    SplitFace Face false true Corner, |cavity: &_, fill: &mut _| Ok(split_face(cavity, fill));
    /// [`collapse_face`].
    CollapseFace Face true false Corner, collapse_face;
    /// [`split_vertex`] at the opposite of the loop's vertex 0.
    SplitVertex Vertex false true [Corner; 2], |cavity: &Cavity<'_, _>, fill: &mut _| split_vertex(cavity, cavity.len() / 2, fill);
}

/// Leaves a hole.
#[derive(Clone, Copy, Debug)]
pub struct Nothing;
impl<E: Element> Filling<E> for Nothing {
    type Made = ();
    const CHORDS: bool = true;
    const GROWS: bool = false;
    #[inline(always)]
    fn fill(_: &Cavity<'_, E>, _: &mut impl Fill) -> Result<(), Rejection> {
        Ok(())
    }
}

/// Result of [`flip`].
#[derive(Clone, Copy)]
pub struct Flipped {
    /// The edge across.
    pub edge: Side,
    /// Its two faces.
    pub faces: [NewFace; 2],
}
/// Joins the vertices opposite of the edge. The loop is that of the edge's two faces: b c a d, for the edge a
/// b.
/// # Errors
/// [`rejections::ON_BOUNDARY`].
#[inline(always)]
pub fn flip<E: Element>(cavity: &Cavity<'_, E>, fill: &mut impl Fill) -> Result<Flipped, Rejection> {
    if cavity.len() != 4 {
        return Err(rejections::ON_BOUNDARY);
    }
    let across = fill.edge(cavity.vertex(1), cavity.vertex(3));
    let first = fill.face([cavity.side(1), cavity.side(2), across.reversed()]);
    let second = fill.face([cavity.side(3), cavity.side(0), across]);
    Ok(Flipped { edge: across, faces: [first, second] })
}

/// Result of [`split_edge`].
#[derive(Clone, Copy)]
pub struct Split {
    /// The vertex on the edge.
    pub middle: Corner,
    /// Number of new edges. They are the first edges that the filling makes: number 0 and number 2 are the
    /// halves of the edge, the others lead to vertices opposite of it.
    pub edges: u32,
}
/// Puts a vertex on the edge, and joins it with the vertices opposite. The two halves of a boundary edge are
/// boundary edges.
#[inline(always)]
pub fn split_edge<E: Element>(cavity: &Cavity<'_, E>, fill: &mut impl Fill) -> Split {
    let middle = fill.vertex();
    // a single face: its loop begins at the edge, whose side is deleted; other open sides stay
    if cavity.deleted_faces() == 1 {
        let [a, b] = [fill.edge(cavity.vertex(1), middle), fill.edge(cavity.vertex(2), middle)];
        fill.face([cavity.side(1), b, a.reversed()]);
        let c = fill.edge(cavity.vertex(0), middle);
        fill.face([cavity.side(2), c, b.reversed()]);
        return Split { middle, edges: 3 };
    }
    let fan = fill.fan(cavity, middle);
    Split { middle, edges: fan.edges }
}

/// Result of [`collapse_edge`].
#[derive(Clone, Copy)]
pub struct Collapsed {
    /// The vertex that stays: new, or one of the loop.
    pub vertex: Corner,
    /// The same vertex if it is not new but the end that lies on the boundary. `None` for a new vertex, which
    /// needs its attributes.
    pub stays: Option<VertexId>,
    /// The faces and edges around it.
    pub fan: Fan,
}
/// Collapses the edge with ends `a` and `b`. If both are inside the surface, a new vertex replaces them. If
/// one is on the boundary, it stays. An edge on the boundary keeps `a`.
/// # Errors
/// Violations of the link condition (Dey, Edelsbrunner, Guha and Nekhayev 1999): the ends have no neighbours
/// in common except for the vertices opposite of the edge, or else the cavity has no simple loop, or another
/// vertex inside, [`rejections::LINK`]. [`rejections::VANISHES`]; [`rejections::PINCHES`].
#[inline(always)]
pub fn collapse_edge<E: Element>(
    cavity: &Cavity<'_, E>,
    [a, b]: [VertexId; 2],
    fill: &mut impl Fill,
) -> Result<Collapsed, Rejection> {
    let (at_a, at_b) = (cavity.index_of(a.index()), cavity.index_of(b.index()));
    if cavity.deleted_vertices() != (at_a == NONE) as u32 + (at_b == NONE) as u32 {
        return Err(rejections::LINK);
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
                return Err(if cavity.len() == 3 { rejections::VANISHES } else { rejections::PINCHES });
            }
            let [from, to] = if along { [at_b, at_a] } else { [at_a, at_b] };
            (at_a, cavity.after(from), cavity.before(cavity.before(to)))
        }
    };
    // one way around for all of them: this is most of an operator's code
    let new = hub == NONE;
    let stays = if new { None } else { Some(cavity.vertex(hub)) };
    let vertex = stays.map_or_else(|| fill.vertex(), Corner::from);
    let reaches = !new && first == cavity.after(hub);
    let spoke = if new {
        fill.edge(cavity.vertex(first), vertex).reversed()
    } else if reaches {
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
    let fan = fill.fan_around(cavity, vertex, [first, last], Some(spoke), close);
    Ok(Collapsed { vertex, stays, fan: if reaches { fan } else { fan.begun_at_first_edge() } })
}

/// Joins vertex `gone` with its neighbour `kept`, which stays as it is: a half-edge collapse. The cavity is
/// the star of `gone`. On the boundary the two sides at `gone` vanish. The link condition holds where no edge
/// to be exists.
/// # Errors
/// [`rejections::LINK`]; [`rejections::VANISHES`]; [`rejections::PINCHES`].
#[inline(always)]
pub fn collapse_onto<E: Element>(
    cavity: &Cavity<'_, E>,
    kept: VertexId,
    gone: VertexId,
    fill: &mut impl Fill,
) -> Result<(), Rejection> {
    let Some(at) = cavity.find(kept) else { return Err(rejections::LINK) };
    let mut parts = [Some([cavity.after(at), cavity.before(cavity.before(at))]), None];
    if let Some(at_gone) = cavity.find(gone) {
        // the sides between the two, on either way around
        let n = cavity.len();
        let before = if at_gone > at { at_gone - at } else { at_gone + n - at };
        let behind = n - before;
        let open = [cavity.open(at), cavity.open(cavity.before(at))];
        if before < 3 && behind < 3 && open[0] && open[1] {
            return Err(rejections::VANISHES);
        }
        if before > 1 && behind > 1 && (open[0] || open[1]) {
            return Err(rejections::PINCHES);
        }
        let first = [cavity.after(at), cavity.before(cavity.before(at_gone))];
        let second = [cavity.after(at_gone), cavity.before(cavity.before(at))];
        parts = [(before >= 3).then_some(first), (behind >= 3).then_some(second)];
    }
    // one fan for both: this is most of an operator's code
    let mut k = 0;
    while k < 2 {
        if let Some(sides) = if k == 0 { parts[0] } else { parts[1] } {
            fill.fan_between(cavity, at, sides);
        }
        k += 1;
    }
    Ok(())
}

/// Puts a vertex into the face; returns it.
#[inline(always)]
pub fn split_face<E: Element>(cavity: &Cavity<'_, E>, fill: &mut impl Fill) -> Corner {
    let middle = fill.vertex();
    fill.fan(cavity, middle);
    middle
}

/// Joins the three vertices of a face inside of the surface to a new one, and returns it.
/// # Errors
/// [`rejections::ON_BOUNDARY`].
#[inline(always)]
pub fn collapse_face<E: Element>(cavity: &Cavity<'_, E>, fill: &mut impl Fill) -> Result<Corner, Rejection> {
    if cavity.deleted_vertices() != 3 {
        return Err(rejections::ON_BOUNDARY);
    }
    Ok(split_face(cavity, fill))
}

/// Replaces a vertex inside of the surface by an edge; returns its ends. The first one is joined with the
/// loop's vertices from 0 to `half`, the second with the vertices from `half` to 0.
/// # Errors
/// [`rejections::ON_BOUNDARY`].
#[inline(always)]
pub fn split_vertex<E: Element>(
    cavity: &Cavity<'_, E>,
    half: u32,
    fill: &mut impl Fill,
) -> Result<[Corner; 2], Rejection> {
    if cavity.deleted_vertices() != 1 {
        return Err(rejections::ON_BOUNDARY);
    }
    let (a, b) = (fill.vertex(), fill.vertex());
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
    Ok([a, b])
}
