//! Exact geodesic distances and shortest paths, on the host, in double precision, without a device.
//!
//! ```
//! use ribbonmesh_fields::geodesic::exact::Exact;
//! use ribbonmesh::TriangleMesh;
//!
//! # fn main() -> ribbonmesh::Result<()> {
//! let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]];
//! let square = TriangleMesh::from_f32(corners, vec![[0, 1, 2], [2, 1, 3]]);
//! let mut exact = Exact::new(&square.positions, &square.faces)?;
//! let report = exact.run(&[0])?;
//! assert_eq!(report.unreachable, 0);
//! assert!((exact.distances()[3] - 2f64.sqrt()).abs() < 1e-15);
//! // across the diagonal
//! let path = exact.path_to(3).map(|path| path.points.len());
//! assert_eq!(path, Some(3));
//! # Ok(())
//! # }
//! ```
mod path;
mod sides;
mod solver;
mod waiting;
mod window;

pub use path::{GeodesicPath, Place};
pub use solver::{Exact, ExactReport};
