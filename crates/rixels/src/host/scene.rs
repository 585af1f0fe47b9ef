//! The mesh and the values that a picture shows.
use super::error::{Result, RixelError, count, length};
use crate::device::scene::{MeshArguments, NO_VERTEX, OF_FACES, OF_VERTICES, PLAIN};
use ribbonmesh::device::BufferView;
use ribbonmesh::glam::Vec3;
use ribbonmesh::surface::Triangles;
use ribbonmesh::{Buffer, Device, Error};

/// The values that pixels get.
#[derive(Clone, Copy, Debug, Default)]
pub enum Values<'a> {
    /// 0 everywhere.
    #[default]
    Plain,
    /// A value for each vertex, linear on each face.
    OfVertices(&'a Buffer<f32>),
    /// A value for each face.
    OfFaces(&'a Buffer<f32>),
}

/// A triangle mesh on a device, and its values. Faces are seen from both sides. A face with a corner that is
/// not finite is not seen.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// Places of vertices.
    pub positions: &'a Buffer<Vec3>,
    /// Vertices of faces, three each.
    pub faces: &'a Buffer<u32>,
    /// Values.
    pub values: Values<'a>,
}

impl<'a> Scene<'a> {
    /// The triangles of a surface.
    pub fn of(triangles: &Triangles<'a>, values: Values<'a>) -> Self {
        Self { positions: triangles.positions(), faces: triangles.faces(), values }
    }
    /// The number of faces, after a check of all lengths and devices.
    pub(crate) fn check(&self, device: &Device) -> Result<u32> {
        let (vertices, faces) = (self.positions.len(), self.faces.len() / 3);
        length("vertices of faces", 3 * faces, self.faces.len())?;
        count("vertices", vertices)?;
        count("vertices of faces", self.faces.len())?;
        let on = |what, at: &Device| {
            if at.same(device) { Ok(()) } else { Err(RixelError::Library(Error::OtherDevice { what })) }
        };
        on("the buffer of positions", self.positions.device())?;
        on("the buffer of faces", self.faces.device())?;
        match self.values {
            Values::Plain => {}
            Values::OfVertices(values) => {
                length("values of vertices", vertices, values.len())?;
                on("the buffer of values", values.device())?;
            }
            Values::OfFaces(values) => {
                length("values of faces", faces, values.len())?;
                on("the buffer of values", values.device())?;
            }
        }
        Ok(faces as u32)
    }
    /// The mesh as kernels take it.
    pub(crate) fn view(&self) -> MeshArguments<'a> {
        let (of, values) = match self.values {
            Values::Plain => (PLAIN, BufferView::empty()),
            Values::OfVertices(values) => (OF_VERTICES, values.view()),
            Values::OfFaces(values) => (OF_FACES, values.view()),
        };
        let (positions, faces) = (self.positions.view(), self.faces.view());
        MeshArguments { positions, faces, values, of, padding: 0 }
    }
    /// An error of a face that names a vertex that does not exist, in words of the scene.
    pub(crate) fn named(&self, error: Error) -> RixelError {
        match error {
            // other kernels that were not waited for have codes of their own
            Error::Kernel { kernel: "draw_small" | "measure", code: NO_VERTEX, first, second, .. } => {
                RixelError::Vertex { face: first, vertex: second, vertices: self.positions.len() }
            }
            error => error.into(),
        }
    }
}
