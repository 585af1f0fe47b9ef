//! Kernels: where elements are on the surface before, what they get from there, seams.
pub mod locate;
pub mod location;
pub mod rows;
pub mod seams;
