//! Triangles that intersect, of one mesh or of two, found exactly.
//!
//! | to | see |
//! |---|---|
//! | find where a surface intersects itself | [`intersections`], [`IntersectionOptions`] |
//! | find where two surfaces intersect | [`intersections_of_two`] |
//! | find which faces of a list intersect others | [`intersecting`] |
//! | do so with triangles in buffers | [`self_intersections`], [`intersections_between`], [`Triangles`] |
//! | choose what finds faces whose boxes meet | [`Broad`], [`self_intersections_by`], [`intersections_between_by`] |
//! | keep faces in cells, in kernels of other crates | [`Measured`], [`CellTable`], [`CellFacts`], [`Placed`] |
//! | decide on which side a point is, in a kernel or on the host | [`orientation`], [`turn`] |
//!
//! ```
//! use ribbonmesh::{Device, MeshOptions, Result, Surface, TriangleMesh};
//! use ribbonmesh_intersections::{IntersectionOptions, intersections};
//!
//! # fn main() -> Result<()> {
//! // two neighbours, and a triangle that goes through the first of them
//! let points = [
//!     [0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [4.0, 4.0, 0.0],
//!     [1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [0.5, 1.0, 1.0],
//! ];
//! let mesh = TriangleMesh::from_f32(points, vec![[0, 1, 2], [1, 3, 2], [4, 5, 6]]);
//! let mut surface = Surface::new(&Device::auto(), &mesh, &MeshOptions::default())?;
//! let found = intersections(&mut surface, &IntersectionOptions::default())?;
//! assert_eq!((found.report.pairs, found.report.faces), (1, 2));
//! assert_eq!(found.pairs()?, [[0, 2]]);
//! assert_eq!(surface.download()?.faces_of().get::<u32>("intersects")?, [1, 0, 1]);
//! # Ok(())
//! # }
//! ```
//!
//! **What counts.** A triangle is the closed set between its corners: a segment or a point if they are on a
//! line. Corners with equal positions are *shared*, whether they are the same vertex or not, so that an
//! unwelded mesh (STL) is treated as its welded mesh. Two triangles intersect if
//!
//! | shared corners | and |
//! |---|---|
//! | none | they have any common point, also if they only touch |
//! | one | they have a common point besides it |
//! | two | they have a common point outside of the segment between these: they lie in a plane, folded onto each other |
//! | three, different from each other | always: they are duplicates |
//!
//! So a triangle (a, b, b), a segment, does not intersect its neighbours along it, but it intersects the
//! triangles that it passes through.
//!
//! **Exact.** The answer is exact for the stored positions: single precision, relative to the origin of the
//! surface. Every decision is the sign of a determinant of coordinates, computed in double precision with a
//! bound of the error, and in integers if that does not determine the sign. So the GPU and the CPU give the
//! same pairs.
//!
//! **Cost.** A tree of the faces (570 bytes per face) or a hash of cells ([`Broad`]), and one search per
//! face; a second search if there are more than half as many pairs as faces.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(all(target_arch = "nvptx64", ribbonmesh_own), feature(abi_ptx))]
// as a dependency of other crates' kernels, only the predicates of this crate are used
#![cfg_attr(target_arch = "nvptx64", allow(dead_code))]

#[cfg(test)]
mod cases;
mod cells;
mod exact;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
mod hash;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
mod kernels;
mod line;
#[cfg(test)]
#[path = "../tests/oracle/mod.rs"]
mod oracle;
mod pair;
mod plane;
#[forbid(unsafe_code)]
mod rough;
mod table;
mod wide;

#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod broad;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod few;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod find;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod open;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod pairs;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod surface;

pub use cells::{CellFacts, Entry, Placed, place};
pub use pair::{Along, turn};
pub use plane::orientation;
pub use table::CellTableView;

#[cfg(not(target_arch = "nvptx64"))]
pub use broad::Broad;
#[cfg(not(target_arch = "nvptx64"))]
pub use cells::CellFactsArguments;
#[cfg(not(target_arch = "nvptx64"))]
pub use few::intersections_of_few;
#[cfg(not(target_arch = "nvptx64"))]
pub use find::{
    Intersections, Triangles, intersecting, intersections_between, intersections_between_by,
    intersections_with, self_intersections, self_intersections_by,
};
#[cfg(not(target_arch = "nvptx64"))]
pub use hash::measured::Measured;
#[cfg(not(target_arch = "nvptx64"))]
pub use hash::search::table_of;
#[cfg(not(target_arch = "nvptx64"))]
pub use surface::{
    IntersectionOptions, IntersectionReport, SurfaceIntersections, intersections, intersections_of_two,
};
#[cfg(not(target_arch = "nvptx64"))]
pub use table::{CellTable, CellTableViewArguments, TableSize};

ribbonmesh::device::ptx!();
