//! Vertex normals, curvatures and geodesic distances on patches, as Mahmoud's thesis computes them (4.5.2,
//! 4.5.4).
//!
//! A block takes a patch and finds the corners or neighbours of its vertices in shared memory; the ribbon
//! completes them. The arithmetic is that of `ribbonmesh_fields::normals`, `ribbonmesh_fields::curvature` and
//! `ribbonmesh_fields::geodesic`, which need no patches and are what applications use. Results differ from
//! theirs by rounding.
//!
//! | to | see |
//! |---|---|
//! | compute normals | [`normals_of`], [`normals_into`] |
//! | compute curvatures | [`curvatures_of`], [`curvatures_into`] |
//! | compute distances | [`Geodesic`] |
//! | compute distances in a store of patches (5.4.1) | [`StoreGeodesic`] |
//!
//! ```
//! use ribbonmesh::glam::Vec3;
//! use ribbonmesh::{Attribute, Device, MeshOptions, Result, StaticMesh};
//! use ribbonmesh_fields::normals::Weight;
//! use ribbonmesh_patches::normals_of;
//!
//! # fn main() -> Result<()> {
//! let mesh = StaticMesh::new(&Device::auto(), 3, &[[0, 1, 2]], &MeshOptions::default())?;
//! let positions = Attribute::from_input(&mesh, &[Vec3::ZERO, Vec3::X, Vec3::Y])?;
//! assert_eq!(normals_of(&mesh, &positions, Weight::Area)?.download()?, [Vec3::Z; 3]);
//! # Ok(())
//! # }
//! ```
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]

pub mod curvature;
pub mod geodesic;
pub mod normals;
pub mod store;

#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod host;

#[cfg(not(target_arch = "nvptx64"))]
pub use host::{
    Curvatures, Geodesic, StoreGeodesic, curvature_floor_bytes, curvatures_into, curvatures_of,
    geodesic_floor_bytes, normals_floor_bytes, normals_into, normals_of, ring_of,
};

ribbonmesh::device::ptx!();
