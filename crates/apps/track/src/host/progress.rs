//! Going on with a surface that was saved.
use serde::{Deserialize, Serialize};

/// State of a tracker in addition to its surface, for [`Tracker::resume`](crate::Tracker::resume).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// The time.
    pub time: f64,
    /// Steps made.
    pub steps: u64,
    /// The edge length of which criteria are parts.
    pub length: f32,
    /// The enclosed volume at the beginning; none of surfaces with boundary.
    pub volume: Option<f64>,
    /// The ids of components, and what each should enclose.
    pub components: Vec<(u32, f64)>,
    /// The id of the next component that is born.
    pub next_component: u32,
}
