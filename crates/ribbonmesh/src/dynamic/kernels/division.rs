//! Kernels that divide a mesh among the patches of the speculative resolver.
use crate::device::atomic::{self, Order, Scope};
use crate::device::{Block, HalfEdge, In, NONE, Out, kernel};
use crate::dynamic::MeshRef;
use crate::dynamic::rounds::Rounds;
use crate::dynamic::speculate::row;

/// For each corner of each face id the next corner and the first one of the same edge; a deleted face has none but its own.
#[kernel(threads = 256)]
pub fn link_corners<'a>(block: &Block, rounds: Rounds<'a>, ring: Out<'a, u32>, leader: Out<'a, u32>) {
    block.for_each_of_tile(3 * rounds.control.get(2), |corner| {
        let (f, i) = (corner / 3, corner % 3);
        let mut other = corner;
        if rounds.mesh.fv.get(4 * f) != NONE
            && let Some(twin) = rounds.mesh.twin(HalfEdge::new(4 * f + i))
        {
            other = 3 * twin.face().index() + twin.corner();
        }
        ring.set(corner, other);
        leader.set(corner, if other < corner { other } else { corner });
    });
}

/// The faces that live go to the lists of their patches, `capacity` places for each. The lengths begin as zeros.
#[kernel(threads = 256)]
pub fn list_faces<'a>(
    block: &Block,
    rounds: Rounds<'a>,
    owner: In<'a, u32>,
    capacity: u32,
    faces: Out<'a, u32>,
    rows: Out<'a, u32>,
) {
    block.for_each_of_tile(rounds.control.get(2), |f| {
        if rounds.mesh.fv.get(4 * f) == NONE {
            return;
        }
        let patch = owner.get(f);
        let length = row::WORDS * patch + row::FACES;
        let at = atomic::fetch_add(rows, length, 1, Order::Relaxed, Scope::Device);
        if at < capacity {
            faces.set(capacity * patch + at, f);
        }
    });
}
