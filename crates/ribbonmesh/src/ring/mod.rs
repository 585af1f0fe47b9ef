//! The neighbours around each vertex, stored: what makes work on one mesh faster that is done again and again
//! as its vertices move. Kernels read it through [`RingView`](crate::corners::RingView).

#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
mod chain;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
mod kernels;

#[cfg(not(target_arch = "nvptx64"))]
mod stored;
#[cfg(not(target_arch = "nvptx64"))]
pub use stored::Ring;
