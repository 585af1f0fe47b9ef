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
#![cfg_attr(target_arch = "nvptx64", no_std)]

pub use ribbonmesh_cavity::*;

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
pub use host::patches::{PatchOptions, PatchQuality, Refresh};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::run::{Limits, Operation, PassReport, Way};
