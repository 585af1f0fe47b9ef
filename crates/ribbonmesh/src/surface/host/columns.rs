//! Columns by name.
use super::column::Column;
use crate::device::launch::Column as Key;
use crate::device::{ColumnView, Element as Kind, ElementKind};
use crate::{Attribute, Error, Result, StaticMesh, array};
use ribbonmesh_mesh::{ColumnError, Element, Policy, Role, Scalar, Value};
use std::marker::PhantomData;

/// The attributes of vertices or faces of a surface, to be read: rows in the order of the ids of
/// [`Surface::patches`](crate::surface::Surface::patches).
pub struct Columns<'a, E> {
    columns: &'a [Column],
    mesh: Option<&'a StaticMesh>,
    of: PhantomData<E>,
}

/// The same, to be changed.
pub struct ColumnsMut<'a, E> {
    columns: &'a mut Vec<Column>,
    /// Normals that are computed when the surface is downloaded, where these elements may have some.
    normals: Option<&'a mut Vec<String>>,
    mesh: &'a StaticMesh,
    of: PhantomData<E>,
}

/// Description of a column, from [`Columns::info`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColumnInfo<'a> {
    /// The name.
    pub name: &'a str,
    /// Meaning of the values.
    pub role: Role,
    /// How the values follow when the mesh changes.
    pub policy: Policy,
    /// The type of the scalars of a row.
    pub scalar: Scalar,
    /// The number of scalars of a row, at least 1.
    pub width: usize,
}

/// The elements of columns of a kind.
pub fn element_of(kind: ElementKind) -> Element {
    match kind {
        ElementKind::Vertex => Element::Vertex,
        ElementKind::Edge => Element::Edge,
        ElementKind::Face => Element::Face,
    }
}

fn find<'a, E: Kind>(columns: &'a [Column], name: &str) -> Result<&'a Column> {
    columns.iter().find(|column| column.head.name == name).ok_or_else(|| {
        let known = columns.iter().map(|column| column.head.name.clone()).collect();
        ColumnError::Missing { element: element_of(E::KIND), name: name.to_owned(), known }.into()
    })
}

impl<'a, E: Kind> Columns<'a, E> {
    /// Columns, and the patches if there are some.
    pub(super) fn new(columns: &'a [Column], mesh: Option<&'a StaticMesh>) -> Self {
        Self { columns, mesh, of: PhantomData }
    }
    /// The names, in the order in which the columns were inserted.
    pub fn names(&self) -> impl Iterator<Item = &'a str> {
        self.columns.iter().map(|column| column.head.name.as_str())
    }
    /// Describes the column of that name.
    /// # Errors
    /// [`ColumnError::Missing`].
    pub fn info(&self, name: &str) -> Result<ColumnInfo<'a>> {
        Ok(find::<E>(self.columns, name)?.head.info())
    }
    /// Describes all columns, in the order in which they were inserted.
    pub fn infos(&self) -> impl Iterator<Item = ColumnInfo<'a>> {
        self.columns.iter().map(|column| column.head.info())
    }
    /// The name of the first column with a role.
    pub fn with_role(&self, role: Role) -> Option<&'a str> {
        self.columns.iter().find(|column| column.head.role == role).map(|column| column.head.name.as_str())
    }
    /// The values of the column of that name, as an argument of kernels. A launch with the mesh of another
    /// surface is an error, and so is one with columns of several surfaces and no mesh.
    /// # Errors
    /// [`ColumnError::Missing`]; [`ColumnError::Type`] where its values are not of type `T`.
    pub fn get<T: Value>(&self, name: &str) -> Result<ColumnView<'a, E, T>> {
        let rows = self.typed::<T>(name)?.rows.view();
        Ok(ColumnView::new(rows.wide().of_column(self.key())))
    }
    /// By which a launch knows whose values these are: as attributes of the patches, or, where there are
    /// none, by these columns, which stay where they are as long as they are lent.
    fn key(&self) -> Key {
        match self.mesh {
            Some(mesh) => mesh.key(E::KIND),
            None => Key { kind: E::KIND, mesh: self.columns.as_ptr().addr() },
        }
    }
    /// The values of the column of that name, as an attribute of the mesh of
    /// [`Surface::patches`](crate::surface::Surface::patches), to be changed or to be kept. A copy on the
    /// device.
    /// # Errors
    /// As [`Columns::get`]; [`Error::StalePatches`] if patches have not been made since the upload or the
    /// last change of triangles; out of memory; errors of the driver.
    pub fn to_attribute<T: Value + crate::Value>(&self, name: &str) -> Result<Attribute<E, T>> {
        let column = self.typed::<T>(name)?;
        let mesh = self.mesh.ok_or(Error::StalePatches)?;
        let mut new = Attribute::zeros(mesh)?;
        let (n, from) = (column.rows.len() as u32, column.rows.view().wide());
        array::copy_words(mesh.device(), n, from, new.view_mut().wide())?;
        Ok(new)
    }
    /// The column of that name, if it is of that type.
    pub(super) fn typed<T: Value>(&self, name: &str) -> Result<&'a Column> {
        let column = find::<E>(self.columns, name)?;
        let head = &column.head;
        if (head.scalar, head.width) == (T::SCALAR, <T as Value>::WIDTH) && size_of::<T>().is_multiple_of(4) {
            return Ok(column);
        }
        let (element, name) = (element_of(E::KIND), name.to_owned());
        let (expected, found) = (T::SCALAR.of_width(T::WIDTH), head.scalar.of_width(head.width));
        Err(ColumnError::Type { element, name, expected, found }.into())
    }
}

impl<E: Kind> ColumnsMut<'_, E> {
    pub(super) fn new<'a>(
        columns: &'a mut Vec<Column>,
        normals: Option<&'a mut Vec<String>>,
        mesh: &'a StaticMesh,
    ) -> ColumnsMut<'a, E> {
        ColumnsMut { columns, normals, mesh, of: PhantomData }
    }
    /// No normals of that name are computed at the download any more; whether some were.
    fn forget(&mut self, name: &str) -> bool {
        self.normals.as_mut().is_some_and(|normals| {
            let before = normals.len();
            normals.retain(|known| known != name);
            normals.len() < before
        })
    }
    /// Appends a column with the values of an attribute, or replaces the one with that name. A copy on the
    /// device.
    /// # Errors
    /// [`Error::OtherMesh`] if the attribute is not of the mesh of
    /// [`Surface::patches`](crate::surface::Surface::patches); out of memory; errors of the driver.
    pub fn insert<T: Value + crate::Value>(
        &mut self,
        name: &str,
        role: Role,
        values: &Attribute<E, T>,
    ) -> Result<()> {
        if !values.device().same(self.mesh.device()) {
            return Err(Error::OtherDevice { what: "the values of a column" });
        }
        if !values.belongs_to(self.mesh) {
            return Err(Error::OtherMesh { what: "the values of a column" });
        }
        let column = Column::copy_of(name, role, values.buffer())?;
        self.forget(name);
        column.put(self.columns);
        Ok(())
    }
    /// Says how a column follows when the mesh changes.
    /// # Errors
    /// [`ColumnError::Missing`].
    pub fn set_policy(&mut self, name: &str, policy: Policy) -> Result<()> {
        find::<E>(self.columns, name)?;
        self.columns.iter_mut().filter(|c| c.head.name == name).for_each(|c| c.head.policy = policy);
        Ok(())
    }
    /// Takes a column away; whether there was one.
    pub fn remove(&mut self, name: &str) -> bool {
        let before = self.columns.len();
        self.columns.retain(|column| column.head.name != name);
        self.forget(name) || self.columns.len() < before
    }
}
