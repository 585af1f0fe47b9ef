//! Reductions.
use super::{Attribute, Scalar, Value};
use crate::{DeviceScalar, Result, array};
use ribbonmesh_device::Element;

/// Where an extreme value is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found<T> {
    /// Id of the element.
    pub id: u32,
    /// Its value.
    pub value: T,
}

/// One pass over memory each; waits for the result, but for those to a [`DeviceScalar`]. The order of additions depends on the
/// number of values alone: the same bits every time, and on every machine (but for `dot` and `norm2` of `f64`, where the GPU
/// rounds once per product and sum).
impl<E: Element, T: Value> Attribute<E, T> {
    /// The sum of all values: in `f64` for floats, wrapping `u64` or `i64` for integers. 0 of none; NaN if one is NaN.
    /// # Errors
    /// Out of memory; errors of earlier kernels or of the driver.
    pub fn sum(&self) -> Result<T::Sum> {
        array::sum(&self.values)
    }
    /// The scalar product: the sum over all elements and components of the products, in `f64`, for integers too.
    /// # Errors
    /// [`crate::Error::OtherMesh`], [`crate::Error::OtherDevice`]; out of memory; errors of earlier kernels or of the
    /// driver.
    pub fn dot(&self, other: &Self) -> Result<f64> {
        let mut product = DeviceScalar::unspecified(self.device())?;
        self.dot_into(other, &mut product)?;
        product.read()
    }
    /// As [`Attribute::sum`], to a value that stays on the device: the same bits. No wait.
    /// # Errors
    /// [`crate::Error::OtherDevice`]; out of memory; errors of the driver.
    pub fn sum_into(&self, to: &mut DeviceScalar<T::Sum>) -> Result<()> {
        array::sum_into(&self.values, to)
    }
    /// As [`Attribute::dot`], to a number that stays on the device: the same bits. No wait.
    /// # Errors
    /// As [`Attribute::dot`].
    pub fn dot_into(&self, other: &Self, to: &mut DeviceScalar<f64>) -> Result<()> {
        self.require_same_mesh(other)?;
        let (x, y) = (self.values.view().wide(), other.values.view().wide());
        array::dot_rows::<T::Scalar>(self.device(), self.scalars()?, x, y, to)
    }
    /// The Euclidean norm √(x · x), as of one long vector.
    /// # Errors
    /// As [`Attribute::dot`].
    pub fn norm2(&self) -> Result<f64> {
        Ok(self.dot(self)?.sqrt())
    }
    /// The smallest value of each component, NaN passed over; none if there are no values, or nothing but NaN in a
    /// component.
    /// # Errors
    /// As [`Attribute::sum`].
    pub fn min(&self) -> Result<Option<T>> {
        array::min(&self.values)
    }
    /// The greatest value of each component, as [`Attribute::min`].
    /// # Errors
    /// As [`Attribute::sum`].
    pub fn max(&self) -> Result<Option<T>> {
        array::max(&self.values)
    }
}

/// Of scalars.
impl<E: Element, T: Scalar> Attribute<E, T> {
    /// The smallest value and the element that has it, the one with the smallest id among several. NaN is passed over;
    /// none if there is nothing else.
    /// # Errors
    /// As [`Attribute::sum`].
    pub fn argmin(&self) -> Result<Option<Found<T>>> {
        Ok(array::extreme(&self.values, false)?.into_iter().next().flatten())
    }
    /// The greatest value and where it is, as [`Attribute::argmin`].
    /// # Errors
    /// As [`Attribute::sum`].
    pub fn argmax(&self) -> Result<Option<Found<T>>> {
        Ok(array::extreme(&self.values, true)?.into_iter().next().flatten())
    }
}
