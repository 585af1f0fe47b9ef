//! The tests, as one program: what they share is compiled and linked once.
mod oracle;
mod results;
mod sheets;
