//! What simplification did.
use super::contract::Counts;
use crate::values::{INTERSECTS, REASONS};
use ribbonmesh::dynamic::{PassReport, Sizes};
use ribbonmesh::features::Features;
use serde::Serialize;
use std::collections::BTreeMap;

/// Why it ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stopped {
    /// There are as many faces as are wanted.
    #[default]
    Target,
    /// No edge is left that may be collapsed.
    NothingLeft,
}

/// One stage: the cheapest edges, collapsed at the same time.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Stage {
    /// Faces before.
    pub faces: u64,
    /// Edges that were selected.
    pub selected: u64,
    /// Edges that were collapsed.
    pub collapsed: u64,
    /// Rounds in which conflicts were resolved.
    pub rounds: u32,
    /// How often the stage was begun again since faces intersected others.
    pub repeats: u32,
    /// Rejected edges by reason.
    pub rejected: BTreeMap<&'static str, u64>,
}
impl Stage {
    /// Of its last run; `taken_back`: how often it was begun again before, and how many collapses were
    /// refused then.
    pub(super) fn new(run: &PassReport, taken_back: [u64; 2]) -> Self {
        let [faces, selected, ..] = run.own;
        let [repeats, refused] = taken_back;
        let mut rejected = run.rejected_by_name(&REASONS);
        if refused > 0 {
            rejected.insert(INTERSECTS, refused);
        }
        Self {
            faces: faces.into(),
            selected: selected.into(),
            collapsed: run.executed,
            rounds: run.rounds,
            repeats: repeats as u32,
            rejected,
        }
    }
}

/// One round of contractions: pairs of vertices far enough from each other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Round {
    /// Faces before.
    pub faces: u64,
    /// Pairs that were priced.
    pub pairs: u64,
    /// Pairs that were contracted.
    pub contracted: u64,
    /// Of these, those that were no edges.
    pub apart: u64,
    /// Faces that vanished because others lay on them with the opposite orientation.
    pub cancelled: u64,
    /// Faces that became one with another one on the same vertices and of the same orientation.
    pub merged: u64,
}

/// What contraction of pairs did, and how the topology changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Contractions {
    /// The input.
    pub before: Counts,
    /// The output.
    pub after: Counts,
    /// Pairs that were contracted.
    pub pairs: u64,
    /// Of these, those that were no edges.
    pub apart: u64,
    /// Faces that vanished because others lay on them with the opposite orientation.
    pub cancelled: u64,
    /// Faces that became one with another one on the same vertices and of the same orientation.
    pub merged: u64,
    /// Edges of the result of the rounds where more than two faces met, and which were cut apart.
    pub edges_cut: u64,
    /// Vertices of it whose faces were cut apart.
    pub vertices_cut: u64,
    /// Each round.
    pub rounds: Vec<Round>,
}
impl Contractions {
    pub(super) fn add(&mut self, round: Round) {
        self.pairs += round.contracted;
        self.apart += round.apart;
        self.cancelled += round.cancelled;
        self.merged += round.merged;
        self.rounds.push(round);
    }
}

/// What simplification did.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SimplifyReport {
    /// Faces that were wanted; none if only the error is limited.
    pub target_faces: Option<u64>,
    /// The largest distance that was allowed, in the units of the positions; none for any.
    pub max_error: Option<f64>,
    /// Features and boundary.
    pub features: Features,
    /// The input.
    pub before: Sizes,
    /// The output.
    pub after: Sizes,
    /// Why it ended.
    pub stopped: Stopped,
    /// Edges that were collapsed.
    pub collapses: u64,
    /// Rounds.
    pub rounds: u32,
    /// Rejected edges by reason, each as often as it was tried.
    pub rejected: BTreeMap<&'static str, u64>,
    /// Each stage.
    pub stages: Vec<Stage>,
    /// How the topology changed; none where it was to be kept.
    pub contractions: Option<Contractions>,
    /// The largest quadric error of a vertex of the output, in the units of the positions: the root of the
    /// mean square of its distances from the planes of the faces that it stands for.
    pub largest_quadric_error: f64,
    /// Seconds before the first stage: features and quadrics.
    pub prepare_seconds: f64,
    /// Seconds of all stages.
    pub seconds: f64,
    /// Seconds after the last: contiguous ids, attributes.
    pub finish_seconds: f64,
}
impl SimplifyReport {
    pub(super) fn add(&mut self, stage: Stage) {
        self.collapses += stage.collapsed;
        self.rounds += stage.rounds;
        for (&reason, &n) in &stage.rejected {
            *self.rejected.entry(reason).or_default() += n;
        }
        self.stages.push(stage);
    }
}
