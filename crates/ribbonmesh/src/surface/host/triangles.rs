//! A surface as triangles, without patches.
use super::begin::Lent;
use super::column::Column;
use super::order::inverse;
use super::surface::Surface;
use crate::{Buffer, Error, Result, array};
use glam::Vec3;
use ribbonmesh_mesh::{Role, Value};

/// The triangles of a [`Surface`] by ids, on the device: by [`Surface::triangles`].
#[derive(Clone, Copy)]
pub struct Triangles<'a> {
    surface: &'a Surface,
}

impl<'a> Triangles<'a> {
    /// The positions, relative to [`Surface::origin`].
    pub fn positions(&self) -> &'a Buffer<Vec3> {
        self.surface.positions.buffer()
    }
    /// Three vertices for each face.
    pub fn faces(&self) -> &'a Buffer<u32> {
        &self.surface.faces
    }
    /// The place of each vertex in what [`Surface::download`] gives.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn vertex_places(&self) -> Result<Lent<'a, Buffer<u32>>> {
        self.places(self.surface.order.as_ref().map(|order| &*order.vertices), 0)
    }
    /// The place of each face there.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn face_places(&self) -> Result<Lent<'a, Buffer<u32>>> {
        self.places(self.surface.order.as_ref().map(|order| &*order.faces), 1)
    }
    fn places(&self, places: Option<&'a Buffer<u32>>, of: usize) -> Result<Lent<'a, Buffer<u32>>> {
        Ok(match places {
            Some(places) => Lent::Borrowed(places),
            None => Lent::Owned(array::count_up(&self.surface.device, self.surface.numbers()[of] as u32)?),
        })
    }
    /// The place of one vertex there.
    /// # Errors
    /// [`Error::Index`] if there is no such vertex; errors of the driver.
    pub fn vertex_place(&self, vertex: usize) -> Result<usize> {
        Ok(match &self.surface.order {
            Some(order) => order.vertices.read_range(vertex, 1)?[0] as usize,
            None => vertex,
        })
    }
}

impl Surface {
    /// The triangles as they are, in the order of their ids, which change as [`Surface`] says.
    pub fn triangles(&self) -> Triangles<'_> {
        Triangles { surface: self }
    }
    /// Appends a column with a value for each vertex, or replaces the one with that name.
    /// Values stand in the order of the ids of [`Surface::triangles`]. A copy on the device; no patches are
    /// made.
    /// # Errors
    /// [`Error::OtherDevice`]; [`Error::Length`] unless there is a value for each vertex; out of memory;
    /// errors of the driver.
    pub fn insert_of_vertices<T: Value + crate::Value>(
        &mut self,
        name: &str,
        role: Role,
        values: &Buffer<T>,
    ) -> Result<()> {
        self.check_values(values, ("values of vertices", self.numbers()[0]))?;
        self.insert_owned_of_vertices(name, role, values.try_clone()?)
    }
    /// The same, without a copy.
    /// # Errors
    /// As [`Surface::insert_of_vertices`].
    pub fn insert_owned_of_vertices<T: Value + crate::Value>(
        &mut self,
        name: &str,
        role: Role,
        values: Buffer<T>,
    ) -> Result<()> {
        self.check_values(&values, ("values of vertices", self.numbers()[0]))?;
        self.normals.retain(|known| known != name);
        Column::of(name, role, values).put(&mut self.of_vertices);
        Ok(())
    }
    /// The same for faces.
    /// # Errors
    /// [`Error::OtherDevice`]; [`Error::Length`] unless there is a value for each face; out of memory; errors
    /// of the driver.
    pub fn insert_of_faces<T: Value + crate::Value>(
        &mut self,
        name: &str,
        role: Role,
        values: &Buffer<T>,
    ) -> Result<()> {
        self.check_values(values, ("values of faces", self.numbers()[1]))?;
        Column::copy_of(name, role, values)?.put(&mut self.of_faces);
        Ok(())
    }
    /// A copy of a column of vertices, in the order in which [`Surface::download`] gives them, on the device;
    /// no patches are made.
    /// # Errors
    /// [`Error::Column`] if there is no such column, or one of another type; out of memory; errors of the
    /// driver.
    pub fn values_of_vertices<T: Value + crate::Value>(&self, name: &str) -> Result<Buffer<T>> {
        let column = self.vertices().typed::<T>(name)?;
        let rows = match &self.order {
            None => column.rows.try_clone()?,
            Some(order) => column.gather(&inverse(&order.vertices)?, 1)?.rows,
        };
        Ok(rows.cast())
    }
    /// The same as [`Surface::values_of_vertices`], and takes the column away: no copy where vertices have
    /// the order of their ids.
    /// # Errors
    /// As [`Surface::values_of_vertices`].
    pub fn take_of_vertices<T: Value + crate::Value>(&mut self, name: &str) -> Result<Buffer<T>> {
        let ordered = match &self.order {
            None => None,
            Some(_) => Some(self.values_of_vertices(name)?),
        };
        self.vertices().typed::<T>(name)?;
        let place = self.of_vertices.iter().position(|column| column.head.name == name);
        let column = self.of_vertices.remove(place.unwrap_or_else(|| unreachable!("it was found")));
        Ok(ordered.unwrap_or_else(|| column.rows.cast()))
    }
    fn check_values<T: Value + crate::Value>(
        &self,
        values: &Buffer<T>,
        (what, expected): (&'static str, usize),
    ) -> Result<()> {
        if !values.device().same(&self.device) {
            return Err(Error::OtherDevice { what: "the values of a column" });
        }
        if values.len() != expected {
            return Err(Error::Length { what, expected, found: values.len() });
        }
        Ok(())
    }
    /// Moves the vertices to these positions, relative to [`Surface::origin`], in the order of the ids of
    /// [`Surface::triangles`], and says so, as [`Surface::moved`]. No patches are made.
    /// # Errors
    /// [`Error::OtherDevice`]; [`Error::Length`] unless there is a position for each vertex.
    pub fn move_to(&mut self, to: Buffer<Vec3>) -> Result<()> {
        if !to.device().same(&self.device) {
            return Err(Error::OtherDevice { what: "the positions" });
        }
        let expected = self.positions.len();
        if to.len() != expected {
            return Err(Error::Length { what: "positions", expected, found: to.len() });
        }
        self.positions.set_values(to);
        self.moved();
        Ok(())
    }
}
