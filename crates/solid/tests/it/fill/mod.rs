//! The tests, as one program: what they share is compiled and linked once.
mod attributes;
mod common;
mod join;
mod results;
mod same;
