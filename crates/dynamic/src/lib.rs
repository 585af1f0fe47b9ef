//! Triangle meshes that change: the dynamic mesh and its cavity operators (thesis chapter 5).
//!
//! A change of the mesh is a *cavity*: faces that are deleted together, and what fills the hole (thesis 5.1). An
//! [`Operator`] says which cavities it wants, with a priority, and how to fill one, given its ordered boundary loop;
//! conflicts are this crate's business. In each pass a maximal set of cavities without common faces is executed, the
//! same set on every machine.
//!
//! | to | see |
//! |---|---|
//! | hold a mesh that changes | [`DynamicMesh`], [`DynamicAttribute`] |
//! | use the classic operators | [`operators`] |
//! | write one | [`Operator`], [`Fill`], [`operator!`] |
//!
//! # How conflicts are resolved
//!
//! The mesh is flat: FV, FE as darts, and the half-edge of each dart. Each word belongs to one face, so that who owns
//! a face may write its words. A round has phases, each a launch of its own:
//!
//! 1. *claim*: each candidate writes its word into all faces of its cavity, the greatest stays;
//! 2. *survey*: who has all its faces finds its loop, lets the operator plan the filling, and claims the edges to be;
//! 3. *settle*: who has those, too, has won;
//! 4. *allocate*: ids of new elements, by prefix sums;
//! 5. *fill*: winners write.
//!
//! Losers of a round try again in the next one, until each candidate of the pass has been executed, refused, or has a
//! face that was changed in this pass. Then all is looked at anew in the next pass, until one changes nothing.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]

mod device;
pub use device::cavity::{Cavity, Side};
pub use device::chosen;
pub use device::control::{Refusal, refusals};
pub use device::fill::Fill;
pub use device::kernels;
#[cfg(not(target_arch = "nvptx64"))]
pub use device::operator::Launched;
pub use device::operator::{Operator, Phase, memory, run_claim, run_phase};
pub use device::view::{DynamicView, next, prev};
pub use device::{operators, templates};

#[cfg(not(target_arch = "nvptx64"))]
mod host;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::attribute::DynamicAttribute;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::chosen::Classic;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::compact::Compaction;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::mesh::{Capacity, DynamicMesh};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::run::{Limits, Operation, PassReport};

/// The kernels as PTX.
#[cfg(not(target_arch = "nvptx64"))]
pub static PTX: ribbonmesh::device::PtxModule = ribbonmesh::device::PtxModule {
    name: "ribbonmesh-dynamic",
    text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/ptx/ribbonmesh-dynamic.ptx")),
};
