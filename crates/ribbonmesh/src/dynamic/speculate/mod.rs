//! The thesis's way of resolving conflicts (5.2, 5.3): blocks take patches from a queue, lock them and what their cavities
//! touch, and change them alone.
//!
//! A patch is a label on faces ([`Division`]). A pass begins with asking about all seeds, while nobody writes: each that has a cavity notes its
//! priority on the cavity's faces, and patches with such seeds are pushed. A block that has popped a patch
//!
//! 1. *locks* it and the patches of its stash, all at once; where one is refused, it gives all back and pushes the patch
//!    again;
//! 2. *loads* the patch's faces, and asks the operator about the seeds at these. The operator reads the mesh through
//!    `Held`, which answers for faces of locked patches alone and notes of which other patches faces were asked for.
//!    These are locked, too, and the question is repeated; where one is refused, all is dropped: nothing was
//!    written;
//! 3. *chooses* cavities without common faces by rounds of claims, records them, and plans what fills them. A candidate waits if one of its faces is wanted by a
//!    seed of clearly greater priority that is still to come, in this patch or another one;
//! 4. *fills* them, and repeats 2 to 4 with the seeds that are left, until there are none;
//! 5. *slices* the patch if it has grown too large, and releases all locks.
//!
//! A patch that has come back to the queue too often is worked on while no other block works, so that each ends.
//!
//! A pass is over when the queue is empty and nobody works. No seed whose cavity has a face that the pass has made is
//! executed in it, as with claims. Unlike there, a cavity that has lost faces in the pass is executed without these.

mod candidates;
mod division;
mod held;
mod locking;
mod memory;
mod pass;
mod patch;
mod post;
mod slice;

#[cfg(not(target_arch = "nvptx64"))]
pub use division::DivisionArguments;
pub use division::{Division, STASH, parts, row, state, statistics};
pub use memory::{Memory, memory};

use crate::device::{Block, Grid};
use crate::dynamic::control;
use crate::dynamic::operator::Operator;
use crate::dynamic::rounds::Rounds;

/// Runs the parts of passes that `parts` names; with [`parts::LOOP`], in blocks that are resident, until the run ends. To be called by a
/// kernel of 256 threads with the shared memory of [`memory()`], which `#[operator]` makes.
#[inline(always)]
pub fn run_speculation<O: Operator>(
    block: &Block,
    grid: Grid,
    rounds: Rounds<'_>,
    division: Division<'_>,
    operator: O,
    parts: u32,
) {
    let memory = memory(block.arena(), &division);
    let repeat = parts & parts::LOOP != 0;
    let mut parts = parts;
    loop {
        if parts & parts::POST != 0 {
            post::post(block, rounds, division, operator);
        }
        if repeat {
            block.grid_sync(grid);
        }
        if parts & parts::PUSH != 0 {
            post::push_posted(block, division);
        }
        if repeat {
            block.grid_sync(grid);
        }
        if parts & parts::WORK != 0 {
            pass::work(block, rounds, division, operator, memory);
        }
        if repeat {
            block.grid_sync(grid);
        }
        if parts & parts::END != 0 && block.index() == 0 {
            block.single_nosync(|| pass::end(rounds, division));
        }
        if !repeat {
            return;
        }
        block.grid_sync(grid);
        if pass::state_of(block, rounds) != control::RUNNING {
            return;
        }
        parts |= parts::POST | parts::PUSH;
    }
}
