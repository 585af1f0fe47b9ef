//! A mesh on a device as a source.

use crate::fields::{Fields, fields_of};
use ribbonmesh::glam::{DMat4, DVec3, DVec4, Vec3};
use ribbonmesh::{Buffer, Device};
use ribbonmesh_mesh::{BoundingBox, TriangleMesh};
use ribbonmesh_render::Up;
use ribbonmesh_rixels::{
    Depth, Evaluator, Options, Painter, Picture, RixelError, Scene, Values, View as Camera, Way,
};
use ribbonmesh_stream::{DepthBits, Description, Encoded, Found, Query, Source, Step, View};
use std::collections::VecDeque;

/// Expressions whose values are kept on the device.
const KEPT: usize = 8;
/// A mesh that is farther from the origin than so many of its diagonals is drawn relative to its middle.
const FAR: f64 = 100.0;

/// A mesh on a device, with its columns of vertices and faces as fields. It does not move.
///
/// Memory on the device: 12 bytes for each vertex and face, four for each number of a column, and four for
/// each vertex or face and expression that is in use, of the last eight.
pub struct MeshSource {
    device: Device,
    painter: Painter,
    positions: Buffer<Vec3>,
    faces: Buffer<u32>,
    /// The point that is the origin of `positions`.
    origin: DVec3,
    fields: Fields,
    description: Description,
    evaluated: VecDeque<Evaluated>,
}

/// An expression's values.
struct Evaluated {
    text: String,
    of_faces: bool,
    way: Way,
    values: Buffer<f32>,
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
        let is_far = bounds.middle().length() > FAR * bounds.diagonal();
        let origin = if is_far { bounds.middle() } else { DVec3::ZERO };
        let local: Vec<Vec3> = mesh.positions.iter().map(|p| (*p - origin).as_vec3()).collect();
        let fields = fields_of(device, mesh)?;
        let (vertices, faces) = (mesh.positions.len() as u64, mesh.faces.len() as u64);
        let description = Description {
            title: title.into(),
            fields: fields.served.clone(),
            domain: ("surface", vec![("vertices", vertices), ("faces", faces)]),
            bounds: [bounds.low.to_array(), bounds.high.to_array()],
            axes: up.axes().to_cols_array_2d(),
            moves: false,
            machine: device.name(),
        };
        Ok(Self {
            painter: Painter::new(device),
            positions: device.upload(&local)?,
            faces: device.upload(mesh.faces.as_flattened())?,
            device: device.clone(),
            origin,
            fields,
            description,
            evaluated: VecDeque::new(),
        })
    }

    /// Evaluates an expression, unless its values are kept; the newest are last.
    fn evaluate(&mut self, query: &Query) -> Result<(), RixelError> {
        if let Some(at) = self.evaluated.iter().position(|kept| kept.text == query.text) {
            let kept = self.evaluated.remove(at);
            self.evaluated.extend(kept);
            return Ok(());
        }
        let of_faces = query.expression.of() == Some("faces");
        let count = if of_faces { self.faces.len() / 3 } else { self.positions.len() };
        let mut evaluator = Evaluator::new(&self.device, &query.expression)?;
        let values = evaluator.evaluate(&self.fields.columns(), count)?;
        if self.evaluated.len() == KEPT {
            self.evaluated.pop_front();
        }
        let way = evaluator.way();
        self.evaluated.push_back(Evaluated { text: query.text.clone(), of_faces, way, values });
        Ok(())
    }

    /// The camera for positions relative to the origin.
    fn camera(&self, view: &View) -> Result<Camera, RixelError> {
        let from_world = DMat4::from_cols_array(&view.view) * DMat4::from_translation(self.origin);
        let [width, height] = view.size;
        Camera::new(width, height, from_world, DMat4::from_cols_array(&view.projection))
    }

    /// The camera that sees one pixel of another's picture.
    fn camera_of(&self, view: &View, [x, y]: [u32; 2]) -> Result<Camera, RixelError> {
        let [w, h] = view.size.map(f64::from);
        let [x, y] = [(x, w), (y, h)].map(|(i, n)| (2.0 * f64::from(i) + 1.0) / n - 1.0);
        let crop = DMat4::from_cols(
            DVec4::new(w, 0.0, 0.0, 0.0),
            DVec4::new(0.0, h, 0.0, 0.0),
            DVec4::Z,
            DVec4::new(-w * x, -h * y, 0.0, 1.0),
        );
        let camera = self.camera(view)?;
        // clip space has w where the translation needs it
        Camera::new(1, 1, camera.view(), crop * camera.projection())
    }

    /// The scene that the camera sees, with the expression's values, which are evaluated.
    fn seen<T>(
        &mut self,
        query: &Query,
        then: impl FnOnce(&mut Painter, &Scene<'_>) -> Result<T, RixelError>,
    ) -> Result<T, RixelError> {
        self.evaluate(query)?;
        let values = match self.evaluated.back() {
            Some(kept) if kept.of_faces => Values::OfFaces(&kept.values),
            Some(kept) => Values::OfVertices(&kept.values),
            None => Values::Plain,
        };
        let scene = Scene { positions: &self.positions, faces: &self.faces, values };
        then(&mut self.painter, &scene)
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
        self.evaluate(query).map_err(in_words)?;
        let way = self.evaluated.back().map(|kept| kept.way);
        Ok(match way {
            Some(Way::Kernel) => "bytecode in a kernel".into(),
            _ => "bytecode on the CPU".into(),
        })
    }
    fn encode(&mut self, query: &Query, view: &View) -> Result<Encoded, String> {
        let camera = self.camera(view).map_err(in_words)?;
        let depth = match view.depth {
            DepthBits::Bits16 => Depth::Linear16,
            DepthBits::Bits32 => Depth::Linear32,
        };
        let rixels = |painter: &mut Painter, scene: &Scene<'_>| {
            let rixels = painter.encode(scene, &camera, &Options { depth })?;
            let header = *rixels.header();
            Ok(Encoded {
                count: header.count,
                minimum: header.minimum,
                maximum: header.maximum,
                linear: !header.depth.is_window(),
                sparse: header.sparse,
                parts: rixels.parts().map(|part| part.len() as u32),
                body: rixels.bytes().to_vec(),
                ..Encoded::empty(view)
            })
        };
        self.seen(query, rixels).map_err(in_words)
    }
    fn probe(&mut self, query: &Query, view: &View, pixel: [u32; 2]) -> Result<Option<Found>, String> {
        let camera = self.camera_of(view, pixel).map_err(in_words)?;
        let picture = self.seen(query, |painter, scene| painter.paint(scene, &camera)).map_err(in_words)?;
        let (face, distance) = (picture.faces[0], f64::from(picture.distances[0]));
        if face == Picture::NOTHING {
            return Ok(None);
        }
        let [z, w] = [camera.projection().row(2), camera.projection().row(3)];
        let depth = (z.w - z.z * distance) / (w.w - w.z * distance);
        let place = (camera.projection() * camera.view()).inverse() * DVec4::new(0.0, 0.0, depth, 1.0);
        let position = (place.truncate() / place.w + self.origin).to_array();
        Ok(Some(Found { value: picture.values[0], element: ("face", u64::from(face)), position }))
    }
}

fn in_words(error: RixelError) -> String {
    error.to_string()
}
