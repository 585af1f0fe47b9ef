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
use crate::device::{
    Block, CardBlocks, Dart, Element, ElementKind, FaceId, HalfEdge, NONE, Out, TILE, first_of_card,
    several_cards, tiles,
};
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

/// Words for a tile of seeds in [`Rounds::needs`]: of each kind, and the number of winners.
pub const NEEDS: u32 = 4;

/// Candidates that a block takes at a time: one per thread, so that short lists keep many blocks busy.
pub const CHUNK: u32 = 256;

/// The part of a round that falls to the blocks of one card: all of it where there is one.
#[derive(Clone, Copy)]
struct Part(CardBlocks);
impl Part {
    /// The part of this block, as the machine gives blocks to cards.
    #[inline(always)]
    fn of(block: &Block, m: Rounds<'_>) -> Self {
        Self(CardBlocks::of(block, m.parts))
    }
    /// The number of its blocks.
    #[inline(always)]
    fn blocks(self) -> u32 {
        self.0.count()
    }
    /// The place of this block among its blocks, and their number.
    #[inline(always)]
    fn place(self, block: &Block) -> [u32; 2] {
        [block.index() - self.0.first(), self.0.count()]
    }
    /// Where its counters begin.
    #[inline(always)]
    fn counters(self, m: Rounds<'_>) -> u32 {
        if several_cards() { self.0.card() * m.apart } else { 0 }
    }
    /// Where its share of so many things begins, and its size.
    #[inline(always)]
    fn share(self, m: Rounds<'_>, len: usize) -> [u32; 2] {
        let each = share_of(m, len);
        [if several_cards() { self.0.card() * each } else { 0 }, each]
    }
    /// Its share of the tiles of `n` seeds: from the first to before the second.
    #[inline(always)]
    fn tiles(self, m: Rounds<'_>, n: u32) -> [u32; 2] {
        if !several_cards() {
            return [0, tiles(n)];
        }
        [self.0.card(), self.0.card() + 1].map(|card| first_of_card(card, tiles(n), m.parts))
    }
    /// Its tiles of the `n` seeds that a pass asks, as two ranges one after the other. Operators that make no
    /// new ids divide the seeds that were there when memory was divided, and later ones by themselves: so is
    /// their memory, and candidates are many among the later ones.
    #[inline(always)]
    fn asked<O: Operator>(self, m: Rounds<'_>, n: u32) -> [[u32; 2]; 2] {
        if O::GROWS || !several_cards() {
            return [self.tiles(m, n), [0; 2]];
        }
        let used = m.control.get(control::USED + kind_of::<O>()) / TILE;
        let old = if used < tiles(n) { used } else { tiles(n) };
        let share = |n: u32| [self.0.card(), self.0.card() + 1].map(|card| first_of_card(card, n, m.parts));
        [share(old), share(tiles(n) - old).map(|tile| old + tile)]
    }
    /// Where in [`Rounds::needs`] the words of its tiles begin, and the first of its tiles.
    #[inline(always)]
    fn needs(self, m: Rounds<'_>, n: u32) -> [u32; 2] {
        [self.share(m, m.needs.len())[0], self.tiles(m, n)[0]]
    }
    /// New elements of a kind that the parts before this one make.
    #[inline(always)]
    fn needed_before(self, m: Rounds<'_>, kind: u32) -> u32 {
        needed_of_parts(m, kind, if several_cards() { self.0.card() } else { 0 })
    }
    /// The pieces `(first, length)` of a range that fall to this block, `size` at a time.
    #[inline(always)]
    fn for_each(self, block: &Block, range: [u32; 2], size: u32, f: impl FnMut(u32, u32)) {
        self.0.for_each(block, range, size, f);
    }
    /// Its candidates in the list of this round: from the first to before the second; none count if the list
    /// does not hold all of them.
    #[inline(always)]
    fn candidates(self, m: Rounds<'_>) -> [u32; 2] {
        if !several_cards() {
            let n = m.control.get(control::CANDIDATES);
            return [0, if n as usize > m.even.len() { 0 } else { n }];
        }
        let n = if lists_overflow(m) { 0 } else { m.control.get(self.counters(m) + control::CANDIDATES) };
        let [first, _] = self.share(m, m.even.len());
        [first, first + n]
    }
}
/// The size of each part's share of so many things.
#[inline(always)]
fn share_of(m: Rounds<'_>, len: usize) -> u32 {
    if several_cards() { len as u32 / m.parts } else { len as u32 }
}
/// The greatest value of a counter in a part.
#[inline(always)]
fn most_of_parts(m: Rounds<'_>, counter: u32) -> u32 {
    if !several_cards() {
        return m.control.get(counter);
    }
    let (mut most, mut part) = (0, 0);
    while part < m.parts {
        let n = m.control.get(part * m.apart + counter);
        most = if n > most { n } else { most };
        part += 1;
    }
    most
}

/// New elements of a kind that the first so many parts make.
#[inline(always)]
fn needed_of_parts(m: Rounds<'_>, kind: u32, parts: u32) -> u32 {
    let (mut sum, mut part) = (0, 0);
    while part < parts {
        sum += m.control.get(part * m.apart + control::NEEDED + kind);
        part += 1;
    }
    sum
}

/// Number of seeds of this pass, living or not.
#[inline(always)]
pub fn seeds<O: Operator>(m: Rounds<'_>) -> u32 {
    m.control.get(control::BEGAN + kind_of::<O>())
}
/// The place of the seeds' kind among three words.
#[inline(always)]
fn kind_of<O: Operator>() -> u32 {
    match O::Seed::KIND {
        ElementKind::Vertex => 0,
        ElementKind::Edge => 1,
        ElementKind::Face => 2,
    }
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
/// Whether there are more candidates than the list of this round holds: then none count.
#[inline(always)]
fn lists_overflow(m: Rounds<'_>) -> bool {
    most_of_parts(m, control::CANDIDATES) > share_of(m, m.even.len())
}
/// Whether there are more words of records than there is room for.
#[inline(always)]
fn records_overflow(m: Rounds<'_>) -> bool {
    most_of_parts(m, control::RECORDED) > share_of(m, m.records.len())
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
