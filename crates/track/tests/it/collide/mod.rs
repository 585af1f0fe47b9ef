//! The tests, as one program: what they share is compiled and linked once.
mod apart;
mod narrow;
