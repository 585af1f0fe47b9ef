//! Report of remeshing.
use crate::remesh::values::OF_INTERSECTIONS;
use ribbonmesh::dynamic::{Operations, Sizes};
use ribbonmesh::features::Features;
use ribbonmesh_application::{counted, short};
use serde::{Deserialize, Serialize};
use std::fmt;

/// One iteration.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Iteration {
    /// Long edges split.
    pub split: Operations,
    /// Short edges collapsed.
    pub collapse: Operations,
    /// Edges flipped.
    pub flip: Operations,
    /// Seconds of smoothing.
    pub smooth_seconds: f64,
    /// Seconds of projection; 0 without.
    pub project_seconds: f64,
    /// Seconds of making ids contiguous; 0 where that was not worth it.
    pub compact_seconds: f64,
}

/// Reason for which a tolerance was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GaveUp {
    /// The tolerance would take more faces than are allowed.
    Faces,
    /// Target lengths may not become shorter.
    Lengths,
    /// The last attempts came no nearer, or the allowed number of attempts was made.
    Attempts,
}

/// A tolerance that was not kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Missed {
    /// The tolerance.
    pub tolerance: f64,
    /// The distance that was found.
    pub found: f64,
    /// The reason, if there are no more attempts for one.
    pub gave_up: Option<GaveUp>,
    /// The number of faces from which on an attempt ends.
    pub most_faces: u64,
    /// Number of times that target lengths were shortened.
    pub refinements: u32,
    /// Whether the range of lengths was given.
    pub ranged: bool,
}
impl fmt::Display for Missed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tolerance, found, gave_up, most_faces, refinements, ranged } = *self;
        let [found, tolerance] = [found, tolerance].map(short);
        write!(f, "the surfaces are {found} from each other, more than --tolerance {tolerance} allows")?;
        match (ranged, gave_up) {
            (_, Some(GaveUp::Faces)) => {
                write!(f, "; to keep it takes more than {most_faces} faces (--most-faces)")
            }
            (true, _) => f.write_str("; --range limits how short edges become"),
            (false, Some(GaveUp::Lengths)) => f.write_str("; edges may not become shorter (--range)"),
            (false, Some(GaveUp::Attempts)) => {
                let attempts = counted(u64::from(refinements) + 1, "attempt");
                write!(f, "; the last of {attempts} came no nearer: --feature-angle keeps creases")
            }
            (false, None) => Ok(()),
        }
    }
}

/// Report of [`remesh`](crate::remesh::remesh()).
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RemeshReport {
    /// The target length, in the units of the positions.
    pub target_length: f64,
    /// Features and boundary.
    pub features: Features,
    /// The angle from which on edges were kept as features, in degrees: the angle of the options, or 30 if
    /// sharp edges were found that form curves
    /// ([`RemeshOptions::keep_sharp`](crate::remesh::RemeshOptions::keep_sharp)); `None` if there are no
    /// features.
    pub kept_from: Option<f32>,
    /// Vertices at which two features were merged
    /// ([`RemeshOptions::merge`](crate::remesh::RemeshOptions::merge)).
    pub merged: u64,
    /// Boundary edges that stay ([`Boundary::Fixed`](crate::remesh::Boundary::Fixed)) and are longer than 4/3
    /// of the target length. Beside them the mesh is coarser.
    pub held_back_by: u64,
    /// The length of the longest edge of a boundary that stays, in the units of the positions; 0 if the
    /// boundary does not stay.
    pub longest_fixed: f64,
    /// Sizes of the input.
    pub before: Sizes,
    /// Sizes of the output.
    pub after: Sizes,
    /// Report of each iteration.
    pub iterations: Vec<Iteration>,
    /// The tolerance ([`Adaptive`](crate::remesh::Adaptive)), in the units of the positions; `None` without
    /// one.
    pub tolerance: Option<f64>,
    /// The largest distance of the result and the input from each other, as measured from points of both, in
    /// the units of the positions; `None` unless there is a tolerance and the distance was measured
    /// ([`Remesher::finished`](crate::remesh::Remesher::finished)).
    pub deviation: Option<f64>,
    /// Number of times that target lengths were shortened and remeshing began again.
    pub refinements: u32,
    /// The number of faces at which an attempt ends
    /// ([`Adaptive::most_faces`](crate::remesh::Adaptive::most_faces)); `None` unless there is a tolerance.
    pub most_faces: Option<u64>,
    /// Reason for which the tolerance was given up; `None` if it holds as far as it was measured, or if there
    /// is no tolerance.
    pub gave_up: Option<GaveUp>,
    /// Times that collapses or flips were taken back and repeated without those that had made faces that
    /// intersect others; `rejected` of the repetition counts these as `intersects`.
    pub repeats: u32,
    /// Vertices that went a part of their way only, or stayed, since faces would have passed through others;
    /// each as often as it moved.
    pub held: u64,
    /// Number of times that the mesh had to get more room.
    pub grown: u32,
    /// Seconds before the first iteration: features, target lengths, trees for projection.
    pub prepare_seconds: f64,
    /// Seconds of all iterations.
    pub seconds: f64,
    /// Seconds after the last: contiguous ids, attributes.
    pub finish_seconds: f64,
}
impl RemeshReport {
    /// Collapses and flips that were refused because faces would have intersected others, each as often as it
    /// was tried.
    pub fn refused(&self) -> u64 {
        let phases = self.iterations.iter().flat_map(|done| [&done.collapse, &done.flip]);
        phases.filter_map(|phase| phase.rejected.get(OF_INTERSECTIONS)).sum()
    }
}
