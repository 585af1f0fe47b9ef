//! A mesh on a device as a source.

use crate::moment::Moment;
use crate::shown::Shown;
use ribbonmesh::Device;
use ribbonmesh::glam::DVec3;
use ribbonmesh_mesh::{BoundingBox, TriangleMesh};
use ribbonmesh_render::Up;
use ribbonmesh_stream::{Description, Encoded, Extent, Found, Lacking, Query, Source, Step, Triangles, View};

/// A mesh on a device, with its columns of vertices and faces as fields. It does not move; see
/// [`Live`](crate::Live) for one that does.
///
/// Memory on the device: 12 bytes for each vertex and face, four for each number of a column, and four for
/// each vertex or face and expression that is in use, of the last eight. Of a mesh that is far from the
/// origin, drawn relative to its middle, there are 12 bytes more for each vertex.
pub struct MeshSource {
    shown: Shown,
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
        let mut shown = Shown::new(device)?;
        shown.replace(Moment::of_mesh(device, mesh, 0.0)?)?;
        let description = Description {
            title: title.into(),
            bounds: [bounds.low.to_array(), bounds.high.to_array()],
            axes: up.axes().to_cols_array_2d(),
            ..shown.describe()
        };
        Ok(Self { shown, description })
    }
}

impl Source for MeshSource {
    fn describe(&self) -> Description {
        self.description.clone()
    }
    fn step(&self) -> Step {
        Step { number: 0, time: 0.0 }
    }
    fn prepare(&mut self, query: &Query) -> Result<String, String> {
        self.shown.prepare(query)
    }
    fn encode(&mut self, query: &Query, view: &View) -> Result<Encoded, String> {
        self.shown.encode(query, view)
    }
    fn extent(&mut self, _: &View) -> Result<Option<Extent>, String> {
        Ok(Some(self.shown.extent()))
    }
    fn triangles(&mut self, query: &Query, _: &View, lacking: Lacking) -> Result<Triangles, String> {
        self.shown.triangles(query, lacking)
    }
    fn probe(&mut self, query: &Query, view: &View, pixel: [u32; 2]) -> Result<Option<Found>, String> {
        self.shown.probe(query, view, pixel)
    }
}
