//! Reductions.
use super::value::{from_components, sealed::Kernels};
use super::{Attribute, Scalar, Value};
use crate::Result;
use bytemuck::Zeroable;
use ribbonmesh_device::{Element, NONE, tiles};

/// Where an extreme value is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found<T> {
    /// Id of the element.
    pub id: u32,
    /// Its value.
    pub value: T,
}

/// One pass over memory each; waits for the result. Tiles of 1024 values are reduced in a fixed order on the device,
/// then in their order on the host: the same bits every time, and on every machine (but for `dot` and `norm2` of `f64`,
/// where the GPU rounds once per product and sum).
impl<E: Element, T: Value> Attribute<E, T> {
    /// The sum of all values: in `f64` for floats, wrapping `u64` or `i64` for integers. 0 of none; NaN if one is NaN.
    /// # Errors
    /// Out of memory; what a kernel recorded or the driver says.
    pub fn sum(&self) -> Result<T::Sum> {
        self.scalars()?;
        let (n, width) = (self.len() as u32, T::WIDTH);
        let mut sums = self.device().zeros::<<T::Scalar as Kernels>::Total>(tiles(n) as usize * width)?;
        T::Scalar::sum(self.device(), n, width as u32, self.values.view().wide(), sums.view_mut())?;
        let mut total = vec![<T::Scalar as Kernels>::Total::zeroed(); width];
        for tile in sums.read()?.chunks_exact(width) {
            for (total, part) in total.iter_mut().zip(tile) {
                *total = T::Scalar::add(*total, *part);
            }
        }
        Ok(from_components(&total))
    }
    /// The scalar product: the sum over all elements and components of the products, in `f64`, for integers too.
    /// # Errors
    /// [`crate::Error::OtherMesh`], [`crate::Error::OtherDevice`]; out of memory; what a kernel recorded or the driver
    /// says.
    pub fn dot(&self, other: &Self) -> Result<f64> {
        self.require_same_mesh(other)?;
        let n = self.scalars()?;
        let mut sums = self.device().zeros::<f64>(tiles(n) as usize)?;
        let (x, y) = (self.values.view().wide(), other.values.view().wide());
        T::Scalar::dot(self.device(), n, x, y, sums.view_mut())?;
        Ok(sums.read()?.into_iter().fold(0.0, |total, part| total + part))
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
        self.extreme_value(false)
    }
    /// The greatest value of each component, as [`Attribute::min`].
    /// # Errors
    /// As [`Attribute::sum`].
    pub fn max(&self) -> Result<Option<T>> {
        self.extreme_value(true)
    }
    fn extreme_value(&self, greatest: bool) -> Result<Option<T>> {
        let found: Option<Vec<Found<T::Scalar>>> = self.extreme(greatest)?.into_iter().collect();
        Ok(found.map(|found| from_components(&found.into_iter().map(|f| f.value).collect::<Vec<_>>())))
    }
    /// For each component the extreme value and the smallest id that has it.
    fn extreme(&self, greatest: bool) -> Result<Vec<Option<Found<T::Scalar>>>> {
        self.scalars()?;
        let (n, width, device) = (self.len() as u32, T::WIDTH, self.device());
        let parts = tiles(n) as usize * width;
        let (mut values, mut elements) = (device.zeros::<T::Scalar>(parts)?, device.zeros::<u32>(parts)?);
        let x = self.values.view().wide();
        let size = (n, width as u32);
        T::Scalar::extreme(device, greatest, size, x, values.view_mut(), elements.view_mut())?;
        let (values, elements) = (values.read()?, elements.read()?);
        let mut best: Vec<Option<Found<T::Scalar>>> = vec![None; width];
        for (part, (value, id)) in values.into_iter().zip(elements).enumerate() {
            // ids ascend with the tiles: of equal values the first stays
            let best = &mut best[part % width];
            let better = best.is_none_or(|b| if greatest { value > b.value } else { value < b.value });
            if id != NONE && better {
                *best = Some(Found { id, value });
            }
        }
        Ok(best)
    }
}

/// Of scalars.
impl<E: Element, T: Scalar> Attribute<E, T> {
    /// The smallest value and the element that has it, the one with the smallest id among several. NaN is passed over;
    /// none if there is nothing else.
    /// # Errors
    /// As [`Attribute::sum`].
    pub fn argmin(&self) -> Result<Option<Found<T>>> {
        Ok(self.extreme(false)?.into_iter().next().flatten())
    }
    /// The greatest value and where it is, as [`Attribute::argmin`].
    /// # Errors
    /// As [`Attribute::sum`].
    pub fn argmax(&self) -> Result<Option<Found<T>>> {
        Ok(self.extreme(true)?.into_iter().next().flatten())
    }
}
