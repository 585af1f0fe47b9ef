//! What reading changed or passed over.

use crate::polygon::Polygons;

/// What reading changed or passed over; all zero for a file of which nothing was lost.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Notes {
    /// Polygons of four corners or more that were cut into triangles.
    pub polygons_triangulated: u64,
    /// Triangles that these polygons gave.
    pub triangles_from_polygons: u64,
    /// STL and GLB: corners or vertices that were welded to an earlier one at the same coordinates.
    pub corners_welded: u64,
    /// OBJ, GLB: points and lines passed over.
    pub points_and_lines_skipped: u64,
    /// OBJ: free-form curves and surfaces passed over.
    pub curves_and_surfaces_skipped: u64,
    /// OBJ: statements about display and the like passed over, each keyword once. GLB: parts passed over.
    pub statements_skipped: Vec<String>,
    /// OBJ: vertices with a weight or an opacity, which is passed over.
    pub weights_skipped: u64,
    /// OBJ and OFF: texture coordinates, normals or colours that belong to nothing.
    pub values_skipped: u64,
    /// OBJ and OFF: vertices or faces without a colour where others have one. They became white.
    pub uncoloured: u64,
    /// OBJ: files of materials that could not be read.
    pub libraries_missing: Vec<String>,
    /// PLY: elements other than vertices, faces and edges that were passed over, by name.
    pub elements_skipped: Vec<String>,
    /// PLY: properties that were passed over, as `element.property`.
    pub properties_skipped: Vec<String>,
    /// STL as text: the file ends without `endsolid`.
    pub end_missing: bool,
    /// Bytes after the end of what the header announces.
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
