//! Content that a reader changed or ignored.

use crate::{
    ReadErrorKind,
    fault::{Fault, Outcome},
    polygon::Polygons,
};

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
    /// OBJ and STL: keywords of other ignored statements, each once. GLB: names of ignored parts.
    pub statements_skipped: Vec<String>,
    /// Lines of OBJ and words of STL that the format does not have, among the first of
    /// [`statements_skipped`](Self::statements_skipped).
    pub unknown_skipped: u64,
    /// Faces that were left out: they have fewer than three corners, or a vertex that is not finite.
    pub faces_left_out: u64,
    /// Vertices that were left out because a coordinate is not finite. Later vertices move up.
    pub vertices_left_out: u64,
    /// Normals that are not finite, which became 0 0 0.
    pub normals_left_out: u64,
    /// The place of the first element that was left out, such as `line 8` or `byte 120`.
    pub left_out_first: Option<String>,
    /// OBJ and PLY: colours from 0 to 255 as floating point or wide integers, which became fractions or
    /// bytes.
    pub colours_of_bytes: u64,
    /// OBJ: vertices whose weight or opacity was ignored.
    pub weights_skipped: u64,
    /// OBJ and OFF: ignored texture coordinates, normals or colours that no element uses.
    pub values_skipped: u64,
    /// OBJ and OFF: vertices or faces without a colour in a file with colours. Their colour is set to white.
    pub uncoloured: u64,
    /// Files of materials, and pictures of textures, that could not be read.
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
    /// Whether elements that would be left out are errors.
    #[serde(skip)]
    pub(crate) strict: bool,
    /// Whether a position is not finite.
    #[serde(skip)]
    pub(crate) not_finite: bool,
    /// The first element that was left out, and its place in the file.
    #[serde(skip)]
    pub(crate) first_bad: Option<(Option<usize>, Bad)>,
    /// The statement of an OBJ file that is none, the first.
    #[serde(skip)]
    pub(crate) first_unknown: Option<(usize, String)>,
}

/// An element that is left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Bad {
    /// A face with this many corners.
    Face(u64),
    /// A vertex with this coordinate.
    Vertex(String),
}

impl Notes {
    /// The first element that was left out, as an error.
    pub(crate) fn first_fault(&mut self) -> Option<Box<Fault>> {
        let (offset, bad) = self.first_bad.take()?;
        let kind = match bad {
            Bad::Face(corners) => ReadErrorKind::TooFewCorners { corners },
            Bad::Vertex(text) => ReadErrorKind::NotFinite { text },
        };
        Some(Box::new(Fault { offset, kind }))
    }

    /// Passes over an element with a fault, or gives the fault back where reading is strict.
    #[cold]
    pub(crate) fn leave_out(&mut self, fault: Box<Fault>) -> Outcome<()> {
        if self.strict {
            return Err(fault);
        }
        let bad = match &fault.kind {
            ReadErrorKind::TooFewCorners { corners } => {
                self.faces_left_out += 1;
                Bad::Face(*corners)
            }
            // the vertex is counted when it is taken out of the mesh
            ReadErrorKind::NotFinite { text } => {
                self.not_finite = true;
                Bad::Vertex(text.clone())
            }
            _ => return Err(fault),
        };
        self.first_bad.get_or_insert((fault.offset, bad));
        Ok(())
    }

    /// Passes over a line or word that the format does not have, or refuses it where reading is strict.
    #[cold]
    pub(crate) fn skip_unknown(&mut self, offset: usize, name: &str, expected: &'static str) -> Outcome<()> {
        if self.strict {
            let kind = ReadErrorKind::Unexpected { expected, found: name.into() };
            return Err(crate::fault::fault(offset, kind));
        }
        self.unknown_skipped += 1;
        self.first_unknown.get_or_insert_with(|| (offset, name.into()));
        // a file of another kind has other words on every line
        if self.statements_skipped.len() < 20 {
            self.skip_statement(name);
        }
        Ok(())
    }

    /// Takes note of a statement or part that is passed over, once for each name.
    pub(crate) fn skip_statement(&mut self, name: &str) {
        if !self.statements_skipped.iter().any(|known| known == name) {
            self.statements_skipped.push(name.into());
        }
    }
}
