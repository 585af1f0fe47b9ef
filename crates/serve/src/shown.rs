//! A mesh on a device as it is seen: [`MeshSource`](crate::MeshSource) and [`Live`](crate::Live) have it.

use crate::LiveError;
use crate::fields::Fields;
use crate::moment::{Given, Moment};
use ribbonmesh::glam::{DMat4, DVec3, DVec4, Vec3};
use ribbonmesh::{Buffer, Device, Error, array};
use ribbonmesh_expression::{Expression, Field, Limits, Type};
use ribbonmesh_rixels::{
    Depth, DeviceColumn, Evaluator, Options, Painter, Picture, RixelError, Scene, Values, View as Camera, Way,
};
use ribbonmesh_stream::{DepthBits, Description, Encoded, Found, Query, View};
use std::collections::VecDeque;

/// Expressions whose values are kept on the device.
const KEPT: usize = 8;
/// Limits of expressions that were accepted within the limits of clients.
const ACCEPTED: Limits = Limits {
    bytes: usize::MAX,
    depth: usize::MAX,
    nodes: usize::MAX,
    functions: usize::MAX,
    operations: usize::MAX,
};

/// A mesh on a device, its fields, and the expressions over them that are in use.
pub(crate) struct Shown {
    device: Device,
    painter: Painter,
    positions: Buffer<Vec3>,
    faces: Buffer<u32>,
    /// The point that is the origin of `positions`.
    origin: DVec3,
    fields: Fields,
    formulas: VecDeque<Formula>,
}

/// An expression, and its values if they are those of the present fields.
struct Formula {
    text: String,
    of_faces: bool,
    evaluator: Evaluator,
    values: Buffer<f32>,
    fresh: bool,
}

impl Shown {
    /// Nothing yet.
    pub fn new(device: &Device) -> Result<Self, Error> {
        Ok(Self {
            painter: Painter::new(device),
            positions: device.zeros(0)?,
            faces: device.zeros(0)?,
            device: device.clone(),
            origin: DVec3::ZERO,
            fields: Fields::default(),
            formulas: VecDeque::new(),
        })
    }

    /// Shows another moment from now on; after an error all is as before.
    pub fn replace(&mut self, moment: Moment) -> Result<(), LiveError> {
        let positions = moment.positions.as_ref().unwrap_or(&self.positions);
        let faces = moment.faces.as_ref().unwrap_or(&self.faces);
        self.check(positions, faces, &moment.fields)?;
        let origin = moment.origin.unwrap_or(self.origin);
        if !origin.is_finite() {
            return Err(LiveError::Origin);
        }
        let world = self.in_world(positions, origin)?;
        let fields = Fields::new(moment.fields, positions.len() as u64, world);
        if fields.layout() == self.fields.layout() {
            self.formulas.iter_mut().for_each(|formula| formula.fresh = false);
        } else {
            self.formulas.clear();
        }
        if let Some(positions) = moment.positions {
            self.positions = positions;
        }
        if let Some(faces) = moment.faces {
            self.faces = faces;
        }
        (self.origin, self.fields) = (origin, fields);
        Ok(())
    }

    /// Whether lengths and devices fit. That faces name vertices that exist is seen when they are drawn.
    fn check(&self, positions: &Buffer<Vec3>, faces: &Buffer<u32>, given: &[Given]) -> Result<(), LiveError> {
        if !faces.len().is_multiple_of(3) {
            return Err(LiveError::Faces(faces.len()));
        }
        let other = |what: String| Err(LiveError::OtherDevice { what });
        if !positions.device().same(&self.device) {
            return other("the positions".into());
        }
        if !faces.device().same(&self.device) {
            return other("the faces".into());
        }
        for field in given {
            let elements = if field.of == "faces" { faces.len() / 3 } else { positions.len() };
            let (width, numbers) = (field.width as usize, field.numbers.count());
            if width == 0 || numbers != width.saturating_mul(elements) {
                let (field, of) = (field.name.clone(), field.of);
                return Err(LiveError::Rows { field, of, numbers, width, elements });
            }
            if !field.numbers.is_on(&self.device) {
                return other(format!("the field {:?}", field.name));
            }
        }
        Ok(())
    }

