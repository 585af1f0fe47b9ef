//! Arithmetic in place, on the device.
use super::{Attribute, Float, Value};
use crate::kernels::attribute::combine::{self, Combine};
use crate::{DeviceScalar, Error, Result};
use bytemuck::Zeroable;
use ribbonmesh_device::{BufferView, Element, tiles};

macro_rules! operations { ($($(#[$doc:meta])* $name:ident $op:ident;)*) => { $(
    $(#[$doc])*
    /// # Errors
    /// [`crate::Error::OtherMesh`], [`crate::Error::OtherDevice`]; errors of the driver.
    pub fn $name(&mut self, x: &Self) -> Result<()> {
        self.combine(combine::$op, T::Scalar::zeroed(), None, Some(x))
    }
)* } }

/// Componentwise arithmetic in place, in one pass over memory; integers wrap around.
impl<E: Element, T: Value> Attribute<E, T> {
    operations! {
        /// `self += x`.
        add ADD;
        /// `self -= x`.
        sub SUB;
        /// `self *= x`.
        mul MUL;
        /// `self = min(self, x)`; if one value is NaN, the other value.
        min_with MIN;
        /// `self = max(self, x)`; if one value is NaN, the other value.
        max_with MAX;
    }
    /// `self *= a`.
    /// # Errors
    /// Errors of the driver.
    pub fn scale(&mut self, a: T::Scalar) -> Result<()> {
        self.combine(combine::SCALE, a, None, None)
    }
    /// `self += a x`.
    /// # Errors
    /// [`crate::Error::OtherMesh`], [`crate::Error::OtherDevice`]; errors of the driver.
    pub fn axpy(&mut self, a: T::Scalar, x: &Self) -> Result<()> {
        self.combine(combine::AXPY, a, None, Some(x))
    }
    /// `self = a self + x`.
    /// # Errors
    /// [`crate::Error::OtherMesh`], [`crate::Error::OtherDevice`]; errors of the driver.
    pub fn aypx(&mut self, a: T::Scalar, x: &Self) -> Result<()> {
        self.combine(combine::AYPX, a, None, Some(x))
    }
    fn combine(
        &mut self,
        op: u32,
        a: T::Scalar,
        by: Option<&DeviceScalar<f64>>,
        x: Option<&Self>,
    ) -> Result<()> {
        if let Some(x) = x {
            self.require_same_mesh(x)?;
        }
        if by.is_some_and(|by| !by.device().same(self.device())) {
            return Err(Error::OtherDevice { what: "the scalar" });
        }
        let (device, n) = (self.device().clone(), self.scalars()?);
        let x = x.map_or(BufferView::empty(), |x| x.values.view().wide::<T::Scalar>());
        let by = by.map_or(BufferView::empty(), DeviceScalar::view);
        device.launch(tiles(n), Combine { op, n, a, by, x, y: self.values.view_mut().wide() })
    }
}

/// Arithmetic with a number in device memory, rounded to the type of the components: the same bits as with
/// the same number from the host. One pass over memory; does not wait.
impl<E: Element, T: Value> Attribute<E, T>
where
    T::Scalar: Float,
{
    /// `self *= a`.
    /// # Errors
    /// [`crate::Error::OtherDevice`]; errors of the driver.
    pub fn scale_by(&mut self, a: &DeviceScalar<f64>) -> Result<()> {
        self.combine(combine::SCALE, T::Scalar::ONE, Some(a), None)
    }
    /// `self += a x`.
    /// # Errors
    /// [`crate::Error::OtherMesh`], [`crate::Error::OtherDevice`]; errors of the driver.
    pub fn axpy_by(&mut self, a: &DeviceScalar<f64>, x: &Self) -> Result<()> {
        self.combine(combine::AXPY, T::Scalar::ONE, Some(a), Some(x))
    }
    /// `self -= a x`.
    /// # Errors
    /// [`crate::Error::OtherMesh`], [`crate::Error::OtherDevice`]; errors of the driver.
    pub fn axmy_by(&mut self, a: &DeviceScalar<f64>, x: &Self) -> Result<()> {
        self.combine(combine::AXPY, T::Scalar::MINUS_ONE, Some(a), Some(x))
    }
    /// `self = a self + x`.
    /// # Errors
    /// [`crate::Error::OtherMesh`], [`crate::Error::OtherDevice`]; errors of the driver.
    pub fn aypx_by(&mut self, a: &DeviceScalar<f64>, x: &Self) -> Result<()> {
        self.combine(combine::AYPX, T::Scalar::ONE, Some(a), Some(x))
    }
}
