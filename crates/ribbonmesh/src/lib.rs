//! Triangle mesh processing on the GPU and on every core of the CPU, from one kernel source.
//!
//! | to | see |
//! |---|---|
//! | choose a machine | [`Device`] |
//! | hold memory on it | [`Buffer`], [`Attribute`] |
//! | write kernels | [`device`], `docs/programming-model.md` |
//! | build a mesh | [`StaticMesh`] |
//! | ask for neighbours | [`StaticMesh::query`], [`Op`] |
//!
//! On the GPU's target this crate is only a name for [`device`], so that a kernel crate depends on one crate.
#![cfg_attr(target_arch = "nvptx64", no_std)]

pub use ribbonmesh_device as device;

macro_rules! host { ($($item:item)*) => { $(#[cfg(not(target_arch = "nvptx64"))] $item)* } }
host! {
    mod error;
    mod machine;
    mod mesh;
    mod query;

    pub use error::{Error, Result};
    pub use machine::{Buffer, Device, DeviceKind, Timing};
    pub use mesh::{MeshOptions, StaticMesh};
    pub use query::{Op, QueryResult, Rows};
}
