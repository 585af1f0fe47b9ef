//! A surface as triangles, without patches.
use super::begin::Lent;
use super::column::Column;
use super::download::Given;
use super::order::inverse;
use super::surface::{State, Surface, lost};
use crate::{Attribute, Buffer, Error, Result, array};
use glam::Vec3;
use ribbonmesh_mesh::{Role, Value};

/// The triangles of a [`Surface`] by ids, on the device: by [`Surface::triangles`].
pub struct Triangles<'a> {
    positions: Lent<'a, Buffer<Vec3>>,
    faces: Lent<'a, Buffer<u32>>,
    places: [Lent<'a, Buffer<u32>>; 2],
}

impl Triangles<'_> {
    /// The positions, relative to [`Surface::origin`].
    pub fn positions(&self) -> &Buffer<Vec3> {
        &self.positions
    }
    /// Three vertices for each face.
    pub fn faces(&self) -> &Buffer<u32> {
        &self.faces
    }
    /// The place of each vertex in what [`Surface::download`] gives.
    pub fn vertex_places(&self) -> &Buffer<u32> {
        &self.places[0]
    }
    /// The place of each face there.
    pub fn face_places(&self) -> &Buffer<u32> {
        &self.places[1]
    }
}

impl Surface {
    /// The triangles as they are, in the order of their ids, which change when edges are found, patches are
    /// made or triangles change. None of this is done here.
    /// # Errors
    /// Out of memory; errors of the driver; after an error that has lost the surface, [`Error::Invalid`].
    pub fn triangles(&self) -> Result<Triangles<'_>> {
        let Given { positions, faces, places, .. } = self.given()?;
        Ok(Triangles { positions, faces, places })
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
        let column = self.column_of(name, role, values, ("values of vertices", self.numbers()?[0]))?;
        self.normals.retain(|known| known != name);
        column.put(&mut self.of_vertices);
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
        let column = self.column_of(name, role, values, ("values of faces", self.numbers()?[1]))?;
        column.put(&mut self.of_faces);
        Ok(())
    }
    /// A copy of a column of vertices, in the order in which [`Surface::download`] gives them, on the device;
    /// no patches are made.
    /// # Errors
    /// [`Error::Column`] if there is no such column, or one of another type; out of memory; errors of the
    /// driver.
    pub fn values_of_vertices<T: Value + crate::Value>(&self, name: &str) -> Result<Buffer<T>> {
        let column = self.vertices().typed::<T>(name)?;
        let ordered;
        let column = match &self.state {
            State::Given { .. } => column,
            _ => {
                ordered = column.gather(&inverse(&self.given()?.places[0])?, 1)?;
                &ordered
            }
        };
        let mut values: Buffer<T> = self.device.unspecified(self.numbers()?[0])?;
        let words = column.rows.len() as u32;
        array::copy_words(&self.device, words, column.rows.view(), values.view_mut().wide())?;
        Ok(values)
    }
    fn column_of<T: Value + crate::Value>(
        &self,
        name: &str,
        role: Role,
        values: &Buffer<T>,
        (what, expected): (&'static str, usize),
    ) -> Result<Column> {
        if !values.device().same(&self.device) {
            return Err(Error::OtherDevice { what: "the values of a column" });
        }
        if values.len() != expected {
            return Err(Error::Length { what, expected, found: values.len() });
        }
        Column::copy_of(name, role, values)
    }
    /// Moves the vertices to these positions, relative to [`Surface::origin`], in the order of the ids of
    /// [`Surface::triangles`], and says so, as [`Surface::moved`]. No patches are made.
    /// # Errors
    /// [`Error::OtherDevice`]; [`Error::Length`] unless there is a position for each vertex; after an error
    /// that has lost the surface, [`Error::Invalid`].
    pub fn move_to(&mut self, to: Buffer<Vec3>) -> Result<()> {
        if !to.device().same(&self.device) {
            return Err(Error::OtherDevice { what: "the positions" });
        }
        if matches!(self.state, State::Changed { .. }) {
            self.settle()?;
        }
        let expected = self.numbers()?[0];
        if to.len() != expected {
            return Err(Error::Length { what: "positions", expected, found: to.len() });
        }
        match &mut self.state {
            State::Given { positions, .. } | State::Triangles { positions, .. } => *positions = to,
            State::Patches { mesh, positions, .. } => *positions = Attribute::of_ids(mesh, to),
            _ => return Err(lost()),
        }
        self.moved();
        Ok(())
    }
}
