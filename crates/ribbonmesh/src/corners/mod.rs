//! Shared parts of geometric kernels: the positions of a patch and the corners at its vertices, in shared
//! memory.
//!
//! A corner is a vertex of a face; it is given by the next and the previous vertex of that face.

mod angle;
mod at;
mod ring;
mod rows;
mod sort;
mod stage;

pub use angle::angle;
pub use at::{Corners, FlatCorners, FlatMesh, PatchCorners, Points, VertexCorners, after, before};
#[cfg(not(target_arch = "nvptx64"))]
pub use at::{FlatCornersArguments, FlatMeshArguments};
#[cfg(not(target_arch = "nvptx64"))]
pub use ring::RingViewArguments;
pub use ring::{BREAK, RingView};
pub use rows::{Edges, Rows, RowsLayout};
pub use sort::{sort_by_heap, sort_row};
pub use stage::{Positions, Vectors};
