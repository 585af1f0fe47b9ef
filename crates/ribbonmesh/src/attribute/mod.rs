//! Attributes: one value per vertex, edge or face.
mod arithmetic;
mod bounds;
mod map;
mod permute;
mod reduce;
mod value;

pub(crate) use bounds::bounds_of;
pub use reduce::Extremum;
pub(crate) use value::from_components;
pub use value::{Float, Scalar, Value};

use crate::{Buffer, Device, Error, Result, StaticMesh};
use ribbonmesh_device::launch::Column;
use ribbonmesh_device::{BufferView, BufferViewMut, ColumnView, ColumnViewMut, Element, ElementKind, Pod};
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

/// A value of type `T` for each `E` of a mesh: `Attribute<Vertex, Vec3>`.
///
/// `T` is any plain type ([`Pod`](ribbonmesh_device::Pod)) whose size is a multiple of 4 bytes. Arithmetic
/// and reductions exist for numbers and vectors ([`Value`]).
///
/// An attribute is one flat buffer on the mesh's device, in the order of ids: a kernel finds the value of
/// vertex `v` at index `v` of [`Attribute::view`]. On the host, values of vertices and faces are in the order
/// of the input unless stated otherwise. Values of edges, which the input does not have, are in the order of
/// ids.
///
/// | to | see |
/// |---|---|
/// | make | [`zeros`](Self::zeros), [`filled`](Self::filled), [`from_input`](Self::from_input), [`try_clone`](Self::try_clone) |
/// | move | [`upload`](Self::upload), [`download`](Self::download), [`download_by_id`](Self::download_by_id), [`copy_from`](Self::copy_from) |
/// | compute on the device | [`fill`](Self::fill), [`scale`](Self::scale), [`axpy`](Self::axpy), [`aypx`](Self::aypx), [`add`](Self::add), [`sub`](Self::sub), [`mul`](Self::mul), [`min_with`](Self::min_with), [`max_with`](Self::max_with) |
/// | apply a function of your own | [`map_host`](Self::map_host), [`zip_host`](Self::zip_host), or a kernel |
/// | compute with numbers in device memory | [`sum_into`](Self::sum_into), [`dot_into`](Self::dot_into), [`scale_by`](Self::scale_by), [`axpy_by`](Self::axpy_by), [`axmy_by`](Self::axmy_by), [`aypx_by`](Self::aypx_by) |
/// | reduce | [`sum`](Self::sum), [`min`](Self::min), [`max`](Self::max), [`argmin`](Self::argmin), [`argmax`](Self::argmax), [`dot`](Self::dot), [`norm2`](Self::norm2), [`bounds`](Self::bounds) |
///
/// A closure of the host cannot run on a GPU. Write a kernel with one loop instead:
///
/// ```
/// use ribbonmesh::device::{Block, In, Out, Vec3, kernel, tiles};
/// # use ribbonmesh::{Attribute, Device, MeshOptions, StaticMesh, Vertex};
///
/// #[kernel(threads = 256)]
/// pub fn lengths<'a>(block: &Block, n: u32, x: In<'a, Vec3>, y: Out<'a, f32>) {
///     block.for_each_of_tile(n, |i| y.set(i, x.get(i).length()));
/// }
/// # static PTX: ribbonmesh::device::PtxModule = ribbonmesh::device::PtxModule::cpu_only("lengths");
/// # fn main() -> ribbonmesh::Result<()> {
/// # let device = Device::cpu();
/// # let mesh = StaticMesh::new(&device, 3, &[[0, 1, 2]], &MeshOptions::default())?;
/// # let x = Attribute::<Vertex, Vec3>::filled(&mesh, Vec3::new(0.0, 3.0, 4.0))?;
/// # let mut y = Attribute::<Vertex, f32>::zeros(&mesh)?;
/// # let n = 3;
/// // on the host
/// device.launch(tiles(n), Lengths { n, x: x.view(), y: y.view_mut() })?;
/// # assert_eq!(y.download()?, [5.0; 3]);
/// # Ok(())
/// # }
/// ```
pub struct Attribute<E, T> {
    values: Buffer<T>,
    /// The mesh's map from ids to input order, by which the mesh is known, too. For edges that of the faces.
    inputs: Arc<Buffer<u32>>,
    of: PhantomData<E>,
}

