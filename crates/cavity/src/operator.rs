//! What an operator is, and the phases of a round as one kernel.
use crate::cavity::Cavity;
use crate::control::Refusal;
use crate::fill::Fill;
use crate::phases;
use crate::view::DynamicView;
#[cfg(not(target_arch = "nvptx64"))]
use crate::view::DynamicViewArguments;
use crate::walk::Walks;
#[cfg(not(target_arch = "nvptx64"))]
use ribbonmesh::device::Parameter;
use ribbonmesh::device::{Arena, Block, ElementKind, Grid, Shared, TILE};

/// A change of the mesh: which cavities, and what fills them. A plain value that kernels get, with the attributes that
/// it reads and writes.
///
/// What it may rely on: `propose`, `faces` and planning see the mesh as it is between rounds. When a filling is made, and
/// when one with many edges to be is planned again just before, other cavities are filled at the same time: it may read
/// the attributes of its deleted elements and of its loop's vertices, and, when it is made, write those of the elements
/// that it deletes or makes.
pub trait Operator: Copy {
    /// The kind of its seeds.
    const SEED: ElementKind;
    /// Whether fillings may join two vertices of the loop by an edge, make a face of three sides of the loop, or leave
    /// a hole: what needs claims of its own, which cost time.
    const CLAIMS: bool;
    /// Whether fillings make more vertices, edges or faces than they delete. Where that is false, those that do are
    /// refused, [`crate::refusals::BROKEN_FILL`].
    const GROWS: bool;
    /// Whether `propose`, for an edge, depends on nothing but the vertices of its faces: a pass then looks only at
    /// edges of faces that the pass before has made, and at those that had a priority in it.
    const LOCAL: bool = false;

    /// The priority of the cavity at a seed that lives, or none: no cavity here. Of two cavities in conflict, that of
    /// clearly greater priority is executed first; where the upper 16 bits of the priority are the same, chance
    /// decides.
    fn propose(&self, mesh: DynamicView<'_>, seed: u32) -> Option<f32>;
    /// Why the cavity at a seed with a priority is refused, if that can be told from what `propose` sees. What is
    /// refused here claims nothing, so that no other cavity waits for it; what can be told from the cavity alone,
    /// `fill` refuses. For an operator that is [`Operator::LOCAL`], it depends on the vertices of the cavity's faces
    /// alone.
    #[inline(always)]
    fn judge(&self, _mesh: DynamicView<'_>, _seed: u32) -> Option<Refusal> {
        None
    }
    /// Names the faces of the cavity at a seed, each once, by a half-edge: see [`crate::templates`].
    fn faces(&self, mesh: DynamicView<'_>, seed: u32, visit: impl FnMut(u32));
    /// Fills the cavity. It runs several times for one cavity: once or twice to plan, then to make what was planned, and
    /// must come to the same each time. What compares results of floating-point arithmetic stands in one function that
    /// is not inlined: of several copies the compiler may fuse other multiplications with additions.
    fn fill<F: Fill>(&self, cavity: &Cavity<'_>, fill: &mut F);
}

/// The phases of a round, in their order. Between two of them all blocks meet: each is a launch of its own, or they
/// wait for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Candidates claim their faces.
    Claim,
    /// Who has its faces records its cavity and plans.
    Survey,
    /// Who has its edges to be has won, and ids are allocated: only where fillings need new ids.
    Settle,
    /// Winners write; the round ends.
    Fill,
}
impl Phase {
    /// Those of a round of an operator.
    pub fn of<O: Operator>() -> &'static [Self] {
        if O::GROWS {
            &[Self::Claim, Self::Survey, Self::Settle, Self::Fill]
        } else {
            &[Self::Claim, Self::Survey, Self::Fill]
        }
    }
}

/// How far a launch goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// One phase.
    Phase,
    /// The end of the pass: resident blocks only.
    Pass,
    /// The end of the run: resident blocks only.
    Run,
}

/// The shared memory of [`run_phases`].
#[derive(Clone, Copy)]
pub struct Memory {
    pub(crate) counts: [Shared<u32>; 3],
    pub(crate) walks: Walks,
}
/// Carves it.
#[inline(always)]
pub fn memory(arena: &Arena) -> Memory {
    Memory { counts: [arena.take(TILE), arena.take(TILE), arena.take(TILE)], walks: Walks::take(arena) }
}

/// The power of two not above a number: as a priority it leaves more to chance, and the fewer seeds wait for each other,
/// the fewer rounds there are.
#[inline(always)]
pub fn coarse(priority: f32) -> f32 {
    f32::from_bits(priority.to_bits() & 0xff80_0000)
}

