//! The tests as one program, so that their common parts are compiled and linked once.
mod flipped;
mod patches;
mod results;
