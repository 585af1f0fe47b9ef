//! The tests, as one program: what they share is compiled and linked once.

mod applications;
mod improve;
mod normals;
mod pde;
mod same_work;
