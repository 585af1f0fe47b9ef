//! The counters of a run, in device memory: what its phases and the host agree on.

/// Number of words.
pub const WORDS: u32 = 98;

/// Vertices, edges and faces whose ids are in use, deleted ones included: three words.
pub const COUNT: u32 = 0;
/// The number of this round, which is part of its claims.
pub const STAMP: u32 = 3;
/// At this round number, claims are cleared and numbering begins again.
pub const MOST_STAMPS: u32 = 65_000;
/// The number of this pass; what a pass makes bears it.
pub const PASS: u32 = 4;
/// The number of this round in its pass.
pub const ROUND: u32 = 5;
/// See the values below.
pub const STATE: u32 = 6;
/// Candidates of this round, and of the last one. After a round without room for its list ([`NO_LIST`]) the
/// number that it had.
pub const CANDIDATES: u32 = 7;
/// See [`CANDIDATES`].
pub const LAST: u32 = 8;
/// Words of records in use.
pub const RECORDED: u32 = 9;
/// Cavities that won this round.
pub const WINNERS: u32 = 10;
/// Candidates that left this pass in this round without having won.
pub const LEFT: u32 = 11;
/// New vertices, edges and faces of this round: three words; of several cards each has its own.
pub const NEEDED: u32 = 12;
/// Winners of this pass.
pub const OF_PASS: u32 = 15;
/// Winners of the run.
pub const EXECUTED: u32 = 16;
/// Passes of the run that are complete.
pub const PASSES: u32 = 17;
/// Rounds of the run.
pub const ROUNDS: u32 = 18;
/// Most passes.
pub const MOST_PASSES: u32 = 19;
/// Blocks that have finished the phase.
pub const FINISHED: u32 = 20;
/// Candidates of the first round of this pass: each round ends one of them at least.
pub const FIRST: u32 = 21;
/// The greatest seed whose filling was made otherwise than planned, plus 1; 0 for none.
pub const DIFFERED: u32 = 22;
/// The greatest seed with a local priority whose answer has changed though its faces have not, plus 1; 0 for
/// none. Only debug builds on the CPU look.
pub const STALE_SEED: u32 = 23;
/// Rejections of this pass by reason, twenty words.
pub const REJECTED: u32 = 24;
/// Rejections of the passes before by reason, twenty words.
pub const REJECTED_BEFORE: u32 = 44;
/// Rejections of this round by reason that were found before anything was claimed, twenty words.
pub const PRECHECKED: u32 = 64;
/// Vertices, edges and faces whose ids were in use when this pass began: three words. Later ones are no seeds
/// of the pass, so that each card keeps its seeds until the end of it.
pub const BEGAN: u32 = 84;
/// Vertices, edges and faces that there were when their memory was divided among cards: three words.
pub const USED: u32 = 87;
/// Words that no phase touches, up to the end: see [`crate::dynamic::rounds::ReportWords`].
pub const OWN: u32 = 90;

/// The run continues.
pub const RUNNING: u32 = 0;
/// A pass changed nothing.
pub const DONE: u32 = 1;
/// All passes that were allowed are over.
pub const STOPPED: u32 = 2;
/// There is no room for the elements that this round would make: it did nothing.
pub const FULL: u32 = 3;
/// The records of this round do not fit: it did nothing.
pub const NO_ROOM: u32 = 4;
/// A pass with more rounds than candidates: its operator's cavities are not the same in each of them.
pub const STALLED: u32 = 5;
/// A filling was not made as it was planned: see [`DIFFERED`].
pub const BROKEN: u32 = 6;
/// A seed with a local priority was asked again, and gave another answer: see [`STALE_SEED`].
pub const STALE: u32 = 7;
/// The list of this round's candidates does not hold all of them: it did nothing.
pub const NO_LIST: u32 = 8;
