//! Compiles a kernel crate to PTX with a nightly compiler.
//!
//! A kernel crate is an ordinary library that compiles for the host and, with
//! `#![cfg_attr(target_arch = "nvptx64", no_std, feature(abi_ptx))]`, for `nvptx64-nvidia-cuda`. Its manifest
//! needs no special settings: the builder passes the crate type, the profile and the target. The PTX is
//! committed in the crate's folder `ptx`: a file for each source file with kernels, and an index with hashes
//! of the sources.
//!
//! ```no_run
//! # #[cfg(feature = "build")] {
//! let ptx = ribbonmesh_ptx::Builder::new("path/to/my-kernels").target_cpu("sm_80").build()?;
//! ptx.write()?;
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | item | what it is |
//! |---|---|
//! | [`Builder`] | compiles one kernel crate |
//! | [`Ptx`], [`SourcePtx`] | the result: text and kernels by source file, compiler, flags |
//! | [`renew`] | a complete program that recompiles a crate's PTX |
//! | [`Folder`], [`Index`], [`Header`] | the folder of a crate's PTX, its index, the header of a file |
//! | [`freshness`], [`verify`] | whether PTX matches the sources of its crate; the same for build scripts |
//! | [`own_source_hash`] | a hash of the crate's own kernels, computed without cargo |
//! | [`source_hash`] | a hash of all sources of the PTX, computed without a compiler |
//! | [`text_hash`] | a hash of the PTX itself |
//! | [`software_routines`] | functions that kernels compute in software although the GPU has an instruction |
//! | [`Toolchain`] | the nightly and its source of `core` |
//! | [`Ptxas`] | NVIDIA's assembler, as a check: registers, stack, spills per kernel |
//! | [`machine_code`] | an archive of kernels for given chips, to be built into programs |
//!
//! The default feature `build` contains the builder and everything that needs cargo. A build script that only
//! calls [`verify`] does not need this feature.
//!
//! The nightly is the rustup toolchain named `nightly`, or the one named by `RIBBONMESH_NIGHTLY`.

#[cfg(feature = "build")]
mod builder;
mod error;
mod files;
mod folder;
mod hash;
mod header;
#[cfg(feature = "build")]
mod libm;
#[cfg(feature = "build")]
mod machine_code;
#[cfg(feature = "build")]
mod package;
#[cfg(feature = "build")]
mod program;
#[cfg(feature = "build")]
mod ptx;
#[cfg(feature = "build")]
mod ptxas;
#[cfg(feature = "build")]
mod renew;
#[cfg(feature = "build")]
mod software;
#[cfg(feature = "build")]
mod source;
#[cfg(feature = "build")]
mod split;
#[cfg(feature = "build")]
mod toolchain;
mod verify;

#[cfg(feature = "build")]
pub use builder::Builder;
pub use error::SourceError;
#[cfg(feature = "build")]
pub use error::{BuildError, PtxasError};
pub use folder::{Folder, Freshness, Index, freshness};
pub use hash::{own_source_hash, text_hash};
pub use header::{Header, Kernel};
#[cfg(feature = "build")]
pub use machine_code::{MachineCode, machine_code};
#[cfg(feature = "build")]
pub use ptx::Ptx;
#[cfg(feature = "build")]
pub use ptxas::{FunctionUsage, Ptxas, parse_verbose};
#[cfg(feature = "build")]
pub use renew::renew;
#[cfg(feature = "build")]
pub use software::{Routine, Software, software_routines};
#[cfg(feature = "build")]
pub use source::source_hash;
#[cfg(feature = "build")]
pub use split::SourcePtx;
#[cfg(feature = "build")]
pub use toolchain::{CoreSource, DEVICE_CORE, Toolchain};
pub use verify::verify;

/// The compiler's name for NVIDIA GPUs.
pub const TARGET: &str = "nvptx64-nvidia-cuda";
