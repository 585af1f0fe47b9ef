//! Kernels that glue triangles.
use super::around::Around;
use glam::DVec3;
use ribbonmesh::device::{Each, In, Out, Parameter, kernel};

/// Half-edges that are made.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct NewHalfEdges<'a> {
    /// As in `HalfEdges`.
    pub twin: Out<'a, u32>,
    /// As in `HalfEdges`.
    pub next: Out<'a, u32>,
    /// As in `HalfEdges`.
    pub origin: Out<'a, u32>,
    /// As in `HalfEdges`.
    pub length: Out<'a, f64>,
}

/// The corner after this one in its face.
#[inline(always)]
fn after(i: u32) -> u32 {
    i - i % 3 + (i % 3 + 1) % 3
}

/// The half-edges of a closed oriented mesh: a corner is the half-edge that begins there. Lengths become
/// `longer`.
#[kernel(threads = 256, requires(
    faces.len() >= count as usize,
    ring.len() >= count as usize,
    sides.len() >= count as usize,
    to.twin.len() >= count as usize,
    to.next.len() >= count as usize,
    to.origin.len() >= count as usize,
    to.length.len() >= count as usize,
))]
pub fn single_cover<'a>(
    i: Each,
    longer: f64,
    faces: In<'a, u32>,
    ring: In<'a, u32>,
    sides: In<'a, f64>,
    to: NewHalfEdges<'a>,
) {
    to.twin.set(i, ring.get(i));
    to.next.set(i, after(i));
    to.origin.set(i, faces.get(i));
    to.length.set(i, sides.get(i) + longer);
}

/// The half-edges of the tufted cover of any mesh, in which each face has a front and a back. Of `n` corners,
/// the front of the side at corner i is half-edge i, and its back half-edge n + i. Around each edge, a face
/// is glued to the next one by the sides that face each other; in the order of `ring` where there are no
/// `positions`. Lengths become `longer`.
#[kernel(threads = 256, requires(
    faces.len() >= count as usize,
    ring.len() >= count as usize,
    first.len() >= count as usize,
    sides.len() >= count as usize,
    to.twin.len() >= 2 * count as usize,
    to.next.len() >= 2 * count as usize,
    to.origin.len() >= 2 * count as usize,
    to.length.len() >= 2 * count as usize,
))]
pub fn double_cover<'a>(
    i: Each,
    corners: u32,
    longer: f64,
    faces: In<'a, u32>,
    positions: In<'a, DVec3>,
    ring: In<'a, u32>,
    first: In<'a, u32>,
    sides: In<'a, f64>,
    to: NewHalfEdges<'a>,
) {
    let (back, length) = (corners + i, sides.get(i) + longer);
    to.next.set(i, after(i));
    // the back goes around the other way
    to.next.set(back, corners + i - i % 3 + (i % 3 + 2) % 3);
    to.origin.set(i, faces.get(i));
    to.origin.set(back, faces.get(after(i)));
    to.length.set(i, length);
    to.length.set(back, length);
    // the side that runs along the edge's first side, where faces follow counterclockwise, and its other side
    let edge = first.get(i);
    let along = |side: u32| faces.get(side) == faces.get(edge);
    let towards = |side: u32| if along(side) { side } else { corners + side };
    let away = |side: u32| if along(side) { corners + side } else { side };
    let next = following(i, edge, faces, positions, ring);
    to.twin.set(towards(i), away(next));
    to.twin.set(away(next), towards(i));
}

/// The side of the next face around an edge, counterclockwise around its first side; sides at the same angle
/// follow in their order.
#[inline(always)]
fn following(i: u32, edge: u32, faces: In<'_, u32>, positions: In<'_, DVec3>, ring: In<'_, u32>) -> u32 {
    let next = ring.get(i);
    if positions.is_empty() || ring.get(next) == i {
        return next;
    }
    let place = |corner: u32| positions.get(faces.get(corner));
    let around = Around::new(place(edge), place(after(edge)));
    let turn = |side: u32| around.turn(place(after(after(side))));
    let own = turn(i);
    // the least of those behind this one; where there is none, the least of all
    let (mut least, mut behind) = ((own, i), (f64::INFINITY, i));
    let mut side = next;
    while side != i {
        let of = (turn(side), side);
        let follows = of.0 > own || (of.0 == own && side > i);
        if follows && (of.0 < behind.0 || (of.0 == behind.0 && side < behind.1)) {
            behind = of;
        }
        if of.0 < least.0 || (of.0 == least.0 && side < least.1) {
            least = of;
        }
        side = ring.get(side);
    }
    if behind.0 < f64::INFINITY { behind.1 } else { least.1 }
}
