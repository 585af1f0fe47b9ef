//! Kernels: where elements are on the surface before, what they get from there, seams,
//! corners of the input, lengths of edges, vertices without faces, places along a
//! space-filling curve.
pub mod charts;
pub mod corners;
pub mod curve;
pub mod isolated;
pub mod lengths;
pub mod locate;
pub mod order;
pub mod rows;
pub mod seams;
