//! The tests, as one program: what they share is compiled and linked once.
mod collide;
mod collisions;
mod grid_free;
mod track;
