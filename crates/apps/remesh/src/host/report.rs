//! What remeshing did.
use crate::values::REASONS;
use ribbonmesh::dynamic::{PassReport, Sizes};
use ribbonmesh::features::Features;
use serde::Serialize;
use std::collections::BTreeMap;

/// One run of an operator.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PhaseReport {
    /// Operations that were executed.
    pub executed: u64,
    /// Passes over the mesh, the last one, which found nothing to do, included.
    pub passes: u32,
    /// Rounds in which conflicts were resolved.
    pub rounds: u32,
    /// Whether the last pass found nothing more to do.
    pub finished: bool,
    /// Rejected operations by reason, each as often as it was tried.
    pub rejected: BTreeMap<&'static str, u64>,
    /// Seconds.
    pub seconds: f64,
}
impl PhaseReport {
    pub(super) fn new(run: &PassReport, seconds: f64) -> Self {
        Self {
            executed: run.executed,
            passes: run.passes,
            rounds: run.rounds,
            finished: run.finished,
            rejected: run.rejected_by_name(&REASONS),
            seconds,
        }
    }
}

/// One iteration.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Iteration {
    /// Long edges split.
    pub split: PhaseReport,
    /// Short edges collapsed.
    pub collapse: PhaseReport,
    /// Edges flipped.
    pub flip: PhaseReport,
    /// Seconds of smoothing.
    pub smooth_seconds: f64,
    /// Seconds of projection; 0 without.
    pub project_seconds: f64,
    /// Seconds of making ids contiguous; 0 where that was not worth it.
    pub compact_seconds: f64,
}

/// Why a tolerance was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GaveUp {
    /// It would take more faces than are allowed.
    Faces,
    /// Target lengths may not become shorter.
    Lengths,
    /// The last attempts came no nearer, or there were as many as are allowed.
    Attempts,
}

/// What remeshing did.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RemeshReport {
    /// The target length, in the units of the positions.
    pub target_length: f64,
    /// Features and boundary.
    pub features: Features,
    /// The angle from which on edges were kept as features, in degrees: that of the options, or 30 where
    /// sharp edges were found that form curves
    /// ([`RemeshOptions::keep_sharp`](crate::RemeshOptions::keep_sharp)); none if there are no features.
    pub kept_from: Option<f32>,
    /// Vertices at which two features were merged ([`RemeshOptions::merge`](crate::RemeshOptions::merge)).
    pub merged: u64,
    /// Boundary edges that stay ([`Boundary::Fixed`](crate::Boundary::Fixed)) and are longer than 4/3 of the
    /// target length. Beside them the mesh is coarser.
    pub held_back_by: u64,
    /// The length of the longest edge of a boundary that stays, in the units of the positions; 0 of others.
    pub longest_fixed: f64,
    /// The input.
    pub before: Sizes,
    /// The output.
    pub after: Sizes,
    /// Each iteration.
    pub iterations: Vec<Iteration>,
    /// The tolerance ([`Adaptive`](crate::Adaptive)), in the units of the positions; none without.
    pub tolerance: Option<f64>,
    /// The largest distance of the result and the input from each other, as measured from points of both, in
    /// the units of the positions; none unless there is a tolerance, and it was measured
    /// ([`Remesher::finished`](crate::Remesher::finished)).
    pub deviation: Option<f64>,
    /// How often target lengths were shortened, and remeshing began again.
    pub refinements: u32,
    /// The number of faces at which an attempt ends ([`Adaptive::most_faces`](crate::Adaptive::most_faces));
    /// none unless there is a tolerance.
    pub most_faces: Option<u64>,
    /// Why the tolerance was given up; none if it holds as far as it was measured, or there is none.
    pub gave_up: Option<GaveUp>,
    /// How often the mesh had to get more room.
    pub grown: u32,
    /// Seconds before the first iteration: features, target lengths, trees for projection.
    pub prepare_seconds: f64,
    /// Seconds of all iterations.
    pub seconds: f64,
    /// Seconds after the last: contiguous ids, attributes.
    pub finish_seconds: f64,
}
