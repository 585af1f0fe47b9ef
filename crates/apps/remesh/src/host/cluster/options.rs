//! What is asked for.
use crate::Length;
use ribbonmesh::{Error, Result};

/// How many vertices the result has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Density {
    /// As many as equilateral triangles with edges of this length need.
    Length(Length),
    /// So many.
    Vertices(u32),
    /// This part of the surface's, above 0.
    Ratio(f64),
}

/// How to remesh by clusters.
#[derive(Clone, Debug, PartialEq)]
pub struct ClusterOptions {
    /// How many vertices the result has.
    pub density: Density,
    /// Rounds of Lloyd's algorithm.
    pub iterations: u32,
    /// Edges of the clusters' triangles whose faces' normals have a greater angle than this, in degrees, are
    /// features, which stay. None: no feature but the boundary.
    pub feature_angle: Option<f32>,
    /// How often edges of the clusters' triangles are flipped and vertices are smoothed.
    pub improvements: u32,
}
impl Default for ClusterOptions {
    /// Three mean edge lengths, 10 rounds, features from 50 degrees on, 2 improvements.
    fn default() -> Self {
        Self {
            density: Density::Length(Length::Mean(3.0)),
            iterations: 10,
            feature_angle: Some(50.0),
            improvements: 2,
        }
    }
}
impl ClusterOptions {
    /// Refuses what makes no sense.
    pub(crate) fn check(&self) -> Result<()> {
        match self.density {
            Density::Vertices(0) => {
                Err(Error::Option { option: "vertices", value: "0".into(), expected: "at least 1" })
            }
            Density::Ratio(ratio) if !(ratio > 0.0 && ratio.is_finite()) => {
                Err(Error::Option { option: "ratio", value: ratio.to_string(), expected: "a number above 0" })
            }
            _ => Ok(()),
        }
    }
}
