//! What an operator is, and the phases of a round as one kernel.
use crate::cavity::Cavity;
use crate::fill::Fill;
use crate::phases;
use crate::view::DynamicView;
use ribbonmesh::device::{Arena, Block, ElementKind, Shared, TILE};

/// A change of the mesh: which cavities, and what fills them. A plain value that kernels get, with the attributes that
/// it reads and writes.
///
/// What it may rely on: `propose`, `faces` and planning see the mesh as it is between rounds. When a filling is made,
/// other cavities are filled at the same time: it may read the attributes of its deleted elements and of its loop's
/// vertices, and write those of the elements that it deletes or makes.
pub trait Operator: Copy {
    /// The kind of its seeds.
    const SEED: ElementKind;
    /// Whether fillings may join two vertices of the loop by an edge, make a face of three sides of the loop, or leave
    /// a hole: what needs claims of its own, which cost time.
    const CLAIMS: bool;
    /// Whether fillings make more vertices, edges or faces than they delete.
    const GROWS: bool;
    /// Whether `propose`, for an edge, depends on nothing but the vertices of its faces: a pass then looks only at
    /// edges of faces that the pass before has made, and at its candidates.
    const LOCAL: bool = false;

    /// The priority of the cavity at a seed that lives, or none: no cavity here. Of two cavities in conflict, that of
    /// clearly greater priority is executed first; where the upper 16 bits of the priority are the same, chance
    /// decides.
    fn propose(&self, mesh: DynamicView<'_>, seed: u32) -> Option<f32>;
    /// Names the faces of the cavity at a seed, each once, by a half-edge: see [`crate::templates`].
    fn faces(&self, mesh: DynamicView<'_>, seed: u32, visit: impl FnMut(u32));
    /// Fills the cavity.
    fn fill<F: Fill>(&self, cavity: &Cavity<'_>, fill: &mut F);
}

/// The phases of a round, in their order; each a launch of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Candidates claim their faces.
    Claim,
    /// Who has its faces records its cavity and plans.
    Survey,
    /// Who has its edges to be has won; ids are allocated.
    Settle,
    /// Winners write; the round ends.
    Fill,
}
impl Phase {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Claim, Self::Survey, Self::Settle, Self::Fill];
}

/// The shared memory of [`run_phase`].
pub type Memory = [Shared<u32>; 3];
/// Carves it.
#[inline(always)]
pub fn memory(arena: &Arena) -> Memory {
    [arena.take(TILE), arena.take(TILE), arena.take(TILE)]
}

/// The claiming phase. To be called by a kernel of 256 threads, which [`crate::operator!`] makes.
#[inline(always)]
pub fn run_claim<O: Operator>(block: &Block, mesh: DynamicView<'_>, operator: O) {
    phases::claim(block, mesh, operator);
}
/// The other phases; `phase` as in [`Phase`]. To be called by a kernel of 256 threads with the shared memory of
/// [`memory`], which [`crate::operator!`] makes.
#[inline(always)]
pub fn run_phase<O: Operator>(block: &Block, mesh: DynamicView<'_>, operator: O, phase: u32) {
    let memory = memory(block.arena());
    if phase == Phase::Survey as u32 {
        phases::survey(block, mesh, operator, memory);
    } else if phase == Phase::Settle as u32 {
        phases::settle(block, mesh, operator, memory);
    } else {
        phases::fill(block, mesh, operator, memory);
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
            mesh: $crate::DynamicView<'a>,
            operator: $type,
            phase: u32,
        ) {
            $crate::run_phase(block, mesh, operator, phase)
        }
        #[cfg(not(target_arch = "nvptx64"))]
        impl<'a> $crate::Launched<'a> for $type {
            fn launch(
                self,
                device: &ribbonmesh::Device,
                blocks: u32,
                mesh: $crate::DynamicView<'a>,
                phase: $crate::Phase,
            ) -> ribbonmesh::Result<()> {
                match phase {
                    $crate::Phase::Claim => device.launch(blocks, $claim_struct { mesh, operator: self }),
                    _ => device.launch(blocks, $apply_struct { mesh, operator: self, phase: phase as u32 }),
                }
            }
        }
    };
}

/// An operator whose kernels the host can launch: what [`crate::operator!`] makes of one.
#[cfg(not(target_arch = "nvptx64"))]
pub trait Launched<'a>: Operator {
    /// Launches a phase.
    /// # Errors
    /// What the driver says.
    fn launch(
        self,
        device: &ribbonmesh::Device,
        blocks: u32,
        mesh: DynamicView<'a>,
        phase: Phase,
    ) -> ribbonmesh::Result<()>;
}
