//! The beginning of a pass: which seeds have cavities, and which of them comes first where they share faces.
use super::division::{Division, row, state, wanted};
use super::held::put;
use super::pass::{atomic_add, begin_patch};
use crate::device::atomic::{self, Order, Scope};
use crate::device::{Block, EdgeId, Element, ElementId, ElementKind, HalfEdge, NONE};
use crate::dynamic::control;
use crate::dynamic::mesh::MeshRef;
use crate::dynamic::operator::Operator;
use crate::dynamic::phases::{by_looks, for_each_part, lives, look_at, looks, rank, seeds};
use crate::dynamic::rounds::Rounds;
use ribbonmesh_concurrent::Queue;

/// The patch of a seed that lives: that of the least face of an edge, of the face at a vertex's least half-edge.
#[inline(always)]
fn patch_of<O: Operator>(rounds: Rounds<'_>, d: Division<'_>, seed: u32) -> u32 {
    let face = match O::Seed::KIND {
        ElementKind::Face => seed,
        ElementKind::Vertex => rounds.mesh.vh.get(seed) / 4,
        ElementKind::Edge => {
            let face = |h: Option<HalfEdge>| h.map_or(NONE, |h| h.face().index());
            let [g, h] = rounds.mesh.sides(EdgeId::new(seed));
            face(g).min(face(h))
        }
    };
    d.owner.get(face)
}

/// Asks about all seeds, before anything is written. Each with a cavity notes on its faces what is kept of its priority, and is not out of the
/// pass; all others are. Patches with such seeds are noted.
#[inline(always)]
pub fn post<O: Operator>(block: &Block, rounds: Rounds<'_>, d: Division<'_>, operator: O) {
    let passes = rounds.control.get(control::PASSES);
    let all = !by_looks::<O>() || passes == 0;
    let (look, next) = looks(rounds);
    for_each_part(block, seeds::<O>(rounds), |base, len| {
        block.for_each(len.div_ceil(32), |i| {
            rounds.out.set(base / 32 + i, NONE);
            if by_looks::<O>() {
                next.set(base / 32 + i, 0);
            }
        });
        block.for_each(len, |i| {
            let seed = base + i;
            let (word, bit) = (seed / 32, 1 << (seed % 32));
            if !all && look.get(word) & bit == 0 || !lives::<O>(rounds, seed) {
                return;
            }
            let id = <O::Seed as Element>::Id::new(seed);
            let Some(priority) = operator.priority(rounds.mesh, id) else { return };
            if by_looks::<O>() {
                look_at(next, seed);
            }
            if let Err(reason) = operator.precheck(rounds.mesh, id) {
                atomic_add(rounds, control::REJECTED + reason.index(), 1);
                return;
            }
            atomic::fetch_and(rounds.out, word, !bit, Order::Relaxed, Scope::Device);
            let wants = wanted::word(passes, rank(priority), seed);
            operator.faces(rounds.mesh, id, |h| {
                atomic::fetch_max(d.wanted, h.face().index(), wants, Order::Relaxed, Scope::Device);
            });
            put(d.rows, row::WORDS * patch_of::<O>(rounds, d, seed) + row::POSTED, 1);
        });
    });
}

/// Pushes the patches that were noted, in a scattered order.
#[inline(always)]
pub fn push_posted(block: &Block, d: Division<'_>) {
    let patches = atomic::load(d.state, state::PATCHES, Order::Relaxed, Scope::Device);
    let queue = Queue::new(d.queue);
    block.for_each_of_tile(patches, |i| {
        // neighbours have numbers near each other: so they are not worked on at the same time. Slices come last.
        let n = d.scattered;
        let patch = if i < n { (i as u64 * d.stride as u64 % n as u64) as u32 } else { i };
        if d.row(patch, row::POSTED) != 0 {
            d.set_row(patch, row::POSTED, 0);
            begin_patch(queue, patch);
        }
    });
}
