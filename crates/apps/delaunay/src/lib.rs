//! Delaunay meshes by edge flips (thesis 5.4.2).
//!
//! An edge is Delaunay if its two opposite angles add up to at most 180°. Edges that are not are flipped, as many at
//! once as do not share a face, until none is left that may be flipped; this ends for every surface (Dyer, Zhang and
//! Möller 2007). Vertices stay where they are.
//!
//! ```
//! use ribbonmesh::glam::Vec3;
//! use ribbonmesh::Device;
//! use ribbonmesh_delaunay::{Options, delaunay_faces};
//!
//! # fn main() -> ribbonmesh::Result<()> {
//! let points = [[0.0, 0.0], [3.0, -1.0], [6.0, 0.0], [3.0, 1.0]].map(|[x, y]| Vec3::new(x, y, 0.0));
//! let faces = [[0, 1, 2], [0, 2, 3]];
//! let (faces, report) = delaunay_faces(&Device::auto(), &points, &faces, &Options::default())?;
//! assert_eq!(report.flips, 1);
//! assert!(faces.iter().all(|f| f.contains(&1) && f.contains(&3)));
//! # Ok(())
//! # }
//! ```
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]

mod kernels;

#[cfg(not(target_arch = "nvptx64"))]
mod delaunay;
#[cfg(not(target_arch = "nvptx64"))]
pub use delaunay::{Blocked, Options, Report, delaunay, delaunay_faces};

/// The kernels as PTX.
#[cfg(not(target_arch = "nvptx64"))]
pub static PTX: ribbonmesh::device::PtxModule = ribbonmesh::device::PtxModule {
    name: "ribbonmesh-delaunay",
    text: include_str!("../ptx/ribbonmesh-delaunay.ptx"),
};
