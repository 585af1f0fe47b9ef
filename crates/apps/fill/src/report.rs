//! What was filled.
use serde::Serialize;

/// Why a hole was left open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Left {
    /// It is not among those chosen: see [`fill_holes_where`](crate::fill_holes_where).
    NotChosen,
    /// It has more edges than asked for.
    TooManyEdges,
    /// Its boundary is longer than asked for.
    TooLong,
    /// It is the largest.
    Largest,
    /// It is the outer border of an open surface: see [`FillOptions::borders`](crate::FillOptions::borders).
    Border,
}

/// Why a hole that was to be filled smoothly was filled flat.
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

/// How the triangles of a hole were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Triangulation {
    /// The triangulation of least weight.
    Exact,
    /// Ears were cut off.
    Ears,
    /// Ears were cut off, and what was left got a vertex in its middle, since every further ear had an edge
    /// that the mesh already has; or the hole got one at once, for the same reason.
    Centre,
    /// A strip between two holes.
    Strip,
}

/// Why two holes near each other were not joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Why {
    /// Their boundaries run in the same direction: one of the two surfaces is inside out, or the loops lie
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
    /// The holes, by their places in the list of all.
    pub holes: [usize; 2],
    /// The reason.
    pub why: Why,
}

/// A hole: a boundary loop.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hole {
    /// Number of its edges, and of its vertices.
    pub edges: usize,
    /// A vertex of it, the first of the input's vertices that it has.
    pub vertex: u32,
    /// Length of its boundary, in the units of the positions.
    pub perimeter: f64,
    /// Least and greatest coordinates.
    pub bounding_box: [[f64; 3]; 2],
    /// The component, by its first vertex: two holes with the same number are holes of the same component.
    /// Components are connected across vertices.
    pub component: u32,
}

/// What became of a hole.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HoleReport {
    /// The hole.
    #[serde(flatten)]
    pub hole: Hole,
    /// Why it was left open; none if it was filled.
    pub left: Option<Left>,
    /// The hole that it was joined with, by its place in the list of all. The first of the two has the
    /// filling.
    pub joined: Option<usize>,
    /// How it was filled.
    pub filling: Option<Filling>,
}

/// How a hole was filled.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Filling {
    /// How its first triangles were found.
    pub triangulation: Triangulation,
    /// Number of its faces.
    pub faces: usize,
    /// Number of its vertices that are new.
    pub vertices: usize,
    /// Its area.
    pub area: f64,
    /// The largest angle between the normals of neighbouring faces, those across the boundary included, in
    /// degrees.
    pub max_dihedral_angle: f64,
    /// Whether fairing converged; true where there was none.
    pub converged: bool,
    /// Why it is flat although it was to be smooth; none otherwise.
    pub flat_because: Option<FlatBecause>,
}

/// What [`fill_holes`](crate::fill_holes) did.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FillReport {
    /// Number of holes that were filled, or joined.
    pub filled: usize,
    /// Number of pairs of holes that were joined.
    pub joined: usize,
    /// Pairs of holes near each other that were not joined, and why; these were filled or left as all others.
    pub not_joined: Vec<NotJoined>,
    /// Number of holes that were left open.
    pub left: usize,
    /// Number of faces that were added; they come last, those of a hole together, in the order of the holes.
    pub faces_added: usize,
    /// Number of vertices that were added for fillings; they come last.
    pub vertices_added: usize,
    /// Area that was added.
    pub area_added: f64,
    /// Vertices at which a boundary loop touched itself, and which were split as repair does, each with the
    /// number of its copies. Copies come behind the input's vertices.
    pub vertices_split: Vec<(u32, u32)>,
    /// Columns that were dropped, since their policy says so: element and name.
    pub columns_dropped: Vec<String>,
    /// The holes, in the order of their first vertices.
    pub holes: Vec<HoleReport>,
}
