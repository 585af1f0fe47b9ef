//! Geodesic distances from sources to all vertices, by the front propagation of Romero Calla, Fuentes Perez
//! and Montenegro, *A minimalistic approach for fast computation of geodesic distances on triangular meshes*
//! (Computers & Graphics 84, 2019), as in Mahmoud's thesis, section 4.5.2.
//!
//! Vertices are ordered by their number of hops from the nearest source, their *topological level*. In each
//! iteration the vertices of a window of levels take, all at once, the least distance that their triangles
//! offer; the window moves to where distances changed, until none does. In the end each distance is replaced
//! by the length of a path that is traced on the surface along the way of the front, so that none is less
//! than the exact distance. One thread of a CPU does the same a vertex at a time, in order of distance.
//!
//! | to | see |
//! |---|---|
//! | give a surface the distances from some vertices | [`geodesic`] |
//! | compute distances on one mesh again and again | [`FlatGeodesic`] |
//! | the same by one thread of a CPU | [`SequentialGeodesic`] |
//! | choose the order and the tolerance | [`GeodesicOptions`] |
//! | compute exact distances and shortest paths, on the host | [`exact`] |
//! | compute smooth distances by the heat method | [`ribbonmesh_heat`] |
//!
//! ```
//! use ribbonmesh::{Device, MeshOptions, Result};
//! use ribbonmesh_fields::geodesic::{GeodesicOptions, geodesic};
//! use ribbonmesh::{Surface, TriangleMesh};
//!
//! # fn main() -> Result<()> {
//! let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]];
//! let square = TriangleMesh::from_f32(corners, vec![[0, 1, 2], [2, 1, 3]]);
//! let mut surface = Surface::new(&Device::auto(), &square, &MeshOptions::default())?;
//! let report = geodesic(&mut surface, &[0], &GeodesicOptions::default())?;
//! assert_eq!((report.levels, report.unreachable), (3, 0));
//! // the straight line to the opposite corner crosses the diagonal
//! let after = surface.download()?;
//! assert!((after.vertices().get::<f32>("distance")?[3] - 2f32.sqrt()).abs() < 1e-6);
//! # Ok(())
//! # }
//! ```
//!
//! Any triangles will do: with boundary, of several components, non-manifold, of any orientation, with
//! degenerate faces. A vertex that no path of edges leads to has the distance +∞. [`FlatGeodesic`] keeps what
//! several runs on one mesh share.

#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
mod kernels;
pub mod stored;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
mod update;

#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod application;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
pub mod exact;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod nearest;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod options;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod ring;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod run;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod sequence;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod solver;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod vectors;

#[cfg(not(target_arch = "nvptx64"))]
pub use application::{GeodesicChoice, Geodesics};
#[cfg(not(target_arch = "nvptx64"))]
pub use options::{GeodesicOptions, GeodesicReport, Order};
#[cfg(not(target_arch = "nvptx64"))]
pub use ring::Ring;
#[cfg(not(target_arch = "nvptx64"))]
pub use run::{geodesic, vertex_places};
#[cfg(not(target_arch = "nvptx64"))]
pub use sequence::SequentialGeodesic;
#[cfg(not(target_arch = "nvptx64"))]
pub use solver::FlatGeodesic;