/// The claiming phase. To be called by a kernel of 256 threads, which [`crate::operator!`] makes.
#[inline(always)]
pub fn run_claim<O: Operator>(block: &Block, mesh: DynamicView<'_>, operator: O) {
    if phases::running(mesh) {
        phases::claim(block, mesh, operator);
    }
}
/// Phases from `phase` on, as far as `until` says; both as numbers of [`Phase`] and [`Until`]. To be called by a kernel
/// of 256 threads with the shared memory of [`memory`], which [`crate::operator!`] makes.
#[inline(always)]
pub fn run_phases<O: Operator>(
    block: &Block,
    grid: Grid,
    mesh: DynamicView<'_>,
    operator: O,
    phase: u32,
    until: u32,
) {
    let memory = memory(block.arena());
    if !phases::running(mesh) {
        return;
    }
    let mut phase = phase;
    loop {
        if phase == Phase::Claim as u32 {
            phases::claim(block, mesh, operator);
        } else if phase == Phase::Survey as u32 {
            phases::survey(block, mesh, operator, memory);
        } else if phase == Phase::Settle as u32 {
            phases::settle(block, mesh, operator, memory);
        } else {
            phases::fill(block, mesh, operator, memory);
        }
        if until == Until::Phase as u32 {
            return;
        }
        block.grid_sync(grid);
        phase += if phase == Phase::Survey as u32 && !O::GROWS { 2 } else { 1 };
        if phase > Phase::Fill as u32 {
            phase = Phase::Claim as u32;
            if !phases::another(mesh, until == Until::Pass as u32) {
                return;
            }
        }
    }
}

/// Makes the two kernels of an operator, and lets the host launch them:
///
/// ```ignore
/// operator! {
///     /// Flips edges that are not Delaunay.
///     Flip<'a>: flip_claim FlipClaim, flip_apply FlipApply
/// }
/// ```
///
/// The names are those of the kernels and of the structs that `#[kernel]` makes of them. The crate depends on
/// `ribbonmesh`.
#[macro_export]
macro_rules! operator {
    ($(#[$doc:meta])* $type:ty: $claim:ident $claim_struct:ident, $apply:ident $apply_struct:ident) => {
        $(#[$doc])*
        #[ribbonmesh::device::kernel(threads = 256)]
        pub fn $claim<'a>(block: &ribbonmesh::device::Block, mesh: $crate::DynamicView<'a>, operator: $type) {
            $crate::run_claim(block, mesh, operator)
        }
        $(#[$doc])*
        #[ribbonmesh::device::kernel(threads = 256, shared = $crate::memory(arena))]
        pub fn $apply<'a>(
            block: &ribbonmesh::device::Block,
            grid: ribbonmesh::device::Grid,
            mesh: $crate::DynamicView<'a>,
            operator: $type,
            phase: u32,
            until: u32,
        ) {
            $crate::run_phases(block, grid, mesh, operator, phase, until)
        }
        #[cfg(not(target_arch = "nvptx64"))]
        impl<'a> $crate::Launched<'a> for $type {
            fn launch(
                operator: Self::Host,
                device: &ribbonmesh::Device,
                blocks: u32,
                mesh: $crate::DynamicViewArguments<'a>,
                phase: $crate::Phase,
            ) -> ribbonmesh::Result<()> {
                let (grid, until) = (ribbonmesh::device::GridArgument::default(), $crate::Until::Phase as u32);
                match phase {
                    $crate::Phase::Claim => device.launch(blocks, $claim_struct { mesh, operator }),
                    _ => device.launch(
                        blocks,
                        $apply_struct { grid, mesh, operator, phase: phase as u32, until },
                    ),
                }
            }
            fn launch_resident(
                operator: Self::Host,
                device: &ribbonmesh::Device,
                most: u32,
                mesh: $crate::DynamicViewArguments<'a>,
                phase: $crate::Phase,
                until: $crate::Until,
            ) -> ribbonmesh::Result<()> {
                let (phase, until) = (phase as u32, until as u32);
                let grid = ribbonmesh::device::GridArgument::default();
                device.launch_resident(most, $apply_struct { grid, mesh, operator, phase, until })?;
                Ok(())
            }
        }
    };
}

/// An operator whose kernels the host can launch: what [`crate::operator!`] makes of one.
#[cfg(not(target_arch = "nvptx64"))]
pub trait Launched<'a>: Operator + Parameter {
    /// Launches a phase.
    /// # Errors
    /// What the driver says.
    fn launch(
        operator: Self::Host,
        device: &ribbonmesh::Device,
        blocks: u32,
        mesh: DynamicViewArguments<'a>,
        phase: Phase,
    ) -> ribbonmesh::Result<()>;
    /// Launches the phases from `phase` on, in blocks that wait for each other.
    /// # Errors
    /// What the driver says.
    fn launch_resident(
        operator: Self::Host,
        device: &ribbonmesh::Device,
        most: u32,
        mesh: DynamicViewArguments<'a>,
        phase: Phase,
        until: Until,
    ) -> ribbonmesh::Result<()>;
}
