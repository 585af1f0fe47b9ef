//! What remeshing did.
use crate::values;
use ribbonmesh_dynamic::{PassReport, operators, refusals};
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
    /// Refused operations by reason, each as often as it was tried.
    pub refused: BTreeMap<&'static str, u64>,
    /// Seconds.
    pub seconds: f64,
}
impl PhaseReport {
    pub(super) fn new(run: &PassReport, seconds: f64) -> Self {
        let reasons = (0..).zip(run.refused).filter(|(_, n)| *n > 0);
        Self {
            executed: run.executed,
            passes: run.passes,
            rounds: run.rounds,
            finished: run.finished,
            refused: reasons.map(|(reason, n)| (name(reason), n as u64)).collect(),
            seconds,
        }
    }
}

/// A reason in a word.
fn name(reason: u32) -> &'static str {
    match reason {
        refusals::NOT_ONE_LOOP => "not_one_loop",
        refusals::NOT_A_DISC => "not_a_disc",
        refusals::EDGE_EXISTS => "edge_exists",
        refusals::DEGENERATE => "degenerate",
        refusals::NON_MANIFOLD_VERTEX => "non_manifold_vertex",
        refusals::FACE_EXISTS => "face_exists",
        refusals::LINK => "link",
        operators::ON_BOUNDARY => "on_boundary",
        operators::PINCHES => "pinches",
        operators::VANISHES => "vanishes",
        values::TOO_LONG => "too_long",
        values::TURNS => "turns",
        values::SLIVER => "sliver",
        values::PINNED => "pinned",
        values::CROWDED => "crowded",
        _ => "other",
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

/// Numbers of elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sizes {
    /// Vertices.
    pub vertices: u64,
    /// Edges.
    pub edges: u64,
    /// Faces.
    pub faces: u64,
}
impl Sizes {
    pub(super) fn of([vertices, edges, faces]: [u32; 3]) -> Self {
        Self { vertices: vertices.into(), edges: edges.into(), faces: faces.into() }
    }
    /// Vertices − edges + faces.
    pub fn euler_characteristic(&self) -> i64 {
        self.vertices as i64 - self.edges as i64 + self.faces as i64
    }
}

/// What is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Features {
    /// Feature edges of the input, inside of the surface.
    pub edges: u64,
    /// Edges of the input's boundary.
    pub boundary_edges: u64,
    /// Vertices of the input inside of curves.
    pub curve_vertices: u64,
    /// Vertices of the input that never move, those without faces included.
    pub corners: u64,
}

/// What remeshing did.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RemeshReport {
    /// The target length, in the units of the positions.
    pub target_length: f64,
    /// Features and boundary.
    pub features: Features,
    /// The input.
    pub before: Sizes,
    /// The output.
    pub after: Sizes,
    /// Each iteration.
    pub iterations: Vec<Iteration>,
    /// How often the mesh had to get more room.
    pub grown: u32,
    /// Seconds before the first iteration: features, target lengths, trees for projection.
    pub prepare_seconds: f64,
    /// Seconds of all iterations.
    pub seconds: f64,
}
