//! Queries inside a kernel (thesis 4.3.2).
//!
//! A query is a value that a kernel consumes: `vv.of(v)` iterates over the neighbours of local vertex `v`.
//! Its shared memory is carved by a `layout` function, with the patch's counts in the kernel and with
//! [`MeshView::max`](crate::MeshView) where the host measures; its entries are local indices, which a
//! [`ResolveRibbon`](crate::ResolveRibbon) turns into ids. Writing a query to memory is one use among others:
//! [`Rows::write`], [`Run`].
//!
//! | query | value | found by |
//! |---|---|---|
//! | VV, VE | [`Vv`], [`Ve`] | transposing EV by two-pass counting |
//! | VF | [`Vf`] | FV, transposed |
//! | FV | [`Fv`] | FE and EV |
//! | EF | [`Ef`], [`EfRows`] | the slot bit of FE; or transposing FE |
//! | FF, EE | from [`Ef`] and FE | |
//! | EE, EVDiamond | [`Ee`], [`Diamond`] | the slot bit of FE |
//! | circulation around a vertex | [`Fans`], [`FanRows`] | walking over edges |
//! | neighbours of neighbours | [`Chain`] | the queries of all patches that are needed, one after the other |
//!
//! Queries borrow the block's shared memory, and queries with FE also the patch, all with one lifetime: no
//! query outlives its block.
//!
//! A query restricted to a predicate: [`Block::active`](crate::Block::active).
mod active;
mod chain;
mod corners;
mod diamond;
mod ee;
mod ef;
mod ef_rows;
mod fan_rows;
mod fans;
mod fv;
mod ids;
mod rows;
mod run;
mod split;
mod vf;
mod vv;

pub use chain::{Chain, Want};
pub use corners::{FaceGroup, FeWindow};
pub use diamond::{Diamond, DiamondLayout};
pub use ee::{Ee, EeLayout};
pub use ef::{Ef, EfLayout};
pub use ef_rows::{EfRows, EfRowsLayout};
pub use fan_rows::FanRows;
pub use fans::{Around, Fans, FansLayout};
pub use fv::{Fv, FvLayout, Reach};
pub use ids::{Ahead, Ids, IdsLayout};
pub use rows::Rows;
pub use run::Run;
pub use vf::{Vf, VfLayout};
pub use vv::{Ve, Vv, VvLayout};

/// No local element, in 16 bits.
pub const NO_LOCAL: u32 = 0xffff;
