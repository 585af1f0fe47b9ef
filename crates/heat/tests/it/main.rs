//! Tests on both machines, against plain code.
mod heat;
mod vectors;
