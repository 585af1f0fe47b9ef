//! Repair as a sequence of loops on the host, from before it ran as kernels: the oracle of their results.
mod area;
mod check;
mod components;
mod duplicates;
mod edges;
mod fans;
mod folds;
mod links;
mod orient;
mod pair;
mod quads;
pub mod run;
mod split;
mod weld;

use ribbonmesh_solid::repair::{
    EdgeCut, EdgeSplit, RepairError, RepairOptions, RepairReport, Repaired, VertexSplit,
};
