//! The tests as one program, so that their common parts are compiled and linked once.
mod columns;
mod flipped;
mod patches;
mod results;
