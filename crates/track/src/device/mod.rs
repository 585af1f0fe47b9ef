//! Modules that also compile for the GPU.
pub mod advect;
pub mod collapse;
pub mod components;
pub mod eigen;
pub mod fields;
pub mod flip;
pub mod geometry;
pub mod measure;
pub mod noise;
pub mod place;
pub mod rank;
pub mod region;
pub mod scenes;
pub mod sizing;
pub mod smooth;
pub mod split;
pub mod values;
