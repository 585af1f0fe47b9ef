//! Reports of steps.
use crate::measure::Sums;
use crate::values::REASONS;
use ribbonmesh::dynamic::{PassReport, rejections};
use ribbonmesh_collide::CollideReport;
use ribbonmesh_resolve::ResolveReport;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One run of an operator.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Operations {
    /// Operations that were executed.
    pub executed: u64,
    /// Operations that are still wanted at the end, and rejected: edges that stay too long, too short, not
    /// Delaunay.
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

impl Operations {
    /// And those of a later part of the step.
    fn add(&mut self, later: Self) {
        self.executed += later.executed;
        self.left = later.left;
        later.rejected.into_iter().for_each(|(reason, n)| *self.rejected.entry(reason).or_default() += n);
        self.passes += later.passes;
        self.finished = later.finished;
        self.seconds += later.seconds;
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

/// Measured properties of the mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
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

/// Report of [`Method::GridFree`](crate::Method::GridFree) in a step.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct GridFreeReport {
    /// In how many parts the step was made: more than one where intersections could not be resolved else.
    pub parts: u32,
    /// Pairs of faces that intersected.
    pub pairs: u64,
    /// Attempts to resolve them.
    pub attempts: u64,
    /// Pairs of holes that were joined.
    pub joined: u64,
    /// Other holes that were filled.
    pub filled: u64,
    /// Faces deleted since they, or faces near them, intersected others.
    pub faces_cut: u64,
    /// Faces deleted since they were inside.
    pub faces_inside: u64,
    /// Faces added.
    pub faces_added: u64,
    /// How often the whole surface went to the host, since what was near was not enough.
    pub whole: u64,
    /// How often vertices at intersections were relaxed, since these could not be resolved as they were.
    pub relaxed: u64,
    /// Small components that were removed since their intersections could not be resolved.
    pub removed: u64,
    /// Necks that were cut.
    pub pinched: u64,
    /// How all of this changed the enclosed volume.
    pub volume_change: f64,
    /// Components at the end.
    pub components: u64,
    /// Ids of those that are new.
    pub born: Vec<u32>,
    /// Ids of those that merged into others, and of these.
    pub merged: Vec<[u32; 2]>,
    /// Ids of those that are gone.
    pub died: Vec<u32>,
    /// Seconds of searching for intersections.
    pub search_seconds: f64,
    /// Seconds of resolving them, and of cutting necks.
    pub resolve_seconds: f64,
}

impl GridFreeReport {
    /// And what resolving did.
    pub(super) fn add_resolved(&mut self, report: &ResolveReport) {
        self.attempts += u64::from(report.attempts);
        self.joined += report.joined as u64;
        self.filled += report.filled as u64;
        self.faces_cut += report.faces_cut as u64;
        self.faces_inside += report.faces_inside as u64;
        self.faces_added += report.faces_added as u64;
    }
    /// And what was done near some places.
    pub(super) fn add_work(&mut self, now: &Self) {
        self.attempts += now.attempts;
        self.joined += now.joined;
        self.filled += now.filled;
        self.faces_cut += now.faces_cut;
        self.faces_inside += now.faces_inside;
        self.faces_added += now.faces_added;
        self.pinched += now.pinched;
        self.relaxed += now.relaxed;
    }
}

/// Report of [`TrackOptions::collisions`](crate::TrackOptions::collisions) in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct CollisionReport {
    /// Collisions of the motion, of smoothing, and of the correction of the volume, as they were wanted.
    pub collisions: u64,
    /// Impulses.
    pub impulses: u64,
    /// Rigid zones.
    pub zones: u64,
    /// Vertices that did not move, as nothing else kept them from colliding.
    pub stopped: u64,
    /// Parts in which motions were made: one for each, and more where vertices go far.
    pub parts: u64,
    /// How often splits, flips or collapses were undone, as faces intersected after them, to be made without
    /// those there.
    pub undone: u64,
    /// Phases of splits, flips or collapses that were left out, as that did not do.
    pub left_out: u64,
    /// Seconds.
    pub seconds: f64,
}
impl CollisionReport {
    /// And what happened in a motion.
    pub(super) fn add(&mut self, done: &CollideReport) {
        self.collisions += done.collisions;
        self.impulses += done.impulses;
        self.zones += done.zones;
        self.stopped += done.stopped;
        self.parts += u64::from(done.parts);
    }
}

/// Report of [`TrackOptions::correct_volume`](crate::TrackOptions::correct_volume) in a step. Volumes are
/// those of components, without signs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Correction {
    /// The sum of what is missing or too much, as a part of what all should enclose, before.
    pub before: f64,
    /// And after.
    pub after: f64,
    /// The farthest way of a vertex.
    pub farthest: f64,
    /// Seconds.
    pub seconds: f64,
}

/// Report of a step.
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
    /// Merges and partings; `None` with [`Method::Improve`](crate::Method::Improve).
    pub grid_free: Option<GridFreeReport>,
    /// How collisions were kept from happening; `None` unless they are
    /// ([`TrackOptions::collisions`](crate::TrackOptions::collisions)).
    pub collisions: Option<CollisionReport>,
    /// How the volumes of components were corrected; `None` unless they were.
    pub correction: Option<Correction>,
    /// Properties of the mesh; `None` unless it is measured
    /// ([`TrackOptions::measure`](crate::TrackOptions::measure)).
    pub mesh: Option<Measures>,
    /// How much the enclosed volume differs from that at the beginning, as a part of it; none of surfaces
    /// with boundary, and unless it is measured.
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
impl StepReport {
    /// And a later part of the step.
    pub(super) fn add(&mut self, later: Self) {
        self.split.add(later.split);
        self.flip.add(later.flip);
        self.collapse.add(later.collapse);
        self.pinching = later.pinching;
        self.grid_free = later.grid_free.or_else(|| self.grid_free.take());
        self.collisions = later.collisions.or(self.collisions);
        self.correction = later.correction.or(self.correction);
        self.move_seconds += later.move_seconds;
        self.smooth_seconds += later.smooth_seconds;
        self.compact_seconds += later.compact_seconds;
    }
}
