//! Geodesic distances from sources to all vertices, by the front propagation of Romero Calla, Fuentes Perez and
//! Montenegro, *A minimalistic approach for fast computation of geodesic distances on triangular meshes* (Computers &
//! Graphics 84, 2019), as in Mahmoud's thesis, section 4.5.2.
//!
//! Vertices are ordered by their number of hops from the nearest source, their *topological level*. In each iteration
//! the vertices of a window of levels take, all at once, the least distance that their triangles offer; the window moves
//! to where distances changed, until none does.
//!
//! ```
//! use ribbonmesh::{Attribute, Device, MeshOptions, StaticMesh, Vertex, glam::Vec3};
//! use ribbonmesh_geodesic::{Options, geodesic_distances};
//!
//! # fn main() -> ribbonmesh::Result<()> {
//! let mesh = StaticMesh::new(&Device::auto(), 4, &[[0, 1, 2], [2, 1, 3]], &MeshOptions::default())?;
//! let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(1.0, 1.0, 0.0)];
//! let positions = Attribute::<Vertex, Vec3>::from_input(&mesh, &corners)?;
//! let (distances, report) = geodesic_distances(&mesh, &positions, &[0], &Options::default())?;
//! // the straight line to the opposite corner crosses the diagonal
//! assert!((distances.download()?[3] - 2f32.sqrt()).abs() < 1e-6);
//! assert_eq!((report.levels, report.unreachable), (3, 0));
//! # Ok(())
//! # }
//! ```
//!
//! Any triangles will do: with boundary, of several components, non-manifold, of any orientation, with degenerate faces.
//! A vertex that no path of edges leads to has the distance +∞. [`Geodesic`] keeps what several runs on one mesh share.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]

mod kernels;
mod update;

#[cfg(not(target_arch = "nvptx64"))]
mod geodesic;
#[cfg(not(target_arch = "nvptx64"))]
mod options;
#[cfg(not(target_arch = "nvptx64"))]
mod ring;

#[cfg(not(target_arch = "nvptx64"))]
pub use geodesic::{Geodesic, floor_bytes, geodesic_distances};
#[cfg(not(target_arch = "nvptx64"))]
pub use options::{Options, Order, Report};
#[cfg(not(target_arch = "nvptx64"))]
pub use ring::Ring;

/// The kernels as PTX.
#[cfg(not(target_arch = "nvptx64"))]
pub static PTX: ribbonmesh::device::PtxModule = ribbonmesh::device::PtxModule {
    name: "ribbonmesh-geodesic",
    text: include_str!("../ptx/ribbonmesh-geodesic.ptx"),
};
