//! Elasticity on both machines.

mod beams;
mod hinges;
mod layers;
mod refusals;
mod stresses;
