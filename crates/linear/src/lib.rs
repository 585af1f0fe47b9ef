//! Conjugate gradients on NVIDIA GPUs and CPUs, for operators that fuse their steps; factorizations on the
//! host.
//!
//! | to | see |
//! |---|---|
//! | solve with a matrix | [`Operator`], [`ConjugateGradients`], [`Limits`], [`Progress`] |
//! | precondition | within [`Operator::advance`], or by launches of their own, [`Preconditioner`] |
//! | write the kernel of a product, with the steps before and after it | [`Scalars`], [`Turned`], [`Part`] |
//! | write a kernel that ends an iteration | [`advance`], [`Moved`] |
//! | have vectors in an order of one's own | [`Vector`]; in kernels [`Read`], [`Write`], [`Value`] |
//! | factor a symmetric matrix on the host | [`Elimination`], [`Cholesky`] |
//! | add vectors, and multiply them | [`axpby`], [`dot`] |
//!
//! ```
//! use ribbonmesh::{Buffer, Device, Error, Result};
//! use ribbonmesh_linear::{ConjugateGradients, Limits, Operator, Outcome, Run, axpby};
//!
//! /// Twice the unit matrix, without a kernel of its own.
//! struct Twice;
//! impl Operator for Twice {
//!     type Vector = Buffer<f64>;
//!     type Error = Error;
//!     fn direct(
//!         &mut self,
//!         z: &Buffer<f64>,
//!         p: &mut Buffer<f64>,
//!         q: &mut Buffer<f64>,
//!         run: &mut Run,
//!     ) -> Result<()> {
//!         run.turn(z, p)?;
//!         axpby(run.device(), 2.0, p, 0.0, q)?;
//!         run.step(p, q)
//!     }
//! }
//!
//! # fn main() -> Result<()> {
//! let device = Device::auto();
//! let (b, mut x) = (device.upload(&[4.0, -2.0])?, device.zeros(2)?);
//! let mut solver = ConjugateGradients::new(&device, 1, || device.zeros(2))?;
//! // the residual of x = 0 is b
//! solver.begin(1e-9, |to, run| {
//!     axpby(run.device(), 1.0, &b, 0.0, &mut to.r)?;
//!     run.begin(&to.r)
//! })?;
//! let limits = Limits { iterations: 10, look: 4 };
//! let progress = solver.finish(&mut Twice, None, &mut x, &limits)?;
//! assert_eq!((progress.outcome, progress.iterations), (Outcome::Converged, 1));
//! assert_eq!(x.read()?, [2.0, -1.0]);
//! # Ok(())
//! # }
//! ```
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(all(target_arch = "nvptx64", ribbonmesh_own), feature(abi_ptx))]

mod device;
pub use device::iterate::{Moved, Part, Turned, advance};
pub use device::packed::{Packed, Packs};
#[cfg(not(target_arch = "nvptx64"))]
pub use device::scalars::ScalarsArguments;
pub use device::scalars::{Scalars, Sums, beta, running};
pub use device::value::{Read, Real, Value, Write};

#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod host;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::cg::{ConjugateGradients, Limits, Outcome, Progress, Run, Vectors, axpby, dot};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::cholesky::{Cholesky, Elimination};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::operator::{Operator, Preconditioner};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::vector::{Numbers, Vector};

ribbonmesh::device::ptx!();
