//! A mesh on a device as it is seen: [`MeshSource`](crate::MeshSource) and [`Live`](crate::Live) have it.

use crate::LiveError;
use crate::evaluations::{Domain, Evaluations};
use crate::fields::Fields;
use crate::look::{self, in_words};
use crate::moment::{Given, Moment};
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Buffer, Device, Error, array};
use ribbonmesh_expression::{Expression, Field, Type};
use ribbonmesh_rixels::{DeviceColumn, Evaluator, Painter, RixelError, Scene, Values};
use ribbonmesh_stream::{Description, Encoded, Extent, Found, Lacking, Query, Triangles, View};

/// A mesh on a device, its fields, and the expressions over them that are in use.
pub(crate) struct Shown {
    device: Device,
    painter: Painter,
    positions: Buffer<Vec3>,
    faces: Buffer<u32>,
    /// The point that is the origin of `positions`.
    origin: DVec3,
    /// Counts changes of the faces, and of the places.
    versions: [u64; 2],
    fields: Fields,
    evaluations: Evaluations,
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
            versions: [0; 2],
            fields: Fields::default(),
            evaluations: Evaluations::new(device),
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
            self.evaluations.expire();
        } else {
            self.evaluations.forget();
        }
        if moment.positions.is_some() || origin != self.origin {
            self.versions[1] += 1;
        }
        if let Some(positions) = moment.positions {
            self.positions = positions;
        }
        if let Some(faces) = moment.faces {
            self.faces = faces;
            self.versions[0] += 1;
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

    /// Evaluates an expression; says by what.
    pub fn prepare(&mut self, query: &Query) -> Result<String, String> {
        let faces = ("faces", self.faces.len() / 3);
        let over = Domain { fields: &self.fields, positions: &self.positions, elements: faces };
        Ok(self.evaluations.of(query, &over)?.by().into())
    }

    /// The scene with the expression's values.
    fn seen<T>(
        &mut self,
        query: &Query,
        then: impl FnOnce(&mut Painter, &Scene<'_>) -> Result<T, RixelError>,
    ) -> Result<T, String> {
        let (positions, faces) = (&self.positions, &self.faces);
        let over = Domain { fields: &self.fields, positions, elements: ("faces", faces.len() / 3) };
        let kept = self.evaluations.of(query, &over)?;
        let of = if kept.of_elements { Values::OfFaces } else { Values::OfVertices };
        let scene = Scene { positions, faces, values: of(&kept.values) };
        then(&mut self.painter, &scene).map_err(in_words)
    }

    /// A frame.
    pub fn encode(&mut self, query: &Query, view: &View) -> Result<Encoded, String> {
        let origin = self.origin;
        self.seen(query, |painter, scene| look::encode(painter, scene, view, origin))
    }

    /// The numbers of the triangles.
    pub fn extent(&self) -> Extent {
        let scene = Scene { positions: &self.positions, faces: &self.faces, values: Values::Plain };
        look::extent(&scene, self.versions)
    }

    /// The triangles, with the parts that a client lacks.
    pub fn triangles(&mut self, query: &Query, lacking: Lacking) -> Result<Triangles, String> {
        let origin = self.origin;
        self.seen(query, |_, scene| look::triangles(scene, lacking, origin))
    }

    /// The exact value at a pixel.
    pub fn probe(&mut self, query: &Query, view: &View, pixel: [u32; 2]) -> Result<Option<Found>, String> {
        let origin = self.origin;
        self.seen(query, |painter, scene| look::probe(painter, scene, view, origin, pixel))
    }
}
