//! The trait of operators, and the phases of a round as one kernel.
#[cfg(not(target_arch = "nvptx64"))]
use crate::device::Parameter;
use crate::device::{Arena, Block, Element, Grid, HalfEdge, Shared, TILE};
use crate::dynamic::cavity::{Cavity, Filled};
use crate::dynamic::decision::Decision;
use crate::dynamic::fill::Fill;
use crate::dynamic::mesh::MeshRef;
use crate::dynamic::phases;
use crate::dynamic::rejection::Rejection;
use crate::dynamic::rounds::Rounds;
#[cfg(not(target_arch = "nvptx64"))]
use crate::dynamic::rounds::RoundsArguments;
use crate::dynamic::walk::Walks;

/// The id of a seed of an operator.
pub type SeedId<O> = <<O as Operator>::Seed as Element>::Id;

/// A change of the mesh: which cavities, and what fills them. A plain value that kernels get, with the
/// attributes that it reads and writes. The attribute `#[operator]` makes its kernels, and fills in what an
/// operator leaves out.
///
/// | when | the mesh | runs |
/// |---|---|---|
/// | looking for candidates | as between rounds | `priority`, `precheck`, `faces` |
/// | planning | as between rounds | `faces`, `decide` once, `fill` |
/// | writing | other cavities are filled at the same time | `gather` once, `fill`, `scatter` once |
///
/// `gather` and `scatter` read attributes of deleted elements and of the loop's vertices. `scatter` writes
/// attributes of elements that are deleted or made.
///
/// `priority`, `precheck` and `decide` see the whole mesh, but of it the faces of the cavity alone are
/// protected: faces, vertices and values outside may change in the same round. An operator that decides by
/// attributes of the loop's vertices claims these vertices with [`Fill::exclusive`]; otherwise neighbours may
/// undo each other, and a run that never settles ends at its limit of passes (`PassReport::warning`).
pub trait Operator: Copy {
    /// The kind of its seeds: `Vertex`, `Edge` or `Face`.
    type Seed: Element;
    /// The decision about a cavity, made once and kept in its record.
    type Decision: Decision;
    /// The values that are read before anything is written.
    type Gathered;
    /// The elements that the filling has made, for `scatter`.
    type Made;
    /// Whether fillings need additional claims, which cost time: for edges between vertices of the loop,
    /// faces on loops of three sides, holes, and exclusive vertices. With `no_chords` they must not;
    /// operators whose fillings do are rejected with [`crate::dynamic::rejections::BROKEN_FILL`].
    const CHORDS: bool = true;
    /// Whether fillings may make more vertices, edges or faces than they delete, so that rounds allocate ids.
    /// `in_place` says that they do not; fillings that do so all the same are rejected,
    /// [`crate::dynamic::rejections::BROKEN_FILL`].
    const GROWS: bool = true;
    /// Whether the priority depends on nothing but the vertices of the edge's faces: the attribute sets it
    /// for operators with `priority_local`, which see nothing else. A pass then looks only at edges of faces
    /// that the pass before has made, and at edges that had a priority in it. Fillings of such operators may
    /// not ask for vertices of the loop, for whose other edges would have to be looked at, too.
    #[doc(hidden)]
    const LOCAL: bool = false;
    /// The priority of the cavity at a seed that lives, or none: no cavity here. Of two cavities in conflict,
    /// that of clearly greater priority is executed first; where the upper 16 bits of the priority are the
    /// same, chance decides.
    fn priority(&self, mesh: impl MeshRef, seed: SeedId<Self>) -> Option<f32>;
    /// Rejects a seed with a priority before it claims anything, so that it does not delay its neighbours.
    /// For an operator with a local priority it depends on the vertices of the cavity's faces alone.
    /// # Errors
    /// The reason.
    #[inline(always)]
    fn precheck(&self, _mesh: impl MeshRef, _seed: SeedId<Self>) -> Result<(), Rejection> {
        Ok(())
    }
    /// Names the faces of the cavity at a seed, each once, by a half-edge: see [`crate::dynamic::templates`].
    fn faces(&self, mesh: impl MeshRef, seed: SeedId<Self>, visit: impl FnMut(HalfEdge));
    /// Decides about the cavity: whether it is filled, and all other values on which the filling depends. It
    /// runs once for each cavity that has its faces; costly work and comparisons of numbers belong here.
    /// # Errors
    /// Why the cavity is rejected.
    fn decide(
        &self,
        mesh: impl MeshRef,
        cavity: &Cavity<'_, Self::Seed>,
    ) -> Result<Self::Decision, Rejection>;
    /// Reads attributes before the first one is written.
    fn gather(&self, cavity: &Cavity<'_, Self::Seed>, decision: &Self::Decision) -> Self::Gathered;
    /// Fills the cavity. It depends on nothing but the cavity and the decision: it runs to plan and to write.
    /// # Errors
    /// Why the cavity cannot be filled.
    fn fill(
        cavity: &Cavity<'_, Self::Seed>,
        decision: &Self::Decision,
        fill: &mut impl Fill,
    ) -> Result<Self::Made, Rejection>;
    /// Writes attributes of what was made. Elements that were made may have ids of deleted ones: what is read
    /// here is read before that is written.
    fn scatter(
        &self,
        cavity: &Filled<'_, Self::Seed>,
        decision: &Self::Decision,
        gathered: Self::Gathered,
        made: &Self::Made,
    );
}

/// The phases of a round, in their order. Between two of them all blocks meet: each is a launch of its own,
/// or they wait for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Candidates claim their faces.
    Claim,
    /// Candidates that hold all of their faces record their cavities, decide and plan.
    Plan,
    /// Candidates that hold all of their edges to be have won, and ids are allocated. This phase runs only if
    /// fillings need new ids.
    Allocate,
    /// Winners write; the round ends.
    Fill,
}
impl Phase {
    /// The phases of a round of an operator.
    pub fn of<O: Operator>() -> &'static [Self] {
        if O::GROWS {
            &[Self::Claim, Self::Plan, Self::Allocate, Self::Fill]
        } else {
            &[Self::Claim, Self::Plan, Self::Fill]
        }
    }
}