impl<E: Element, T: Pod> Attribute<E, T> {
    /// A new attribute, all bytes zero.
    /// # Errors
    /// Out of memory.
    pub fn zeros(mesh: &StaticMesh) -> Result<Self> {
        let n = match E::KIND {
            ElementKind::Vertex => mesh.vertices(),
            ElementKind::Edge => mesh.edges(),
            ElementKind::Face => mesh.faces(),
        };
        Ok(Self::of_ids(mesh, mesh.device().zeros(n)?))
    }
    /// A new attribute with the same value for all elements.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn filled(mesh: &StaticMesh, value: T) -> Result<Self> {
        let mut new = Self::zeros(mesh)?;
        new.fill(value)?;
        Ok(new)
    }
    /// A new attribute with the values of `data`: for vertices and faces in the order of the input, for edges
    /// in the order of ids.
    /// # Errors
    /// As [`Attribute::upload`]; out of memory.
    pub fn from_input(mesh: &StaticMesh, data: &[T]) -> Result<Self> {
        let mut new = Self::zeros(mesh)?;
        new.upload(data)?;
        Ok(new)
    }
    /// An attribute of values in the order of the ids, of which there are as many as elements.
    pub(crate) fn of_ids(mesh: &StaticMesh, values: Buffer<T>) -> Self {
        Self { values, inputs: mesh.shared_inputs(E::KIND).clone(), of: PhantomData }
    }
    /// Of values that belong to no mesh.
    pub(crate) fn of_no_mesh(values: Buffer<T>) -> Result<Self> {
        let inputs = Arc::new(values.device().zeros(0)?);
        Ok(Self { values, inputs, of: PhantomData })
    }
    /// Replaces the values by others in the order of the ids, of which there are as many as elements.
    pub(crate) fn set_values(&mut self, values: Buffer<T>) {
        self.values = values;
    }
    /// Makes the values, in the order of the ids, an attribute of this mesh.
    pub(crate) fn bind(&mut self, mesh: &StaticMesh) {
        self.inputs = mesh.shared_inputs(E::KIND).clone();
    }
    /// A copy.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn try_clone(&self) -> Result<Self> {
        Ok(Self { values: self.values.try_clone()?, inputs: self.inputs.clone(), of: PhantomData })
    }
    /// All bytes zero, for the same mesh, of any type.
    fn zeros_like<U: Pod>(&self) -> Result<Attribute<E, U>> {
        Ok(Attribute {
            values: self.device().zeros(self.len())?,
            inputs: self.inputs.clone(),
            of: PhantomData,
        })
    }
    /// Replaces all values by the values of another attribute of the same mesh. A copy on the device.
    /// # Errors
    /// [`Error::OtherMesh`], [`Error::OtherDevice`]; errors of the driver.
    pub fn copy_from(&mut self, from: &Self) -> Result<()> {
        self.require_same_mesh(from)?;
        self.values.copy_from(&from.values)
    }
    /// Number of values: one per element of kind `E`.
    pub fn len(&self) -> usize {
        self.values.len()
    }
    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
    /// The device that holds the values.
    pub fn device(&self) -> &Device {
        self.values.device()
    }
    /// The kind of elements.
    pub fn kind(&self) -> ElementKind {
        E::KIND
    }
    /// The values in the order of the ids.
    pub fn buffer(&self) -> &Buffer<T> {
        &self.values
    }
    /// The values as an argument that a kernel reads, indexed by id. A launch with another mesh is an error.
    pub fn view(&self) -> BufferView<'_, T> {
        self.values.view().of_column(self.column())
    }
    /// The values as an argument that a kernel writes, indexed by id. A launch with another mesh is an error.
    pub fn view_mut(&mut self) -> BufferViewMut<'_, T> {
        let column = self.column();
        self.values.view_mut().of_column(column)
    }
    /// The values as an argument of kernels that index them by the ids of `E`,
    /// [`device::Values`](crate::device::Values).
    pub fn values(&self) -> ColumnView<'_, E, T> {
        ColumnView::new(self.view())
    }
    /// The values as an argument of kernels that write them by the ids of `E`,
    /// [`device::ValuesMut`](crate::device::ValuesMut).
    pub fn values_mut(&mut self) -> ColumnViewMut<'_, E, T> {
        ColumnViewMut::new(self.view_mut())
    }
    fn column(&self) -> Column {
        Column { kind: E::KIND, mesh: Arc::as_ptr(&self.inputs).addr() }
    }
    /// Whether the attribute belongs to `mesh`.
    pub fn belongs_to(&self, mesh: &StaticMesh) -> bool {
        self.has_inputs(mesh.shared_inputs(E::KIND))
    }
    /// Whether it belongs to a mesh with these inputs.
    pub(crate) fn has_inputs(&self, inputs: &Arc<Buffer<u32>>) -> bool {
        Arc::ptr_eq(&self.inputs, inputs)
    }
    fn require_same_mesh<U: Pod>(&self, other: &Attribute<E, U>) -> Result<()> {
        if !self.device().same(other.device()) {
            return Err(Error::OtherDevice { what: "the other attribute" });
        }
        if !Arc::ptr_eq(&self.inputs, &other.inputs) {
            return Err(Error::OtherMesh { what: "the other attribute" });
        }
        Ok(())
    }
}

impl<E: Element, T: Value> Attribute<E, T> {
    /// Number of scalars, for kernels that take them as 32-bit indices.
    fn scalars(&self) -> Result<u32> {
        crate::array::scalars(&self.values)
    }
}

impl<E: Element, T: Pod> fmt::Debug for Attribute<E, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = std::any::type_name::<T>();
        write!(f, "Attribute of {} {:?} values, {of}, on {:?}", self.len(), E::KIND, self.device())
    }
}
