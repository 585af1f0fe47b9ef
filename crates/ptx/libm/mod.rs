//! Functions that replace libm's in kernels: the GPU's instructions, and functions of single precision that
//! are made of them without double precision, tables in memory or branches in the usual range.
//!
//! The builder puts this folder into a copy of the libm that the kernels depend on, as its module `gpu`.

mod arc;
mod exponential;
mod instruction;
mod power;
mod trigonometric;

pub use arc::{acosf, asinf, atan2f, atanf, hypotf};
pub use exponential::{exp2f, expf, log2f, log10f, logf};
pub use instruction::{
    ceil, ceilf, copysign, copysignf, fabs, fabsf, floor, floorf, fma, fmaf, rint, rintf, round, roundeven,
    roundevenf, roundf, sqrt, sqrtf, trunc, truncf,
};
pub use power::powf;
pub use trigonometric::{cosf, sincosf, sinf, tanf};
