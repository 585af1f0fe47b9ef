//! How far a simulation is.

/// How far a simulation is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// The time.
    pub time: f64,
    /// Steps since the beginning.
    pub steps: u32,
    /// The last time step; 0 before the first one.
    pub step: f32,
    /// The shortest time step so far; infinite before the first one.
    pub shortest_step: f32,
    /// Tiles that the last step computed.
    pub active: u32,
    /// Tiles of the terrain.
    pub tiles: u32,
    /// Tiles that were computed, the sum over all steps.
    pub computed: u64,
}
