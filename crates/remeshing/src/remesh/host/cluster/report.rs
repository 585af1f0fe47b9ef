//! Report of clustering.
use ribbonmesh::dynamic::Sizes;
use ribbonmesh::features::Features;
use serde::Serialize;

/// Report of [`remesh_by_clusters`](crate::remesh::remesh_by_clusters).
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ClusterReport {
    /// The edge length of equilateral triangles that have the same number and the same total area as those of
    /// the result, in the units of the positions.
    pub target_length: f64,
    /// The number of vertices that was requested.
    pub asked: u64,
    /// Edges of the input that were split first, since they were too long for clusters.
    pub split: u64,
    /// Sizes of the input.
    pub before: Sizes,
    /// Sizes of the output.
    pub after: Sizes,
    /// Stages, each of which makes the mesh about eight times coarser.
    pub stages: u32,
    /// Rounds in which clusters were divided because they would not have made a manifold of the input's
    /// topology.
    pub divisions: u32,
    /// Rounds in which clusters were divided because their triangles intersected others; with
    /// [`no_self_intersections`](crate::remesh::ClusterOptions::no_self_intersections).
    pub parted: u32,
    /// Pairs of clusters' triangles that intersect and are of the input, so that nothing is left to divide;
    /// not counted without that option.
    pub kept_pairs: u64,
    /// Clusters that were added by these divisions, and for components without a cluster: vertices beyond the
    /// requested number.
    pub added: u64,
    /// Seconds of the preparation: splitting, weights, neighbours.
    pub prepare_seconds: f64,
    /// Seconds of Lloyd's algorithm.
    pub cluster_seconds: f64,
    /// Seconds of joining clusters to triangles, dividing clusters that would not make a manifold, and
    /// placing vertices.
    pub join_seconds: f64,
    /// Features and boundary of the clusters' triangles.
    pub features: Features,
    /// Edges of the clusters' triangles that were flipped.
    pub flips: u64,
    /// Times that flips and moves were taken back because flips had made faces that intersect others.
    pub repeats: u32,
    /// Moves of vertices that were held back because faces would intersect others.
    pub held: u64,
    /// Seconds of flipping edges and smoothing.
    pub improve_seconds: f64,
    /// Seconds of the transfer of attributes.
    pub finish_seconds: f64,
}
