//! Isotropic remeshing: triangles as equilateral as possible, with edges of a given length (M. Botsch, L.
//! Kobbelt, *A remeshing approach to multiresolution modeling*, 2004, section 4; thesis 5.4.3).
//!
//! | to | see |
//! |---|---|
//! | remesh a surface | [`remesh`] |
//! | remesh phase by phase | [`Remesher`] |
//! | make a much coarser mesh fast | [`remesh_by_clusters`] |
//! | remesh a part, so that it fits other parts | [`remesh_part`] |
//! | choose lengths, features, boundary | [`RemeshOptions`] |
//!
//! ```
//! use ribbonmesh::{Device, MeshOptions, Result};
//! use ribbonmesh_remeshing::remesh::{Length, RemeshOptions, remesh};
//! use ribbonmesh::{Surface, TriangleMesh};
//!
//! # fn main() -> Result<()> {
//! let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
//! let square = TriangleMesh::from_f32(corners, vec![[0, 1, 2], [0, 2, 3]]);
//! let mut surface = Surface::new(&Device::cpu(), &square, &MeshOptions::default())?;
//! let options = RemeshOptions { length: Length::Absolute(0.2), ..RemeshOptions::default() };
//! let report = remesh(&mut surface, &options)?;
//! assert!(report.after.faces > 30);
//! assert_eq!(surface.download()?.faces.len() as u64, report.after.faces);
//! # Ok(())
//! # }
//! ```

mod device;
pub use device::{
    cluster, collapse, curves, deviate, flip, guard, held, project, room, sizing, smooth, split, values,
};

#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod application;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod choice;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod host;
#[cfg(not(target_arch = "nvptx64"))]
pub use application::Remesh;
#[cfg(not(target_arch = "nvptx64"))]
pub use choice::RemeshChoice;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::attempts::Attempts;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::cluster::options::{ClusterOptions, Density};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::cluster::remesh::remesh_by_clusters;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::cluster::report::ClusterReport;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::deviate::Tolerance;
#[cfg(not(target_arch = "nvptx64"))]
pub(crate) use host::lengths::{MarkedEdges, mark_edges};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::options::{Adaptive, Boundary, RemeshOptions, Weights};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::part::{Part, PartOptions, Remeshed, lengths_of_part, remesh_part};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::remesh::remesh;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::remesher::Remesher;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::report::{GaveUp, Iteration, Missed, RemeshReport};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::survey::Survey;
#[cfg(not(target_arch = "nvptx64"))]
pub use ribbonmesh::dynamic::Sizes;
#[cfg(not(target_arch = "nvptx64"))]
pub use ribbonmesh::features::Features;
#[cfg(not(target_arch = "nvptx64"))]
pub use ribbonmesh_application::Length;
