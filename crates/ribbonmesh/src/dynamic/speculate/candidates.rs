//! Asking the operator about the seeds of a patch.
use super::division::{Division, wanted};
use super::held::Held;
use super::memory::{Memory, word};
use super::pass::{atomic_add, is_out, put_out};
use crate::device::{Block, Element, ElementId, ElementKind, FaceId, HalfEdge, NONE, VertexId};
use crate::dynamic::control;
use crate::dynamic::mesh::MeshRef;
use crate::dynamic::operator::Operator;
use crate::dynamic::phases::rank;
use crate::dynamic::rejection::Rejection;
use crate::dynamic::rounds::Rounds;

const COUNT: u32 = Rejection::COUNT;
/// In what is kept of a priority: a seed with one that is greater by [`CLEARLY`] comes first.
pub const WAITS: u32 = 1 << 29;
/// By how much what is kept of a priority must be greater for others to wait: about a quarter of the priority. Less is not worth the
/// time.
const CLEARLY: u32 = 32;
/// In counts of candidates, of which a patch has fewer: one that waits for none.
const READY: u32 = 1 << 16;

/// What is asked about.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    pub rounds: Rounds<'a>,
    pub division: Division<'a>,
    pub mesh: Held<'a>,
    pub pass: u32,
    pub passes: u32,
}

/// The rank of the cavity at a seed that lives, with [`WAITS`] if another seed comes first; none where there is no cavity, or one with a face
/// that this pass has made. Rejections are counted.
#[inline(always)]
fn asked<O: Operator>(q: Question<'_>, operator: O, m: Memory<'_>, seed: u32) -> Option<u32> {
    let id = <O::Seed as Element>::Id::new(seed);
    let rank = rank(operator.priority(q.mesh, id)?);
    let mut changed = false;
    operator.faces(q.mesh, id, |h| changed |= q.mesh.changed_in(h) == q.pass);
    if changed {
        return None;
    }
    if let Err(reason) = operator.precheck(q.mesh, id) {
        m.reasons.fetch_add(reason.index(), 1);
        return None;
    }
    // who works alone waits for nobody
    let waits = m.words.get(word::ALONE) == 0 && before(q, operator, seed, rank) != 0;
    Some(if waits { rank | WAITS } else { rank })
}

/// The seed that comes before another one with this rank, since it wants one of its faces clearly more and is still to come, below its own rank: the
/// greatest of all; 0 for none.
#[inline(always)]
fn before<O: Operator>(q: Question<'_>, operator: O, seed: u32, rank: u32) -> u64 {
    let mut first = 0;
    operator.faces(q.mesh, <O::Seed as Element>::Id::new(seed), |h| {
        let wants = q.division.wanted.get(h.face().index());
        if let Some([greater, other]) = wanted::read(wants, q.passes)
            && greater >= (rank & 0xFFFF) + CLEARLY
            && !is_out(q.rounds, other)
        {
            first = first.max((greater as u64) << 32 | other as u64);
        }
    });
    first
}

/// The seed of another patch for which the first `n` candidates wait; `NONE` if it is out of the pass by now. Collective.
#[inline(always)]
pub fn first_of_others<O: Operator>(
    block: &Block,
    q: Question<'_>,
    operator: O,
    m: Memory<'_>,
    n: u32,
) -> u32 {
    let of = |i: u32| {
        let (seed, rank) = (m.seeds.get(i), m.ranks.get(i));
        if seed != NONE && rank & WAITS != 0 { before(q, operator, seed, rank) } else { 0 }
    };
    let first = block.reduce(n, 0, of, |a, b| if a > b { a } else { b });
    if first == 0 || block.any(n, |i| m.seeds.get(i) == first as u32) { NONE } else { first as u32 }
}

