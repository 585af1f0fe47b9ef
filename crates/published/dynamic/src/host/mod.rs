//! The host's side.
mod attribute;
mod carried;
mod changes;
mod error;
mod layout;
mod memory;
mod options;
mod recluster;
mod relay;
mod remesh;
mod rows;
mod schedule;
mod simplify;
mod store;
mod triangles;
mod validated;

pub use attribute::PatchAttribute;
pub use carried::{Carried, Floats};
pub use changes::{StoreChange, StoreChanges};
pub use error::StoreError;
pub use memory::StoreMemory;
pub use options::StoreOptions;
pub use remesh::{StoreIteration, StoreRemeshOptions};
pub use rows::{HostRows, StoreOp, StoreRows};
pub use simplify::StoreSimplification;
pub use store::{PatchStore, StoreParts};
pub use validated::StoreReport;
