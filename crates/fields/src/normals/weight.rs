//! Weights by name.
use ribbonmesh_application::Choice;

/// Weights of the faces at a vertex. With `a` and `b` the edge vectors of a corner:
#[derive(Choice, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Weight {
    /// By area: a corner adds a × b.
    Area,
    /// By the angle at the vertex: a corner adds ∠(a, b) (a × b) / |a × b|. Does not depend on how flat parts
    /// are cut into triangles.
    #[default]
    Angle,
    /// N. Max, "Weights for computing vertex normals from facet normals", 1999: a corner adds (a × b) / (|a|²
    /// |b|²), which is exact for points of a sphere.
    Max,
}
