//! Options and reports.
use ribbonmesh::{Error, Result};
use ribbonmesh_application::Choice;
use serde::Serialize;

/// Options of [`laplacian`](crate::laplacian()).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LaplacianOptions {
    /// Whether the triangles are used as they are: no longer lengths, no flips. Weights of edges may be
    /// negative, and triangles without area have none. Default: false.
    pub extrinsic: bool,
    /// Length by which the two shorter sides of a triangle exceed the longest one at least, as a part of the
    /// mean length of edges; all lengths grow by the same, until that holds. 0 to 1; default 10⁻⁵. 0 leaves
    /// lengths as they are.
    pub mollify: f64,
    /// The masses of vertices.
    pub mass: Mass,
    /// Rounds of flips at most; default 10,000. Each flips a set of edges without common triangles.
    pub rounds: u32,
}
impl Default for LaplacianOptions {
    fn default() -> Self {
        Self { extrinsic: false, mollify: 1e-5, mass: Mass::default(), rounds: 10_000 }
    }
}
impl LaplacianOptions {
    pub(crate) fn check(&self) -> Result<()> {
        check_mollify(self.mollify)
    }
}
pub fn check_mollify(mollify: f64) -> Result<()> {
    if (0.0..=1.0).contains(&mollify) {
        return Ok(());
    }
    Err(Error::Option { option: "mollify", value: mollify.to_string(), expected: "a number from 0 to 1" })
}

/// The masses of vertices: the diagonal of the mass matrix.
#[derive(Choice, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mass {
    /// A third of the area of each triangle at the vertex. Of two triangles on a circle, it depends on their
    /// diagonal.
    #[default]
    Lumped,
    /// The area of the cell of points whose nearest vertex it is, on a Delaunay triangulation: it does not
    /// depend on diagonals.
    Voronoi,
}

/// The surface whose triangles are flipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Cover {
    /// The mesh itself, which is closed, oriented and edge-manifold.
    Single,
    /// The tufted cover: a front and a back of each triangle, glued around each edge to the next triangle.
    Double,
}

/// Report of [`laplacian`](crate::laplacian()).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LaplacianReport {
    /// The surface that was used.
    pub cover: Cover,
    /// Edges that were flipped, in both sheets of a cover.
    pub flips: u64,
    /// Rounds of flips.
    pub rounds: u32,
    /// Whether the triangulation is Delaunay in the end; false for extrinsic triangles, and where there were
    /// too few rounds.
    pub delaunay: bool,
    /// The length by which all edges became longer.
    pub longer: f64,
    /// The mean length of edges before.
    pub mean_edge_length: f64,
    /// Triangles that were left out, since they have a vertex twice.
    pub degenerate_faces: usize,
    /// Triangles without area in the end, whose cotangents count as 0; where edges were flipped, those of
    /// both sheets of a cover.
    pub flat_triangles: usize,
    /// Rows of the matrix.
    pub vertices: usize,
    /// Entries of the matrix.
    pub entries: usize,
}
