//! Attributes: one value for each vertex, edge, face or cell of a volume.
use super::error::Result;
use super::mesh::VolumeMesh;
use ribbonmesh::array;
use ribbonmesh::device::{BufferView, BufferViewMut, Edge, Face, Pod, Vertex};
use ribbonmesh::{Buffer, Device, DeviceScalar, Error, Extremum, Scalar, Value};
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

/// The cells of a volume, as a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell;

/// A kind of elements of a volume: [`Vertex`], [`Edge`], [`Face`] or [`Cell`].
pub trait VolumeElement: sealed::Sealed {
    /// Its name, in the plural.
    const NAME: &'static str;
    /// The number of elements of a mesh.
    fn count(mesh: &VolumeMesh) -> usize;
}
mod sealed {
    pub trait Sealed {}
}
macro_rules! elements { ($($element:ident $name:literal $count:ident;)*) => { $(
    impl sealed::Sealed for $element {}
    impl VolumeElement for $element {
        const NAME: &'static str = $name;
        fn count(mesh: &VolumeMesh) -> usize {
            mesh.$count()
        }
    }
)* } }
elements! {
    Vertex "vertices" vertices;
    Edge "edges" edges;
    Face "faces" faces;
    Cell "cells" cells;
}

/// The identity of a mesh: the same for all attributes of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct MeshId(Arc<()>);

/// A value of type `T` for each `E` of a volume mesh: `VolumeAttribute<Cell, f32>`.
///
/// The values are one buffer on the mesh's device, in the order of the numbers of elements, which no
/// operation of the mesh changes: a kernel finds the value of cell `c` at index `c` of [`Self::view`].
/// Subdivision makes another mesh.
///
/// `T` is any plain type. Reductions exist for numbers and vectors ([`Value`]), the same as for
/// [`ribbonmesh::Attribute`]: the order of additions depends on the number of values alone, so that results
/// have the same bits in every run and on every machine, except `dot` and `norm2` of `f64`, for which the GPU
/// fuses each product with its sum.
pub struct VolumeAttribute<E, T> {
    values: Buffer<T>,
    mesh: MeshId,
    of: PhantomData<E>,
}

impl<E: VolumeElement, T: Pod> VolumeAttribute<E, T> {
    /// A new attribute, all bytes zero.
    /// # Errors
    /// Out of memory.
    pub fn zeros(mesh: &VolumeMesh) -> Result<Self> {
        Ok(Self::of_buffer(mesh, mesh.device().zeros(E::count(mesh))?))
    }
    /// A new attribute of values in the order of the elements' numbers.
    /// # Errors
    /// [`Error::Length`] unless there is one value for each element; out of memory; errors of the driver.
    pub fn from_values(mesh: &VolumeMesh, values: &[T]) -> Result<Self> {
        let mut new = Self::zeros(mesh)?;
        new.upload(values)?;
        Ok(new)
    }
    /// A new attribute of a buffer, which is not copied.
    /// # Errors
    /// [`Error::OtherDevice`]; [`Error::Length`] unless there is one value for each element.
    pub fn from_buffer(mesh: &VolumeMesh, values: Buffer<T>) -> Result<Self> {
        if !values.device().same(mesh.device()) {
            return Err(Error::OtherDevice { what: "the values" }.into());
        }
        length::<E>(E::count(mesh), values.len())?;
        Ok(Self::of_buffer(mesh, values))
    }
    fn of_buffer(mesh: &VolumeMesh, values: Buffer<T>) -> Self {
        Self { values, mesh: mesh.id().clone(), of: PhantomData }
    }
    /// A copy.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn try_clone(&self) -> Result<Self> {
        Ok(Self { values: self.values.try_clone()?, mesh: self.mesh.clone(), of: PhantomData })
    }
    /// Replaces all values by the values of another attribute of the same mesh. A copy on the device.
    /// # Errors
    /// [`Error::OtherMesh`]; errors of the driver.
    pub fn copy_from(&mut self, from: &Self) -> Result<()> {
        self.require_same_mesh(from)?;
        Ok(self.values.copy_from(&from.values)?)
    }
    /// Replaces all values by values of the host.
    /// # Errors
    /// [`Error::Length`] unless there is one value for each element; errors of the driver.
    pub fn upload(&mut self, values: &[T]) -> Result<()> {
        length::<E>(self.len(), values.len())?;
        Ok(self.values.write(values)?)
    }
    /// The values on the host; waits.
    /// # Errors
    /// Errors of earlier kernels or of the driver.
    pub fn download(&self) -> Result<Vec<T>> {
        Ok(self.values.read()?)
    }
    /// Number of values: one per element.
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
    /// The values as a buffer, for functions of [`ribbonmesh::array`].
    pub fn buffer(&self) -> &Buffer<T> {
        &self.values
    }
    /// The buffer itself.
    pub fn into_buffer(self) -> Buffer<T> {
        self.values
    }
    /// The values as an argument that a kernel reads, by numbers of elements.
    pub fn view(&self) -> BufferView<'_, T> {
        self.values.view()
    }
    /// The values as an argument that a kernel writes.
    pub fn view_mut(&mut self) -> BufferViewMut<'_, T> {
        self.values.view_mut()
    }
    /// Whether the attribute belongs to `mesh`.
    pub fn belongs_to(&self, mesh: &VolumeMesh) -> bool {
        Arc::ptr_eq(&self.mesh.0, &mesh.id().0)
    }
    fn require_same_mesh<U>(&self, other: &VolumeAttribute<E, U>) -> Result<()> {
        if Arc::ptr_eq(&self.mesh.0, &other.mesh.0) {
            return Ok(());
        }
        Err(Error::OtherMesh { what: "the other attribute" }.into())
    }
}
fn length<E: VolumeElement>(expected: usize, found: usize) -> Result<()> {
    if expected == found {
        return Ok(());
    }
    let what = match E::NAME {
        "vertices" => "values of vertices",
        "edges" => "values of edges",
        "faces" => "values of faces",
        _ => "values of cells",
    };
    Err(Error::Length { what, expected, found }.into())
}

