//! Collapses one after another, by one thread of the CPU: the cheapest edge first.
mod begin;
mod collapse;
mod collapses;
mod finish;
mod part;
mod prepare;
mod queue;
mod run;
pub use part::{Part, PartOptions, Simplified, simplify_part};
pub use run::Sequence;
