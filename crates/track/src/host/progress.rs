//! State of a saved surface, to resume it.
use serde::{Deserialize, Serialize};

/// State of a tracker in addition to its surface, for [`Tracker::resume`](crate::Tracker::resume).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// The time reached.
    pub time: f64,
    /// Number of steps made.
    pub steps: u64,
    /// The edge length of which criteria are parts.
    pub length: f32,
    /// The enclosed volume at the beginning; `None` for surfaces with boundary.
    pub volume: Option<f64>,
    /// The ids of components, and the volume that each should enclose.
    pub components: Vec<(u32, f64)>,
    /// The id of the next component that is born.
    pub next_component: u32,
}
