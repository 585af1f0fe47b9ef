//! Fields that are on a device.
use super::error::Result;
use ribbonmesh::device::{BufferView, Pod};
use ribbonmesh::{Buffer, Device, Error, TextArgument};
use ribbonmesh_expression::Column;

/// Values of a field in a buffer of a device: the number with index `first + i * stride` is element i's.
#[derive(Clone, Copy)]
pub struct DeviceColumn<'a> {
    pub(super) view: BufferView<'a, f32>,
    host: Option<&'a [f32]>,
    address: TextArgument<'a>,
    pub(super) device: &'a Device,
    pub(super) first: u32,
    pub(super) stride: u32,
}

impl<'a> DeviceColumn<'a> {
    /// A field whose elements are of type `T`, which consists of numbers of single precision: scalars,
    /// vectors, arrays of the components of tensors.
    pub fn new<T: Pod>(buffer: &'a Buffer<T>) -> Self {
        const { assert!(size_of::<T>().is_multiple_of(4) && size_of::<T>() > 0, "numbers of 32 bits") };
        Self::interleaved(buffer, 0, (size_of::<T>() / 4) as u32)
    }
    /// A field whose components are `width` numbers of the buffer, the first of them at `first`.
    pub fn interleaved<T: Pod>(buffer: &'a Buffer<T>, first: u32, width: u32) -> Self {
        let host = buffer.host_slice().map(bytemuck::cast_slice);
        let (view, address, device) = (buffer.view().wide(), TextArgument::read(buffer), buffer.device());
        Self { view, host, address, device, first, stride: width }
    }
    /// A field with the same value for all elements.
    pub fn uniform<T: Pod>(buffer: &'a Buffer<T>) -> Self {
        Self::interleaved(buffer, 0, 0)
    }
    /// The column for compiled formulas.
    pub(super) fn argument(&self) -> TextArgument<'a> {
        self.address.after(4 * u64::from(self.first))
    }
    /// The column for the CPU.
    pub(super) fn on_host(&self) -> Result<Column<'a>> {
        let values = self.host.ok_or(Error::OtherDevice { what: "the buffer of a field" })?;
        Ok(Column::interleaved(values, self.first as usize, self.stride as usize))
    }
    /// A component of it.
    pub(super) fn component(self, component: u32) -> Self {
        Self { first: self.first + component, ..self }
    }
    /// Whether it has a component of so many elements.
    pub(super) fn has(&self, component: u32, elements: u32) -> bool {
        let last = u64::from(self.first)
            + u64::from(component)
            + u64::from(self.stride) * u64::from(elements.saturating_sub(1));
        elements == 0 || last < self.view.len() as u64
    }
}
