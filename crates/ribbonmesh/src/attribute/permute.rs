//! Moving values between the host and the device.
use super::Attribute;
use crate::{Buffer, Error, Result, array};
use ribbonmesh_device::{Element, ElementKind, Pod};

impl<E: Element, T: Pod> Attribute<E, T> {
    /// Sets all values.
    /// # Errors
    /// Errors of the driver.
    pub fn fill(&mut self, value: T) -> Result<()> {
        array::fill(&mut self.values, value)
    }
    /// Replaces all values by `data`, in the order of the input (edges: in the order of ids). One copy to the
    /// device and, except for edges, a permutation there.
    /// # Errors
    /// [`Error::Length`] unless there is a value for each element; out of memory; errors of the driver.
    pub fn upload(&mut self, data: &[T]) -> Result<()> {
        if E::KIND == ElementKind::Edge {
            return self.upload_by_id(data);
        }
        self.require_length(data)?;
        let (device, n, words) = (self.device().clone(), self.len() as u32, self.words()?);
        let from = device.upload(data)?;
        let (index, from) = (self.inputs.view(), from.view().wide());
        array::gather_rows(&device, n, words, index, from, self.values.view_mut().wide())
    }
    /// Replaces all values by `data`, in the order of ids. One copy.
    /// # Errors
    /// As [`Attribute::upload`].
    pub fn upload_by_id(&mut self, data: &[T]) -> Result<()> {
        self.require_length(data)?;
        self.values.write(data)
    }
    /// Replaces all values by those of a buffer, in the order of ids. A copy on the device.
    /// # Errors
    /// [`Error::OtherDevice`]; [`Error::Length`]; errors of the driver.
    pub fn copy_by_id(&mut self, values: &Buffer<T>) -> Result<()> {
        self.values.copy_from(values)
    }
    /// The values in the order of the input (edges: in the order of ids). Waits for all earlier work. A
    /// permutation on the device, except for edges, and one copy.
    /// # Errors
    /// Out of memory; errors of earlier kernels or of the driver.
    pub fn download(&self) -> Result<Vec<T>> {
        if E::KIND == ElementKind::Edge {
            return self.download_by_id();
        }
        let (device, n, words) = (self.device(), self.len() as u32, self.words()?);
        let mut to: Buffer<T> = device.zeros(self.len())?;
        let (index, from) = (self.inputs.view(), self.values.view().wide());
        array::scatter_rows(device, n, words, index, from, to.view_mut().wide())?;
        to.read()
    }
    /// The values in the order of ids. Waits for all earlier work.
    /// # Errors
    /// Errors of earlier kernels or of the driver.
    pub fn download_by_id(&self) -> Result<Vec<T>> {
        self.values.read()
    }
    fn require_length(&self, data: &[T]) -> Result<()> {
        if data.len() != self.len() {
            let what = "values for an attribute";
            return Err(Error::Length { what, expected: self.len(), found: data.len() });
        }
        Ok(())
    }
    /// Number of words of a value; refuses an attribute whose words cannot be addressed with 32 bits.
    fn words(&self) -> Result<u32> {
        const { assert!(size_of::<T>().is_multiple_of(4), "values of attributes are whole words of 32 bits") };
        let (count, limit) = (self.values.bytes() as u64 / 4, u32::MAX as u64);
        if count > limit {
            return Err(Error::TooMany { what: "words of an attribute", count, limit });
        }
        Ok((size_of::<T>() / 4) as u32)
    }
}
