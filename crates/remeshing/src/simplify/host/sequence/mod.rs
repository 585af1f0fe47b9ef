//! Collapses one after another on the CPU, the cheapest edge first.
mod begin;
mod collapse;
mod collapses;
mod finish;
mod part;
mod prepare;
mod queue;
mod regions;
mod run;
pub use part::{Part, PartOptions, Simplified, simplify_part};
pub use run::Sequence;
