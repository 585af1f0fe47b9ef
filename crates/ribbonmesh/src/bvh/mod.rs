//! A bounding volume hierarchy over triangles, closest points on them, and the distance between two surfaces.
//!
//! All of it is kernels, on the GPU or on every core of the CPU. The tree is that of Karras 2012: triangles
//! sorted by the Morton codes of their boxes' centres. It depends on the triangles and their order alone, not
//! on the machine or on the number of threads.
//!
//! ```
//! use ribbonmesh::{Device, glam::Vec3};
//! use ribbonmesh::bvh::Bvh;
//!
//! # fn main() -> ribbonmesh::Result<()> {
//! let device = Device::auto();
//! let bvh = Bvh::new(&device, &[Vec3::ZERO, Vec3::X, Vec3::Y], &[[0, 1, 2]])?;
//! let found = bvh.closest(&device.upload(&[Vec3::new(0.25, 0.5, -2.0)])?, None)?.read()?;
//! assert_eq!((found[0].face, found[0].distance), (0, 2.0));
//! # Ok(())
//! # }
//! ```
//!
//! A kernel of any crate takes a [`BvhView`] as an argument and asks it for closest points, or for the faces
//! whose boxes meet a box ([`BvhView::meeting`]), itself. A crate with values of its own for each node, such
//! as moments of what is in it, visits the nodes with [`BvhView::descend`].

pub(crate) mod aabb;
#[cfg(all(test, not(target_arch = "nvptx64")))]
mod copied;
mod descend;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
mod kernels;
pub(crate) mod morton;
mod node;
mod overlap;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
mod random;
mod stack;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
mod together;
mod triangle;
mod view;

#[cfg(not(target_arch = "nvptx64"))]
mod distance;
#[cfg(not(target_arch = "nvptx64"))]
mod hierarchy;
#[cfg(not(target_arch = "nvptx64"))]
mod refit;
#[cfg(not(target_arch = "nvptx64"))]
mod sampled;

pub use descend::{Half, Part};
#[cfg(not(target_arch = "nvptx64"))]
pub use distance::{Distance, DistanceOptions, Figures, OneWay, distance};
#[cfg(not(target_arch = "nvptx64"))]
pub use hierarchy::{Bvh, ClosestArrays, along_curve};
#[cfg(not(target_arch = "nvptx64"))]
pub use refit::RefitBvh;
#[cfg(not(target_arch = "nvptx64"))]
pub use sampled::{Extent, SampledSurface};
#[cfg(not(target_arch = "nvptx64"))]
pub use view::BvhViewArguments;
pub use view::{BvhView, Closest};
