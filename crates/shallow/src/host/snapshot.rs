//! The water at a time.

/// The water at a time, row by row from the least y, from the least x in each.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// The time.
    pub time: f64,
    /// Cells of a row.
    pub columns: u32,
    /// Rows.
    pub rows: u32,
    /// Height of the bed in the middle of each cell.
    pub beds: Vec<f64>,
    /// Depth of the water of each cell, at least 0.
    pub depths: Vec<f32>,
    /// Velocity of the water of each cell along x and y; 0 where it is dry.
    pub velocities: Vec<[f32; 2]>,
    /// Whether the water of each cell moves: more than what stays on dry ground.
    pub wet: Vec<bool>,
}
impl Snapshot {
    /// Height of the surface of a cell: bed and depth.
    pub fn level(&self, cell: usize) -> f64 {
        self.beds[cell] + f64::from(self.depths[cell])
    }
    /// The speed in a cell.
    pub fn speed(&self, cell: usize) -> f32 {
        let [u, v] = self.velocities[cell];
        u.hypot(v)
    }
    /// Number of wet cells.
    pub fn wet_cells(&self) -> u64 {
        self.wet.iter().filter(|wet| **wet).count() as u64
    }
}
