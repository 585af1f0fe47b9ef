//! Denoising of meshes by methods that keep sharp edges, with parameters that follow from the noise of the
//! mesh itself.
//!
//! By default the normals of faces are filtered (Zheng, Fu, Au and Tai 2011), and vertices follow them (Sun,
//! Rosin, Martin and Langbein 2007). The bilateral method moves every vertex along its normal by a mean of
//! its neighbours' offsets from its tangent plane (Fleishman, Drori and Cohen-Or 2003, as in Mahmoud's
//! thesis, 4.5.3). Taubin's λ|μ filter (1995) keeps no edges.
//!
//! | to | see |
//! |---|---|
//! | denoise a surface | [`denoise`] |
//! | denoise positions on one mesh again and again | [`Denoiser`] |
//! | choose the method, or what follows from the noise | [`DenoiseOptions`], [`Method`] |
//! | know the noise, and what was chosen | [`DenoiseReport`] |
//! | compare with a surface without noise | [`Deviation`] |
//!
//! ```
//! use ribbonmesh::{Device, MeshOptions, Result};
//! use ribbonmesh_fields::denoise::{DenoiseOptions, denoise};
//! use ribbonmesh::{Surface, TriangleMesh};
//!
//! # fn main() -> Result<()> {
//! // a square, and its middle a little above it
//! let points = [[0.0, 0.0, 0.1], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]];
//! let faces = vec![[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1]];
//! let square = TriangleMesh::from_f32(points, faces);
//! let mut surface = Surface::new(&Device::auto(), &square, &MeshOptions::default())?;
//! // so coarse a mesh tells little of its noise
//! let (noise, similarity) = (Some(0.1), Some(1.0));
//! let options = DenoiseOptions { noise, similarity, fixed_boundary: true, ..DenoiseOptions::default() };
//! let report = denoise(&mut surface, &options)?;
//! assert!(report.iterations == 4 && surface.download()?.positions[0].z < 0.05);
//! # Ok(())
//! # }
//! ```
//!
//! Neighbours depend on the mesh alone. A [`Denoiser`] finds them once: for normals the faces around every
//! face; for the bilateral method the rings of all vertices, up to a depth that nearly every ball stays
//! within. They are stored as local indices of the patch and its surroundings, so that an iteration reads
//! positions from shared memory and lists in order. For the few vertices whose balls extend further, a kernel
//! walks the mesh. A machine gives the same bits every time; with normals and Taubin's filter all machines
//! give the same.

mod ball;
mod chain;
mod exact;
mod exp2;
mod faces;
mod filtering;
mod kernels;
mod measuring;
mod moving;
mod offsets;
mod ring_normals;
mod rows;
mod stored;
mod walk;

#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod adjacency;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod application;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod bilateral;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod choice;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod denoiser;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod deviation;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod estimate;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod flat;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod method;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod normals;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod options;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod rings;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod run;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod stairs;

pub use ball::Rule;

#[cfg(not(target_arch = "nvptx64"))]
pub use application::Denoise;
#[cfg(not(target_arch = "nvptx64"))]
pub use denoiser::{DenoiseReport, Denoiser};
#[cfg(not(target_arch = "nvptx64"))]
pub use deviation::Deviation;
#[cfg(not(target_arch = "nvptx64"))]
pub use method::Method;
#[cfg(not(target_arch = "nvptx64"))]
pub use normals::normals_with_ring_into;
#[cfg(not(target_arch = "nvptx64"))]
pub use options::{DenoiseOptions, Radius};
#[cfg(not(target_arch = "nvptx64"))]
pub use run::denoise;
