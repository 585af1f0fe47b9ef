//! Reductions.
use super::{Attribute, Scalar, Value};
use crate::{Buffer, DeviceScalar, Error, Result, array};
use ribbonmesh_device::Element;

/// An extreme value and its element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extremum<T> {
    /// Id of the element.
    pub id: u32,
    /// The value.
    pub value: T,
}

/// Reductions, each in one pass over memory. They wait for the result, except for results in a
/// [`DeviceScalar`]. The order of additions depends only on the number of values, so results have the same
/// bits in every run and on every machine. The exceptions are `dot` and `norm2` of `f64`, for which the GPU
/// fuses each product with its sum.
impl<E: Element, T: Value> Attribute<E, T> {
    /// The sum of all values: in `f64` for floats, in wrapping `u64` or `i64` for integers. 0 without values;
    /// NaN if any value is NaN.
    /// # Errors
    /// Out of memory; errors of earlier kernels or of the driver.
    pub fn sum(&self) -> Result<T::Sum> {
        array::sum(&self.values)
    }
    /// The dot product: the sum of the products over all elements and components, in `f64`, also for
    /// integers.
    /// # Errors
    /// [`crate::Error::OtherMesh`], [`crate::Error::OtherDevice`]; out of memory; errors of earlier kernels
    /// or of the driver.
    pub fn dot(&self, other: &Self) -> Result<f64> {
        let mut product = DeviceScalar::unspecified(self.device())?;
        self.dot_into(other, &mut product)?;
        product.read()
    }
    /// As [`Attribute::sum`], with the same bits, into device memory. Does not wait.
    /// # Errors
    /// [`crate::Error::OtherDevice`]; out of memory; errors of the driver.
    pub fn sum_into(&self, to: &mut DeviceScalar<T::Sum>) -> Result<()> {
        array::sum_into(&self.values, to)
    }
    /// As [`Attribute::dot`], with the same bits, into device memory. Does not wait.
    /// # Errors
    /// As [`Attribute::dot`].
    pub fn dot_into(&self, other: &Self, to: &mut DeviceScalar<f64>) -> Result<()> {
        self.require_same_mesh(other)?;
        self.values.dot_into(&other.values, to)
    }
    /// The Euclidean norm √(x · x) over all elements and components.
    /// # Errors
    /// As [`Attribute::dot`].
    pub fn norm2(&self) -> Result<f64> {
        Ok(self.dot(self)?.sqrt())
    }
    /// The smallest value of each component, ignoring NaN; `None` if some component has no value other than
    /// NaN, or if there are no values.
    /// # Errors
    /// As [`Attribute::sum`].
    pub fn min(&self) -> Result<Option<T>> {
        array::min(&self.values)
    }
    /// The largest value of each component, as [`Attribute::min`].
    /// # Errors
    /// As [`Attribute::sum`].
    pub fn max(&self) -> Result<Option<T>> {
        array::max(&self.values)
    }
}

/// Extreme values of scalars.
impl<E: Element, T: Scalar> Attribute<E, T> {
    /// The smallest value and its element; among equal values, the element with the smallest id. Ignores NaN;
    /// `None` if there is no other value.
    /// # Errors
    /// As [`Attribute::sum`].
    pub fn argmin(&self) -> Result<Option<Extremum<T>>> {
        self.values.argmin()
    }
    /// The largest value and its element, as [`Attribute::argmin`].
    /// # Errors
    /// As [`Attribute::sum`].
    pub fn argmax(&self) -> Result<Option<Extremum<T>>> {
        self.values.argmax()
    }
}

/// The reductions of [`Attribute`] that [`mod@array`] has not.
impl<T: Value> Buffer<T> {
    /// The dot product: the sum of the products over all elements and components, in `f64`, also for
    /// integers. One pass over memory; waits. The same bits in every run and on every machine, except for
    /// `f64`, for which the GPU fuses each product with its sum.
    /// # Errors
    /// [`Error::OtherDevice`]; [`Error::Length`]; as [`array::sum`].
    pub fn dot(&self, other: &Self) -> Result<f64> {
        let mut product = DeviceScalar::unspecified(self.device())?;
        self.dot_into(other, &mut product)?;
        product.read()
    }
    /// As [`Buffer::dot`], with the same bits, into device memory. Does not wait.
    /// # Errors
    /// As [`Buffer::dot`].
    pub fn dot_into(&self, other: &Self, to: &mut DeviceScalar<f64>) -> Result<()> {
        if !other.device().same(self.device()) {
            return Err(Error::OtherDevice { what: "the other buffer" });
        }
        if other.len() != self.len() {
            let (expected, found) = (self.len(), other.len());
            return Err(Error::Length { what: "elements of the other buffer", expected, found });
        }
        let (x, y) = (self.view().wide(), other.view().wide());
        array::dot_rows::<T::Scalar>(self.device(), array::scalars(self)?, x, y, to)
    }
}
impl<T: Scalar> Buffer<T> {
    /// The smallest value and its place; among equal values, the smallest place. Ignores NaN; `None` if there
    /// is no other value. One pass over memory; waits.
    /// # Errors
    /// As [`array::sum`].
    pub fn argmin(&self) -> Result<Option<Extremum<T>>> {
        Ok(array::extreme(self, false)?.into_iter().next().flatten())
    }
    /// The largest value and its place, as [`Buffer::argmin`].
    /// # Errors
    /// As [`array::sum`].
    pub fn argmax(&self) -> Result<Option<Extremum<T>>> {
        Ok(array::extreme(self, true)?.into_iter().next().flatten())
    }
}
