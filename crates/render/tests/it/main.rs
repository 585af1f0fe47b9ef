//! The tests, as one program: their shared code is compiled and linked once.
#[path = "../browser/mod.rs"]
mod browser;

mod film;
mod page;
mod render;
