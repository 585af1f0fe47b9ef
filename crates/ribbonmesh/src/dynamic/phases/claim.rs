//! Claiming: candidates write their words to the faces of their cavities.
use super::{CHUNK, NEEDS, Part, add, by_looks, lists, look_at, looks, seeds, word};
use crate::device::atomic::{self, Order, Scope};
use crate::device::{Block, EdgeId, Element, ElementId, ElementKind, NONE, TILE, several_cards};
use crate::dynamic::control;
use crate::dynamic::mesh::MeshRef;
use crate::dynamic::operator::Operator;
use crate::dynamic::rounds::Rounds;

/// Reduces a priority to 16 bits in the same order.
#[inline(always)]
fn rank(priority: f32) -> u32 {
    let bits = priority.to_bits();
    let ordered = if bits >> 31 != 0 { !bits } else { bits | 1 << 31 };
    ordered >> 16
}
/// Whether a seed lives.
#[inline(always)]
fn lives<O: Operator>(m: Rounds<'_>, seed: u32) -> bool {
    match O::Seed::KIND {
        // the half-edge of a vertex, which was found before this pass, may have been changed in it
        ElementKind::Vertex => {
            let h = m.mesh.vh.get(seed);
            m.mesh.dead.get(seed) == 0 && h != NONE && m.mesh.fe.get(h | 3) != m.control.get(control::PASS)
        }
        ElementKind::Edge => m.mesh.sides(EdgeId::new(seed)) != [None; 2],
        ElementKind::Face => m.mesh.fv.get(4 * seed) != NONE,
    }
}

/// Candidates claim the faces of their cavities. In the first round of a pass all seeds are asked, then the
/// losers of the round before, except for losers with a face that this pass has made.
#[inline(always)]
pub fn claim<O: Operator>(block: &Block, m: Rounds<'_>, operator: O) {
    let first = m.control.get(control::ROUND) == 0;
    let (stamp, pass) = (m.control.get(control::STAMP), m.control.get(control::PASS));
    let (list, last) = lists(m);
    let part = Part::of(block, m);
    let counters = part.counters(m);
    let room = part.share(m, list.len());
    if O::GROWS {
        let [begin, end] = part.tiles(m, seeds::<O>(m));
        let at = part.share(m, m.needs.len())[0];
        part.for_each(block, [at, at + NEEDS * (end - begin)], TILE, |base, len| {
            block.for_each_nosync(len, |i| m.needs.set(base + i, 0));
        });
    }
    let id = |seed: u32| <O::Seed as Element>::Id::new(seed);
    let asked = |seed: u32| {
        let rank = rank(operator.priority(m.mesh, id(seed))?);
        if let Err(reason) = operator.precheck(m.mesh, id(seed)) {
            add(m.control, counters + control::PRECHECKED + reason.index(), 1);
            return Some(None);
        }
        Some(Some([seed, rank]))
    };
    let claim = |[seed, rank]: [u32; 2]| {
        let (word, mut faces) = (word(stamp, [seed, rank]), 0);
        operator.faces(m.mesh, id(seed), |h| {
            faces += 1;
            atomic::fetch_max(m.claims, h.face().index(), word, Order::Relaxed, Scope::Device);
        });
        [seed, rank & 0xFFFF | faces << 16]
    };
    if first {
        let (look, next) = looks(m);
        let all = !by_looks::<O>() || m.control.get(control::PASSES) == 0;
        let n = seeds::<O>(m);
        // tiles, where there are enough of them for all blocks
        let size = if n > CHUNK * block.count() { TILE } else { CHUNK };
        let [[first_tile, end_tile], [later, end]] = part.asked::<O>(m, n);
        let own = (end_tile - first_tile) * TILE;
        let (to_first, to_later) = (first_tile * TILE, (later * TILE).wrapping_sub(own));
        part.for_each(block, [0, own + (end - later) * TILE], size, |at, _| {
            let base = at.wrapping_add(if !several_cards() || at < own { to_first } else { to_later });
            // none in a last tile that is not full
            let len = if base >= n {
                0
            } else if n - base < size {
                n - base
            } else {
                size
            };
            block.for_each_nosync(len.div_ceil(32), |i| m.out.set(base / 32 + i, 0));
            block.append_within(len, list, room, m.control, counters + control::CANDIDATES, |i| {
                let seed = base + i;
                if !all && look.get(seed / 32) >> (seed % 32) & 1 == 0 || !lives::<O>(m, seed) {
                    return None;
                }
                let answer = asked(seed)?;
                if by_looks::<O>() {
                    look_at(next, seed);
                }
                Some(claim(answer?))
            });
        });
    } else {
        let n = m.control.get(counters + control::LAST);
        part.for_each(block, [room[0], room[0] + n], CHUNK, |base, len| {
            block.append_within(len, list, room, m.control, counters + control::CANDIDATES, |i| {
                let candidate = last.get(base + i);
                let seed = candidate[0];
                if m.out.get(seed / 32) >> (seed % 32) & 1 != 0 || !lives::<O>(m, seed) {
                    return None;
                }
                let (mut changed, mut faces) = (false, 0);
                operator.faces(m.mesh, id(seed), |h| {
                    faces += 1;
                    changed |= m.mesh.fe.get(h.index() | 3) == pass;
                });
                // of a face that was deleted nothing is left but that there are less
                if changed || faces << 16 != candidate[1] & 0xFFFF_0000 {
                    return None;
                }
                if !by_looks::<O>() {
                    return Some(claim(asked(seed)??));
                }
                // where nothing has changed, the answer would be the same
                if cfg!(all(debug_assertions, not(target_arch = "nvptx64")))
                    && operator.priority(m.mesh, id(seed)).map(rank) != Some(candidate[1] & 0xFFFF)
                {
                    atomic::fetch_max(
                        m.control,
                        control::STALE_SEED,
                        seed + 1,
                        Order::Relaxed,
                        Scope::Device,
                    );
                }
                Some(claim(candidate))
            });
        });
    }
}
