//! Indexed triangles to and from files: OBJ, PLY, OFF, STL, GLB.
//!
//! This crate knows nothing of patches or devices: a file becomes a [`TriangleMesh`], positions and index
//! triples in host memory, and back.
//!
//! | format | in | out | carries besides positions and faces |
//! |---|---|---|---|
//! | OBJ | yes | yes | normals (`vn`) |
//! | PLY, ASCII and binary of both byte orders | yes | yes | normals, any [`Property`] of vertices and faces |
//! | OFF | yes | yes | normals (`NOFF`) |
//! | STL, ASCII and binary | yes | yes | nothing; corners at the same coordinates are welded when read |
//! | GLB | no | yes | normals |
//!
//! Reading keeps what is there: isolated vertices, degenerate and duplicate faces come out as they went in.
//! Polygons are cut into triangle fans around their first corner, which [`Notes`] counts; a fan covers a
//! convex polygon exactly, a concave one only if its first corner sees all the others.
//!
//! What cannot be read correctly is refused with a [`ReadError`], which names the file, the line (text) or
//! byte offset (binary), and the value. Counts in headers are compared with the size of the file before
//! anything is allocated. Attributes besides positions (colours, texture coordinates, normals) are not read, but for
//! the scalar properties of a PLY file's vertices that [`read_properties`] is asked for, and those that
//! [`read_attributes`] reads, all of them.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("corner.ply");
//! use ribbonmesh_io::{TriangleMesh, WriteOptions, read, write};
//!
//! let mesh = TriangleMesh {
//!     positions: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
//!     faces: vec![[0, 1, 2]],
//! };
//! write(&path, &mesh, &WriteOptions::default())?;
//! assert_eq!(read(&path)?.mesh, mesh);
//! # Ok(())
//! # }
//! ```

mod fan;
mod format;
mod glb;
mod mesh;
mod notes;
mod obj;
mod off;
mod options;
mod ply;
mod property;
mod read;
mod read_error;
mod replace;
mod sink;
mod sniff;
mod stl;
mod text;
mod write;
mod write_error;

pub use format::{Format, UnknownFormat};
pub use mesh::TriangleMesh;
pub use notes::Notes;
pub use options::{PlyEncoding, StlEncoding, WriteOptions};
pub use property::{Property, PropertyValues};
pub use read::{Loaded, read, read_attributes, read_from, read_properties, read_properties_from};
pub use read_error::{Place, ReadError, ReadErrorKind};
pub use replace::write_file;
pub use write::{write, write_to};
pub use write_error::{WriteError, WriteErrorKind};
