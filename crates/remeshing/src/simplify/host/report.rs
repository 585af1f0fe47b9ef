//! Report of simplification.
use super::contract::Counts;
use crate::order::Order;
use crate::simplify::values::{INTERSECTS, REASONS};
use ribbonmesh::dynamic::{PassReport, Sizes};
use ribbonmesh::features::Features;
use serde::Serialize;
use std::collections::BTreeMap;

/// Reason for which simplification ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stopped {
    /// There are as many faces as are wanted.
    #[default]
    Target,
    /// No edge is left that may be collapsed.
    NothingLeft,
}

/// One stage: in rounds the cheapest edges, collapsed at the same time; in sequence one time through all
/// edges.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Stage {
    /// Faces before.
    pub faces: u64,
    /// Edges that were selected.
    pub selected: u64,
    /// Edges that were collapsed.
    pub collapsed: u64,
    /// Rounds in which conflicts were resolved; 0 in sequence.
    pub rounds: u32,
    /// Number of times that the stage was begun again because faces intersected others.
    pub repeats: u32,
    /// Rejected edges by reason.
    pub rejected: BTreeMap<&'static str, u64>,
}
impl Stage {
    /// Report of a stage by its last run. `taken_back`: the number of times that the stage was begun again
    /// before, and of collapses that were refused then.
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
    /// Of these, pairs without an edge.
    pub apart: u64,
    /// Faces that vanished because they coincided with others of the opposite orientation.
    pub cancelled: u64,
    /// Faces that became one with another one on the same vertices and of the same orientation.
    pub merged: u64,
}

/// Report of the contraction of pairs, and of the change of the topology.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Contractions {
    /// Topology of the input.
    pub before: Counts,
    /// Topology of the output.
    pub after: Counts,
    /// Pairs that were contracted.
    pub pairs: u64,
    /// Of these, pairs without an edge.
    pub apart: u64,
    /// Faces that vanished because they coincided with others of the opposite orientation.
    pub cancelled: u64,
    /// Faces that became one with another one on the same vertices and of the same orientation.
    pub merged: u64,
    /// Edges of the result of the rounds at which more than two faces met, and which were cut apart.
    pub edges_cut: u64,
    /// Vertices of that result whose faces were cut apart.
    pub vertices_cut: u64,
    /// Report of each round.
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

/// Report of [`simplify`](crate::simplify::simplify).
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SimplifyReport {
    /// Faces that were wanted; `None` if only the error is limited.
    pub target_faces: Option<u64>,
    /// The largest distance that was allowed, in the units of the positions; `None` for any.
    pub max_error: Option<f64>,
    /// The order of collapses: in sequence or in rounds.
    pub order: Order,
    /// Features and boundary.
    pub features: Features,
    /// Sizes of the input.
    pub before: Sizes,
    /// Sizes of the output.
    pub after: Sizes,
    /// Reason for which simplification ended.
    pub stopped: Stopped,
    /// Edges that were collapsed.
    pub collapses: u64,
    /// Rounds in which conflicts were resolved.
    pub rounds: u32,
    /// Rejected edges by reason, each as often as it was tried.
    pub rejected: BTreeMap<&'static str, u64>,
    /// Report of each stage.
    pub stages: Vec<Stage>,
    /// Change of the topology; `None` if it was to be kept.
    pub contractions: Option<Contractions>,
    /// The largest quadric error of a vertex of the output, in the units of the positions: the root of the
    /// mean square of its distances from the planes of the faces that it replaces.
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
