//! Attributes of a dynamic mesh.
use super::compact::Compaction;
use super::mesh::{Capacity, DynamicMesh};
use super::numbering::Numbering;
use super::set::Follow;
use crate::device::{BufferView, ColumnView, ColumnViewMut, ElementKind, Pod, Vec3, tiles};
use crate::kernels::attribute::combine::{Combine, SCALE};
use crate::{Attribute, Buffer, Element, Error, Result, StaticMesh, Value, array};
use std::marker::PhantomData;
use std::sync::Arc;

/// A value for each element of a kind, with capacity for new elements. A new element has the value that its
/// operator writes, else zero bytes.
///
/// An attribute knows its mesh and the [`Numbering`] of its ids: what takes it together with another mesh
/// returns [`Error::OtherMesh`], and if the mesh has been renumbered and the attribute has not,
/// [`Error::OtherNumbering`].
pub struct DynamicAttribute<E, T> {
    values: Buffer<T>,
    numbering: Numbering,
    /// The identity of an attribute of a static mesh with the same ids.
    inputs: Arc<Buffer<u32>>,
    of: PhantomData<E>,
}

/// An attribute, in messages.
const fn what(kind: ElementKind) -> &'static str {
    match kind {
        ElementKind::Vertex => "an attribute of vertices",
        ElementKind::Edge => "an attribute of edges",
        ElementKind::Face => "an attribute of faces",
    }
}

fn of_kind(capacity: Capacity, kind: ElementKind) -> usize {
    match kind {
        ElementKind::Vertex => capacity.vertices as usize,
        ElementKind::Edge => capacity.edges as usize,
        ElementKind::Face => capacity.faces as usize,
    }
}

impl<E: Element, T: Value> DynamicAttribute<E, T> {
    /// The values of an attribute of the static mesh from which `mesh` was made, or of its
    /// [`DynamicMesh::patches`].
    /// # Errors
    /// [`Error::OtherDevice`]; [`Error::OtherMesh`] for an attribute of another mesh, or from before a
    /// renumbering; [`Error::Length`] unless there is a value for each id of `mesh`; out of memory; errors of
    /// the driver.
    pub fn from_static(mesh: &DynamicMesh, values: &Attribute<E, T>) -> Result<Self> {
        let mut result = Self::zeros(mesh)?;
        if !values.device().same(mesh.device()) {
            return Err(Error::OtherDevice { what: "an attribute" });
        }
        let (expected, found) = (mesh.ids(E::KIND) as usize, values.len());
        if expected != found {
            return Err(Error::Length { what: "values of a static attribute", expected, found });
        }
        result.require_ids_of(values)?;
        copy_words(values.buffer(), &mut result.values, found)?;
        Ok(result)
    }
    /// The values as an attribute of a static mesh with the same ids, [`DynamicMesh::patches`].
    /// # Errors
    /// [`Error::OtherDevice`]; [`Error::OtherMesh`] for a mesh with other ids; [`Error::Length`] unless there
    /// is a value for each element; out of memory; errors of the driver.
    pub fn to_static(&self, mesh: &StaticMesh) -> Result<Attribute<E, T>> {
        let mut result = Attribute::zeros(mesh)?;
        self.copy_to(&mut result)?;
        Ok(result)
    }
    /// As [`DynamicAttribute::to_static`], into an existing attribute of that mesh.
    /// # Errors
    /// As [`DynamicAttribute::to_static`].
    pub fn copy_to(&self, values: &mut Attribute<E, T>) -> Result<()> {
        let (device, expected, found) = (self.values.device(), values.len(), self.values.len());
        if !values.device().same(device) {
            return Err(Error::OtherDevice { what: "an attribute" });
        }
        if found < expected {
            return Err(Error::Length { what: "values of a dynamic attribute", expected, found });
        }
        self.require_ids_of(values)?;
        let words = (expected * size_of::<T>() / 4) as u32;
        array::copy_words(device, words, self.values.view().wide(), values.view_mut().wide())
    }
    /// Copies the values of an attribute of a static mesh with the same ids.
    /// # Errors
    /// As [`DynamicAttribute::to_static`].
    pub fn copy_from(&mut self, values: &Attribute<E, T>) -> Result<()> {
        let (expected, found) = (values.len(), self.values.len());
        if !values.device().same(self.values.device()) {
            return Err(Error::OtherDevice { what: "an attribute" });
        }
        if found < expected {
            return Err(Error::Length { what: "room of a dynamic attribute", expected, found });
        }
        self.require_ids_of(values)?;
        copy_words(values.buffer(), &mut self.values, expected)
    }
    /// Refuses attributes of static meshes with other ids.
    fn require_ids_of(&self, values: &Attribute<E, T>) -> Result<()> {
        match values.has_inputs(&self.inputs) {
            true => Ok(()),
            false => Err(Error::OtherMesh { what: what(E::KIND) }),
        }
    }
}

