//! The phases of a round.
mod allocate;
mod claim;
mod end;
mod fill;
mod plan;
mod record;

pub use allocate::allocate;
pub use claim::claim;
pub use fill::fill;
pub use plan::plan;

use crate::device::atomic::{self, Order, Scope};
use crate::device::{Block, Dart, Element, ElementKind, FaceId, HalfEdge, NONE, Out, TILE};
use crate::dynamic::cavity::Cavity;
use crate::dynamic::control;
use crate::dynamic::operator::Operator;
use crate::dynamic::rejection::Rejection;
use crate::dynamic::rounds::Rounds;
use crate::dynamic::site::{MeshWrite, Site};

/// The places of seeds whose cavity was rejected in this round: this minus the reason.
pub const REJECTED: u32 = NONE;

#[inline(always)]
fn add(memory: Out<'_, u32>, i: u32, n: u32) -> u32 {
    atomic::fetch_add(memory, i, n, Order::Relaxed, Scope::Device)
}

/// The claim of a candidate: greatest first by round, then rank, then by chance. All different.
#[inline(always)]
fn word(stamp: u32, [seed, rank_and_faces]: [u32; 2]) -> u64 {
    let rank = rank_and_faces & 0xFFFF;
    let chance = seed.wrapping_mul(0x9E37_79B1) ^ stamp.wrapping_mul(0x85EB_CA6B);
    (stamp as u64) << 48 | (rank as u64) << 32 | chance as u64
}

/// Candidates that a block takes at a time: one per thread, so that short lists keep many blocks busy.
pub const CHUNK: u32 = 256;
/// The parts `(first, length)` of a list that fall to this block.
#[inline(always)]
fn for_each_chunk(block: &Block, n: u32, f: impl FnMut(u32, u32)) {
    for_each_of(block, n, CHUNK, f);
}
/// The same with tiles, where there are enough of them for all blocks.
#[inline(always)]
pub fn for_each_part(block: &Block, n: u32, f: impl FnMut(u32, u32)) {
    for_each_of(block, n, if n > CHUNK * block.count() { TILE } else { CHUNK }, f);
}
#[inline(always)]
fn for_each_of(block: &Block, n: u32, size: u32, mut f: impl FnMut(u32, u32)) {
    let mut base = block.index() * size;
    while base < n {
        f(base, if n - base < size { n - base } else { size });
        base += block.count() * size;
    }
}

/// Number of seeds, living or not.
#[inline(always)]
pub fn seeds<O: Operator>(m: Rounds<'_>) -> u32 {
    m.control.get(match O::Seed::KIND {
        ElementKind::Vertex => 0,
        ElementKind::Edge => 1,
        ElementKind::Face => 2,
    })
}
/// Whether the run continues. Only the end of a round changes that.
#[inline(always)]
pub fn running(m: Rounds<'_>) -> bool {
    m.control.get(control::STATE) == control::RUNNING
}
/// Whether another round may follow without the host: the run continues, this is not the end of a pass if
/// that is the limit, and claims of the round can be told apart.
#[inline(always)]
pub fn another(m: Rounds<'_>, within_pass: bool) -> bool {
    // three loads at the same time
    let (state, round, stamp) =
        (m.control.get(control::STATE), m.control.get(control::ROUND), m.control.get(control::STAMP));
    state == control::RUNNING && !(within_pass && round == 0) && stamp < control::MOST_STAMPS
}
/// The number of this round's candidates that claimed; none count if the list does not hold all of them.
#[inline(always)]
fn candidates(m: Rounds<'_>) -> u32 {
    if lists_overflow(m) { 0 } else { m.control.get(control::CANDIDATES) }
}
/// Whether there are more candidates than the list of this round holds.
#[inline(always)]
fn lists_overflow(m: Rounds<'_>) -> bool {
    m.control.get(control::CANDIDATES) as usize > m.even.len()
}
/// This round's candidates, and the candidates of the last one.
#[inline(always)]
fn lists<'a>(m: Rounds<'a>) -> (Out<'a, [u32; 2]>, Out<'a, [u32; 2]>) {
    if m.control.get(control::ROUND) & 1 == 0 { (m.even, m.odd) } else { (m.odd, m.even) }
}

/// Whether a pass looks only at edges near what the pass before has changed.
#[inline(always)]
pub fn by_looks<O: Operator>() -> bool {
    O::LOCAL && matches!(O::Seed::KIND, ElementKind::Edge)
}
/// One bit per edge: the edges to look at in this pass, and in the next one.
#[inline(always)]
pub fn looks<'a>(m: Rounds<'a>) -> (Out<'a, u32>, Out<'a, u32>) {
    if m.control.get(control::PASS) & 1 == 0 { (m.look_even, m.look_odd) } else { (m.look_odd, m.look_even) }
}
#[inline(always)]
pub fn look_at(bits: Out<'_, u32>, edge: u32) {
    atomic::fetch_or(bits, edge / 32, 1 << (edge % 32), Order::Relaxed, Scope::Device);
}
/// The edges of a filling are looked at in the next pass.
#[inline(always)]
pub fn look_around<O: Operator>(m: Rounds<'_>, c: &Cavity<'_, O::Seed>, made: [u32; 3], first: u32) {
    if !by_looks::<O>() {
        return;
    }
    let (_, next) = looks(m);
    let mut i = 0;
    while i < c.len() {
        look_at(next, c.dart(i).edge().index());
        i += 1;
    }
    let mut i = 0;
    while i < made[1] {
        look_at(next, if i < c.edges { c.deleted_edge(i).index() } else { first + (i - c.edges) });
        i += 1;
    }
}

/// The darts of a face, from half-edge `h` on.
#[inline(always)]
fn darts_from(mesh: impl MeshWrite, h: HalfEdge) -> [Dart; 3] {
    let [a, b, c] = mesh.darts(h.face());
    match h.corner() {
        0 => [a, b, c],
        1 => [b, c, a],
        _ => [c, a, b],
    }
}
/// Whether the face of half-edge `h` has this claim.
#[inline(always)]
fn has(m: impl Site, h: Option<HalfEdge>, word: u64) -> bool {
    let claim = m.claim(h.map_or(FaceId::new(0), HalfEdge::face));
    h.is_some() && claim == word
}

/// Whether a place is that of a record.
#[inline(always)]
pub fn recorded(place: u32) -> bool {
    place != 0 && place <= REJECTED - Rejection::COUNT
}
/// Elements of the filling beyond the number of deleted ones.
#[inline(always)]
pub fn beyond<E: Element>(c: &Cavity<'_, E>, made: [u32; 3]) -> [u32; 3] {
    let [v, e, f] = made;
    [v.saturating_sub(c.vertices), e.saturating_sub(c.edges), f.saturating_sub(c.faces)]
}

#[inline(always)]
fn atomic_get(memory: Out<'_, u32>, i: u32) -> u32 {
    atomic::load(memory, i, Order::Relaxed, Scope::Device)
}
