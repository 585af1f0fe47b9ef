//! The patches of the speculative resolver, in device memory.
use crate::device::{NONE, Out, Parameter};

/// What one launch does: a sum of these.
pub mod parts {
    /// Asks about all seeds, and notes on faces which of them wants these most.
    pub const POST: u32 = 1;
    /// Pushes the patches of a pass.
    pub const PUSH: u32 = 2;
    /// Works on patches until none is left.
    pub const WORK: u32 = 4;
    /// Ends the pass.
    pub const END: u32 = 8;
    /// Repeats all this in resident blocks until the run ends.
    pub const LOOP: u32 = 16;
}

/// Words that the whole run shares.
pub mod state {
    /// Rounds of claims so far: each has a number of its own.
    pub const TICKET: u32 = 0;
    /// Patches in use.
    pub const PATCHES: u32 = 1;
    /// How many locked patches a block had wanted to hold at least, where there was no room for them.
    pub const WANTED_HELD: u32 = 2;
    /// How many words the record of a cavity had wanted, where there was no room for it.
    pub const WANTED_RECORDS: u32 = 3;
    /// How many faces a patch had wanted, where there was no room for them.
    pub const WANTED_FACES: u32 = 4;
    /// How many patches were wanted, where there were no more.
    pub const WANTED_PATCHES: u32 = 5;
    /// The gate: blocks that work on patches are inside.
    pub const GATE: u32 = 6;
    /// Number of words.
    pub const WORDS: u32 = 8;
}

/// What is counted in each pass; those after the last row are counted in it.
pub mod statistics {
    /// Patches that were worked on to the end.
    pub const PROCESSED: u32 = 0;
    /// Patches that were pushed again, since a lock of their stash was refused.
    pub const REFUSED: u32 = 1;
    /// Patches that were pushed again with seeds left, since a lock was refused that was found to be missing.
    pub const DROPPED: u32 = 2;
    /// Times that more patches were locked than the stash had named.
    pub const EXTENDED: u32 = 3;
    /// Candidates of all rounds.
    pub const CANDIDATES: u32 = 4;
    /// Cavities that were filled.
    pub const EXECUTED: u32 = 5;
    /// Locks acquired.
    pub const LOCKS: u32 = 6;
    /// Patches that were sliced in two.
    pub const SLICED: u32 = 7;
    /// Patches that were worked on alone, after too many refusals.
    pub const ALONE: u32 = 8;
    /// Patches that were pushed again with seeds left, since a seed of another patch comes first.
    pub const WAITED: u32 = 9;
    /// Columns of a row.
    pub const COLUMNS: u32 = 10;
    /// Rows.
    pub const PASSES: u32 = 64;
    /// After the rows: what blocks did for how many units of 256 clock cycles, by step.
    pub const STEPS: u32 = PASSES * COLUMNS;
    /// Waiting for a patch, or for the end of a pass.
    pub const WAIT: u32 = 0;
    /// Locking and unlocking.
    pub const LOCK: u32 = 1;
    /// Reading the list of faces.
    pub const LOAD: u32 = 2;
    /// Asking for candidates.
    pub const ASK: u32 = 3;
    /// Claiming, recording, planning.
    pub const PLAN: u32 = 4;
    /// Writing.
    pub const FILL: u32 = 5;
    /// Slicing, and writing back what the patch's row holds.
    pub const STORE: u32 = 6;
    /// Number of steps.
    pub const STEP_COUNT: u32 = 7;
    /// Number of words.
    pub const WORDS: u32 = STEPS + STEP_COUNT;
}

