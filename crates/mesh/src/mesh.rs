//! The mesh.

use crate::threads::first_where;
use glam::{DVec3, Vec3};

use crate::{
    Attributes, AttributesMut, Element, MeshError, Tables,
    columns::{Columns, length},
};

/// The precision of coordinates in the file from which a mesh was read; files are written in the same
/// precision.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Precision {
    /// 32-bit floating point: every coordinate is an `f32`.
    #[default]
    Single,
    /// 64-bit floating point.
    Double,
}

/// Triangles that share vertices, with named attributes of vertices, faces, corners and edges.
///
/// `positions` has one row per vertex, in the file's units, and `faces` one row of three vertices per face.
/// Both may be changed freely, but attributes must be changed along with them: use
/// [`select_faces`](Self::select_faces) and [`select_vertices`](Self::select_vertices).
/// [`check`](Self::check) verifies that all indices and lengths are consistent. Any triangles are allowed:
/// isolated vertices, degenerate and duplicate faces.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TriangleMesh {
    /// Coordinates x, y, z of each vertex.
    pub positions: Vec<DVec3>,
    /// Vertices of each triangle, counterclockwise seen from outside.
    pub faces: Vec<[u32; 3]>,
    /// The two vertices of each edge with attributes: row i belongs to row i of the edge columns. Empty if
    /// edges have no attributes. [`sides`](Self::sides) lists all edges of the faces.
    pub edges: Vec<[u32; 2]>,
    /// Precision of the positions.
    pub precision: Precision,
    /// Materials, groups, objects, and comments of files.
    pub tables: Tables,
    pub(crate) of_vertices: Columns,
    pub(crate) of_faces: Columns,
    pub(crate) of_corners: Columns,
    pub(crate) of_edges: Columns,
}

macro_rules! attributes {
    ($($element:ident $name:ident $name_mut:ident $columns:ident $rows:expr, $doc:literal;)*) => {
        impl TriangleMesh {
            $(
                #[doc = concat!("The attributes of ", $doc, ".")]
                pub fn $name(&self) -> Attributes<'_> {
                    let rows: fn(&Self) -> usize = $rows;
                    Attributes { element: Element::$element, rows: rows(self), columns: &self.$columns }
                }

                #[doc = concat!("The attributes of ", $doc, ", to be changed.")]
                pub fn $name_mut(&mut self) -> AttributesMut<'_> {
                    let rows: fn(&Self) -> usize = $rows;
                    let rows = rows(self);
                    AttributesMut { element: Element::$element, rows, columns: &mut self.$columns }
                }
            )*
        }
    };
}

attributes! {
    Vertex vertices vertices_mut of_vertices |mesh| mesh.positions.len(), "vertices, row i for vertex i";
    Face faces_of faces_of_mut of_faces |mesh| mesh.faces.len(), "faces, row i for face i";
    Corner corners corners_mut of_corners |mesh| 3 * mesh.faces.len(), "corners, row 3 f + i for corner i of face f";
    Edge edges_of edges_of_mut of_edges |mesh| mesh.edges.len(), "edges, row i for pair i of [`edges`](Self::edges)";
}

impl TriangleMesh {
    /// A mesh in double precision, without attributes.
    pub fn new(positions: Vec<DVec3>, faces: Vec<[u32; 3]>) -> Self {
        Self { positions, faces, precision: Precision::Double, ..Self::default() }
    }

    /// A mesh in single precision, without attributes.
    pub fn from_f32<P: Into<[f32; 3]>>(positions: impl IntoIterator<Item = P>, faces: Vec<[u32; 3]>) -> Self {
        let positions = positions.into_iter().map(|p| DVec3::from_array(p.into().map(f64::from))).collect();
        Self { positions, faces, ..Self::default() }
    }

    /// The attributes of a kind of elements.
    pub fn attributes(&self, element: Element) -> Attributes<'_> {
        match element {
            Element::Vertex => self.vertices(),
            Element::Face => self.faces_of(),
            Element::Corner => self.corners(),
            Element::Edge => self.edges_of(),
        }
    }

    /// The attributes of a kind of elements, mutable.
    pub fn attributes_mut(&mut self, element: Element) -> AttributesMut<'_> {
        match element {
            Element::Vertex => self.vertices_mut(),
            Element::Face => self.faces_of_mut(),
            Element::Corner => self.corners_mut(),
            Element::Edge => self.edges_of_mut(),
        }
    }

    /// Positions rounded to single precision. Far from the origin, [`points_around`](Self::points_around) is
    /// more accurate.
    pub fn points(&self) -> Vec<Vec3> {
        self.positions.iter().map(|position| position.as_vec3()).collect()
    }

    /// Positions rounded to single precision, as arrays.
    pub fn points_as_arrays(&self) -> Vec<[f32; 3]> {
        self.positions.iter().map(|position| position.as_vec3().to_array()).collect()
    }

    /// The edges of all faces, each once, with the smaller vertex first, sorted. A surface numbers edges for
    /// its columns in this order. Sides from a vertex to itself do not count. Takes O(n log n).
    pub fn sides(&self) -> Vec<[u32; 2]> {
        let sides = |f: &[u32; 3]| [[f[0], f[1]], [f[1], f[2]], [f[2], f[0]]];
        let mut sides: Vec<[u32; 2]> = self.faces.iter().flat_map(sides).filter(|[a, b]| a != b).collect();
        sides.iter_mut().for_each(|pair| pair.sort_unstable());
        sides.sort_unstable();
        sides.dedup();
        sides
    }

    /// Checks that every index is below the number of vertices, and that every column has a row per element.
    /// Linear.
    ///
    /// # Errors
    /// [`MeshError`], which names the first violation.
    pub fn check(&self) -> Result<(), MeshError> {
        let vertices = self.positions.len();
        let outside = |corners: &[u32]| corners.iter().copied().find(|&v| v as usize >= vertices);
        if let Some(face) = first_where(&self.faces, |corners| outside(corners).is_some()) {
            let index = outside(&self.faces[face]).unwrap_or_default();
            return Err(MeshError::FaceIndex { face, index, vertices });
        }
        if let Some((edge, index)) =
            self.edges.iter().enumerate().find_map(|(edge, ends)| Some((edge, outside(ends)?)))
        {
            return Err(MeshError::EdgeIndex { edge, index, vertices });
        }
        self.check_columns()
    }

    /// Checks that every column has a row per element.
    pub(crate) fn check_columns(&self) -> Result<(), MeshError> {
        for element in [Element::Vertex, Element::Face, Element::Corner, Element::Edge] {
            let attributes = self.attributes(element);
            if let Some(column) = attributes.iter().find(|column| column.rows() != attributes.rows) {
                return Err(length(element, attributes.rows, column).into());
            }
        }
        Ok(())
    }
}
