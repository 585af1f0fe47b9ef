//! The mesh and its colours.
use crate::{Colormap, Range, RenderError, Rgb, Up};
use glam::DVec3;

/// The colours of a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Colouring<'a> {
    /// One colour.
    Plain(Rgb),
    /// A colour per vertex, interpolated over faces.
    Vertices(&'a [Rgb]),
    /// A colour per face.
    Faces(&'a [Rgb]),
    /// A number per vertex, interpolated over faces and then mapped to a colour. Faces with a vertex without
    /// a finite number have the colour [`crate::Style::no_value`].
    Scalar {
        /// The numbers.
        values: &'a [f32],
        /// The colour map.
        map: Colormap,
        /// The numbers at its ends.
        range: Range,
    },
    /// The direction of the normal in the mesh's own axes: x, y, z as red, green, blue.
    Normals,
}

impl Default for Colouring<'_> {
    /// Light grey, a little warm.
    fn default() -> Self {
        Self::Plain([204, 198, 190])
    }
}

/// A triangle mesh and its colours. Faces are visible from both sides. Faces with a vertex position that is
/// not finite are left out.
#[derive(Debug, Clone, Copy)]
pub struct Scene<'a> {
    /// Coordinates of each vertex.
    pub positions: &'a [DVec3],
    /// Vertices of each face.
    pub faces: &'a [[u32; 3]],
    /// Normals of vertices, of any length; none: [`crate::vertex_normals`].
    pub normals: Option<&'a [[f32; 3]]>,
    /// Colours.
    pub colouring: Colouring<'a>,
    /// The upward axis of the mesh.
    pub up: Up,
}

impl<'a> Scene<'a> {
    /// A mesh in one colour.
    pub fn new(positions: &'a [DVec3], faces: &'a [[u32; 3]]) -> Self {
        Self { positions, faces, normals: None, colouring: Colouring::default(), up: Up::default() }
    }
    /// The mesh with another upward axis.
    pub fn standing(self, up: Up) -> Self {
        Self { up, ..self }
    }
    /// The scene with other colours.
    pub fn coloured(self, colouring: Colouring<'a>) -> Self {
        Self { colouring, ..self }
    }
    /// The scene with the given vertex normals.
    pub fn with_normals(self, normals: &'a [[f32; 3]]) -> Self {
        Self { normals: Some(normals), ..self }
    }
    /// Checks all lengths and indices. Linear in the mesh.
    /// # Errors
    /// [`RenderError::IndexOutOfRange`], [`RenderError::Length`], [`RenderError::TooManyFaces`].
    pub fn check(&self) -> Result<(), RenderError> {
        let (vertices, faces) = (self.positions.len(), self.faces.len());
        if faces >= u32::MAX as usize {
            return Err(RenderError::TooManyFaces(faces));
        }
        let outside = |face: &[u32; 3]| face.iter().copied().find(|&v| v as usize >= vertices);
        if let Some((face, vertex)) = self.faces.iter().enumerate().find_map(|(i, f)| Some((i, outside(f)?)))
        {
            return Err(RenderError::IndexOutOfRange { face, vertex, vertices });
        }
        let same = |what, expected, found| {
            if expected == found { Ok(()) } else { Err(RenderError::Length { what, expected, found }) }
        };
        if let Some(normals) = self.normals {
            same("normals of vertices", vertices, normals.len())?;
        }
        match self.colouring {
            Colouring::Vertices(colours) => same("colours of vertices", vertices, colours.len()),
            Colouring::Faces(colours) => same("colours of faces", faces, colours.len()),
            Colouring::Scalar { values, .. } => same("numbers of vertices", vertices, values.len()),
            Colouring::Plain(_) | Colouring::Normals => Ok(()),
        }
    }
}
