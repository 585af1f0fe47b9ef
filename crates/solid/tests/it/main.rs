//! Tests of the crate, a module for each of its own.
mod boolean;
mod fill;
mod inside;
mod intersections;
mod repair;
mod resolve;
mod shells;
mod wrap;
