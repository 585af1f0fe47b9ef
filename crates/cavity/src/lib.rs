//! Cavity operators inside of kernels: the programming model of thesis 5.1, with conflicts resolved by claims.
//!
//! Applications depend on `ribbonmesh-dynamic`, which has all of this that operators need, and the host's side.
//!
//! # How conflicts are resolved
//!
//! The mesh is flat: FV, FE as darts, and the half-edge of each dart. Each word belongs to one face, so that who owns
//! a face may write its words. A round has phases, with a barrier of all blocks between them:
//!
//! 1. *claim*: each candidate writes its word into all faces of its cavity, the greatest stays;
//! 2. *plan*: who has all its faces finds its loop, lets the operator decide, plans the filling, and claims the edges to
//!    be;
//! 3. *allocate*, where fillings need new ids: who has those edges, too, has won; ids are allocated by prefix sums;
//! 4. *fill*: winners write.
//!
//! Losers of a round try again in the next one, until each candidate of the pass has been executed, rejected, or has a
//! face that was changed in this pass. Then all is looked at anew in the next pass, until one changes nothing.
#![cfg_attr(target_arch = "nvptx64", no_std)]

mod cavity;
pub mod control;
mod decision;
mod fill;
pub mod fillings;
mod mesh;
mod operator;
mod phases;
mod plan;
mod probe;
mod rejection;
pub mod rounds;
pub mod templates;
mod view;
mod walk;
mod write;

pub use cavity::{Cavity, Filled};
pub use decision::Decision;
pub use fill::{Corner, Fan, Fill, NewFace, Side};
pub use mesh::{Diamond, LocalEdge, MeshRef};
#[cfg(not(target_arch = "nvptx64"))]
pub use operator::Launched;
pub use operator::{Memory, Operator, Phase, SeedId, Until, coarse, memory, run_claim, run_phases};
pub use rejection::{Rejection, rejections};
pub use ribbonmesh_macros::{Decision, operator};
pub use view::{DynamicView, Tables};
#[cfg(not(target_arch = "nvptx64"))]
pub use view::{DynamicViewArguments, TablesArguments};
