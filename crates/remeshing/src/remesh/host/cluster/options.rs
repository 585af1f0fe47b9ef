//! Options of remeshing by clusters.
use crate::remesh::Length;
use ribbonmesh::{Error, Result};

/// The number of vertices of the result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Density {
    /// The number that equilateral triangles with edges of this length need.
    Length(Length),
    /// This number.
    Vertices(u32),
    /// This part of the number of the surface's vertices, above 0.
    Ratio(f64),
}

/// Options of [`remesh_by_clusters`](crate::remesh::remesh_by_clusters).
#[derive(Clone, Debug, PartialEq)]
pub struct ClusterOptions {
    /// The number of vertices of the result.
    pub density: Density,
    /// Rounds of Lloyd's algorithm.
    pub iterations: u32,
    /// Edges of the clusters' triangles whose faces' normals have a greater angle than this, in degrees, are
    /// features, which stay. `None`: only the boundary is a feature.
    pub feature_angle: Option<f32>,
    /// Number of times that edges of the clusters' triangles are flipped and vertices are smoothed.
    pub improvements: u32,
    /// Clusters whose triangles intersect others are divided, and flips and moves that make triangles
    /// intersect others are taken back. So the result has no intersections but those of the input.
    pub no_self_intersections: bool,
}
impl Default for ClusterOptions {
    /// Three mean edge lengths, 10 rounds, features from 50 degrees on, 2 improvements.
    fn default() -> Self {
        Self {
            density: Density::Length(Length::Mean(3.0)),
            iterations: 10,
            feature_angle: Some(50.0),
            improvements: 2,
            no_self_intersections: false,
        }
    }
}
impl ClusterOptions {
    /// Refuses values that are not valid.
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
