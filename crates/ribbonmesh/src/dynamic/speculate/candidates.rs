//! Asking the operator about the seeds of a patch.
use super::division::{Division, row};
use super::held::{Held, put};
use super::memory::{Memory, word};
use crate::device::atomic::{self, Order, Scope};
use crate::device::{Block, Element, ElementId, ElementKind, FaceId, HalfEdge, NONE, VertexId};
use crate::dynamic::control;
use crate::dynamic::mesh::MeshRef;
use crate::dynamic::operator::Operator;
use crate::dynamic::phases::{by_looks, look_at, looks, rank};
use crate::dynamic::rejection::Rejection;
use crate::dynamic::rounds::Rounds;

const COUNT: u32 = Rejection::COUNT;

/// What is asked about.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    pub rounds: Rounds<'a>,
    pub division: Division<'a>,
    pub mesh: Held<'a>,
    pub pass: u32,
    pub passes: u32,
}

/// The rank of the cavity at a seed that lives; none where there is none, or one with a face that this pass has made. Rejections
/// are counted.
#[inline(always)]
fn asked<O: Operator>(q: Question<'_>, operator: O, m: Memory, seed: u32) -> Option<u32> {
    let id = <O::Seed as Element>::Id::new(seed);
    let rank = rank(operator.priority(q.mesh, id)?);
    let mut changed = false;
    operator.faces(q.mesh, id, |h| changed |= q.mesh.changed_in(h) == q.pass);
    if by_looks::<O>() {
        let (_, next) = looks(q.rounds);
        look_at(next, seed);
        put(q.division.rows, row::WORDS * q.mesh.patch + row::DIRTY, 1);
    }
    if changed {
        return None;
    }
    if let Err(reason) = operator.precheck(q.mesh, id) {
        m.reasons.fetch_add(reason.index(), 1);
        return None;
    }
    Some(rank)
}

/// The seed that stands at half-edge `h` of a face of the patch, if it belongs to the patch: an edge belongs to that of its lesser
/// face, a vertex to that of its least half-edge before the pass.
#[inline(always)]
fn seed_at<O: Operator>(q: Question<'_>, h: HalfEdge) -> Option<u32> {
    let mesh = q.mesh;
    match O::Seed::KIND {
        ElementKind::Face => Some(h.face().index()),
        ElementKind::Vertex => {
            let v = mesh.from(h);
            let least = mesh.tables.vh.get(v.index());
            (least == h.index() && mesh.changed_in(h) != q.pass).then_some(v.index())
        }
        ElementKind::Edge => {
            let dart = mesh.dart(h);
            let edge = dart.edge().index();
            if by_looks::<O>() && q.passes > 0 {
                let (look, _) = looks(q.rounds);
                if look.get(edge / 32) >> (edge % 32) & 1 == 0 {
                    return None;
                }
            }
            match mesh.half_edge(dart.reversed()) {
                Some(twin) if twin.face().index() < h.face().index() => None,
                _ => Some(edge),
            }
        }
    }
}

/// Asks about all seeds of a patch with `n` faces; candidates go to the list. Collective.
#[inline(always)]
pub fn ask_all<O: Operator>(block: &Block, q: Question<'_>, operator: O, m: Memory, n: u32) {
    let each = if O::Seed::KIND == ElementKind::Face { 1 } else { 3 };
    block.for_each(each * n, |i| {
        let f = m.faces.get(i / each);
        let Some(seed) = seed_at::<O>(q, HalfEdge::new(4 * f + i % each)) else { return };
        // rejected in this pass, before the patch was pushed again
        let out = atomic::load(q.rounds.out, seed / 32, Order::Relaxed, Scope::Device);
        if out >> (seed % 32) & 1 != 0 {
            return;
        }
        if let Some(rank) = asked(q, operator, m, seed) {
            let at = m.words.fetch_add(word::CANDIDATES, 1);
            m.seeds.set(at, seed);
            m.ranks.set(at, rank);
        }
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
pub fn ask_again<O: Operator>(block: &Block, q: Question<'_>, operator: O, m: Memory, n: u32) {
    block.for_each(n, |i| {
        let seed = m.seeds.get(i);
        if seed == NONE {
            return;
        }
        let rank = if lives::<O>(q, seed) { asked(q, operator, m, seed) } else { None };
        m.ranks.set(i, rank.unwrap_or(NONE));
    });
}

/// Takes over what was asked, once nothing was missing: candidates that were none are done, rejections are added up. How many of the
/// first `n` are left. Collective.
#[inline(always)]
pub fn take_over(block: &Block, m: Memory, n: u32) -> u32 {
    block.for_each_nosync(COUNT, |reason| {
        m.reasons.set(COUNT + reason, m.reasons.get(COUNT + reason) + m.reasons.get(reason));
    });
    block.count_where(n, |i| {
        let left = m.ranks.get(i) != NONE;
        if !left {
            m.seeds.set(i, NONE);
        }
        left && m.seeds.get(i) != NONE
    })
}

/// No rejections yet. Collective.
#[inline(always)]
pub fn begin_reasons(block: &Block, m: Memory) {
    block.for_each(COUNT, |reason| m.reasons.set(COUNT + reason, 0));
}
/// Adds the rejections to those of the pass: once for each patch, when all its seeds have been asked. Collective.
#[inline(always)]
pub fn count_reasons(block: &Block, q: Question<'_>, m: Memory) {
    block.for_each(COUNT, |reason| {
        let rejected = m.reasons.get(COUNT + reason);
        if rejected > 0 {
            super::pass::atomic_add(q.rounds, control::REJECTED + reason, rejected);
        }
    });
}
