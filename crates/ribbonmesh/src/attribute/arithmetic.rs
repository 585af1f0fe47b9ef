//! Arithmetic in place, on the device.
use super::value::sealed::Kernels;
use super::{Attribute, Value};
use crate::Result;
use crate::kernels::attribute::combine;
use bytemuck::Zeroable;
use ribbonmesh_device::{BufferView, Element};

macro_rules! operations { ($($(#[$doc:meta])* $name:ident $op:ident;)*) => { $(
    $(#[$doc])*
    /// # Errors
    /// [`crate::Error::OtherMesh`], [`crate::Error::OtherDevice`]; what the driver says.
    pub fn $name(&mut self, x: &Self) -> Result<()> {
        self.combine(combine::$op, T::Scalar::zeroed(), Some(x))
    }
)* } }

/// Component by component, in one pass over memory; integers wrap around.
impl<E: Element, T: Value> Attribute<E, T> {
    operations! {
        /// `self += x`.
        add ADD;
        /// `self -= x`.
        sub SUB;
        /// `self *= x`.
        mul MUL;
        /// `self = min(self, x)`; where one is NaN, the other.
        min_with MIN;
        /// `self = max(self, x)`; where one is NaN, the other.
        max_with MAX;
    }
    /// `self *= a`.
    /// # Errors
    /// What the driver says.
    pub fn scale(&mut self, a: T::Scalar) -> Result<()> {
        self.combine(combine::SCALE, a, None)
    }
    /// `self += a x`.
    /// # Errors
    /// [`crate::Error::OtherMesh`], [`crate::Error::OtherDevice`]; what the driver says.
    pub fn axpy(&mut self, a: T::Scalar, x: &Self) -> Result<()> {
        self.combine(combine::AXPY, a, Some(x))
    }
    fn combine(&mut self, op: u32, a: T::Scalar, x: Option<&Self>) -> Result<()> {
        if let Some(x) = x {
            self.require_same_mesh(x)?;
        }
        let (device, n) = (self.device().clone(), self.scalars()?);
        let x = x.map_or(BufferView::empty(), |x| x.values.view().wide());
        T::Scalar::combine(&device, op, n, a, x, self.values.view_mut().wide())
    }
}
