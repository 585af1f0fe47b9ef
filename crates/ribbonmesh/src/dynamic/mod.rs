//! Triangle meshes that change: the dynamic mesh and its cavity operators (thesis chapter 5).
//!
//! A change of the mesh is a *cavity*: faces that are deleted together, and what fills the hole (thesis 5.1).
//! An [`Operator`] says which cavities it wants, with a priority, and how to fill one, given its ordered
//! boundary loop; this module resolves conflicts. In each pass a maximal set of cavities without common faces
//! is executed, the same set on every machine.
//!
//! | to | see |
//! |---|---|
//! | hold a mesh that changes | [`DynamicMesh::from_flat`], [`DynamicMesh::new`], [`DynamicAttribute`] |
//! | let attributes follow it together | [`AttributeSet`](trait@AttributeSet), [`Compaction::apply_to`] |
//! | report what was rejected | [`PassReport`], [`rejection_name`] |
//! | write an operator | [`Operator`], [`MeshRef`], [`Fill`], [`fillings`], [`operator`](macro@operator) |
//! | walk on it, on the host | [`DynamicMesh::half_edges`], [`HalfEdgeMesh`], [`MeshRef`] |
//! | query it, run applications on it | [`DynamicMesh::refresh`], [`DynamicMesh::patches`] |
//!
//! Queries are answered by patches, which are brought up to date when they are wanted:
//!
//! ```
//! use ribbonmesh::glam::Vec3;
//! use ribbonmesh::{Attribute, Device, MeshOptions, Op, StaticMesh, Vertex};
//! use ribbonmesh::dynamic::{DynamicAttribute, DynamicMesh, PatchOptions};
//!
//! # fn main() -> ribbonmesh::Result<()> {
//! // a square of two triangles
//! let points = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(|[x, y]| Vec3::new(x, y, 0.0));
//! let device = Device::auto();
//! let mesh = StaticMesh::new(&device, 4, &[[0, 1, 2], [0, 2, 3]], &MeshOptions::default())?;
//! let positions = Attribute::<Vertex, Vec3>::from_input(&mesh, &points)?;
//!
//! let mut dynamic = DynamicMesh::new(&mesh, 0.0)?;
//! let mut x = DynamicAttribute::from_static(&dynamic, &positions)?;
//! // `dynamic.run` applies operators
//!
//! let done = dynamic.refresh(&PatchOptions::default())?;
//! if let Some(compaction) = &done.compaction {
//!     compaction.apply_to(&mut x)?;
//! }
//! let patches = dynamic.patches().expect("just refreshed");
//! let (vv, inputs) = (patches.query(Op::VV)?.download()?, patches.vertex_inputs().read()?);
//! for (id, input) in inputs.into_iter().enumerate() {
//!     // the diagonal goes from vertex 0 to vertex 2
//!     assert_eq!(vv.row(id).count(), if input == 0 || input == 2 { 3 } else { 2 });
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # How conflicts are resolved
//!
//! The mesh is flat: FV, FE as darts, and the half-edge of each dart. Each word belongs to one face; only the
//! cavity that owns a face may write its words. A round has phases, with a barrier of all blocks between
//! them:
//!
//! 1. *claim*: each candidate writes its word into all faces of its cavity, the greatest stays;
//! 2. *plan*: a candidate that has all its faces finds its loop, lets the operator decide, plans the filling,
//!    and claims the new edges;
//! 3. *allocate*, where fillings need new ids: a candidate that has its new edges, too, has won; ids are
//!    allocated by prefix sums;
//! 4. *fill*: the candidates that have won write.
//!
//! Losers of a round try again in the next one, until each candidate of the pass has been executed, rejected,
//! or has a face that was changed in this pass. The next pass evaluates all seeds again; the run ends when a
//! pass changes nothing.

mod cavity;
mod control;
mod decision;
mod fill;
pub mod fillings;
#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]
pub(crate) mod kernels;
mod mesh;
mod operator;
mod phases;
mod plan;
mod probe;
mod rejection;
#[doc(hidden)]
pub mod rounds;
mod site;
pub mod templates;
mod view;
mod walk;
mod write;

pub use cavity::{Cavity, Filled};
pub use decision::Decision;
pub use fill::{Corner, Fan, Fill, NewFace, Side};
pub use mesh::{Diamond, LocalEdge, MeshRef};
pub use operator::{Operator, SeedId, coarse};
pub use rejection::{Rejection, rejections};
pub use ribbonmesh_macros::{Decision, operator};
pub use rounds::ReportWords;
pub use view::{DynamicView, Tables};
#[cfg(not(target_arch = "nvptx64"))]
pub use view::{DynamicViewArguments, TablesArguments};

// what `#[operator]` writes names of
#[cfg(not(target_arch = "nvptx64"))]
#[doc(hidden)]
pub use operator::Launched;
#[doc(hidden)]
pub use operator::{Memory, Phase, Until, memory, run_claim, run_phases};

#[cfg(not(target_arch = "nvptx64"))]
mod host;
#[cfg(not(target_arch = "nvptx64"))]
pub use crate::operations;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::attribute::DynamicAttribute;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::compact::{Compaction, Gaps};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::exchange::Exchanged;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::half_edges::{Around, HalfEdgeMesh};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::mesh::{Capacity, DynamicMesh};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::numbering::Numbering;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::patches::{PatchOptions, PatchQuality, Refresh};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::run::{ExecutionMode, Limits, Operation, PassReport};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::set::{AttributeSet, Follow};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::snapshot::Snapshot;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::words::{Operations, Sizes, rejection_name};
#[cfg(not(target_arch = "nvptx64"))]
pub use ribbonmesh_macros::AttributeSet;
