//! A map of heights that changes while it is served.

use crate::LiveError;
use crate::evaluations::{Domain, Evaluations};
use crate::fields::{Fields, Row};
use crate::look::{self, in_words};
use crate::moment::Given;
use crate::seen::Seen;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Buffer, Device, Error, array};
use ribbonmesh_rixels::{Heights, HeightsAt, Painter, RixelError, Values};
use ribbonmesh_stream::{Description, Encoded, Found, Frames, Query, View};

/// A regular grid of cells with a height each, and fields of cells: what a [`Live`](crate::Live) of water or
/// of a terrain shows. It is drawn without a mesh, so that it may have hundreds of millions of cells.
///
/// Memory on the device: the buffers of the last moment, and four bytes for each cell and expression that is
/// in use, of the last eight.
pub struct HeightMap {
    device: Device,
    painter: Painter,
    size: [u32; 2],
    spacing: f64,
    origin: DVec3,
    heights: Buffer<f32>,
    fields: Fields,
    evaluations: Evaluations,
}

/// Heights of cells and their fields at a moment, in buffers of a device, for
/// [`Live::update`](crate::Live::update).
pub struct HeightMoment {
    time: f64,
    heights: Buffer<f32>,
    fields: Vec<Given>,
}

impl HeightMoment {
    /// The heights of this time above the map's origin, row by row, without fields. A height that is not
    /// finite leaves its cell out.
    pub fn new(time: f64, heights: Buffer<f32>) -> Self {
        Self { time, heights, fields: vec![] }
    }
    /// With a field of cells: a row of numbers for each.
    pub fn of_cells<T: Row>(mut self, name: impl Into<String>, values: Buffer<T>) -> Self {
        self.fields.push(Given::of_rows(name, "cells", values));
        self
    }
}

impl HeightMap {
    /// A map of `size[0]` by `size[1]` square cells with this spacing, flat as yet. `origin` is its corner
    /// with the least x and y, at height 0.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn new(device: &Device, size: [u32; 2], spacing: f64, origin: DVec3) -> Result<Self, Error> {
        let heights = device.zeros(size[0] as usize * size[1] as usize)?;
        let (painter, evaluations) = (Painter::new(device), Evaluations::new(device));
        let (device, fields) = (device.clone(), Fields::default());
        Ok(Self { device, painter, size, spacing, origin, heights, fields, evaluations })
    }

    /// The heights with an expression's values.
    fn seen<T>(
        &mut self,
        query: &Query,
        then: impl FnOnce(&mut Painter, &Heights<'_>, DVec3) -> Result<T, RixelError>,
    ) -> Result<T, String> {
        let over = Domain { fields: &self.fields, positions: None, elements: ("cells", self.heights.len()) };
        let kept = self.evaluations.of(query, &over)?;
        let spacing = self.spacing as f32;
        let heights = Heights {
            across: spacing * Vec3::X,
            along: spacing * Vec3::Y,
            values: Values::OfFaces(&kept.values),
            ..Heights::new(self.size, HeightsAt::Centres, &self.heights)
        };
        then(&mut self.painter, &heights, self.origin).map_err(in_words)
    }
}

impl Seen for HeightMap {
    type Moment = HeightMoment;
    fn device(&self) -> &Device {
        &self.device
    }
    fn replace(&mut self, moment: HeightMoment) -> Result<f64, LiveError> {
        let cells = self.heights.len();
        if moment.heights.len() != cells {
            let (field, of, numbers) = ("heights".into(), "cells", moment.heights.len());
            return Err(LiveError::Rows { field, of, numbers, width: 1, elements: cells });
        }
        if !moment.heights.device().same(&self.device) {
            return Err(LiveError::OtherDevice { what: "the heights".into() });
        }
        moment.fields.iter().try_for_each(|field| field.check(&self.device, cells))?;
        let fields = Fields::given(moment.fields);
        match fields.layout() == self.fields.layout() {
            true => self.evaluations.expire(),
            false => self.evaluations.forget(),
        }
        (self.heights, self.fields) = (moment.heights, fields);
        Ok(moment.time)
    }
    fn bounds(&self) -> Result<Option<[DVec3; 2]>, Error> {
        let ends = [array::min(&self.heights)?, array::max(&self.heights)?];
        let [Some(low), Some(high)] = ends.map(|end| end.filter(|z| z.is_finite())) else { return Ok(None) };
        let [x, y] = self.size.map(|n| f64::from(n) * self.spacing);
        let [low, high] = [DVec3::new(0.0, 0.0, low.into()), DVec3::new(x, y, high.into())];
        Ok(Some([self.origin + low, self.origin + high]))
    }
    fn describe(&self) -> Description {
        Description {
            fields: self.fields.served.clone(),
            domain: ("grid", vec![("cells", self.heights.len() as u64)]),
            machine: self.device.name(),
            ..Description::default()
        }
    }
}

impl Frames for HeightMap {
    fn prepare(&mut self, query: &Query) -> Result<String, String> {
        let over = Domain { fields: &self.fields, positions: None, elements: ("cells", self.heights.len()) };
        Ok(self.evaluations.of(query, &over)?.by().into())
    }
    fn encode(&mut self, query: &Query, view: &View) -> Result<Encoded, String> {
        self.seen(query, |painter, heights, origin| look::encode(painter, heights, view, origin))
    }
    fn probe(&mut self, query: &Query, view: &View, pixel: [u32; 2]) -> Result<Option<Found>, String> {
        let found =
            self.seen(query, |painter, heights, origin| look::probe(painter, heights, view, origin, pixel))?;
        Ok(found.map(|found| Found { element: ("cell", found.element.1 / 2), ..found }))
    }
}
