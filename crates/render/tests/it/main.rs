//! The tests, as one program: their shared code is compiled and linked once.
mod film;
mod page;
mod render;
mod visible;
