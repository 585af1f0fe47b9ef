//! Triangle mesh processing on the GPU and on every core of the CPU, from one kernel source.
//!
//! | to | see |
//! |---|---|
//! | choose a machine | [`Device`] |
//! | hold memory on it | [`Buffer`] |
//! | write kernels | [`device`], `docs/programming-model.md` |
//! | build a mesh | [`StaticMesh`] |
//! | give its elements values | [`Attribute`] |
//! | ask for neighbours | [`StaticMesh::query`], [`Op`] |
//! | know what a mesh is like | [`StaticMesh::topology`], [`StaticMesh::geometry`] |
//!
//! On the GPU's target this crate is only a name for [`device`], so that a kernel crate depends on one crate.
#![cfg_attr(target_arch = "nvptx64", no_std)]

pub use ribbonmesh_device as device;
pub use ribbonmesh_device::{Edge, Element, Face, Vertex};

#[cfg(not(target_arch = "nvptx64"))]
mod analysis;
#[cfg(not(target_arch = "nvptx64"))]
mod attribute;
#[cfg(not(target_arch = "nvptx64"))]
mod error;
#[cfg(not(target_arch = "nvptx64"))]
mod machine;
#[cfg(not(target_arch = "nvptx64"))]
mod mesh;
#[cfg(not(target_arch = "nvptx64"))]
mod query;

#[cfg(not(target_arch = "nvptx64"))]
pub use analysis::{Geometry, Statistics, Topology};
#[cfg(not(target_arch = "nvptx64"))]
pub use attribute::{Attribute, Found, Scalar, Value};
#[cfg(not(target_arch = "nvptx64"))]
pub use error::{Error, Result};
#[cfg(not(target_arch = "nvptx64"))]
pub use glam;
#[cfg(not(target_arch = "nvptx64"))]
pub use machine::{Buffer, Device, DeviceKind, Timing};
#[cfg(not(target_arch = "nvptx64"))]
pub use mesh::{BuildReport, MeshOptions, StaticMesh};
#[cfg(not(target_arch = "nvptx64"))]
pub use query::{Op, QueryResult, Rows};
