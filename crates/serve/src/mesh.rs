//! A mesh on a device as a source.

use crate::evaluations::Evaluations;
use crate::fields::{Fields, fields_of};
use crate::look;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Buffer, Device};
use ribbonmesh_mesh::{BoundingBox, TriangleMesh};
use ribbonmesh_render::Up;
use ribbonmesh_rixels::{Painter, RixelError, Scene, Values};
use ribbonmesh_stream::{Description, Encoded, Extent, Found, Lacking, Query, Source, Step, Triangles, View};

/// A mesh that is farther from the origin than so many of its diagonals is drawn relative to its middle.
const FAR: f64 = 100.0;

/// The point relative to which positions are drawn: the origin, or the middle of what is far from it.
pub(crate) fn origin_of(bounds: &BoundingBox) -> DVec3 {
    let is_far = bounds.middle().length() > FAR * bounds.diagonal();
    if is_far { bounds.middle() } else { DVec3::ZERO }
}

/// A mesh on a device, with its columns of vertices and faces as fields. It does not move.
///
/// Memory on the device: 12 bytes for each vertex and face, four for each number of a column, and four for
/// each vertex or face and expression that is in use, of the last eight.
pub struct MeshSource {
    painter: Painter,
    positions: Buffer<Vec3>,
    faces: Buffer<u32>,
    /// The point that is the origin of `positions`.
    origin: DVec3,
    fields: Fields,
    description: Description,
    evaluations: Evaluations,
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
    ) -> Result<Self, ribbonmesh::Error> {
        let bounds = mesh.bounding_box().unwrap_or(BoundingBox { low: DVec3::ZERO, high: DVec3::ZERO });
        let origin = origin_of(&bounds);
        let local: Vec<Vec3> = mesh.positions.iter().map(|p| (*p - origin).as_vec3()).collect();
        let fields = fields_of(device, mesh)?;
        let (vertices, faces) = (mesh.positions.len() as u64, mesh.faces.len() as u64);
        let description = Description {
            title: title.into(),
            fields: fields.served.clone(),
            domain: ("surface", vec![("vertices", vertices), ("faces", faces)]),
            bounds: [bounds.low.to_array(), bounds.high.to_array()],
            axes: up.axes().to_cols_array_2d(),
            machine: device.name(),
            ..Description::default()
        };
        Ok(Self {
            painter: Painter::new(device),
            positions: device.upload(&local)?,
            faces: device.upload(mesh.faces.as_flattened())?,
            origin,
            fields,
            description,
            evaluations: Evaluations::new(device),
        })
    }

    /// The scene with the expression's values.
    fn seen<T>(
        &mut self,
        query: &Query,
        then: impl FnOnce(&mut Painter, &Scene<'_>) -> Result<T, RixelError>,
    ) -> Result<T, String> {
        let faces = ("faces", self.faces.len() / 3);
        let seen = self.evaluations.of(query, &self.fields, self.positions.len(), faces).and_then(|kept| {
            let of = if kept.of_elements { Values::OfFaces } else { Values::OfVertices };
            let scene = Scene { positions: &self.positions, faces: &self.faces, values: of(&kept.values) };
            then(&mut self.painter, &scene)
        });
        seen.map_err(in_words)
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
        let faces = ("faces", self.faces.len() / 3);
        let kept = self.evaluations.of(query, &self.fields, self.positions.len(), faces).map_err(in_words)?;
        Ok(kept.by().into())
    }
    fn encode(&mut self, query: &Query, view: &View) -> Result<Encoded, String> {
        let origin = self.origin;
        self.seen(query, |painter, scene| look::encode(painter, scene, view, origin))
    }
    fn extent(&mut self, _: &View) -> Result<Option<Extent>, String> {
        let scene = Scene { positions: &self.positions, faces: &self.faces, values: Values::Plain };
        Ok(Some(look::extent(&scene, 0)))
    }
    fn triangles(&mut self, query: &Query, _: &View, lacking: Lacking) -> Result<Triangles, String> {
        let origin = self.origin;
        self.seen(query, |_, scene| look::triangles(scene, lacking, origin))
    }
    fn probe(&mut self, query: &Query, view: &View, pixel: [u32; 2]) -> Result<Option<Found>, String> {
        let origin = self.origin;
        self.seen(query, |painter, scene| look::probe(painter, scene, view, origin, pixel))
    }
}

/// An error as clients get it.
pub(crate) fn in_words(error: impl std::fmt::Display) -> String {
    error.to_string()
}
