//! Triangles that intersect, of one mesh or of two, found exactly.
//!
//! | to | see |
//! |---|---|
//! | find where a surface intersects itself | [`intersections`], [`IntersectionOptions`] |
//! | find where two surfaces intersect | [`intersections_of_two`] |
//! | find which faces of a list intersect others | [`SearchAgain::meet_others`] |
//! | take back moves that make faces pass through others | [`hold_back`] |
//! | do so with triangles in buffers | [`self_intersections`], [`intersections_between`], [`Triangles`] |
//! | decide on which side a point is, in a kernel or on the host | [`orientation`], [`turn`] |
//!
//! ```
//! use ribbonmesh::{Device, MeshOptions, Result, Surface, TriangleMesh};
//! use ribbonmesh_solid::intersections::{IntersectionOptions, intersections};
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
//! **What counts.** A triangle is the closed set between its corners: a segment or a point if they lie on a
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
//! So a triangle (a, b, b), a segment, does not intersect its neighbours along it, and it does intersect what
//! it passes through.
//!
//! **Exact.** The answer is that for the positions as they are stored: single precision, relative to the
//! origin of the surface. Every decision is the sign of a determinant of coordinates, computed in double
//! precision with a bound of the error, and in integers where that does not tell the sign. So both machines
//! give the same pairs.
//!
//! **Cost.** A tree of the faces (570 bytes per face), and one search per face; a second one if there are
//! more than half as many pairs as faces.

#[cfg(test)]
mod cases;
mod exact;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub(crate) mod kernels;
mod line;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub(crate) mod moving;
// One oracle for tests of private functions and for those of the public ones.
#[cfg(test)]
#[path = "../../tests/it/intersections/oracle.rs"]
mod oracle;
mod pair;
mod parts;
mod plane;
#[forbid(unsafe_code)]
mod rough;
mod wide;

#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod again;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod boxes;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod few;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod find;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod hold;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod open;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod pairs;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod surface;

pub use pair::{Along, intersect, turn};
pub use parts::{Faces, Found, TRIANGLES, block_of};
pub use plane::{Triangle, orientation};

#[cfg(not(target_arch = "nvptx64"))]
pub use again::{Met, SearchAgain};
#[cfg(not(target_arch = "nvptx64"))]
pub use few::{intersections_of_few, intersections_of_some};
#[cfg(not(target_arch = "nvptx64"))]
pub use find::{
    Intersections, Triangles, intersections_among, intersections_between, intersections_with, marks_with,
    self_intersections, self_intersections_in,
};
#[cfg(not(target_arch = "nvptx64"))]
pub use hold::{HeldBack, hold_back};
#[cfg(not(target_arch = "nvptx64"))]
pub use pairs::{Marks, Room, Wanted, collect};
#[cfg(not(target_arch = "nvptx64"))]
pub use parts::{FacesArguments, FoundArguments};
#[cfg(not(target_arch = "nvptx64"))]
pub use surface::{
    IntersectionOptions, IntersectionReport, SurfaceIntersections, intersections, intersections_of_two,
};
