//! The tests, as one program: what they share is compiled and linked once.

mod closed;
mod defects;
mod faces;
mod shapes;
