//! Operators that make no faces that intersect others: what they have made is searched for, and taken back.

pub mod kernels;

#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod apart;
#[forbid(unsafe_code)]
#[cfg(not(target_arch = "nvptx64"))]
mod host;
#[cfg(not(target_arch = "nvptx64"))]
pub use apart::Apart;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::Search;
