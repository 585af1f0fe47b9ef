//! The tests, as one program: what they share is compiled and linked once.

mod faces;
mod pairs;
mod points;
mod shapes;