/// The seed that stands at half-edge `h` of a face of the patch, if it belongs to the patch: an edge belongs to that of its lesser
/// face, a vertex to that of its least half-edge before the pass; and if it is not out of the pass.
#[inline(always)]
fn seed_at<O: Operator>(q: Question<'_>, h: HalfEdge) -> Option<u32> {
    let mesh = q.mesh;
    match O::Seed::KIND {
        ElementKind::Face => {
            let f = h.face().index();
            (!is_out(q.rounds, f)).then_some(f)
        }
        ElementKind::Vertex => {
            let v = mesh.from(h).index();
            let least = mesh.tables.vh.get(v);
            (!is_out(q.rounds, v) && least == h.index() && mesh.changed_in(h) != q.pass).then_some(v)
        }
        ElementKind::Edge => {
            let dart = mesh.dart(h);
            let edge = dart.edge().index();
            let out = is_out(q.rounds, edge);
            // in the first pass all neighbours of the patch are asked for at once: the stash is empty, or from another operator
            if out && q.passes > 0 {
                return None;
            }
            match mesh.half_edge(dart.reversed()) {
                Some(twin) if twin.face().index() < h.face().index() => None,
                _ if out => None,
                _ => Some(edge),
            }
        }
    }
}

/// Asks about all seeds of a patch with `n` faces that are not out of the pass; they go to the list. Collective.
#[inline(always)]
pub fn ask_all<O: Operator>(block: &Block, q: Question<'_>, operator: O, m: Memory<'_>, n: u32) {
    let each = if O::Seed::KIND == ElementKind::Face { 1 } else { 3 };
    block.for_each(each * n, |i| {
        let f = m.faces.get(i / each);
        let Some(seed) = seed_at::<O>(q, HalfEdge::new(4 * f + i % each)) else { return };
        let rank = asked(q, operator, m, seed);
        let at = m.words.fetch_add(word::CANDIDATES, 1);
        m.seeds.set(at, seed);
        m.ranks.set(at, rank.unwrap_or(NONE));
    });
}

/// Whether a seed still lives.
#[inline(always)]
fn lives<O: Operator>(q: Question<'_>, seed: u32) -> bool {
    match O::Seed::KIND {
        ElementKind::Vertex => {
            q.mesh.half_edge_at(VertexId::new(seed)).is_some_and(|h| q.mesh.changed_in(h) != q.pass)
        }
        ElementKind::Edge => q.mesh.sides(crate::device::EdgeId::new(seed)) != [None; 2],
        ElementKind::Face => {
            q.mesh.corners(FaceId::new(seed))[0].some().is_some()
                && q.mesh.changed_in(HalfEdge::new(4 * seed)) != q.pass
        }
    }
}

/// Asks again about the first `n` candidates that are left, whose surroundings may have changed. Collective.
#[inline(always)]
pub fn ask_again<O: Operator>(block: &Block, q: Question<'_>, operator: O, m: Memory<'_>, n: u32) {
    block.for_each(n, |i| {
        let seed = m.seeds.get(i);
        if seed == NONE {
            return;
        }
        let rank = if lives::<O>(q, seed) { asked(q, operator, m, seed) } else { None };
        m.ranks.set(i, rank.unwrap_or(NONE));
    });
}

/// Takes over what was asked, once nothing was missing: seeds that are no candidates are out of the pass, and rejections are counted. How many of the
/// first `n` are left, and how many of these wait for none. Collective.
#[inline(always)]
pub fn take_over(block: &Block, q: Question<'_>, m: Memory<'_>, n: u32) -> [u32; 2] {
    block.for_each_nosync(COUNT, |reason| {
        let rejected = m.reasons.get(reason);
        if rejected > 0 {
            atomic_add(q.rounds, control::REJECTED + reason, rejected);
        }
    });
    let of = |i: u32| {
        let (seed, rank) = (m.seeds.get(i), m.ranks.get(i));
        if seed == NONE {
            return 0;
        }
        if rank == NONE {
            put_out(q.rounds, seed);
            m.seeds.set(i, NONE);
            return 0;
        }
        if rank & WAITS != 0 { 1 } else { READY + 1 }
    };
    let counts = block.reduce(n, 0, of, |a, b| a + b);
    [counts % READY, counts / READY]
}
