//! Tests on both machines.
mod cut;
mod matrix;
mod pressure;
mod refused;
mod steps;
mod support;
mod viscous;
