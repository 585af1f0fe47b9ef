//! The mesh and the values that a picture shows.
use super::error::{Result, RixelError, count, length};
use super::shown::Arguments;
use crate::device::heights::{Grid, MESH};
use crate::device::scene::{NO_VERTEX, OF_FACES, OF_VERTICES, PLAIN, SurfaceArguments};
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

impl<'a> Values<'a> {
    /// Refuses another number of values than there are vertices or faces, and values elsewhere.
    pub(super) fn check(
        &self,
        device: &Device,
        named: [&'static str; 2],
        expected: [usize; 2],
    ) -> Result<()> {
        let (values, which) = match self {
            Self::Plain => return Ok(()),
            Self::OfVertices(values) => (values, 0),
            Self::OfFaces(values) => (values, 1),
        };
        length(named[which], expected[which], values.len())?;
        on("the buffer of values", device, values.device())
    }
    /// The kind of values, and these.
    pub(super) fn view(&self) -> (u32, BufferView<'a, f32>) {
        match *self {
            Self::Plain => (PLAIN, BufferView::empty()),
            Self::OfVertices(values) => (OF_VERTICES, values.view()),
            Self::OfFaces(values) => (OF_FACES, values.view()),
        }
    }
}

/// Refuses a buffer of another device.
pub(super) fn on(what: &'static str, device: &Device, at: &Device) -> Result<()> {
    if at.same(device) { Ok(()) } else { Err(Error::OtherDevice { what }.into()) }
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
}

impl Arguments for Scene<'_> {
    fn check(&self, device: &Device) -> Result<u32> {
        let (vertices, faces) = (self.positions.len(), self.faces.len() / 3);
        length("vertices of faces", 3 * faces, self.faces.len())?;
        count("vertices", vertices)?;
        count("vertices of faces", self.faces.len())?;
        on("the buffer of positions", device, self.positions.device())?;
        on("the buffer of faces", device, self.faces.device())?;
        self.values.check(device, ["values of vertices", "values of faces"], [vertices, faces])?;
        Ok(faces as u32)
    }
    fn arguments(&self) -> SurfaceArguments<'_> {
        let (of, values) = self.values.view();
        let zero = [0.0; 3];
        let (origin, across, along, up) = (zero, zero, zero, zero);
        SurfaceArguments {
            positions: self.positions.view(),
            faces: self.faces.view(),
            heights: BufferView::empty(),
            wet: BufferView::empty(),
            values,
            grid: Grid { origin, across, along, up, columns: 0, rows: 0, kind: MESH, padding: 0 },
            of,
            count: (self.faces.len() / 3) as u32,
        }
    }
    fn named(&self, error: Error) -> RixelError {
        match error {
            // other kernels that were not waited for have codes of their own
            Error::Kernel {
                kernel: "draw_small_0" | "measure_0", code: NO_VERTEX, first, second, ..
            } => {
                let (face, vertex, vertices) = (first as usize, second, self.positions.len());
                Error::IndexOutOfRange { face, vertex, vertices }.into()
            }
            error => error.into(),
        }
    }
}
