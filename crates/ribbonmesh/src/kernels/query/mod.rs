//! Kernels that write query results to memory: one block a patch.
//!
//! VV, VE and VF are gapless rows, `offsets` and `values`; the other queries have rows of fixed length,
//! unless an edge has more than two faces ([`general`]). Entries are ids; [`NONE`] is stored where a row of
//! fixed length has no entry.

pub mod active;
pub mod boundary;
pub mod edge;
pub mod face;
pub mod general;
pub mod k_ring;
pub mod oriented;
pub mod vertex;

use crate::device::query::NO_LOCAL;
use crate::device::{Block, MeshView, NONE, Out, ResolveRibbon};

/// The id of a local element, or none.
#[inline(always)]
fn or_none(ids: impl ResolveRibbon) -> impl Fn(u32) -> u32 {
    move |l| if l == NO_LOCAL { NONE } else { ids.global(l) }
}

/// The last block writes the offsets of what no patch owns (isolated vertices) and the end: `rows + 1` in
/// all.
#[inline(always)]
fn finish_offsets(
    block: &Block,
    mesh: MeshView<'_>,
    owned_end: u32,
    rows: u32,
    end: u32,
    offsets: Out<'_, u32>,
) {
    if block.index() + 1 == mesh.patches {
        block.for_each_nosync(rows + 1 - owned_end, |i| offsets.set(owned_end + i, end));
    }
}
