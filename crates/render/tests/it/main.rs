//! The tests, as one program: what they share is compiled and linked once.
#[path = "../browser/mod.rs"]
mod browser;

mod film;
mod page;
mod render;