/// Words of a patch's row.
pub mod row {
    /// Faces in its list, deleted ones and those that are listed for nothing included.
    pub const FACES: u32 = 0;
    /// Patches in its stash.
    pub const STASH: u32 = 1;
    /// 1 if one of its seeds has a cavity in this pass, and the patch was not pushed yet.
    pub const POSTED: u32 = 2;
    /// How often in a row its locks were refused.
    pub const REFUSALS: u32 = 3;
    /// How often it was pushed again since it was last worked on to the end.
    pub const RETURNS: u32 = 4;
    /// The seed of another patch that comes before one of its own, plus 1; 0 for none.
    pub const WAITS_FOR: u32 = 5;
    /// How often it was pushed again without being locked, to wait for that.
    pub const WAITS: u32 = 6;
    /// Number of words.
    pub const WORDS: u32 = 8;
}

/// Most patches in a stash: those that are locked together with a patch (thesis 5.3.1).
pub const STASH: u32 = 64;
/// After so many refusals in a row a patch reserves the locks that it is refused.
pub const PATIENCE: u32 = 4;
/// After so many returns to the queue a patch is worked on alone. So each is worked on to the end after at most this many tries, and one turn
/// of each patch that came before it.
pub const ALONE_AFTER: u32 = 128;

/// After so many waits in vain a patch is asked again all the same.
pub const MOST_WAITS: u32 = 1 << 12;

/// The words of [`Division::wanted`]: the greatest counts.
pub mod wanted {
    /// What a seed notes on the faces of its cavity: the pass of the run, what is kept of its priority, the seed.
    #[inline(always)]
    pub fn word(passes: u32, rank: u32, seed: u32) -> u64 {
        (tag(passes) as u64) << 48 | (rank as u64 & 0xFFFF) << 32 | seed as u64
    }
    /// What is kept of the priority, and the seed, if they were noted in this pass.
    #[inline(always)]
    pub fn read(word: u64, passes: u32) -> Option<[u32; 2]> {
        let noted = (word >> 48) as u32 == tag(passes);
        noted.then_some([(word >> 32) as u32 & 0xFFFF, word as u32])
    }
    /// All passes from the 65,535th on have the same: what was noted in the one before makes a patch wait too long, no more.
    #[inline(always)]
    fn tag(passes: u32) -> u32 {
        (passes + 1).min(0xFFFF)
    }
}

/// A mesh's faces, divided among patches. A patch's words may be touched by the block that has locked it, and no other.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Division<'a> {
    /// The patch of each face.
    pub owner: Out<'a, u32>,
    /// Where a face stands in the list of the patch that is being sliced.
    pub local: Out<'a, u32>,
    /// The faces of each patch: `capacity` places for each.
    pub faces: Out<'a, u32>,
    /// For each face the seed that wants it most, as `wanted` says.
    pub wanted: Out<'a, u64>,
    /// See [`row`].
    pub rows: Out<'a, u32>,
    /// The patches that were locked with each patch the last time, [`STASH`] places for each.
    pub stash: Out<'a, u32>,
    /// The locks of patches.
    pub locks: Out<'a, u32>,
    /// The queue.
    pub queue: Out<'a, u32>,
    /// See [`state`].
    pub state: Out<'a, u32>,
    /// See [`statistics`].
    pub statistics: Out<'a, u32>,
    /// Most faces of a patch.
    pub capacity: u32,
    /// Most patches.
    pub most_patches: u32,
    /// Most patches that a block locks at the same time.
    pub most_held: u32,
    /// Words for records of each block.
    pub records: u32,
    /// The patches at the beginning, whose order in the queue is scattered.
    pub scattered: u32,
    /// By how many they follow each other: coprime with their number.
    pub stride: u32,
}

impl Division<'_> {
    /// Word `word` of a patch's row.
    #[inline(always)]
    pub fn row(&self, patch: u32, word: u32) -> u32 {
        self.rows.get(row::WORDS * patch + word)
    }
    /// Writes it.
    #[inline(always)]
    pub fn set_row(&self, patch: u32, word: u32, value: u32) {
        self.rows.set(row::WORDS * patch + word, value);
    }
    /// Where face `i` of a patch stands.
    #[inline(always)]
    pub fn place(&self, patch: u32, i: u32) -> u32 {
        self.capacity * patch + i
    }
}

/// No patch.
pub const NO_PATCH: u32 = NONE;
