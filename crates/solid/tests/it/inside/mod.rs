//! The tests as one program, so that their common parts are compiled and linked once.

mod arrays;
mod closed;
mod defects;
mod shapes;
