//! Bilateral mesh denoising: Fleishman, Drori and Cohen-Or 2003, as in Mahmoud's thesis, 4.5.3.
//!
//! Every vertex moves along its normal by a mean of its neighbours' offsets from its tangent plane, weighted by their
//! distance and by the offsets themselves, so that noise goes and edges stay. Neighbours are those in a ball whose radius
//! comes from the edges at the vertex, gathered ring by ring until a ring has none in the ball.
//!
//! | to | see |
//! |---|---|
//! | denoise a surface | [`denoise`] |
//! | denoise positions on one mesh again and again | [`Denoiser`] |
//! | choose iterations and the size of neighbourhoods | [`DenoiseOptions`] |
//! | compare with a surface without noise | [`Deviation`] |
//!
//! ```
//! use ribbonmesh::{Device, MeshOptions, Result};
//! use ribbonmesh_denoise::{DenoiseOptions, denoise};
//! use ribbonmesh::{Surface, TriangleMesh};
//!
//! # fn main() -> Result<()> {
//! // a square, and its middle a little above it
//! let points = [[0.0, 0.0, 0.1], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]];
//! let faces = vec![[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1]];
//! let square = TriangleMesh::from_f32(points, faces);
//! let mut surface = Surface::new(&Device::auto(), &square, &MeshOptions::default())?;
//! let options = DenoiseOptions { iterations: 2, fixed_boundary: true, ..DenoiseOptions::default() };
//! let report = denoise(&mut surface, &options)?;
//! assert!(report.iterations == 2 && surface.download()?.positions[0].z < 0.05);
//! # Ok(())
//! # }
//! ```
//!
//! The rings depend on the mesh alone. A [`Denoiser`] finds those of all vertices once, up to a depth that nearly every
//! ball stays within, and stores them as local indices of the patch and what surrounds it, so that an iteration reads
//! positions from shared memory and lists in order. The few vertices whose rings go further walk the mesh themselves.
//! A machine gives the same bits every time.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]

mod ball;
mod exact;
mod exp2;
mod faces;
mod filtering;
mod kernels;
mod measuring;
mod moving;
mod offsets;
mod rows;
mod stored;
mod walk;

#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod adjacency;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod bilateral;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod choice;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod denoise;
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
mod options;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod rings;

pub use ball::Rule;

#[cfg(not(target_arch = "nvptx64"))]
pub use denoise::denoise;
#[cfg(not(target_arch = "nvptx64"))]
pub use denoiser::{DenoiseReport, Denoiser};
#[cfg(not(target_arch = "nvptx64"))]
pub use deviation::Deviation;
#[cfg(not(target_arch = "nvptx64"))]
pub use method::Method;
#[cfg(not(target_arch = "nvptx64"))]
pub use options::{DenoiseOptions, Radius};

/// The kernels as PTX.
#[cfg(not(target_arch = "nvptx64"))]
pub static PTX: ribbonmesh::device::PtxModule = ribbonmesh::device::PtxModule {
    name: "ribbonmesh-denoise",
    text: include_str!("../ptx/ribbonmesh-denoise.ptx"),
};
