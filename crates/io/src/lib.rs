//! Reading and writing triangle meshes with their attributes: OBJ, PLY, OFF, STL, GLB, glTF.
//!
//! A file is read into a [`TriangleMesh`] in host memory, and written from one. This crate does not depend on
//! patches or devices.
//!
//! | format | content besides positions and faces |
//! |---|---|
//! | OBJ | colours of vertices; normals and texture coordinates of vertices or corners; groups, objects, smoothing groups; materials, with their files and pictures |
//! | PLY, ASCII and binary of both byte orders | all attributes of vertices, faces, corners and edges; comments |
//! | OFF, text, and binary when read | normals, colours and texture coordinates of vertices; colours of faces |
//! | STL, ASCII and binary | names of solids (ASCII); header, 16 bits per face (binary); corners at the same coordinates are welded when read |
//! | GLB, and glTF with its files | attributes of vertices and corners; materials, textures and images; objects as nodes; vertices at the same place in a node are welded when read |
//!
//! Files whose names end in `.gz` and `.zst`, such as `mesh.ply.gz`, are compressed and decompressed.
//!
//! Positions are stored in double precision. Files in single precision are read exactly, and written in
//! single precision again. [`write`](write()) returns a list of [`Loss`]: the content that the format cannot
//! store. [`Notes`] lists the content that a reader ignored or changed.
//!
//! Isolated vertices, degenerate and duplicate faces are read unchanged. A polygon of n corners becomes n − 2
//! triangles, which [`Notes`] counts: the fan around the first corner if it covers the polygon, as for convex
//! polygons; otherwise by ear clipping in the plane of the polygon's mean normal. Polygons that cross
//! themselves or have no area also give n − 2 triangles.
//!
//! Elements that cannot be used, such as faces of two corners and vertices that are not finite, are left out,
//! and [`Notes`] counts them; [`ReadOptions::strict`] refuses them. Other content that cannot be read
//! correctly is a [`ReadError`], which names the file, the line (text) or byte offset (binary), and the
//! value. Counts in headers are compared with the size of the file before memory is allocated.
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

mod colour;
mod compression;
pub mod core;
mod cursor;
mod decimal;
mod fault;
mod format;
mod glb;
mod loss;
mod losses;
mod notes;
mod obj;
mod off;
mod options;
mod pieces;
mod ply;
mod polygon;
mod read;
mod read_error;
mod replace;
mod sink;
mod sniff;
mod stl;
mod stream;
mod texture;
mod unfinished;
mod weld;
mod write;
mod write_error;

pub use compression::Compression;
pub use format::{Format, UnknownFormat};
pub use glb::GlbStream;
pub use loss::Loss;
pub use notes::Notes;
pub use obj::ObjStream;
pub use options::{PlyEncoding, ReadOptions, StlEncoding, WriteOptions};
pub use ply::PlyStream;
pub use read::{
    Loaded, read, read_as, read_bytes, read_bytes_stream, read_from, read_points, read_points_stream,
    read_stream, read_stream_with, read_with,
};
pub use read_error::{Place, ReadError, ReadErrorKind};
pub use replace::{check_output, write_file};
pub use ribbonmesh_mesh::TriangleMesh;
pub use stl::StlStream;
pub use stream::MeshStream;
pub use unfinished::remove_unfinished;
pub use write::{write, write_as, write_to};
pub use write_error::{WriteError, WriteErrorKind};
