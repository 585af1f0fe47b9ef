//! Everything that runs inside a RibbonMesh kernel.
//!
//! A kernel is written once, for one thread [`Block`], and compiled twice: by the nightly compiler to PTX for
//! the GPU, by the stable compiler for the CPU. See `docs/programming-model.md` for a tour and
//! [`Block`] for the rules.
//!
//! | concept | here | CUDA's word |
//! |---|---|---|
//! | kernel | a function with [`kernel`] | `__global__` function |
//! | block | [`Block`] | thread block |
//! | parallel loop | [`Block::for_each`] | block-stride loop and `__syncthreads` |
//! | shared memory | [`Arena`], [`Shared`] | dynamic shared memory |
//! | buffers | [`In`], [`Out`] | pointers to global memory |
//! | communication between blocks | [`atomic`] | scoped atomics |
//! | barrier between blocks | [`Grid`], [`Block::grid_sync`] | cooperative launch, `grid.sync()` |
//! | failure | [`Status`] | (none) |
//!
//! The crate is `no_std` on the GPU. It knows nothing of files, host buffers or applications.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", allow(internal_features))]
#![cfg_attr(
    target_arch = "nvptx64",
    feature(
        asm_experimental_arch,
        core_intrinsics,
        gpu_intrinsics,
        gpu_launch_sized_workgroup_mem,
        link_llvm_intrinsics,
        stdarch_nvptx
    )
)]

mod arena;
pub mod atomic;
mod block;
mod cards;
mod fault;
mod global;
mod grid;
mod ids;
mod kernel;
#[cfg(not(target_arch = "nvptx64"))]
pub mod launch;
pub mod layout;
pub mod math;
mod patch;
pub mod patch_row;
mod per_patch;
pub mod query;
#[cfg(all(feature = "race-check", not(target_arch = "nvptx64")))]
pub mod race;
mod status;
mod values;
mod view;

pub use arena::{Arena, Shared};
pub use block::{Block, Each, GROUPED_ARRIVALS, PerThread, TILE, tiles};
pub use bytemuck;
pub use cards::{CardBlocks, card_of, first_of_card, several_cards};
#[cfg(not(target_arch = "nvptx64"))]
pub use fault::{Fault, FaultKind, Faults};
pub use glam;
pub use glam::{Vec2, Vec3, Vec4};
pub use grid::Grid;
pub use ids::{
    Dart, Edge, EdgeId, Element, ElementId, ElementKind, Face, FaceId, HalfEdge, NONE, Vertex, VertexId,
};
#[cfg(not(target_arch = "nvptx64"))]
pub use kernel::{AnyKernel, KernelEntry, PtxFile, PtxModule};
pub use kernel::{Kernel, KernelArgument, Launch};
#[cfg(not(target_arch = "nvptx64"))]
pub use launch::{BufferView, BufferViewMut, ColumnView, ColumnViewMut, GridArgument, Parameter};
pub use patch::{Counts, Elements, MeshView, Patch, ResolveRibbon, hi, lo, pack, tail};
pub use patch_row::PatchRow;
pub use per_patch::{Edges, Ev, Faces, Neighbours, PatchEdge, PatchFace, PatchQuery, PerPatch};
pub use ribbonmesh_macros::{Parameter, kernel, ptx};
pub use status::{Status, StatusCode};
pub use values::{Values, ValuesMut};
pub use view::{In, Out, Quad};

/// Marks a value as the value of a kernel argument or attribute: plain bytes without padding.
pub use bytemuck::Pod;

#[cfg(target_arch = "nvptx64")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: the launch ends with an error.
    unsafe { core::arch::nvptx::trap() }
}
