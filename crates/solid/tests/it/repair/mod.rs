//! The tests, as one program: what they share is compiled and linked once.
mod host;
mod oracle;
mod results;
mod same;
mod sheets;
mod spoilt;
mod stitched;
