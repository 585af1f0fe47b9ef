//! A surface on a device as it is seen: [`MeshSource`](crate::MeshSource) and [`Live`](crate::Live) have it.

use crate::LiveError;
use crate::evaluations::{Domain, Evaluations};
use crate::fields::Fields;
use crate::formula::Formula;
use crate::look::{self, in_words};
use crate::moment::{Given, Moment};
use crate::seen::Seen;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Buffer, Device, Error, array};
use ribbonmesh_rixels::{Painter, RixelError, Scene, Values};
use ribbonmesh_stream::{Description, Encoded, Extent, Found, Frames, Lacking, Query, Triangles, View};

/// A mesh on a device, its fields, and the expressions over them that are in use: what a
/// [`Live`](crate::Live) shows unless it shows something else.
pub struct Surface {
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

impl Surface {
    /// Nothing yet.
    pub(crate) fn new(device: &Device) -> Result<Self, Error> {
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
    pub(crate) fn show(&mut self, moment: Moment) -> Result<(), LiveError> {
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
            field.check(&self.device, elements)?;
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
        Formula::new(&self.device, &text, "p")?.of(positions).map(Some)
    }

    /// The scene with the expression's values.
    fn seen<T>(
        &mut self,
        query: &Query,
        then: impl FnOnce(&mut Painter, &Scene<'_>) -> Result<T, RixelError>,
    ) -> Result<T, String> {
        let (positions, faces) = (&self.positions, &self.faces);
        let elements = ("faces", faces.len() / 3);
        let over = Domain { fields: &self.fields, positions: Some(positions), elements };
        let kept = self.evaluations.of(query, &over)?;
        let of = if kept.of_elements { Values::OfFaces } else { Values::OfVertices };
        let scene = Scene { positions, faces, values: of(&kept.values) };
        then(&mut self.painter, &scene).map_err(in_words)
    }
}

impl Seen for Surface {
    type Moment = Moment;
    fn device(&self) -> &Device {
        &self.device
    }
    fn replace(&mut self, moment: Moment) -> Result<f64, LiveError> {
        let time = moment.time;
        self.show(moment)?;
        Ok(time)
    }
    fn bounds(&self) -> Result<Option<[DVec3; 2]>, Error> {
        bounds_of(&self.positions, self.origin)
    }
    fn describe(&self) -> Description {
        let (vertices, faces) = (self.positions.len() as u64, self.faces.len() as u64 / 3);
        Description {
            fields: self.fields.served.clone(),
            domain: ("surface", vec![("vertices", vertices), ("faces", faces)]),
            machine: self.device.name(),
            ..Description::default()
        }
    }
}

/// The least and the greatest coordinates of positions relative to a point, by their device; none without
/// positions. Waits.
pub(crate) fn bounds_of(positions: &Buffer<Vec3>, origin: DVec3) -> Result<Option<[DVec3; 2]>, Error> {
    let ends = [array::min(positions)?, array::max(positions)?];
    let [Some(low), Some(high)] = ends else { return Ok(None) };
    Ok(Some([low, high].map(|end| end.as_dvec3() + origin)).filter(|ends| ends[0].is_finite()))
}

impl Frames for Surface {
    fn prepare(&mut self, query: &Query) -> Result<String, String> {
        let faces = ("faces", self.faces.len() / 3);
        let over = Domain { fields: &self.fields, positions: Some(&self.positions), elements: faces };
        Ok(self.evaluations.of(query, &over)?.by().into())
    }
    fn encode(&mut self, query: &Query, view: &View) -> Result<Encoded, String> {
        let origin = self.origin;
        self.seen(query, |painter, scene| look::encode(painter, scene, view, origin))
    }
    fn extent(&mut self, _: &View) -> Result<Option<Extent>, String> {
        let scene = Scene { positions: &self.positions, faces: &self.faces, values: Values::Plain };
        Ok(Some(look::extent(&scene, self.versions)))
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
