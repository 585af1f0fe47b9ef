//! Options of a simulation.
use super::error::{Result, ShallowError};
use crate::device::domain::WALLS;

/// The four sides of the terrain: `true` is a wall, `false` is open, and water leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sides {
    /// The side of the least x.
    pub west: bool,
    /// The side of the greatest x.
    pub east: bool,
    /// The side of the least y.
    pub south: bool,
    /// The side of the greatest y.
    pub north: bool,
}
impl Sides {
    /// Walls all around.
    pub const WALLS: Self = Self { west: true, east: true, south: true, north: true };
    /// Open all around.
    pub const OPEN: Self = Self { west: false, east: false, south: false, north: false };

    pub(crate) fn bits(self) -> u32 {
        let all = [self.west, self.east, self.south, self.north];
        all.into_iter().zip(WALLS).map(|(wall, bit)| if wall { bit } else { 0 }).sum()
    }
}

/// Water that comes in, without velocity: rain, or a spring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Source {
    /// The least x and y of the cells that get water; the terrain begins at 0, 0.
    pub from: [f64; 2],
    /// The greatest x and y: cells whose middles are within get water.
    pub to: [f64; 2],
    /// The height that the water in these cells rises in a unit of time, above 0.
    pub rate: f64,
}
impl Source {
    /// Rain everywhere.
    pub fn rain(rate: f64) -> Self {
        Self { from: [f64::NEG_INFINITY; 2], to: [f64::INFINITY; 2], rate }
    }
}

/// Which tiles are computed. The results are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Tiles {
    /// Those that hold water or have some within two cells.
    #[default]
    Active,
    /// All of them, for comparison.
    All,
}

/// Options of a simulation. Lengths and times are in the units of the terrain and of gravity.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The sides of the terrain.
    pub sides: Sides,
    /// Acceleration of gravity, above 0.
    pub gravity: f64,
    /// Manning's coefficient n, at least 0, in s/m^(1/3): 0.03 for natural rivers. 0: no friction.
    pub friction: f64,
    /// Courant number: the part of a cell that the fastest wave crosses in a step, above 0 and at most 0.25.
    pub courant: f64,
    /// Velocities are damped where the water is less deep. `None`: a thousandth of a cell.
    pub thin: Option<f64>,
    /// Cells with less water are dry, and keep it. `None`: a hundred thousandth of a cell.
    pub dry: Option<f64>,
    /// The highest level that water will reach, for the unit of heights. `None`: above the highest of terrain
    /// and water, as much as from the lowest point to there.
    pub highest: Option<f64>,
    /// Where water comes in.
    pub sources: Vec<Source>,
    /// Which tiles are computed.
    pub tiles: Tiles,
}
impl Default for Options {
    /// Walls, metres and seconds on Earth, no friction, no sources.
    fn default() -> Self {
        Self {
            sides: Sides::WALLS,
            gravity: 9.81,
            friction: 0.0,
            courant: 0.25,
            thin: None,
            dry: None,
            highest: None,
            sources: vec![],
            tiles: Tiles::Active,
        }
    }
}

/// Numbers with which a simulation works in single precision.
const LARGEST: f64 = 1e9;

impl Options {
    pub(crate) fn check(&self) -> Result<()> {
        let refuse = |option, value, expected| Err(ShallowError::Option { option, value, expected });
        let positive = |x: f64| x > 0.0 && x <= LARGEST;
        if !positive(self.gravity) {
            return refuse("gravity", self.gravity, "above 0, at most 1e9");
        }
        if !(0.0..=LARGEST).contains(&self.friction) {
            return refuse("friction", self.friction, "0 to 1e9");
        }
        if !(self.courant > 0.0 && self.courant <= 0.25) {
            return refuse("courant", self.courant, "above 0, at most 0.25");
        }
        for (option, value) in [("thin", self.thin), ("dry", self.dry)] {
            if let Some(value) = value.filter(|&value| !positive(value)) {
                return refuse(option, value, "above 0, at most 1e9");
            }
        }
        if let Some(highest) = self.highest.filter(|x| !x.is_finite()) {
            return refuse("highest", highest, "a finite number");
        }
        match self.sources.iter().find(|source| !positive(source.rate)) {
            Some(source) => refuse("rate", source.rate, "above 0, at most 1e9"),
            None => Ok(()),
        }
    }
}
