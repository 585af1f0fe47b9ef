//! Triangulations that know lengths and no positions, and the Laplacian of any triangle mesh.
//!
//! The triangles of a mesh are glued along their sides to a closed oriented surface, the *tufted cover*
//! (Sharp and Crane, *A Laplacian for Nonmanifold Triangle Meshes*, 2020); lengths are made a little longer
//! until no triangle is degenerate; edges are flipped until the triangulation is Delaunay. Cotangents of the
//! result have no negative sums, so that the Laplacian has a maximum principle on every mesh.
//!
//! | to | see |
//! |---|---|
//! | have the Laplacian and the mass matrix of a surface | [`laplacian()`], [`LaplacianOptions`], [`Laplacian`] |
//! | have the gradient of functions that are linear on triangles | [`gradient()`], [`Gradient`] |
//! | have both with the divergence of a field of directions | [`Calculus`] |
//! | have the triangulation itself | [`Triangulation`] |
//! | have positions and faces of a surface in the order of its output | [`Ordered`] |
//! | have where edges cross those of the input, and both in one mesh | [`Correspondence`], [`Subdivision`] |
//! | have new vertices, so that no angle is small | [`Correspondence::refine`] |
//!
//! ```
//! use ribbonmesh::{Device, MeshOptions, Surface, TriangleMesh};
//! use ribbonmesh_intrinsic::{LaplacianOptions, laplacian};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // three triangles at one edge
//! let points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.5, 1.0, 0.0], [0.5, -1.0, 0.0], [0.5, 0.0, 1.0]];
//! let book = TriangleMesh::from_f32(points, vec![[0, 1, 2], [0, 1, 3], [0, 1, 4]]);
//! let surface = Surface::new(&Device::auto(), &book, &MeshOptions::default())?;
//! let found = laplacian(&surface, &LaplacianOptions::default())?;
//! let matrix = found.to_csr()?;
//! // rows add up to 0, and all of the area is there
//! let sum: f64 = matrix.row(0).1.iter().sum();
//! assert!(sum.abs() < 1e-12);
//! assert!((found.mass().read()?.iter().sum::<f64>() - 1.5).abs() < 1e-3);
//! # Ok(())
//! # }
//! ```
//!
//! **The same bits** in every run and on all machines: products are not fused with sums, and each sum has an
//! order of its own.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(asm_experimental_arch))]
#![cfg_attr(all(target_arch = "nvptx64", ribbonmesh_own), feature(abi_ptx))]

mod device;

#[cfg(not(target_arch = "nvptx64"))]
mod host;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::{
    calculus::Calculus,
    correspondence::{
        Correspondence, Place,
        refine::{RefineOptions, RefineReport},
        subdivision::{Point, Subdivision},
        trace::{Crossing, Trace},
    },
    gradient::{Gradient, gradient},
    laplacian::{Laplacian, laplacian},
    options::{Cover, LaplacianOptions, LaplacianReport, Mass},
    ordered::Ordered,
    triangulation::Triangulation,
};

ribbonmesh::device::ptx!();
