//! The host's side.
mod attribute;
mod error;
mod flips;
mod layout;
mod memory;
mod options;
mod rows;
mod store;
mod validated;

pub use attribute::PatchAttribute;
pub use error::StoreError;
pub use flips::StoreFlips;
pub use memory::StoreMemory;
pub use options::StoreOptions;
pub use rows::{HostRows, StoreOp, StoreRows};
pub use store::{PatchStore, StoreParts};
pub use validated::StoreReport;
