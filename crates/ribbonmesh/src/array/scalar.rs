//! Single values that stay on the device.
#[cfg(not(target_arch = "nvptx64"))]
pub use host::DeviceScalar;

/// `a / b`, and 0 where `b` is 0.
///
/// After convergence, step sizes are 0, so that iterations which the host queued too many change nothing.
#[inline(always)]
pub fn ratio(a: f64, b: f64) -> f64 {
    if b == 0.0 { 0.0 } else { a / b }
}

#[cfg(not(target_arch = "nvptx64"))]
mod host {
    use crate::array::kernels::finish::{DIFFERENCE, PRODUCT, RATIO, SUM, ScalarOperation};
    use crate::{Buffer, Device, Result};
    use bytemuck::Pod;
    use ribbonmesh_device::{BufferView, BufferViewMut};

    /// A number in device memory, which queued work reads and writes while the host goes on.
    ///
    /// An iteration with such numbers is queued without waits; the host reads a number only when it needs it.
    /// On a GPU a wait costs about as much as a pass over a mesh of a million vertices.
    ///
    /// | to | see |
    /// |---|---|
    /// | make | [`DeviceScalar::new`] |
    /// | reduce to it | [`Attribute::sum_into`](crate::Attribute::sum_into), [`Attribute::dot_into`](crate::Attribute::dot_into), [`sum_into`](crate::array::sum_into) |
    /// | compute with it | [`set_sum`](Self::set_sum), [`set_difference`](Self::set_difference), [`set_product`](Self::set_product), [`set_ratio`](Self::set_ratio) |
    /// | scale by it | [`Attribute::axpy_by`](crate::Attribute::axpy_by), [`axmy_by`](crate::Attribute::axmy_by), [`aypx_by`](crate::Attribute::aypx_by), [`scale_by`](crate::Attribute::scale_by) |
    /// | give it to a kernel | [`view`](Self::view), [`view_mut`](Self::view_mut): memory of one element |
    /// | know it | [`read`](Self::read), which waits |
    pub struct DeviceScalar<T>(Buffer<T>);

    impl<T: Pod> DeviceScalar<T> {
        /// A value on a device.
        /// # Errors
        /// Out of memory; errors of the driver.
        pub fn new(device: &Device, value: T) -> Result<Self> {
            Ok(Self(device.upload(&[value])?))
        }
        /// Any value, for a kernel to write.
        pub(crate) fn unspecified(device: &Device) -> Result<Self> {
            Ok(Self(device.unspecified(1)?))
        }
        /// Its device.
        pub fn device(&self) -> &Device {
            self.0.device()
        }
        /// The value; waits for all work before.
        /// # Errors
        /// An error that a kernel recorded, or an error of the driver.
        pub fn read(&self) -> Result<T> {
            Ok(self.0.read()?[0])
        }
        /// Replaces the value.
        /// # Errors
        /// Errors of the driver.
        pub fn write(&mut self, value: T) -> Result<()> {
            self.0.write(&[value])
        }
        /// Takes the value of another one of the same device. No wait.
        /// # Errors
        /// [`Error::OtherDevice`](crate::Error::OtherDevice); errors of the driver.
        pub fn copy_from(&mut self, from: &Self) -> Result<()> {
            self.0.copy_from(&from.0)
        }
        /// The value as memory that a kernel reads.
        pub fn view(&self) -> BufferView<'_, T> {
            self.0.view()
        }
        /// The value as memory that a kernel writes.
        pub fn view_mut(&mut self) -> BufferViewMut<'_, T> {
            self.0.view_mut()
        }
        pub(crate) fn buffer(&self) -> &Buffer<T> {
            &self.0
        }
    }

    macro_rules! operations { ($($(#[$doc:meta])* $name:ident $op:ident;)*) => { $(
        $(#[$doc])*
        /// # Errors
        /// [`Error::OtherDevice`](crate::Error::OtherDevice); errors of the driver.
        pub fn $name(&mut self, a: &Self, b: &Self) -> Result<()> {
            self.operation($op, a, b)
        }
    )* } }
    impl DeviceScalar<f64> {
        operations! {
            /// `self = a + b`. No wait.
            set_sum SUM;
            /// `self = a - b`. No wait.
            set_difference DIFFERENCE;
            /// `self = a b`. No wait.
            set_product PRODUCT;
            /// `self =` [`ratio(a, b)`](crate::array::ratio): 0 where `b` is 0. No wait.
            set_ratio RATIO;
        }
        fn operation(&mut self, op: u32, a: &Self, b: &Self) -> Result<()> {
            let device = self.device().clone();
            for other in [a, b] {
                crate::array::checks::same_device(&device, "the other scalar", &other.0)?;
            }
            device.launch(1, ScalarOperation { op, a: a.view(), b: b.view(), to: self.view_mut() })
        }
    }

    impl<T: Pod> std::fmt::Debug for DeviceScalar<T> {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "DeviceScalar of {} on {:?}", std::any::type_name::<T>(), self.device())
        }
    }
}
