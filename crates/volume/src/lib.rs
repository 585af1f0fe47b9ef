//! Volume meshes on a device: polyhedra of any kind as boundary operators, or simplices of which only the
//! vertices are stored (Mueller-Roemer 2020, chapter 3).
//!
//! | to | see |
//! |---|---|
//! | list cells by their vertices or faces | [`CellList`] |
//! | build a mesh of tetrahedra, pyramids, wedges, hexahedra, polyhedra | [`VolumeMesh`] |
//! | have the neighbours of all vertices, edges, faces or cells | [`VolumeMesh::relation`], [`Relation`] |
//! | know what is wrong with a mesh | [`VolumeMesh::defects`], [`VolumeDefects`] |
//! | have its surface, for all that works on surfaces | [`VolumeMesh::surface`], [`VolumeSurface`] |
//! | cut it with a plane | [`VolumeMesh::slice`], [`VolumeSlice`] |
//! | keep values of vertices, edges, faces or cells, and reduce them | [`VolumeAttribute`] |
//! | smooth what is inside | [`VolumeMesh::smooth`] |
//! | subdivide it | [`VolumeMesh::subdivide`] |
//! | store tetrahedra or triangles in the least memory | [`SimplexMesh`] |
//! | work with a relation: transposes, products | [`Tcsr`], [`TcsrView`] in kernels |
//! | have a mesh to try | [`shapes`] |
//!
//! ```
//! use ribbonmesh::Device;
//! use ribbonmesh_volume::{Relation, VolumeMesh, VolumeOptions, shapes};
//!
//! # fn main() -> Result<(), ribbonmesh_volume::VolumeError> {
//! // 2 x 2 x 2 cubes, each cut into six tetrahedra
//! let (positions, cells) = shapes::kuhn_grid([2, 2, 2])?;
//! let mesh = VolumeMesh::new(&Device::auto(), &positions, &cells, &VolumeOptions::default())?;
//! assert_eq!((mesh.vertices(), mesh.edges(), mesh.faces(), mesh.cells()), (27, 98, 120, 48));
//!
//! // the cells at each vertex, made when they are first asked for
//! let cells_of_vertices = mesh.relation(Relation::VC)?.download()?;
//! assert_eq!(cells_of_vertices.row(13).len(), 24);
//!
//! let surface = mesh.surface()?;
//! assert_eq!(surface.triangles(), 48);
//! # Ok(())
//! # }
//! ```
//!
//! **Orientation.** Edges run from the smaller to the larger vertex. A face runs from its smallest vertex
//! towards the smaller one of the two beside it. The sign of a cell's face is 1 where the face's normal
//! points into the cell.
//!
//! **Deterministic.** Ids, the order of entries and all results are the same in every run and on every
//! machine; edges are numbered in the lexicographic order of their ends, faces in that of their first three
//! vertices.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]

mod device;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub mod tetrahedra;

#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod host;
pub use device::tcsr::{TcsrView, decode, encode};

#[cfg(not(target_arch = "nvptx64"))]
pub use device::tcsr::TcsrViewArguments;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::attribute::{Cell, VolumeAttribute, VolumeElement};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::cells::{CellKind, CellList};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::defects::{Found, VolumeDefects};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::error::{Result, VolumeError};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::mesh::{Orientation, VolumeMesh, VolumeOptions};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::relation::Relation;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::shapes;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::simplex::SimplexMesh;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::slice::{Plane, VolumeSlice};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::surface::VolumeSurface;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::tcsr::{Tcsr, TcsrRows};

ribbonmesh::device::ptx!();