/// The end of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// One phase.
    Phase,
    /// The end of the pass: persistent blocks only.
    Pass,
    /// The end of the run: persistent blocks only.
    Run,
}

/// The shared memory of [`run_phases`].
#[derive(Clone, Copy)]
pub struct Memory<'b> {
    pub(crate) counts: [Shared<'b, u32>; 3],
    pub(crate) walks: Walks<'b>,
}
/// Carves it.
#[inline(always)]
pub fn memory(arena: &Arena) -> Memory<'_> {
    Memory { counts: [arena.take(TILE), arena.take(TILE), arena.take(TILE)], walks: Walks::take(arena) }
}

/// The power of two not above a number: as a priority it leaves more to chance, and the fewer seeds wait for
/// each other, the fewer rounds there are.
#[inline(always)]
pub fn coarse(priority: f32) -> f32 {
    f32::from_bits(priority.to_bits() & 0xff80_0000)
}

/// The claiming phase. To be called by a kernel of 256 threads, which `#[operator]` makes.
#[inline(always)]
pub fn run_claim<O: Operator>(block: &Block, rounds: Rounds<'_>, operator: O) {
    if phases::running(rounds) {
        phases::claim(block, rounds, operator);
    }
}
/// Phases from `phase` on, as far as `until` says; both as numbers of [`Phase`] and [`Until`]. To be called
/// by a kernel of 256 threads with the shared memory of [`memory`], which `#[operator]` makes.
#[inline(always)]
pub fn run_phases<O: Operator>(
    block: &Block,
    grid: Grid,
    rounds: Rounds<'_>,
    operator: O,
    phase: u32,
    until: u32,
) {
    let memory = memory(block.arena());
    if !phases::running(rounds) {
        return;
    }
    let mut phase = phase;
    loop {
        if phase == Phase::Claim as u32 {
            phases::claim(block, rounds, operator);
        } else if phase == Phase::Plan as u32 {
            phases::plan(block, rounds, operator, memory);
        } else if phase == Phase::Allocate as u32 {
            phases::allocate::<O>(block, rounds, memory);
        } else {
            phases::fill(block, rounds, operator, memory);
        }
        if until == Until::Phase as u32 {
            return;
        }
        block.grid_sync(grid);
        phase += if phase == Phase::Plan as u32 && !O::GROWS { 2 } else { 1 };
        if phase > Phase::Fill as u32 {
            phase = Phase::Claim as u32;
            if !phases::another(rounds, until == Until::Pass as u32) {
                return;
            }
        }
    }
}

/// An operator whose kernels the host can launch: what `#[operator]` makes of one.
#[cfg(not(target_arch = "nvptx64"))]
pub trait Launched<'a>: Operator + Parameter {
    /// Launches a phase.
    /// # Errors
    /// Errors of the driver.
    fn launch(
        operator: Self::Host,
        device: &crate::Device,
        blocks: u32,
        rounds: RoundsArguments<'a>,
        phase: Phase,
    ) -> crate::Result<()>;
    /// Launches the phases from `phase` on, in blocks that wait for each other.
    /// # Errors
    /// Errors of the driver.
    fn launch_persistent(
        operator: Self::Host,
        device: &crate::Device,
        most: u32,
        rounds: RoundsArguments<'a>,
        phase: Phase,
        until: Until,
    ) -> crate::Result<()>;
}
