//! Planning: a candidate that has its faces records its cavity, decides, and plans the filling.
use super::record::{measure, record};
use super::{CHUNK, Part, REJECTED, add, lists, word};
use crate::device::Block;
use crate::dynamic::cavity::{Cavity, Lengths};
use crate::dynamic::control;
use crate::dynamic::decision::Decision;
use crate::dynamic::operator::{Memory, Operator};
use crate::dynamic::rejection::{Rejection, rejections};
use crate::dynamic::rounds::Rounds;
use crate::dynamic::site::Site;
use crate::dynamic::walk::Walk;

/// Candidates that have their faces record their cavities, decide about them, plan what fills them, and claim
/// the edges to be.
#[inline(always)]
pub fn plan<O: Operator>(block: &Block, m: Rounds<'_>, operator: O, memory: Memory<'_>) {
    let stamp = m.control.get(control::STAMP);
    let (list, _) = lists(m);
    let [at, face_counts, side_counts] = memory.counts;
    let part = Part::of(block, m);
    let [first, room] = part.share(m, m.records.len());
    part.for_each(block, part.candidates(m), CHUNK, |base, len| {
        block.for_each(len, |i| {
            let candidate = list.get(base + i);
            let (mut words, mut place) = (0, 0);
            if let Some((faces, sides)) =
                measure(m, operator, candidate[0], word(stamp, candidate), memory.walks.of(i))
            {
                face_counts.set(i, faces);
                side_counts.set(i, sides);
                match Lengths::of_disc(faces, sides) {
                    Some(lengths) => words = lengths.words() + O::Decision::WORDS,
                    None => place = REJECTED - rejections::NOT_A_DISC.index(),
                }
            }
            at.set(i, words);
            m.place.set(candidate[0], place);
        });
        let total = block.exclusive_scan(at, len);
        if total == 0 {
            return;
        }
        let start = block.single(|| add(m.control, part.counters(m) + control::RECORDED, total));
        block.for_each(len, |i| {
            let end = if i + 1 < len { at.get(i + 1) } else { total };
            if at.get(i) == end || start + end > room {
                return;
            }
            let candidate = list.get(base + i);
            let (seed, word) = (candidate[0], word(stamp, candidate));
            let Some(lengths) = Lengths::of_disc(face_counts.get(i), side_counts.get(i)) else { return };
            let cavity =
                Cavity::new(m.records, first + start + at.get(i) + O::Decision::WORDS, seed, lengths);
            let made = recorded_and_planned(m, operator, &cavity, word, memory.walks.of(i));
            match made {
                Ok(made) => {
                    cavity.put_head(made);
                    m.place.set(seed, cavity.at + 1);
                }
                Err(reason) => m.place.set(seed, REJECTED - reason.index()),
            }
        });
    });
}

/// Records a cavity, its decision included, and plans its filling: what that makes.
#[inline(always)]
fn recorded_and_planned<O: Operator>(
    m: impl Site,
    operator: O,
    cavity: &Cavity<'_, O::Seed>,
    word: u64,
    walk: Walk,
) -> Result<[u32; 3], Rejection> {
    record(m, operator, cavity, word, walk)?;
    let decision = operator.decide(m.mesh(), cavity)?;
    cavity.put_decision(&decision);
    crate::dynamic::plan::plan::<O>(m, cavity, &decision, word)
}
