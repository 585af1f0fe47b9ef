//! The dynamic mesh of Mahmoud's thesis (5.2, 5.3): patches that own their storage.
//!
//! A patch has EV and FE of its elements and of its ribbon in 16-bit local indices, two bits for each element
//! (active, owned), and three hash tables that name the owners of its ribbon. Nothing is numbered across
//! patches: an element is a patch and a local index there. So a patch can change, grow and move without the
//! others, and non-manifold and non-orientable meshes are as good as others. The product uses flat arrays and
//! claims instead (decision 9); this crate is for measurements, and for a feature of the command.
//!
//! | to | see |
//! |---|---|
//! | make a store, ask how much memory it takes | [`PatchStore`], [`StoreOptions`], [`StoreMemory`] |
//! | name an element, find its owner | [`Handle`], [`view::ReadStore::owner`] |
//! | keep values of its elements | [`PatchAttribute`] |
//! | ask a query | [`PatchStore::query`], and in a kernel [`copy`], [`query`] |
//! | flip edges until the mesh is Delaunay, remesh | [`PatchStore::flip_delaunay`], [`PatchStore::remesh`] |
//! | simplify it to a number of faces | [`PatchStore::simplify`] |
//! | change it by cavities | [`PatchStore::change`], [`change`], [`mod@slice`], [`cleanup`] |
//! | find out whether it is whole | [`PatchStore::validate`] |
//! | measure locks on all patches around (Figure 5.7) | [`PatchStore::contention`] |
//!
//! ```
//! use ribbonmesh::{Device, MeshOptions, Vertex};
//! use ribbonmesh_dynamic::{PatchStore, StoreOptions, StoreOp};
//!
//! # fn main() -> Result<(), ribbonmesh_dynamic::StoreError> {
//! let faces = [[0, 1, 2], [2, 1, 3]];
//! let store = PatchStore::new(&Device::auto(), 4, &faces, &MeshOptions::default(), &StoreOptions::default())?;
//! store.validate()?;
//! let neighbours = store.query(StoreOp::VV)?.download()?;
//! // rows speak of places, which have the indices of the input
//! for (place, vertex) in store.inputs::<Vertex>()?.into_iter().enumerate() {
//!     println!("vertex {vertex} has {} neighbours", neighbours.row(place).len());
//! }
//! # Ok(())
//! # }
//! ```
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]

pub mod attributes;
pub mod build;
pub mod change;
pub mod cleanup;
pub mod contention;
pub mod copy;
pub mod draft;
pub mod expand;
mod fault;
mod handle;
pub mod kernels;
pub mod local;
pub mod neighbours;
pub mod quadrics;
pub mod query;
pub mod relay;
pub mod row;
pub mod slice;
pub mod surface;
pub mod validate;
pub mod view;

#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod host;

pub use fault::{Broken, Fault};
pub use handle::Handle;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::{
    Carried, Floats, HostRows, PatchAttribute, PatchStore, QueueOrder, StoreChange, StoreChanges, StoreError,
    StoreIteration, StoreMemory, StoreOp, StoreOptions, StoreParts, StoreRemeshOptions, StoreReport,
    StoreRows, StoreSimplification,
};

ribbonmesh::device::ptx!();
