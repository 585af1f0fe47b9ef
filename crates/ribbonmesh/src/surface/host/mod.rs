//! The host's side.
pub mod column;
pub mod columns;
pub mod download;
pub mod note;
pub mod order;
pub mod replace;
pub mod seams;
pub mod surface;
