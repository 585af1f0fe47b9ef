//! Report of filling holes.
use ribbonmesh_mesh::BoundingBox;
use serde::Serialize;

/// Reason for which a hole was left open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Left {
    /// The hole is not chosen: see [`fill_holes_where`](crate::fill::fill_holes_where).
    NotChosen,
    /// The hole has more edges than the limit.
    TooManyEdges,
    /// The boundary is longer than the limit.
    TooLong,
    /// The hole has the longest boundary.
    Largest,
    /// The hole is the outer border of an open surface: see
    /// [`FillOptions::borders`](crate::fill::FillOptions::borders).
    Border,
}

/// Reason for which a hole got a flat filling instead of a smooth one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FlatBecause {
    /// Fairing did not converge.
    NotConverged,
    /// The smooth filling left the surroundings of the boundary: it bulged out by more than about the hole's
    /// radius.
    Bulged,
}

/// Method by which the triangles of a hole were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Triangulation {
    /// The triangulation of least weight.
    Exact,
    /// Ears were cut off.
    Ears,
    /// Ears were cut off until every further ear had an edge that the mesh already has; then the rest of the
    /// hole, or all of it, got a vertex in its middle.
    Centre,
    /// A strip between two holes.
    Strip,
}

/// Reason for which two holes near each other were not joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Why {
    /// Their boundaries run in the same direction: one of the two surfaces is inside out, or the loops are
    /// side by side.
    Orientation,
    /// They have a common vertex.
    Touching,
    /// Each strip between them has an edge that the mesh already has.
    NoStrip,
}

/// Two holes near each other that were not joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct NotJoined {
    /// The holes, as indices into the list of all.
    pub holes: [usize; 2],
    /// The reason.
    pub why: Why,
}

/// A hole: a boundary loop.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hole {
    /// Number of its edges, and of its vertices.
    pub edges: usize,
    /// The first of the input's vertices on the hole.
    pub vertex: u32,
    /// Length of its boundary, in the units of the positions.
    pub perimeter: f64,
    /// Least and greatest coordinates.
    pub bounding_box: BoundingBox,
    /// The component, by its first vertex: two holes with the same number are holes of the same component.
    /// Components are connected across vertices.
    pub component: u32,
}

/// Report of a hole.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HoleReport {
    /// The hole.
    #[serde(flatten)]
    pub hole: Hole,
    /// Reason for which it was left open; `None` if it was filled.
    pub left: Option<Left>,
    /// The hole with which it was joined, as an index into the list of all. The first of the two has the
    /// filling.
    pub joined: Option<usize>,
    /// The filling, if it was filled.
    pub filling: Option<Filling>,
}

/// Description of a filling.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Filling {
    /// Method by which its first triangles were found.
    pub triangulation: Triangulation,
    /// Number of its faces.
    pub faces: usize,
    /// Number of its new vertices.
    pub vertices: usize,
    /// Its area.
    pub area: f64,
    /// The largest angle between the normals of neighbouring faces, in degrees; edges of the boundary count.
    pub max_dihedral_angle: f64,
    /// Whether fairing converged; true if there was no fairing.
    pub converged: bool,
    /// Reason for which it is flat instead of smooth; `None` otherwise.
    pub flat_because: Option<FlatBecause>,
}

/// Report of [`fill_holes`](crate::fill::fill_holes).
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FillReport {
    /// Number of holes that were filled, or joined.
    pub filled: usize,
    /// Number of pairs of holes that were joined.
    pub joined: usize,
    /// Pairs of holes near each other that were not joined, with the reasons; these were treated like all
    /// others.
    pub not_joined: Vec<NotJoined>,
    /// Number of holes that were left open.
    pub left: usize,
    /// Number of faces that were added; they come last, grouped by hole, in the order of the holes.
    pub faces_added: usize,
    /// Number of vertices that were added for fillings; they come last.
    pub vertices_added: usize,
    /// Area that was added.
    pub area_added: f64,
    /// Vertices at which a boundary loop touched itself, and which were split as repair does, each with the
    /// number of its copies. Copies are numbered after the input's vertices.
    pub vertices_split: Vec<(u32, u32)>,
    /// Columns that were dropped because their policy says so: element and name.
    pub columns_dropped: Vec<String>,
    /// The holes, in the order of their first vertices.
    pub holes: Vec<HoleReport>,
}