    /// The places of the world, unless positions are these already.
    fn in_world(&self, positions: &Buffer<Vec3>, origin: DVec3) -> Result<Option<Buffer<f32>>, LiveError> {
        if origin == DVec3::ZERO {
            return Ok(None);
        }
        let [x, y, z] = origin.to_array();
        let text = format!("p + vec({x:?}, {y:?}, {z:?})");
        let field = [Field::new("p", Type::Vector, "vertices")];
        let formula = Expression::parse(&text, &field).map_err(|_| LiveError::Origin)?;
        let column = Some(DeviceColumn::new(positions));
        let mut evaluator = Evaluator::new(&self.device, &formula).map_err(LiveError::Evaluate)?;
        let places = evaluator.evaluate(&[column], positions.len()).map_err(LiveError::Evaluate)?;
        Ok(Some(places))
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Names and types of the fields.
    pub fn layout(&self) -> Vec<Field> {
        self.fields.layout()
    }

    /// Vertices and faces.
    pub fn counts(&self) -> [u64; 2] {
        [self.positions.len() as u64, self.faces.len() as u64 / 3]
    }

    /// The least and the greatest coordinates, by the device; none without vertices. Waits.
    pub fn bounds(&self) -> Result<Option<[DVec3; 2]>, Error> {
        let ends = [array::min(&self.positions)?, array::max(&self.positions)?];
        let [Some(low), Some(high)] = ends else { return Ok(None) };
        Ok(Some([low, high].map(|end| end.as_dvec3() + self.origin)).filter(|ends| ends[0].is_finite()))
    }

    /// The description, but for title, bounds and axes.
    pub fn describe(&self) -> Description {
        let [vertices, faces] = self.counts();
        Description {
            fields: self.fields.served.clone(),
            domain: ("surface", vec![("vertices", vertices), ("faces", faces)]),
            machine: self.device.name(),
            ..Description::default()
        }
    }

    /// Evaluates an expression, unless its values are there; it is the last of those in use then.
    fn evaluate(&mut self, query: &Query) -> Result<&Formula, String> {
        let at = self.formulas.iter().position(|formula| formula.text == query.text);
        let mut formula = match at.and_then(|at| self.formulas.remove(at)) {
            Some(formula) => formula,
            None => self.formula(query)?,
        };
        if !formula.fresh {
            let count = if formula.of_faces { self.faces.len() / 3 } else { self.positions.len() };
            let columns = self.fields.columns(&self.positions);
            if formula.values.len() == count {
                formula.evaluator.evaluate_into(&columns, count, &mut formula.values).map_err(in_words)?;
            } else {
                formula.values = formula.evaluator.evaluate(&columns, count).map_err(in_words)?;
            }
            formula.fresh = true;
        }
        if self.formulas.len() == KEPT {
            self.formulas.pop_front();
        }
        self.formulas.push_back(formula);
        self.formulas.back().ok_or_else(String::new)
    }

    /// An expression over the present fields, which may be others than those that it was accepted with.
    fn formula(&self, query: &Query) -> Result<Formula, String> {
        let text = query.text.clone();
        let expression = Expression::parse_within(&text, &self.fields.layout(), &ACCEPTED)
            .map_err(|error| format!("the expression does not fit the fields any more: {}", error.kind))?;
        if expression.result() != Type::Scalar {
            return Err("the expression does not fit the fields any more: its result is a vector".into());
        }
        let of_faces = expression.of() == Some("faces");
        let evaluator = Evaluator::new(&self.device, &expression).map_err(in_words)?;
        let values = self.device.zeros(0).map_err(|error| error.to_string())?;
        Ok(Formula { text, of_faces, evaluator, values, fresh: false })
    }

    /// Evaluates an expression; says by what.
    pub fn prepare(&mut self, query: &Query) -> Result<String, String> {
        Ok(match self.evaluate(query)?.evaluator.way() {
            Way::Chunks => "bytecode on the CPU".into(),
            Way::Kernel => "bytecode in a kernel".into(),
            Way::Compiled => "compiled by the driver".into(),
        })
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
    ) -> Result<T, String> {
        self.evaluate(query)?;
        let values = match self.formulas.back() {
            Some(kept) if kept.of_faces => Values::OfFaces(&kept.values),
            Some(kept) => Values::OfVertices(&kept.values),
            None => Values::Plain,
        };
        let scene = Scene { positions: &self.positions, faces: &self.faces, values };
        then(&mut self.painter, &scene).map_err(in_words)
    }

    /// A frame.
    pub fn encode(&mut self, query: &Query, view: &View) -> Result<Encoded, String> {
        let camera = self.camera(view).map_err(in_words)?;
        let depth = match view.depth {
            DepthBits::Bits16 => Depth::Linear16,
            DepthBits::Bits32 => Depth::Linear32,
        };
        self.seen(query, |painter, scene| {
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
        })
    }

    /// The exact value at a pixel.
    pub fn probe(&mut self, query: &Query, view: &View, pixel: [u32; 2]) -> Result<Option<Found>, String> {
        let camera = self.camera_of(view, pixel).map_err(in_words)?;
        let picture = self.seen(query, |painter, scene| painter.paint(scene, &camera))?;
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