impl<E: Element, T: Pod> DynamicAttribute<E, T> {
    /// Zero bytes for every element.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn zeros(mesh: &DynamicMesh) -> Result<Self> {
        let (used, len) = (mesh.ids(E::KIND) as usize, of_kind(mesh.capacity(), E::KIND));
        Ok(Self::of_buffer(mesh, mesh.device().zeros_with_room(used, len)?))
    }
    /// A new attribute from one value per id in use, in the order of ids, including ids of deleted elements.
    /// # Errors
    /// [`Error::Length`]; out of memory; errors of the driver.
    pub fn from_ids(mesh: &DynamicMesh, values: &[T]) -> Result<Self> {
        let (expected, found) = (mesh.ids(E::KIND) as usize, values.len());
        if expected != found {
            return Err(Error::Length { what: "values of a dynamic attribute", expected, found });
        }
        let mut result = Self::zeros(mesh)?;
        result.values.write_range(0, values)?;
        Ok(result)
    }
    /// As [`DynamicAttribute::from_ids`], for values on the device.
    /// # Errors
    /// As [`DynamicAttribute::from_ids`]; [`Error::OtherDevice`].
    pub fn from_buffer(mesh: &DynamicMesh, values: &Buffer<T>) -> Result<Self> {
        let (expected, found) = (mesh.ids(E::KIND) as usize, values.len());
        if !values.device().same(mesh.device()) {
            return Err(Error::OtherDevice { what: "the values of a dynamic attribute" });
        }
        if expected != found {
            return Err(Error::Length { what: "values of a dynamic attribute", expected, found });
        }
        let mut result = Self::zeros(mesh)?;
        copy_words(values, &mut result.values, found)?;
        Ok(result)
    }
    /// Sets the values of the last ids in use, as those of elements that
    /// [`DynamicMesh::exchange_faces`] has made. Makes room for all ids.
    /// # Errors
    /// [`Error::OtherMesh`] and [`Error::OtherNumbering`], as [`DynamicAttribute::require_mesh`];
    /// [`Error::Length`] for more values than ids; out of memory; errors of the driver.
    pub fn set_last(&mut self, mesh: &DynamicMesh, values: &[T]) -> Result<()> {
        self.require_ids(mesh)?;
        let (expected, found) = (mesh.ids(E::KIND) as usize, values.len());
        if found > expected {
            return Err(Error::Length { what: "values of the last elements", expected, found });
        }
        self.lengthen(of_kind(mesh.capacity(), E::KIND))?;
        self.values.write_range(expected - found, values)
    }
    /// The values of all ids in use, including those of deleted elements, without spare capacity.
    /// # Errors
    /// [`Error::OtherMesh`] and [`Error::OtherNumbering`], as [`DynamicAttribute::require_mesh`]; out of
    /// memory; errors of the driver.
    pub fn into_buffer(self, mesh: &DynamicMesh) -> Result<Buffer<T>> {
        self.require_ids(mesh)?;
        if self.values.len() == mesh.ids(E::KIND) as usize {
            return Ok(self.values);
        }
        self.to_buffer(mesh)
    }
    /// A copy of the values of the ids in use, deleted elements included, without the room for others.
    /// # Errors
    /// [`Error::OtherMesh`] and [`Error::OtherNumbering`], as [`DynamicAttribute::require_mesh`]; out of
    /// memory; errors of the driver.
    pub fn to_buffer(&self, mesh: &DynamicMesh) -> Result<Buffer<T>> {
        self.require_ids(mesh)?;
        let n = mesh.ids(E::KIND) as usize;
        let mut result = mesh.device().zeros(n)?;
        // elements that came since it got room have zero bytes
        copy_words(&self.values, &mut result, n.min(self.values.len()))?;
        Ok(result)
    }
    /// The ids of its elements.
    pub fn numbering(&self) -> Numbering {
        self.numbering
    }
    /// Refuses to belong to another mesh, to have missed a compaction of this one, or to lack values of
    /// elements that the mesh has got since. For functions that read an attribute of a mesh without an
    /// operation, which grows its attributes.
    /// # Errors
    /// [`Error::OtherMesh`]; [`Error::OtherNumbering`]; [`Error::Length`].
    pub fn require_mesh(&self, mesh: &DynamicMesh) -> Result<()> {
        self.require_ids(mesh)?;
        let (expected, found) = (mesh.ids(E::KIND) as usize, self.values.len());
        if found < expected {
            return Err(Error::Length { what: what(E::KIND), expected, found });
        }
        Ok(())
    }
    fn require_ids(&self, mesh: &DynamicMesh) -> Result<()> {
        mesh.numbering().require(what(E::KIND), self.numbering)
    }
    /// Refuses values of another mesh, or of other ids.
    pub(super) fn require_same_ids(&self, other: &Self) -> Result<()> {
        self.numbering.require(what(E::KIND), other.numbering)
    }
    /// The values as an argument that a kernel reads.
    pub fn view(&self) -> ColumnView<'_, E, T> {
        ColumnView::new(self.values.view())
    }
    /// The values as an argument that a kernel writes.
    pub fn view_mut(&mut self) -> ColumnViewMut<'_, E, T> {
        ColumnViewMut::new(self.values.view_mut())
    }
    /// The view of an attribute that may be missing: without elements then.
    pub fn view_mut_or_empty(attribute: Option<&mut Self>) -> ColumnViewMut<'_, E, T> {
        attribute.map_or(ColumnViewMut::empty(), Self::view_mut)
    }
    /// Copies the values of all ids in use to the host, including those of deleted elements; waits.
    /// # Errors
    /// As [`DynamicAttribute::require_mesh`]; errors of earlier kernels or of the driver.
    pub fn read(&self, mesh: &DynamicMesh) -> Result<Vec<T>> {
        self.require_mesh(mesh)?;
        self.values.read_range(0, mesh.ids(E::KIND) as usize)
    }
    fn lengthen(&mut self, len: usize) -> Result<()> {
        if len > self.values.len() {
            let used = self.values.len();
            let mut more = self.values.device().zeros_with_room(used, len)?;
            copy_words(&self.values, &mut more, used)?;
            self.values = more;
        }
        Ok(())
    }
    /// The buffer of all values, including spare capacity.
    pub fn buffer(&self) -> &Buffer<T> {
        &self.values
    }
    pub(super) fn buffer_mut(&mut self) -> &mut Buffer<T> {
        &mut self.values
    }
    /// An attribute of values for all ids for which the mesh has room.
    fn of_buffer(mesh: &DynamicMesh, values: Buffer<T>) -> Self {
        let inputs = mesh.patches.mesh().shared_inputs(E::KIND).clone();
        Self { values, numbering: mesh.numbering(), inputs, of: PhantomData }
    }
    /// Replaces the values.
    pub(super) fn with_values(&self, values: Buffer<T>) -> Self {
        Self { values, numbering: self.numbering, inputs: self.inputs.clone(), of: PhantomData }
    }
}

