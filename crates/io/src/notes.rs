//! What reading changed or passed over.

/// What reading changed or passed over; all zero for a file of triangles and nothing else.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Notes {
    /// Polygons of four corners or more that were cut into triangles.
    pub polygons_triangulated: u64,
    /// Triangles that these polygons gave.
    pub triangles_from_polygons: u64,
    /// STL: corners that were welded to an earlier corner at the same coordinates.
    pub corners_welded: u64,
    /// OBJ: `p` and `l` elements passed over.
    pub points_and_lines_skipped: u64,
    /// OBJ: free-form curves and surfaces passed over.
    pub curves_and_surfaces_skipped: u64,
    /// PLY: elements other than vertices and faces that were passed over, by name.
    pub elements_skipped: Vec<String>,
    /// PLY: properties of vertices and faces that were passed over, as `element.property`.
    pub properties_skipped: Vec<String>,
    /// Bytes after the end of what the header announces.
    pub trailing_bytes: u64,
}
