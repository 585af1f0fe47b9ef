//! Locks, a queue and a hash table in words of memory that threads share: blocks of a GPU, threads of a CPU,
//! the threads of a model checker.
//!
//! These are the means by which the dynamic mesh of Mahmoud's thesis resolves conflicts: spin locks and a
//! queue of patches (5.3.3), and hash tables of the owners of a ribbon's elements (5.3.1). Nothing here knows
//! of meshes.
//!
//! | to | see |
//! |---|---|
//! | exclude others from something, without deadlock | [`Locks`] |
//! | take much at once or nothing, and be alone after too many refusals | [`Locks::try_acquire`], [`Gate`] |
//! | hand out work, take back failed work, know when all is done | [`Queue`] |
//! | map local indices to owners, in shared memory | [`CuckooTable`], [`LinearTable`], [`Entry`] |
//! | run these on other memory | [`Words`], [`ReadWords`], [`First`] |
//!
//! Orders of memory are named at every operation, since on the GPU those of `core`'s read-modify-write
//! operations would be relaxed.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![forbid(unsafe_code)]

mod cuckoo;
mod entry;
mod full;
mod gate;
mod linear;
mod locks;
mod queue;
mod words;

pub use cuckoo::CuckooTable;
pub use entry::Entry;
pub use full::{QueueFull, TableFull};
pub use gate::Gate;
pub use linear::LinearTable;
pub use locks::Locks;
pub use queue::Queue;
pub use words::{First, ReadWords, Words};
