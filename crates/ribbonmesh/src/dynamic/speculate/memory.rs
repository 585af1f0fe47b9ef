//! The shared memory of a block.
use super::division::Division;
use super::held::{Missing, PatchSet};
use crate::device::{Arena, Shared};
use crate::dynamic::phases::CHUNK;
use crate::dynamic::rejection::Rejection;
use crate::dynamic::walk::Walks;

/// Slots for claims of what is to be.
pub const SLOTS: u32 = 1024;

/// What a block keeps of the patch that it works on.
#[derive(Clone, Copy)]
pub struct Memory<'b> {
    /// Patches that it holds, the one that it works on first.
    pub held: Shared<'b, u32>,
    /// Whether each lock was acquired.
    pub acquired: Shared<'b, u32>,
    /// The same patches, to be found.
    pub set: PatchSet<'b>,
    /// Patches that were asked for and are not held.
    pub missing: Missing<'b>,
    /// The patch's faces.
    pub faces: Shared<'b, u32>,
    /// Seeds of candidates, `NONE` for those that are done.
    pub seeds: Shared<'b, u32>,
    /// What is kept of their priorities.
    pub ranks: Shared<'b, u32>,
    /// Claims of edges to be.
    pub slots: Shared<'b, u32>,
    /// Of a chunk of candidates: where the record of each begins, or why it has none.
    pub place: Shared<'b, u32>,
    /// Numbers of a chunk.
    pub counts: [Shared<'b, u32>; 3],
    /// See `Walks`.
    pub walks: Walks<'b>,
    /// Rejections of a question, before anything is claimed, by reason.
    pub reasons: Shared<'b, u32>,
    /// See `word`.
    pub words: Shared<'b, u32>,
}
/// Words of [`Memory::words`].
pub mod word {
    /// Number of candidates.
    pub const CANDIDATES: u32 = 0;
    /// Where new ids begin: three words.
    pub const FIRST: u32 = 1;
    /// Whether there are ids.
    pub const HAVE: u32 = 4;
    /// When the step began.
    pub const CLOCK: u32 = 5;
    /// Whether no other block works on a patch.
    pub const ALONE: u32 = 6;
    /// Number of words.
    pub const WORDS: u32 = 8;
}

/// Carves it.
#[inline(always)]
pub fn memory<'b>(arena: &'b Arena, division: &Division<'_>) -> Memory<'b> {
    let Division { capacity, most_held, .. } = *division;
    Memory {
        held: arena.take(most_held),
        acquired: arena.take(most_held),
        set: PatchSet::take(arena, most_held),
        missing: Missing::take(arena),
        faces: arena.take(capacity),
        seeds: arena.take(3 * capacity),
        ranks: arena.take(3 * capacity),
        slots: arena.take(SLOTS),
        place: arena.take(CHUNK),
        counts: [arena.take(CHUNK), arena.take(CHUNK), arena.take(CHUNK)],
        walks: Walks::take(arena),
        reasons: arena.take(Rejection::COUNT),
        words: arena.take(word::WORDS),
    }
}
