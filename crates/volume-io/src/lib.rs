//! Reading and writing volume meshes with their data: VTK legacy, VTU, Gmsh MSH, MEDIT, OpenVolumeMesh.
//!
//! A file is read into a [`VolumeData`] in host memory, and written from one. [`VolumeData::upload`] makes
//! the mesh on a device.
//!
//! | format | read | content besides positions and cells |
//! |---|---|---|
//! | VTK legacy, `.vtk` | versions 1 to 5.1, ASCII and binary, unstructured grids | all data arrays; title |
//! | VTU, `.vtu` | ASCII, base64, appended, zlib, LZ4, LZMA; several pieces | all data arrays |
//! | Gmsh, `.msh` | 4.1 and 2, ASCII and binary | regions and their names, entities, node and element data |
//! | MEDIT, `.mesh` | ASCII | regions |
//! | OpenVolumeMesh, `.ovm` | ASCII | numbers and vectors of vertices, faces and cells |
//!
//! [`write_vti`] writes regular grids with data of their cells as VTI.
//!
//! [`VolumeData::surface`] is the surface as triangles with the data of the volume, and
//! [`VolumeData::subdivided`] a finer volume with its data.
//!
//! Files whose names end in `.gz` and `.zst`, such as `part.vtk.gz`, are compressed and decompressed.
//!
//! **Cells** are tetrahedra, pyramids, wedges, hexahedra and polyhedra, in VTK's order of vertices whatever
//! the file's; Gmsh and MEDIT have wedges the other way round. Voxels become hexahedra. Triangles, quads and
//! polygons of a file become faces of the [`CellList`](ribbonmesh_volume::CellList), with data of their own.
//! Of elements of higher order the corners are read; their other nodes stay vertices. Points and lines are
//! passed over.
//!
//! **Nothing is left out silently.** [`write`](write()) returns a list of [`VolumeLoss`]: the content that
//! the format cannot store. [`VolumeNotes`] lists the content that a reader ignored or changed. Content that
//! cannot be read correctly is a [`ReadError`], which names the file, the line (text) or byte offset
//! (binary), and the element. Counts in headers are compared with the size of the file before memory is
//! allocated.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("part.vtu");
//! use ribbonmesh_volume::shapes;
//! use ribbonmesh_volume_io::{DataArray, VolumeData, VolumeWriteOptions, read, write};
//!
//! let (positions, cells) = shapes::kuhn_grid([2, 2, 2])?;
//! let mut volume = VolumeData::from_f32(&positions, cells);
//! volume.cell_data.push(DataArray::new("heat", vec![0.5_f32; 48]));
//! let lost = write(&path, &volume, &VolumeWriteOptions::default())?;
//! assert!(lost.is_empty());
//! assert_eq!(read(&path)?.volume, volume);
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

mod builder;
mod data;
mod format;
mod joined;
mod loss;
mod medit;
mod msh;
mod notes;
mod options;
mod ovm;
mod read;
mod regions;
mod shape;
mod subdivided;
mod surface;
mod vti;
mod vtk;
mod vtu;
mod write;

pub use data::{DataArray, ENTITY, REGION, Region, VolumeData, further_region, is_region};
pub use format::VolumeFormat;
pub use loss::VolumeLoss;
pub use notes::VolumeNotes;
pub use options::{MshVersion, VolumeWriteOptions, VtkVersion, VtuData};
pub use read::{LoadedVolume, read, read_as, read_from, read_stream};
pub use ribbonmesh_io::{Place, ReadError, ReadErrorKind, UnknownFormat, WriteError, WriteErrorKind};
pub use vti::{CellArray, CellGrid, write_vti};
pub use write::{write, write_as, write_to};
