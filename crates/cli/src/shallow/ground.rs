//! The terrain of a run: from a file, or of a known shape.
use super::grid::{Grid, Meaning};
use super::spelled;
use crate::failure::Failure;
use crate::streams::input_name;
use ribbonmesh_shallow::Terrain;
use std::path::PathBuf;
use std::str::FromStr;

/// `TERRAIN`.
#[derive(Clone)]
pub enum Ground {
    File(PathBuf),
    Shape(Shape, usize),
}

/// Shapes of N by N cells.
#[derive(Clone, Copy)]
pub enum Shape {
    /// Height 0.
    Flat,
    /// A paraboloid, 0 in the middle and a tenth of the side at the middle of each side.
    Bowl,
    /// A hill of a tenth of the side in the middle, on flat ground.
    Island,
}

/// A terrain, and where it is.
pub struct Land {
    pub terrain: Terrain,
    /// Where its point at 0, 0 is for the file.
    pub corner: [f64; 2],
}

impl FromStr for Ground {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let shape = |name| match name {
            "flat" => Some(Shape::Flat),
            "bowl" => Some(Shape::Bowl),
            "island" => Some(Shape::Island),
            _ => None,
        };
        let Some((shape, cells)) = text.split_once(':').and_then(|(name, n)| Some((shape(name)?, n))) else {
            return Ok(Self::File(text.into()));
        };
        let cells = cells.parse().ok().filter(|n| (1..=32_768).contains(n));
        let cells =
            cells.ok_or_else(|| format!("{text:?} has no number of cells, 1 to 32768, after the colon"))?;
        Ok(Self::Shape(shape, cells))
    }
}

impl Ground {
    /// The name of its file, or of its shape.
    pub fn name(&self) -> String {
        match self {
            Self::File(file) => input_name(file).to_string(),
            Self::Shape(shape, cells) => format!("{}:{cells}", shape.name()),
        }
    }
    /// Reads it, or makes it. `spacing` counts instead of that of a file.
    pub fn read(&self, spacing: Option<f64>, meaning: &Meaning) -> Result<Land, Failure> {
        match self {
            Self::Shape(shape, cells) => {
                let spacing = spacing.unwrap_or(1.0);
                let heights = shape.heights(*cells, spacing);
                let terrain = Terrain::new([cells + 1; 2], spacing, heights).map_err(spelled)?;
                Ok(Land { terrain, corner: [0.0; 2] })
            }
            Self::File(file) => {
                let grid = Grid::read(file, meaning)?;
                let spacing = spacing.or(grid.place.map(|place| place.spacing)).unwrap_or(1.0);
                let heights = grid.values.iter().map(|&height| height as f32).collect();
                let terrain = Terrain::new([grid.columns, grid.rows], spacing, heights);
                let terrain = terrain.map_err(|error| Failure::of_file(file, spelled(error)))?;
                Ok(Land { terrain, corner: grid.place.map_or([0.0; 2], |place| place.first) })
            }
        }
    }
}

impl Shape {
    fn name(self) -> &'static str {
        match self {
            Self::Flat => "flat",
            Self::Bowl => "bowl",
            Self::Island => "island",
        }
    }
    fn heights(self, cells: usize, spacing: f64) -> Vec<f32> {
        let high = 0.1 * cells as f64 * spacing;
        // from -1 to 1
        let at = |i: usize| 2.0 * i as f64 / cells as f64 - 1.0;
        let height = |x: f64, y: f64| match self {
            Self::Flat => 0.0,
            Self::Bowl => high * (x * x + y * y),
            Self::Island => high * (-8.0 * (x * x + y * y)).exp(),
        };
        let wide = cells + 1;
        (0..wide * wide).map(|i| height(at(i % wide), at(i / wide)) as f32).collect()
    }
}