impl<E: Element> DynamicAttribute<E, u32> {
    /// The id of each element.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn of_ids(mesh: &DynamicMesh) -> Result<Self> {
        let mut result = Self::zeros(mesh)?;
        let n = mesh.ids(E::KIND);
        copy_words(&array::count_up(mesh.device(), n)?, &mut result.values, n as usize)?;
        Ok(result)
    }
}

impl<E: Element> DynamicAttribute<E, Vec3> {
    /// Multiplies all values by a number, which is exact for powers of two as far as neither overflows nor
    /// vanishes.
    /// # Errors
    /// Errors of the driver.
    pub fn scale(&mut self, factor: f32) -> Result<()> {
        if factor == 1.0 {
            return Ok(());
        }
        let (device, n) = (self.values.device().clone(), 3 * self.values.len() as u32);
        let (by, none) = (BufferView::empty(), BufferView::empty());
        let y = self.values.view_mut().wide::<f32>();
        device.launch(tiles(n), Combine { op: SCALE, n, a: factor, by, x: none, y })
    }
}

impl<E: Element, T: Pod> Follow for DynamicAttribute<E, T> {
    fn grow(&mut self, capacity: Capacity) -> Result<()> {
        self.lengthen(of_kind(capacity, E::KIND))
    }
    fn check(&self, numbering: Numbering) -> Result<()> {
        numbering.require(what(E::KIND), self.numbering)
    }
    // elements that came after it was made or got room have zero bytes
    fn follow(&mut self, compaction: &Compaction) -> Result<()> {
        self.check(compaction.before())?;
        let (new_to_old, before) = (compaction.new_to_old(E::KIND), compaction.old_to_new(E::KIND).len());
        let device = self.values.device().clone();
        self.lengthen(before)?;
        let mut moved = device.zeros_with_room::<T>(new_to_old.len(), self.values.len())?;
        let words = (size_of::<T>() / 4) as u32;
        const { assert!(size_of::<T>().is_multiple_of(4)) };
        let n = new_to_old.len() as u32;
        let (from, to) = (self.values.view().wide(), moved.view_mut().wide());
        array::gather_rows(&device, n, words, new_to_old.view(), from, to)?;
        self.values = moved;
        (self.numbering, self.inputs) = (compaction.after(), compaction.inputs(E::KIND).clone());
        Ok(())
    }
}

/// Copies the first `n` elements.
pub(super) fn copy_words<T: Pod>(from: &Buffer<T>, to: &mut Buffer<T>, n: usize) -> Result<()> {
    let device = from.device().clone();
    let words = (n * size_of::<T>() / 4) as u32;
    array::copy_words(&device, words, from.view().wide(), to.view_mut().wide())
}