/// Reductions, each in one pass over memory. They wait for the result, except for results in a
/// [`DeviceScalar`].
impl<E: VolumeElement, T: Value> VolumeAttribute<E, T> {
    /// The sum of all values, as [`array::sum`].
    /// # Errors
    /// Out of memory; errors of earlier kernels or of the driver.
    pub fn sum(&self) -> Result<T::Sum> {
        Ok(array::sum(&self.values)?)
    }
    /// As [`Self::sum`], with the same bits, into device memory. Does not wait.
    /// # Errors
    /// [`Error::OtherDevice`]; out of memory; errors of the driver.
    pub fn sum_into(&self, to: &mut DeviceScalar<T::Sum>) -> Result<()> {
        Ok(array::sum_into(&self.values, to)?)
    }
    /// The dot product: the sum of the products over all elements and components, in `f64`, also for
    /// integers.
    /// # Errors
    /// [`Error::OtherMesh`]; out of memory; errors of earlier kernels or of the driver.
    pub fn dot(&self, other: &Self) -> Result<f64> {
        self.require_same_mesh(other)?;
        Ok(self.values.dot(&other.values)?)
    }
    /// As [`Self::dot`], with the same bits, into device memory. Does not wait.
    /// # Errors
    /// [`Error::OtherDevice`]; as [`Self::dot`].
    pub fn dot_into(&self, other: &Self, to: &mut DeviceScalar<f64>) -> Result<()> {
        self.require_same_mesh(other)?;
        Ok(self.values.dot_into(&other.values, to)?)
    }
    /// The Euclidean norm √(x · x) over all elements and components.
    /// # Errors
    /// As [`Self::dot`].
    pub fn norm2(&self) -> Result<f64> {
        Ok(self.dot(self)?.sqrt())
    }
    /// The smallest value of each component, ignoring NaN; `None` if some component has no value other than
    /// NaN, or if there are no values.
    /// # Errors
    /// As [`Self::sum`].
    pub fn min(&self) -> Result<Option<T>> {
        Ok(array::min(&self.values)?)
    }
    /// The largest value of each component, as [`Self::min`].
    /// # Errors
    /// As [`Self::sum`].
    pub fn max(&self) -> Result<Option<T>> {
        Ok(array::max(&self.values)?)
    }
}

/// Extreme values of scalars.
impl<E: VolumeElement, T: Scalar> VolumeAttribute<E, T> {
    /// The smallest value and its element; among equal values, the element with the smallest number. Ignores
    /// NaN; `None` if there is no other value.
    /// # Errors
    /// As [`Self::sum`].
    pub fn argmin(&self) -> Result<Option<Extremum<T>>> {
        Ok(self.values.argmin()?)
    }
    /// The largest value and its element, as [`Self::argmin`].
    /// # Errors
    /// As [`Self::sum`].
    pub fn argmax(&self) -> Result<Option<Extremum<T>>> {
        Ok(self.values.argmax()?)
    }
}

impl<E: VolumeElement, T: Pod> fmt::Debug for VolumeAttribute<E, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = std::any::type_name::<T>();
        write!(f, "VolumeAttribute of {} {}, {of}, on {:?}", self.len(), E::NAME, self.device())
    }
}
