//! Drives the nightly compiler to turn a kernel crate into PTX.
//!
//! A kernel crate is an ordinary library that compiles for the host and, with
//! `#![cfg_attr(target_arch = "nvptx64", no_std, feature(abi_ptx))]`, for `nvptx64-nvidia-cuda`. Its manifest
//! needs nothing special: the crate type, the profile and the target are passed by the builder.
//!
//! ```no_run
//! let ptx = ribbonmesh_ptx::Builder::new("path/to/my-kernels").target_cpu("sm_80").build()?;
//! std::fs::write("my-kernels.ptx", &ptx.text)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | item | what it is |
//! |---|---|
//! | [`Builder`] | compiles one kernel crate |
//! | [`Ptx`] | the result: text, entry points, compiler, flags |
//! | [`source_hash`] | a fingerprint of everything that went into the PTX, computed without a compiler |
//! | [`text_hash`] | a fingerprint of the PTX itself |
//! | [`Toolchain`] | the nightly and its source of `core` |
//! | [`Ptxas`] | NVIDIA's assembler, as a check: registers, stack, spills per kernel |
//!
//! The nightly is the rustup toolchain named `nightly`, or the one named by `RIBBONMESH_NIGHTLY`.

mod builder;
mod error;
mod package;
mod program;
mod ptx;
mod ptxas;
mod source;
mod toolchain;

pub use builder::Builder;
pub use error::{BuildError, PtxasError, SourceError};
pub use ptx::{Ptx, entries};
pub use ptxas::{FunctionUsage, Ptxas, parse_verbose};
pub use source::{source_hash, text_hash};
pub use toolchain::{CoreSource, DEVICE_CORE, TARGET, Toolchain};
