//! Derivatives, minima and deformations on both machines.
mod deformations;
mod derivatives;
mod formulas;
mod minima;
mod of_mesh;
mod projections;
mod refusals;
mod rests;
mod samples;
