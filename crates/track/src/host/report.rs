//! Reports of steps.
use crate::collide::CollideReport;
use crate::measure::Sums;
use ribbonmesh::dynamic::{Operations, PassReport, rejections};
use ribbonmesh_solid::resolve::ResolveReport;
use serde::{Deserialize, Serialize};

/// Number of collapses that are required but would change the topology: the surface is about to pinch there.
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
    /// Number of faces.
    pub faces: u64,
    /// Number of edges.
    pub edges: u64,
    /// Number of edges on the boundary.
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
    /// Number of edges below the lower length.
    pub too_short: u64,
    /// Number of edges above the upper length.
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
    /// Whether the mesh has no boundary.
    pub fn is_closed(&self) -> bool {
        self.boundary_edges == 0
    }
}

/// Report of [`Method::GridFree`](crate::Method::GridFree) in a step.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct GridFreeReport {
    /// Number of parts in which the step was made: more than one if intersections could not be resolved
    /// otherwise.
    pub parts: u32,
    /// Pairs of faces that intersected.
    pub pairs: u64,
    /// Faces that were to be deleted because the flow had lost a vertex of them ([`Flow::lost`]).
    ///
    /// [`Flow::lost`]: crate::Flow::lost
    pub lost: u64,
    /// Attempts to resolve them.
    pub attempts: u64,
    /// Pairs of holes that were joined.
    pub joined: u64,
    /// Other holes that were filled.
    pub filled: u64,
    /// Faces deleted because they, or faces near them, intersected others.
    pub faces_cut: u64,
    /// Faces deleted because they were inside.
    pub faces_inside: u64,
    /// Faces added.
    pub faces_added: u64,
    /// Number of times that the whole surface was copied to the host, because a region was not enough.
    pub whole: u64,
    /// Number of times that vertices at intersections were relaxed, because the intersections could not be
    /// resolved before.
    pub relaxed: u64,
    /// Small components that were removed because their intersections could not be resolved.
    pub removed: u64,
    /// Necks that were cut.
    pub pinched: u64,
    /// Change of the enclosed volume by all of this.
    pub volume_change: f64,
    /// Number of components at the end.
    pub components: u64,
    /// Ids of new components.
    pub born: Vec<u32>,
    /// Ids of components that merged into others, each with the id of the other one.
    pub merged: Vec<[u32; 2]>,
    /// Ids of components that have died.
    pub died: Vec<u32>,
    /// Seconds of making the trees in which intersections are searched.
    pub tree_seconds: f64,
    /// Seconds of searching for intersections.
    pub search_seconds: f64,
    /// Seconds of resolving them, and of cutting necks; the next ones are parts of it.
    pub resolve_seconds: f64,
    /// Seconds of cutting necks and of relaxing vertices at intersections.
    pub relax_seconds: f64,
    /// Seconds of copying surroundings of intersections, and of deleting faces that intersect or are inside.
    pub delete_seconds: f64,
    /// Seconds of pairing and filling holes, with the searches of what fills them.
    pub fill_seconds: f64,
    /// Seconds of exchanging the changed faces in the mesh, and of following components.
    pub exchange_seconds: f64,
}

impl GridFreeReport {
    /// Adds the report of a resolved part.
    pub(super) fn add_resolved(&mut self, report: &ResolveReport) {
        self.attempts += u64::from(report.attempts);
        self.joined += report.joined as u64;
        self.filled += report.filled as u64;
        self.faces_cut += report.faces_cut as u64;
        self.faces_inside += report.faces_inside as u64;
        self.faces_added += report.faces_added as u64;
    }
    /// Adds the report of changes near some places.
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
    /// Adds the seconds of changing a region, also of one that was too small.
    pub(super) fn add_seconds(&mut self, now: &Self) {
        self.relax_seconds += now.relax_seconds;
        self.delete_seconds += now.delete_seconds;
        self.fill_seconds += now.fill_seconds;
    }
}

/// Report of [`TrackOptions::collisions`](crate::TrackOptions::collisions) in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct CollisionReport {
    /// Collisions that the motion, smoothing, and the correction of the volume would have made.
    pub collisions: u64,
    /// Number of impulses.
    pub impulses: u64,
    /// Number of rigid zones.
    pub zones: u64,
    /// Vertices that were stopped because nothing else prevented their collisions.
    pub stopped: u64,
    /// Parts in which motions were made: one for each motion, and more if vertices move far.
    pub parts: u64,
    /// Number of times that splits, flips or collapses were undone because faces intersected after them, and
    /// repeated without the operations there.
    pub undone: u64,
    /// Phases of splits, flips or collapses that were left out because such repetitions did not help.
    pub left_out: u64,
    /// Seconds.
    pub seconds: f64,
}
impl CollisionReport {
    /// Adds the report of a motion.
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
    /// The sum of the deviations of all volumes, as a part of the sum of the expected volumes, before the
    /// correction.
    pub before: f64,
    /// The same sum after the correction.
    pub after: f64,
    /// The farthest movement of a vertex.
    pub farthest: f64,
    /// Seconds.
    pub seconds: f64,
}

/// Report of a step.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct StepReport {
    /// The number of the step, beginning with 1.
    pub step: u64,
    /// The time at its end.
    pub time: f64,
    /// Report of splits.
    pub split: Operations,
    /// Report of flips.
    pub flip: Operations,
    /// Report of collapses.
    pub collapse: Operations,
    /// Short edges that cannot be collapsed because the surface is about to pinch there.
    pub pinching: u64,
    /// Merges and partings; `None` with [`Method::Improve`](crate::Method::Improve).
    pub grid_free: Option<GridFreeReport>,
    /// Prevention of collisions; `None` unless they are prevented
    /// ([`TrackOptions::collisions`](crate::TrackOptions::collisions)).
    pub collisions: Option<CollisionReport>,
    /// Correction of the volumes of components; `None` unless they are corrected.
    pub correction: Option<Correction>,
    /// Properties of the mesh; `None` unless it is measured
    /// ([`TrackOptions::measure`](crate::TrackOptions::measure)).
    pub mesh: Option<Measures>,
    /// Difference of the enclosed volume from that at the beginning, as a part of it; `None` for surfaces
    /// with boundary, and unless the mesh is measured.
    pub volume_drift: Option<f64>,
    /// Seconds of moving vertices.
    pub move_seconds: f64,
    /// Seconds of smoothing and of computing ranks of vertices.
    pub smooth_seconds: f64,
    /// Seconds of making ids contiguous; 0 where that was not worth it.
    pub compact_seconds: f64,
    /// Seconds of measuring.
    pub measure_seconds: f64,
    /// Seconds of the whole step.
    pub seconds: f64,
}
impl StepReport {
    /// Adds the report of a later part of the step.
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
