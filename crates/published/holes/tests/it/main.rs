//! The tests, as one program: what they share is compiled and linked once.

mod closed;
mod oracle;
mod refusals;
mod same;
mod shapes;
mod weights;
