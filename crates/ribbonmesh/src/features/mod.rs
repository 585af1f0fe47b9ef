//! Shared parts of operators on surfaces: shapes of triangles, kinds of vertices, and marks of edges that
//! follow the changes.
//!
//! *Curves* are what an operator keeps: the boundary, and *features*, edges inside of the surface at which it
//! has a sharp angle. A vertex is free, inside of a curve, or a corner. The boundary is where faces end;
//! features have marks.

pub mod find;
pub mod kind;
mod marks;
pub mod triangle;

#[cfg(not(target_arch = "nvptx64"))]
pub use marks::MarksArguments;
pub use marks::{MOST_AROUND, Marks};

#[cfg(not(target_arch = "nvptx64"))]
mod found;
#[cfg(not(target_arch = "nvptx64"))]
pub use found::Features;
