//! Triangle meshes that change: the dynamic mesh and its cavity operators (thesis chapter 5).
//!
//! A change of the mesh is a *cavity*: faces that are deleted together, and what fills the hole (thesis 5.1). An
//! [`Operator`] says which cavities it wants, with a priority, and how to fill one, given its ordered boundary loop;
//! conflicts are this crate's business. In each pass a maximal set of cavities without common faces is executed, the
//! same set on every machine.
//!
//! | to | see |
//! |---|---|
//! | hold a mesh that changes | [`DynamicMesh`], [`DynamicAttribute`] |
//! | let attributes follow it together | [`AttributeSet`](trait@AttributeSet), [`Compaction::carry`] |
//! | use the classic operators | [`Classic`], [`fillings`] |
//! | report what was rejected | [`PassReport`], [`rejection_name`] |
//! | write one | [`Operator`], [`MeshRef`], [`Fill`], [`operator`](macro@operator) |
//! | query it, run applications on it | [`DynamicMesh::refresh`], [`DynamicMesh::patches`] |
//!
//! Queries are answered by patches, which are brought up to date when they are wanted. Flip an edge, then ask for
//! neighbours:
//!
//! ```
//! use ribbonmesh::glam::Vec3;
//! use ribbonmesh::{Attribute, Device, MeshOptions, Op, StaticMesh, Vertex};
//! use ribbonmesh_dynamic::{Classic, DynamicAttribute, DynamicMesh, PatchOptions};
//!
//! # fn main() -> ribbonmesh::Result<()> {
//! // a square of two triangles
//! let points = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(|[x, y]| Vec3::new(x, y, 0.0));
//! let device = Device::auto();
//! let mesh = StaticMesh::new(&device, 4, &[[0, 1, 2], [0, 2, 3]], &MeshOptions::default())?;
//! let positions = Attribute::<Vertex, Vec3>::from_input(&mesh, &points)?;
//!
//! let mut dynamic = DynamicMesh::new(&mesh, 0.0)?;
//! let mut x = DynamicAttribute::of_static(&dynamic, &positions)?;
//! let every_edge = device.upload(&[1.0; 5])?; // those of the boundary cannot be flipped
//! assert_eq!(dynamic.apply(Classic::FlipEdge, &every_edge, &mut x)?.executed, 1);
//!
//! let done = dynamic.refresh(&PatchOptions::default())?;
//! if let Some(compaction) = &done.compaction {
//!     compaction.carry(&mut x)?; // not after flips: ids stay
//! }
//! let patches = dynamic.patches().expect("just refreshed");
//! let (vv, inputs) = (patches.query(Op::VV)?.download()?, patches.vertex_inputs().read()?);
//! for (id, input) in inputs.into_iter().enumerate() {
//!     // the diagonal goes from vertex 1 to vertex 3
//!     assert_eq!(vv.row(id).count(), if input == 1 || input == 3 { 3 } else { 2 });
//! }
//! # Ok(())
//! # }
//! ```
#![cfg_attr(target_arch = "nvptx64", no_std)]

pub use ribbonmesh_cavity::rounds::ReportWords;
pub use ribbonmesh_cavity::{
    Cavity, Corner, Decision, Diamond, DynamicView, Fan, Fill, Filled, LocalEdge, MeshRef, NewFace, Operator,
    Rejection, SeedId, Side, coarse, fillings, operator, rejections, templates,
};
// what `#[operator]` and the crate's host side need
#[cfg(not(target_arch = "nvptx64"))]
#[doc(hidden)]
pub use ribbonmesh_cavity::Launched;
#[doc(hidden)]
pub use ribbonmesh_cavity::{Memory, Phase, Until, memory, rounds, run_claim, run_phases};

#[cfg(not(target_arch = "nvptx64"))]
mod host;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::attribute::DynamicAttribute;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::chosen::Classic;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::compact::Compaction;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::mesh::{Capacity, DynamicMesh};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::patches::{PatchOptions, PatchQuality, Refresh};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::run::{ExecutionMode, Limits, Operation, PassReport};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::set::{AttributeSet, Follow};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::words::{Sizes, rejection_name};
#[cfg(not(target_arch = "nvptx64"))]
pub use ribbonmesh_macros::AttributeSet;
