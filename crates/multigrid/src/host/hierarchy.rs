//! Facts about the levels.
use std::fmt;

/// The size of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelSize {
    /// Its nodes.
    pub nodes: usize,
    /// Its unknowns.
    pub unknowns: usize,
    /// The numbers of its matrix.
    pub numbers: usize,
}
/// The levels of multigrid.
#[derive(Clone, Debug, PartialEq)]
pub struct Hierarchy {
    /// Their sizes, from the finest.
    pub levels: Vec<LevelSize>,
    /// The time in which they were made, in seconds, with all waits.
    pub seconds: f64,
    /// Bytes on the device.
    pub bytes: usize,
}
impl Hierarchy {
    /// The numbers of all matrices by those of the finest one.
    pub fn operator_complexity(&self) -> f64 {
        let all: usize = self.levels.iter().map(|level| level.numbers).sum();
        all as f64 / self.levels.first().map_or(1, |level| level.numbers.max(1)) as f64
    }
}
impl fmt::Display for Hierarchy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "levels of ")?;
        for (i, level) in self.levels.iter().enumerate() {
            write!(f, "{}{}", if i > 0 { ", " } else { "" }, level.nodes)?;
        }
        write!(f, " nodes, operator complexity {:.2}", self.operator_complexity())
    }
}
