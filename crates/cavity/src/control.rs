//! The counters of a run, in device memory: what its phases and the host agree on.

/// Number of words.
pub const WORDS: u32 = 80;

/// Vertices, edges and faces whose ids are in use, deleted ones included: three words.
pub const COUNT: u32 = 0;
/// The number of this round, which is part of its claims.
pub const STAMP: u32 = 3;
/// A round with this number, or a greater one, is not begun before claims are cleared and counting begins anew.
pub const MOST_STAMPS: u32 = 65_000;
/// The number of this pass; what a pass makes bears it.
pub const PASS: u32 = 4;
/// The number of this round in its pass.
pub const ROUND: u32 = 5;
/// See the values below.
pub const STATE: u32 = 6;
/// Candidates of this round, and of the last one.
pub const CANDIDATES: u32 = 7;
/// See [`CANDIDATES`].
pub const LAST: u32 = 8;
/// Words of records in use.
pub const RECORDED: u32 = 9;
/// Cavities that won this round.
pub const WINNERS: u32 = 10;
/// Candidates that left this pass in this round without having won.
pub const LEFT: u32 = 11;
/// New vertices, edges and faces of this round: three words.
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
/// Refusals of this pass by reason, sixteen words.
pub const REFUSED: u32 = 24;
/// Refusals of the passes before by reason, sixteen words.
pub const REFUSED_BEFORE: u32 = 40;
/// Refusals of this round by reason that were found before anything was claimed, sixteen words.
pub const JUDGED: u32 = 56;
/// Words that no phase touches, up to the end: the host gets them with the others, so that kernels of an application
/// can tell it something without a wait of its own.
pub const OWN: u32 = 72;

/// The run goes on.
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

/// Why a cavity was refused: the reasons of this crate, and from [`refusals::USER`] on the operator's own.
pub type Refusal = u32;
/// The reasons.
pub mod refusals {
    use super::Refusal;
    /// What is deleted does not leave one simple loop.
    pub const NOT_ONE_LOOP: Refusal = 0;
    /// What is deleted is not a disc.
    pub const NOT_A_DISC: Refusal = 1;
    /// An edge to be exists already.
    pub const EDGE_EXISTS: Refusal = 2;
    /// An edge or a face to be has a vertex twice.
    pub const DEGENERATE: Refusal = 3;
    /// A vertex would have two fans of faces.
    pub const NON_MANIFOLD_VERTEX: Refusal = 4;
    /// A face to be would lie on another one.
    pub const FACE_EXISTS: Refusal = 5;
    /// The filling is broken: sides that do not meet, an edge without faces; an edge between vertices of the loop by
    /// an operator that announced no claims, more elements than it deletes by one that announced no growth.
    pub const BROKEN_FILL: Refusal = 6;
    /// The ends of an edge to be collapsed have a neighbour in common that is not opposite of it.
    pub const LINK: Refusal = 7;
    /// The first reason of an operator.
    pub const USER: Refusal = 8;
    /// Number of reasons.
    pub const COUNT: u32 = 16;
}
