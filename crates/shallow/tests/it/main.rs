//! Tests on both machines.
mod errors;
mod exact;
mod kept;
mod seen;
mod tiles;
