//! What a step did.
use crate::measure::Sums;
use crate::values::REASONS;
use ribbonmesh::dynamic::{PassReport, rejections};
use serde::Serialize;
use std::collections::BTreeMap;

/// One run of an operator.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Operations {
    /// Operations that were executed.
    pub executed: u64,
    /// Operations that are still wanted at the end, and rejected: edges that stay too long, too short, not Delaunay.
    pub left: u64,
    /// Rejections by reason, each as often as the operation was tried.
    pub rejected: BTreeMap<&'static str, u64>,
    /// Passes over the mesh.
    pub passes: u32,
    /// Whether the last pass found nothing more to do.
    pub finished: bool,
    /// Seconds.
    pub seconds: f64,
}
impl Operations {
    pub(super) fn new(run: &PassReport, seconds: f64) -> Self {
        Self {
            executed: run.executed,
            left: run.blocked.iter().map(|n| u64::from(*n)).sum(),
            rejected: run.rejected_by_name(&REASONS),
            passes: run.passes,
            finished: run.finished,
            seconds,
        }
    }
}

/// Collapses that are wanted and would change the topology: where the surface is about to pinch.
pub(super) fn pinching(collapses: &PassReport) -> u64 {
    [
        rejections::LINK,
        rejections::EDGE_EXISTS,
        rejections::FACE_EXISTS,
        rejections::NOT_A_DISC,
        rejections::NOT_ONE_LOOP,
    ]
    .into_iter()
    .map(|reason| u64::from(collapses.blocked_by(reason)))
    .sum()
}

/// What the mesh is like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Measures {
    /// Faces.
    pub faces: u64,
    /// Edges.
    pub edges: u64,
    /// Edges on the boundary.
    pub boundary_edges: u64,
    /// The enclosed volume; of a surface with boundary, that of the cone to the origin.
    pub volume: f64,
    /// The area.
    pub area: f64,
    /// The least angle, in degrees.
    pub least_angle: f64,
    /// The mean of the least angles of all faces, in degrees.
    pub mean_least_angle: f64,
    /// The least length of an edge.
    pub shortest: f64,
    /// The mean length.
    pub mean_length: f64,
    /// The greatest length.
    pub longest: f64,
    /// Edges below the lower length.
    pub too_short: u64,
    /// Edges above the upper length.
    pub too_long: u64,
}
impl Measures {
    pub(super) fn new(sums: &Sums) -> Self {
        let or_none = |x: f32| if x.is_finite() { f64::from(x) } else { 0.0 };
        let per = |sum: f64, n: u32| if n > 0 { sum / f64::from(n) } else { 0.0 };
        Self {
            faces: sums.faces.into(),
            edges: sums.edges.into(),
            boundary_edges: sums.open.into(),
            volume: sums.volume,
            area: sums.area,
            least_angle: or_none(-sums.minus_least_angle).to_degrees(),
            mean_least_angle: per(sums.angles, sums.faces).to_degrees(),
            shortest: or_none(-sums.minus_shortest),
            mean_length: per(sums.lengths, sums.edges),
            longest: or_none(sums.longest),
            too_short: sums.short.into(),
            too_long: sums.long.into(),
        }
    }
    /// Whether there is no boundary.
    pub fn is_closed(&self) -> bool {
        self.boundary_edges == 0
    }
}

/// What a step did.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct StepReport {
    /// The number of the step, from 1 on.
    pub step: u64,
    /// The time at its end.
    pub time: f64,
    /// Splits.
    pub split: Operations,
    /// Flips.
    pub flip: Operations,
    /// Collapses.
    pub collapse: Operations,
    /// Short edges that cannot be collapsed since the surface is about to pinch there.
    pub pinching: u64,
    /// What the mesh is like; none unless it is measured ([`TrackOptions::measure`](crate::TrackOptions::measure)).
    pub mesh: Option<Measures>,
    /// How much the enclosed volume differs from that at the beginning, as a part of it; none of surfaces with boundary, and
    /// unless it is measured.
    pub volume_drift: Option<f64>,
    /// Seconds of moving vertices.
    pub move_seconds: f64,
    /// Seconds of smoothing; ranks of vertices included.
    pub smooth_seconds: f64,
    /// Seconds of making ids contiguous; 0 where that was not worth it.
    pub compact_seconds: f64,
    /// Seconds of measuring.
    pub measure_seconds: f64,
    /// Seconds of all of it.
    pub seconds: f64,
}
