//! A surface as triangles, without patches.
use super::begin::Lent;
use super::column::{Column, Head};
use super::download::Given;
use super::surface::Surface;
use crate::{Buffer, Error, Result, array};
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
    /// The triangles as they are, in the order of their ids, which change when patches are made or triangles change. No
    /// patches are made.
    /// # Errors
    /// Out of memory; errors of the driver; after an error that has lost the surface, [`Error::Invalid`].
    pub fn triangles(&self) -> Result<Triangles<'_>> {
        let Given { positions, faces, places, .. } = self.given(true)?;
        Ok(Triangles { positions, faces, places })
    }
    /// Puts a column with a value for each face behind the others, or in the place of the one of that name. Values stand in
    /// the order of the ids of [`Surface::triangles`]. A copy on the device; no patches are made.
    /// # Errors
    /// [`Error::OtherDevice`]; [`Error::Length`] unless there is a value for each face; out of memory; errors of the driver.
    pub fn insert_of_faces<T: Value + crate::Value>(
        &mut self,
        name: &str,
        role: Role,
        values: &Buffer<T>,
    ) -> Result<()> {
        const { assert!(size_of::<T>().is_multiple_of(4), "rows of a column are whole words") };
        if !values.device().same(&self.device) {
            return Err(Error::OtherDevice { what: "the values of a column" });
        }
        let [_, _, faces] = self.sizes()?;
        if values.len() != faces {
            return Err(Error::Length { what: "values of faces", expected: faces, found: values.len() });
        }
        let (scalar, width) = (T::SCALAR, <T as Value>::WIDTH);
        let head = Head { name: name.to_owned(), role, policy: role.policy(scalar), scalar, width };
        let mut rows: Buffer<u32> = self.device.zeros(values.len() * head.words())?;
        let n = rows.len() as u32;
        array::copy_words(&self.device, n, values.view().wide(), rows.view_mut())?;
        let column = Column { head, rows, rule: None };
        match self.of_faces.iter_mut().find(|column| column.head.name == name) {
            Some(old) => *old = column,
            None => self.of_faces.push(column),
        }
        Ok(())
    }
}
