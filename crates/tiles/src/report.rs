//! The report of a run.
use crate::level::Sizes;
use crate::manifest::LevelReport;
use ribbonmesh_remeshing::remesh::GaveUp;
use serde::Serialize;

/// Report of [`simplify`](crate::simplify()) and [`remesh`](crate::remesh()).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TilesReport {
    /// Sizes of the input.
    pub before: Sizes,
    /// Sizes of the output.
    pub after: Sizes,
    /// Faces that were wanted; [`None`] of remeshing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_faces: Option<u64>,
    /// The target length in the units of the input; [`None`] of simplification.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_length: Option<f64>,
    /// The angle in degrees from which on edges were kept as features; [`None`] of simplification, and where
    /// there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept_from: Option<f32>,
    /// The tolerance, in the units of the input; [`None`] without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// The largest distance of input and output from each other, as measured from points of both, in the
    /// units of the input; [`None`] without a tolerance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deviation: Option<f64>,
    /// Number of times that target lengths were shortened and remeshing began again; [`None`] without a
    /// tolerance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refinements: Option<u32>,
    /// Number of faces from which on an attempt ends; [`None`] without a tolerance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most_faces: Option<u64>,
    /// Reason for which the tolerance was given up; [`None`] if it holds, or without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gave_up: Option<GaveUp>,
    /// The levels; with a tolerance, those of the attempt that is the result.
    pub levels: Vec<LevelReport>,
    /// Contents of the file beside positions and faces, which were left out.
    pub left_out: Vec<String>,
    /// Whether the run went on from what another one had left.
    pub resumed: bool,
}
