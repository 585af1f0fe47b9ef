//! Makes an oriented manifold of any triangles, and says what keeps triangles from being one.
//!
//! | to | see |
//! |---|---|
//! | know whether a mesh needs repair, and where | [`manifold_violations`] |
//! | repair it | [`repair`], [`RepairOptions`] |
//! | repair a mesh with its attributes | [`repair_mesh`] |
//! | carry other values along | [`Repaired::vertex_values`], [`Repaired::face_values`] |
//! | know what was changed | [`RepairReport`] |
//!
//! A mesh is an **oriented manifold** if no face has a vertex twice, no two faces have the same three vertices, every edge
//! is a side of one face or of two that run along it in opposite directions, and the faces of every vertex are one fan,
//! connected across edges at the vertex. Boundary, several components and isolated vertices are allowed.
//!
//! Everything here is combinatorial: positions are not looked at. It runs on the host, on rayon's pool, in time linear in
//! the mesh but for sorting the few sides of each vertex, and gives the same result for any number of threads.
//!
//! ```
//! use ribbonmesh_repair::{RepairOptions, manifold_violations, repair};
//!
//! # fn main() -> ribbonmesh::Result<()> {
//! // three triangles at the edge 0-1
//! let faces = [[0, 1, 2], [1, 0, 3], [0, 1, 4]];
//! let violation = manifold_violations(5, &faces)?.first().map(ToString::to_string);
//! assert_eq!(violation.as_deref(), Some("edge 0-1 has 3 faces (0, 1, 2)"));
//!
//! let repaired = repair(5, &faces, &RepairOptions::default())?;
//! assert_eq!(repaired.faces, [[0, 1, 2], [7, 5, 3], [6, 8, 4]]);
//! assert_eq!(repaired.vertex_inputs, [0, 1, 2, 3, 4, 0, 0, 1, 1]);
//! assert!(manifold_violations(repaired.vertices(), &repaired.faces)?.is_empty());
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]
mod check;
mod duplicates;
mod edges;
mod fans;
mod links;
mod mesh;
mod orient;
mod repair;
mod repaired;
mod report;
mod split;
mod violation;
mod violations;

pub use mesh::{RepairError, repair_mesh};
pub use repair::{RepairOptions, repair};
pub use repaired::Repaired;
pub use report::{EdgeCut, EdgeSplit, RepairReport, VertexSplit};
pub use violation::Violation;
pub use violations::{Found, Violations, manifold_violations};
