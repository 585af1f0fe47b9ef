//! Makes oriented manifolds of arbitrary triangles, and finds what keeps triangles from being one.
//!
//! | to | see |
//! |---|---|
//! | know whether a mesh needs repair, and where | [`manifold_violations`] |
//! | find its boundary | [`boundary`] |
//! | repair it | [`repair`], [`RepairOptions`] |
//! | repair a mesh with its attributes | [`repair_mesh`]; on its device [`repair_surface`] |
//! | check or repair triangles in buffers | [`boundary_of`], [`repair_triangles`] |
//! | close cracks and T-junctions | [`stitch_mesh`], with repair [`repair_and_stitch`] |
//! | repair a part of a larger mesh as within it | [`repair_part`] |
//! | know whether a triangle counts as one without area | [`has_no_area`] |
//! | carry other values along | [`Repaired::vertex_values`], [`Repaired::face_values`] |
//! | know what was changed | [`RepairReport`] |
//!
//! A mesh is an **oriented manifold** if no face has a vertex twice, no two faces have the same three
//! vertices, every edge is a side of one face or of two that run along it in opposite directions, and the
//! faces of every vertex are one fan, connected across edges at the vertex. Boundary, several components and
//! isolated vertices are allowed.
//!
//! Positions decide which faces stay together at edges of more than two faces, which vertices are welded, and
//! which faces have no area; everything else is combinatorial. What looks at every element runs as kernels,
//! in time linear in the mesh but for sorting the few sides of each vertex. The host decides about the
//! elements whose order matters, and reads only these. Results are the same on every device.
//!
//! ```
//! use glam::DVec3;
//! use ribbonmesh::Device;
//! use ribbonmesh_solid::repair::{RepairOptions, manifold_violations, repair};
//!
//! # fn main() -> Result<(), ribbonmesh_solid::repair::RepairError> {
//! let device = Device::auto();
//! // a sheet of two triangles, and a third that stands on their edge 0-1
//! let positions = [DVec3::ZERO, DVec3::Y, DVec3::NEG_X, DVec3::X, DVec3::Z];
//! let faces = [[0, 1, 2], [1, 0, 3], [0, 1, 4]];
//! let violation = manifold_violations(&device, 5, &faces)?.first().map(ToString::to_string);
//! assert_eq!(violation.as_deref(), Some("edge 0-1 has 3 faces (0, 1, 2)"));
//!
//! // the sheet stays, the third comes off
//! let repaired = repair(&device, &positions, &faces, &RepairOptions::default())?;
//! assert_eq!(repaired.faces, [[0, 1, 2], [1, 0, 3], [5, 6, 4]]);
//! assert_eq!(repaired.vertex_inputs, [0, 1, 2, 3, 4, 0, 1]);
//! assert!(manifold_violations(&device, repaired.vertices(), &repaired.faces)?.is_empty());
//! # Ok(())
//! # }
//! ```
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
mod area;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub(crate) mod kernels;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
mod link_kernels;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
mod orient_kernels;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
mod twin_kernels;

#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod check;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod crowded;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod distinct;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod edges;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod fans;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod judged;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod linked;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod links;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod mesh;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod orient;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod pair;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod part;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod patches;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod quads;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod region;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod repaired;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod report;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod rest;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod rim;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod run;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod simple;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod split;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod stitch;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod twins;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod violation;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod violations;
#[cfg(not(target_arch = "nvptx64"))]
#[forbid(unsafe_code)]
mod weld;

#[cfg(not(target_arch = "nvptx64"))]
pub use area::none as has_no_area;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub(crate) use kernels::{before, behind, corners_at};
#[cfg(not(target_arch = "nvptx64"))]
pub(crate) use linked::{compacted, find_fans, pairs, rows, set};
#[cfg(not(target_arch = "nvptx64"))]
pub use mesh::{RepairError, repair_mesh, repair_surface};
#[cfg(not(target_arch = "nvptx64"))]
pub use part::{Part, repair_part};
#[cfg(not(target_arch = "nvptx64"))]
pub use repaired::Repaired;
#[cfg(not(target_arch = "nvptx64"))]
pub use report::{EdgeCut, EdgeSplit, RepairReport, VertexSplit};
#[cfg(not(target_arch = "nvptx64"))]
pub use run::{RepairOptions, RepairedTriangles, repair, repair_triangles};
#[cfg(not(target_arch = "nvptx64"))]
pub(crate) use simple::CornersAt;
#[cfg(not(target_arch = "nvptx64"))]
pub use stitch::{STITCH, StitchReport, repair_and_stitch, repair_and_stitch_surface, stitch_mesh};
#[cfg(not(target_arch = "nvptx64"))]
pub use violation::Violation;
#[cfg(not(target_arch = "nvptx64"))]
pub use violations::{Boundary, ViolationList, Violations, boundary, boundary_of, manifold_violations};
#[cfg(not(target_arch = "nvptx64"))]
pub(crate) use violations::{Looked, isolated_in, look_for_holes};
#[cfg(not(target_arch = "nvptx64"))]
pub(crate) use weld::first_at_places;
