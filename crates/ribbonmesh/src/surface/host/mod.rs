//! The host's side.
pub mod begin;
pub mod charts;
pub mod column;
pub mod columns;
pub mod download;
pub mod follow;
pub mod grown;
pub mod isolated;
pub mod kept;
pub mod locality;
pub mod note;
pub mod order;
pub mod parts;
pub mod replace;
pub mod seams;
pub mod surface;
pub mod triangles;
