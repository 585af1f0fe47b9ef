//! Triangle mesh processing on the GPU and on every core of the CPU, from one kernel source.
//!
//! | to | see |
//! |---|---|
//! | choose a machine | [`Device`] |
//! | hold memory on it | [`Buffer`] |
//! | stop work, or see that it continues | [`Watch`] |
//! | fill, scan, sort, reduce it | [`array`](mod@array) |
//! | process a mesh with its attributes | [`Surface`], the crates of applications |
//! | write kernels | [`device`], `docs/programming-model.md` |
//! | build a mesh | [`StaticMesh`]; [`FlatTopology`] is what it begins with |
//! | give its elements values | [`Attribute`] |
//! | ask for neighbours | [`StaticMesh::query`], [`Op`] |
//! | know what a mesh is like | [`StaticMesh::topology`], [`StaticMesh::geometry`] |
//! | change its triangles | [`dynamic`] |
//! | find closest points, measure distances | [`bvh`] |
//! | share what kernels of geometry share | [`corners`], [`ring`], [`features`] |
//!
//! ```
//! use ribbonmesh::glam::Vec3;
//! use ribbonmesh::{Attribute, Device, MeshOptions, Op, StaticMesh, Vertex};
//!
//! # fn main() -> ribbonmesh::Result<()> {
//! // a tetrahedron
//! let points = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
//! let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
//!
//! let device = Device::auto(); // the first NVIDIA GPU, or the CPU where there is none
//! let mesh = StaticMesh::new(&device, points.len(), &faces, &MeshOptions::default())?;
//! assert_eq!(mesh.topology()?.euler_characteristic, 2);
//!
//! // values of vertices go in and come out in the order of the input
//! let x = Attribute::<Vertex, Vec3>::from_input(&mesh, &points)?;
//! assert_eq!(x.download()?, points);
//!
//! // queries speak of ids, which vertex_inputs maps to the input
//! let neighbours = mesh.query(Op::VV)?.download()?;
//! for (id, input) in mesh.vertex_inputs().read()?.into_iter().enumerate() {
//!     println!("vertex {input} has {} neighbours", neighbours.row(id).count());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! On the GPU's target this crate is [`device`], what kernels of others share, and its own kernels, which are
//! private.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(all(target_arch = "nvptx64", ribbonmesh_own), feature(abi_ptx))]
// what kernels and the host share is the kernels' alone there
#![cfg_attr(target_arch = "nvptx64", allow(dead_code))]

// macros name this crate so, here too
extern crate self as ribbonmesh;

pub mod array;
pub mod bvh;
pub mod corners;
pub mod dynamic;
pub mod features;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
mod kernels;
pub mod ring;
pub mod sets;
pub mod surface;

#[cfg(not(target_arch = "nvptx64"))]
mod analysis;
#[cfg(not(target_arch = "nvptx64"))]
mod attribute;
#[cfg(not(target_arch = "nvptx64"))]
mod error;
#[cfg(not(target_arch = "nvptx64"))]
mod flat;
#[cfg(not(target_arch = "nvptx64"))]
mod machine;
#[cfg(not(target_arch = "nvptx64"))]
pub mod prelude;
#[cfg(not(target_arch = "nvptx64"))]
mod query;
#[cfg(not(target_arch = "nvptx64"))]
mod static_mesh;

pub use ribbonmesh_device as device;
pub use ribbonmesh_device::{Edge, Element, Face, Vertex};

#[cfg(not(target_arch = "nvptx64"))]
pub use analysis::{Geometry, Statistics, Topology};
#[cfg(not(target_arch = "nvptx64"))]
pub use array::DeviceScalar;
#[cfg(not(target_arch = "nvptx64"))]
pub use attribute::{Attribute, Extremum, Float, Scalar, Value};
#[cfg(not(target_arch = "nvptx64"))]
pub use error::{Defect, Error, MeshFault, OperatorFault, Result};
#[cfg(not(target_arch = "nvptx64"))]
pub use flat::{FlatEdges, FlatTopology, Neighbours};
#[cfg(not(target_arch = "nvptx64"))]
pub use glam;
#[cfg(not(target_arch = "nvptx64"))]
pub use machine::{
    Buffer, Cards, CudaHandles, Device, DeviceChoice, DeviceKind, FreeMemory, HostBuffer, Loading,
    MemoryAddress, Sharing, TextArgument, TextKernel, Timing, Watch,
};
#[cfg(not(target_arch = "nvptx64"))]
pub use query::{Op, QueryResult, Rows};
#[cfg(not(target_arch = "nvptx64"))]
pub use ribbonmesh_mesh::{self as mesh, TriangleMesh};
#[cfg(not(target_arch = "nvptx64"))]
pub use static_mesh::{BuildReport, MeshOptions, StaticMesh};
#[cfg(not(target_arch = "nvptx64"))]
pub(crate) use static_mesh::{HalfEdges, PatchCache, Refreshed};
#[cfg(not(target_arch = "nvptx64"))]
pub use surface::Surface;

device::ptx!();
