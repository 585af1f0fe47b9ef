//! A mesh on a device as a source.

use crate::moment::Moment;
use crate::seen::Seen;
use crate::surface::Surface;
use ribbonmesh::Device;
use ribbonmesh::glam::DVec3;
use ribbonmesh_mesh::{BoundingBox, TriangleMesh};
use ribbonmesh_render::Up;
use ribbonmesh_stream::{Description, Frames, Source, Step};

/// A mesh on a device, with its columns of vertices and faces as fields. It does not move; see
/// [`Live`](crate::Live) for one that does.
///
/// Memory on the device: 12 bytes for each vertex and face, four for each number of a column, and four for
/// each vertex or face and expression that is in use, of the last eight. Of a mesh that is far from the
/// origin, drawn relative to its middle, there are 12 bytes more for each vertex.
pub struct MeshSource {
    surface: Surface,
    description: Description,
}

impl MeshSource {
    /// Copies a mesh and its columns to a device. `title` is shown in the page; `up` points up there.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn new(
        device: &Device,
        mesh: &TriangleMesh,
        title: impl Into<String>,
        up: Up,
    ) -> Result<Self, crate::LiveError> {
        let bounds = mesh.bounding_box().unwrap_or(BoundingBox { low: DVec3::ZERO, high: DVec3::ZERO });
        let mut surface = Surface::new(device)?;
        surface.show(Moment::of_mesh(device, mesh, 0.0)?)?;
        let description = Description {
            title: title.into(),
            bounds: [bounds.low.to_array(), bounds.high.to_array()],
            axes: up.axes().to_cols_array_2d(),
            ..surface.describe()
        };
        Ok(Self { surface, description })
    }
}

impl Source for MeshSource {
    fn describe(&self) -> Description {
        self.description.clone()
    }
    fn step(&self) -> Step {
        Step { number: 0, time: 0.0 }
    }
    fn frames(&mut self) -> &mut dyn Frames {
        &mut self.surface
    }
}
