//! What clustering did.
use ribbonmesh::dynamic::Sizes;
use ribbonmesh::features::Features;
use serde::Serialize;

/// What [`remesh_by_clusters`](crate::remesh_by_clusters) did.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ClusterReport {
    /// The edges of equilateral triangles, as many as the result has and of the same area in all, in the
    /// units of the positions.
    pub target_length: f64,
    /// How many vertices were asked for.
    pub asked: u64,
    /// Edges of the input that were split first, since they were too long for clusters.
    pub split: u64,
    /// The input.
    pub before: Sizes,
    /// The output.
    pub after: Sizes,
    /// Stages, each of which makes the mesh about eight times coarser.
    pub stages: u32,
    /// Rounds in which clusters were divided that would not have made a manifold of the input's topology.
    pub divisions: u32,
    /// Clusters that came of it, and of components without one: vertices beyond those that were asked for.
    pub added: u64,
    /// Seconds of the preparation: splitting, weights, neighbours.
    pub prepare_seconds: f64,
    /// Seconds of Lloyd's algorithm.
    pub cluster_seconds: f64,
    /// Seconds of joining clusters to triangles, dividing where they would not be a manifold, and placing
    /// vertices.
    pub join_seconds: f64,
    /// Features and boundary of the clusters' triangles.
    pub features: Features,
    /// Edges of the clusters' triangles that were flipped.
    pub flips: u64,
    /// Seconds of flipping edges and smoothing.
    pub improve_seconds: f64,
    /// Seconds of the transfer of attributes.
    pub finish_seconds: f64,
}
