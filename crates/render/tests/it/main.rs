//! The tests, as one program: their shared code is compiled and linked once.
mod browser;
mod film;
mod page;
mod render;
