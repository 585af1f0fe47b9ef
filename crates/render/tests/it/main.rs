//! The tests, as one program: what they share is compiled and linked once.
mod browser;
mod film;
mod page;
mod render;
