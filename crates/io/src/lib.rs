//! Triangle meshes with their attributes to and from files: OBJ, PLY, OFF, STL, GLB.
//!
//! This crate knows nothing of patches or devices: a file becomes a [`TriangleMesh`] in host memory, and back.
//!
//! | format | carries besides positions and faces |
//! |---|---|
//! | OBJ | colours of vertices; normals and texture coordinates of vertices or corners; groups, objects, smoothing groups; names of materials, and their files |
//! | PLY, ASCII and binary of both byte orders | all attributes of vertices, faces, corners and edges; comments |
//! | OFF | normals, colours and texture coordinates of vertices; colours of faces |
//! | STL, ASCII and binary | names of solids (ASCII); header, 16 bits per face (binary); corners at the same coordinates are welded when read |
//! | GLB | attributes of vertices and corners; materials, textures and images; objects as nodes; vertices at the same place in a node are welded when read |
//!
//! Files whose names end in `.gz` and `.zst`, as `mesh.ply.gz`, are decompressed and compressed on the way.
//!
//! Positions are held in double precision. Files in single precision are held exactly, and written in single precision
//! again. What a format cannot hold, [`write`](write()) returns as a list of [`Loss`]; what a reader passed over stands in
//! [`Notes`].
//!
//! Reading keeps what is there: isolated vertices, degenerate and duplicate faces come out as they went in.
//! Polygons become triangles over their corners, two less than corners, which [`Notes`] counts: the fan around the
//! first corner where that covers the polygon, as it does a convex one, or else ears that are cut off, in the plane of
//! the polygon's mean normal. Polygons that cross themselves or have no area get as many triangles as well.
//!
//! What cannot be read correctly is refused with a [`ReadError`], which names the file, the line (text) or
//! byte offset (binary), and the value. Counts in headers are compared with the size of the file before
//! anything is allocated.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("corner.ply");
//! use ribbonmesh_io::{TriangleMesh, WriteOptions, read, write};
//!
//! let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
//! let mut mesh = TriangleMesh::from_f32(positions, vec![[0, 1, 2]]);
//! mesh.vertices_mut().insert("heat", vec![0.5_f32, 0.25, 1.0])?;
//! let lost = write(&path, &mesh, &WriteOptions::default())?;
//! assert!(lost.is_empty());
//! assert_eq!(read(&path)?.mesh, mesh);
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

mod compression;
mod decimal;
mod format;
mod glb;
mod loss;
mod losses;
mod notes;
mod obj;
mod off;
mod options;
mod ply;
mod polygon;
mod read;
mod read_error;
mod replace;
mod sink;
mod sniff;
mod stl;
mod text;
mod unfinished;
mod weld;
mod write;
mod write_error;

pub use compression::Compression;
pub use format::{Format, UnknownFormat};
pub use loss::Loss;
pub use notes::Notes;
pub use options::{PlyEncoding, StlEncoding, WriteOptions};
pub use read::{Loaded, read, read_as, read_from, read_stream};
pub use read_error::{Place, ReadError, ReadErrorKind};
pub use replace::{check_output, write_file};
pub use ribbonmesh_mesh::TriangleMesh;
pub use unfinished::remove_unfinished;
pub use write::{write, write_as, write_to};
pub use write_error::{WriteError, WriteErrorKind};
