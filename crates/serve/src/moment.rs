//! A mesh and its fields at a moment.

use crate::LiveError;
use crate::fields::{Numbers, Row};
use crate::look::origin_of;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Buffer, Device, Error};
use ribbonmesh_mesh::{BoundingBox, Scalars, TriangleMesh};

/// A mesh and its fields at a moment, in buffers of a device, for [`Live::update`](crate::Live::update).
pub struct Moment {
    pub(crate) time: f64,
    pub(crate) positions: Option<Buffer<Vec3>>,
    pub(crate) faces: Option<Buffer<u32>>,
    pub(crate) origin: Option<DVec3>,
    pub(crate) fields: Vec<Given>,
}

/// A field that is given.
pub(crate) struct Given {
    pub name: String,
    /// `vertices`, `faces` or `cells`.
    pub of: &'static str,
    /// Numbers of an element.
    pub width: u32,
    pub numbers: Box<dyn Numbers>,
    /// The least and the greatest finite number of each component, where they are known.
    pub ranges: Vec<Option<[f32; 2]>>,
}

impl Moment {
    /// The moment of this time, without fields. Positions and faces that it does not get are those of the
    /// moment before.
    pub fn at(time: f64) -> Self {
        Self { time, positions: None, faces: None, origin: None, fields: vec![] }
    }

    /// With these places of vertices, relative to [`Moment::around`].
    pub fn positions(self, positions: Buffer<Vec3>) -> Self {
        Self { positions: Some(positions), ..self }
    }

    /// With these faces: three numbers of vertices each.
    pub fn faces(self, faces: Buffer<u32>) -> Self {
        Self { faces: Some(faces), ..self }
    }

    /// With positions relative to this point: for places far from the origin, which numbers of single
    /// precision would round. Without it the point is that of the moment before, or 0 at the beginning.
    pub fn around(self, origin: DVec3) -> Self {
        Self { origin: Some(origin), ..self }
    }

    /// With a field of vertices: a row for each.
    pub fn of_vertices<T: Row>(self, name: impl Into<String>, values: Buffer<T>) -> Self {
        self.with(Given::of_rows(name, "vertices", values))
    }

    /// With a field of faces: a row for each.
    pub fn of_faces<T: Row>(self, name: impl Into<String>, values: Buffer<T>) -> Self {
        self.with(Given::of_rows(name, "faces", values))
    }

    /// With a field of vertices whose rows have `width` numbers each.
    pub fn rows_of_vertices(self, name: impl Into<String>, width: u32, values: Buffer<f32>) -> Self {
        self.with(Given { width, ..Given::of_rows(name, "vertices", values) })
    }

    /// With a field of faces whose rows have `width` numbers each.
    pub fn rows_of_faces(self, name: impl Into<String>, width: u32, values: Buffer<f32>) -> Self {
        self.with(Given { width, ..Given::of_rows(name, "faces", values) })
    }

    fn with(mut self, field: Given) -> Self {
        self.fields.push(field);
        self
    }

    /// A mesh of the host, with its columns of vertices and faces as fields, copied to a device.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn of_mesh(device: &Device, mesh: &TriangleMesh, time: f64) -> Result<Self, Error> {
        let bounds = mesh.bounding_box().unwrap_or(BoundingBox { low: DVec3::ZERO, high: DVec3::ZERO });
        let origin = origin_of(&bounds);
        let local: Vec<Vec3> = mesh.positions.iter().map(|p| (*p - origin).as_vec3()).collect();
        let mut moment = Self::at(time)
            .around(origin)
            .positions(device.upload(&local)?)
            .faces(device.upload(mesh.faces.as_flattened())?);
        for (of, columns) in [("vertices", mesh.vertices()), ("faces", mesh.faces_of())] {
            for column in columns {
                let rows = (column.width(), column.scalars());
                moment.fields.push(Given::of_host(device, of, column.name(), rows)?);
            }
        }
        Ok(moment)
    }
}

impl Given {
    /// Rows of a buffer, one for each element.
    pub fn of_rows<T: Row>(name: impl Into<String>, of: &'static str, values: Buffer<T>) -> Self {
        let width = (size_of::<T>() / 4) as u32;
        Self { name: name.into(), of, width, numbers: Box::new(values), ranges: vec![] }
    }

    /// Refuses another number of rows than there are elements, and a buffer of another device.
    pub fn check(&self, device: &Device, elements: usize) -> Result<(), LiveError> {
        let (width, numbers) = (self.width as usize, self.numbers.count());
        if width == 0 || numbers != width.saturating_mul(elements) {
            let (field, of) = (self.name.clone(), self.of);
            return Err(LiveError::Rows { field, of, numbers, width, elements });
        }
        if !self.numbers.is_on(device) {
            return Err(LiveError::OtherDevice { what: format!("the field {:?}", self.name) });
        }
        Ok(())
    }

    /// Rows of numbers of the host, copied to a device: the width of a row, and the numbers.
    pub fn of_host(
        device: &Device,
        of: &'static str,
        name: &str,
        (width, scalars): (usize, &Scalars),
    ) -> Result<Self, Error> {
        let number = |i| scalars.as_f64(i).unwrap_or(f64::NAN) as f32;
        let numbers: Vec<f32> = (0..scalars.len()).map(number).collect();
        let ranges = (0..width).map(|part| ends(numbers.chunks_exact(width).map(|row| row[part]))).collect();
        let buffer = Box::new(device.upload(&numbers)?);
        Ok(Self { name: name.to_owned(), of, width: width as u32, numbers: buffer, ranges })
    }
}

/// The least and the greatest finite number.
fn ends(numbers: impl Iterator<Item = f32>) -> Option<[f32; 2]> {
    let finite = numbers.filter(|x| x.is_finite());
    let start = [f32::INFINITY, f32::NEG_INFINITY];
    let ends = finite.fold(start, |[low, high], x| [low.min(x), high.max(x)]);
    (ends[0] <= ends[1]).then_some(ends)
}
