//! Content that a reader changed or ignored.

use crate::polygon::Polygons;

/// Content that a reader changed or ignored. All counts are zero if the file was read completely.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Notes {
    /// Polygons of four corners or more that were triangulated.
    pub polygons_triangulated: u64,
    /// Triangles of these polygons.
    pub triangles_from_polygons: u64,
    /// STL and GLB: corners or vertices that were merged with an earlier one at the same coordinates.
    pub corners_welded: u64,
    /// OBJ, GLB: ignored points and lines.
    pub points_and_lines_skipped: u64,
    /// OBJ: ignored free-form curves and surfaces.
    pub curves_and_surfaces_skipped: u64,
    /// OBJ: keywords of other ignored statements, each once. GLB: names of ignored parts.
    pub statements_skipped: Vec<String>,
    /// OBJ: vertices whose weight or opacity was ignored.
    pub weights_skipped: u64,
    /// OBJ and OFF: ignored texture coordinates, normals or colours that no element uses.
    pub values_skipped: u64,
    /// OBJ and OFF: vertices or faces without a colour in a file with colours. Their colour is set to white.
    pub uncoloured: u64,
    /// OBJ: material files that could not be read.
    pub libraries_missing: Vec<String>,
    /// PLY: names of ignored elements, other than vertices, faces and edges.
    pub elements_skipped: Vec<String>,
    /// PLY: ignored properties, as `element.property`.
    pub properties_skipped: Vec<String>,
    /// Whether an ASCII STL file ends without `endsolid`.
    pub end_missing: bool,
    /// Bytes after the end of the data that the header announces.
    pub trailing_bytes: u64,
    /// Polygons on their way to becoming triangles.
    #[serde(skip)]
    pub(crate) polygons: Polygons,
}

impl Notes {
    /// Takes note of a statement or part that is passed over, once for each name.
    pub(crate) fn skip_statement(&mut self, name: &str) {
        if !self.statements_skipped.iter().any(|known| known == name) {
            self.statements_skipped.push(name.into());
        }
    }
}
