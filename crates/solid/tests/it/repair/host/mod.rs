#![allow(dead_code)]
pub mod area;
pub mod check;
pub mod components;
pub mod duplicates;
pub mod edges;
pub mod fans;
pub mod folds;
pub mod links;
pub mod orient;
pub mod pair;
pub mod quads;
pub mod run;
pub mod split;
pub mod weld;
pub use ribbonmesh_solid::repair::*;
