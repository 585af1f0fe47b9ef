//! A triangle mesh with its attributes on a device, as one value.
//!
//! Applications take a [`Surface`], change it, and return a report. It stays on its device until it is
//! downloaded. Attributes are columns with a name, a role and a policy ([`ribbonmesh_mesh::Policy`]); where
//! the mesh changes, they follow by that policy, so that no application carries them by hand.
//!
//! | to | see |
//! |---|---|
//! | upload and download | [`Surface::new`], [`Surface::download`] |
//! | begin with arrays on a device, copy there | [`Surface::from_buffers`], [`Surface::try_clone`] |
//! | ask for neighbours, run kernels | [`Surface::patches`], [`Surface::patches_mut`] |
//! | read attributes | [`Surface::vertices`], [`Columns`]; beside the patches [`Surface::parts`] |
//! | add attributes | [`Surface::vertices_mut`], [`ColumnsMut`] |
//! | read triangles without patches | [`Surface::triangles`], [`Surface::insert_of_faces`] |
//! | write an application that moves vertices | [`Surface::patches_mut`], [`Surface::moved`] |
//! | read triangles with their edges, without patches | [`Surface::flat_topology`] |
//! | write an application that changes triangles | [`Surface::to_dynamic`], [`Surface::seams`], [`Surface::replace`] |
//! | compute a column of the new mesh by a function of one's own | [`Surface::follow_by`] |
//! | read a part, append elements, replace them by copies | [`Surface::part`], [`Surface::append_rest`], [`Surface::rebuild`] |
//! | know what was left out | [`Surface::notes`] |
//!
//! ```
//! use ribbonmesh::prelude::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut mesh = TriangleMesh::from_f32([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![[0, 1, 2]]);
//! mesh.vertices_mut().insert("heat", vec![0.0_f32, 1.0, 2.0])?;
//!
//! let mut surface = Surface::new(&Device::auto(), &mesh, &MeshOptions::default())?;
//! let (patches, _positions) = surface.patches()?;
//! assert_eq!(patches.query(Op::FV)?.download()?.row(0).count(), 3);
//! assert_eq!(surface.download()?.vertices().get::<f32>("heat")?, [0.0, 1.0, 2.0]);
//! # Ok(())
//! # }
//! ```

#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
mod kernels;
mod location;

pub use location::Location;

#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod host;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::begin::{Extent, Lent};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::columns::{ColumnInfo, Columns, ColumnsMut};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::follow::Located;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::note::{Note, Why};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::parts::Parts;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::replace::{Changed, Vertices};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::seams::Seams;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::surface::Surface;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::triangles::Triangles;
