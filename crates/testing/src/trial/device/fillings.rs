//! Fillings by number.
use ribbonmesh::device::{Element, ElementKind, VertexId};
use ribbonmesh::dynamic::fillings::{collapse_edge, collapse_face, flip, split_edge, split_vertex};
use ribbonmesh::dynamic::{Cavity, Fill, Rejection};

/// Nothing: what is deleted leaves a hole.
pub const NOTHING: u32 = 0;
/// A new vertex, joined with the whole loop.
pub const FAN: u32 = 1;
/// The same, except for sides on the boundary.
pub const FAN_WITHIN: u32 = 2;
/// The vertex of the loop where it begins, joined with the others.
pub const FAN_OF_LOOP: u32 = 3;
/// A flip of the seed.
pub const FLIP: u32 = 4;
/// A split of the seed, an edge.
pub const SPLIT: u32 = 5;
/// A collapse of the seed, an edge.
pub const COLLAPSE: u32 = 6;
/// A split of the seed, a vertex.
pub const SPLIT_VERTEX: u32 = 7;
/// A collapse of the seed, a face.
pub const COLLAPSE_FACE: u32 = 8;

/// Fills with one of these, as far as they are made for seeds of this kind; else with nothing. `ends` are the
/// ends of the seed, if that is an edge.
/// # Errors
/// As the functions of [`ribbonmesh::dynamic::fillings`].
#[inline(always)]
pub fn fill<E: Element>(
    filling: u32,
    ends: [VertexId; 2],
    cavity: &Cavity<'_, E>,
    fill: &mut impl Fill,
) -> Result<(), Rejection> {
    let of = |kind: ElementKind| E::KIND == kind;
    match filling {
        FAN => {
            let apex = fill.vertex();
            fill.fan(cavity, apex);
        }
        FAN_WITHIN => {
            let apex = fill.vertex();
            fill.fan_within(cavity, apex);
        }
        FAN_OF_LOOP => _ = fill.fan_of_loop(cavity, 0),
        FLIP if of(ElementKind::Edge) => _ = flip(cavity, fill)?,
        SPLIT if of(ElementKind::Edge) => _ = split_edge(cavity, fill),
        COLLAPSE if of(ElementKind::Edge) => _ = collapse_edge(cavity, ends, fill)?,
        SPLIT_VERTEX if of(ElementKind::Vertex) => _ = split_vertex(cavity, cavity.len() / 2, fill)?,
        COLLAPSE_FACE if of(ElementKind::Face) => _ = collapse_face(cavity, fill)?,
        _ => (),
    }
    Ok(())
}
