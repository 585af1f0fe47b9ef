//! Tests on both machines.
mod cells;
mod codec;
mod covered;
mod errors;
mod formulas;
mod heights;
mod pictures;
mod support;
