//! Moving values between the host and the device.
use super::Attribute;
use crate::kernels::attribute::permute::{self, Words};
use crate::{Buffer, Device, Error, Result};
use ribbonmesh_device::{Element, ElementKind, Pod, tiles};

/// One of the kernels for values of 1, 2, 3, 4, 6 or any other number of words.
macro_rules! by_words { ($device:expr, $n:expr, $t:ty, $one:ident $two:ident $three:ident $four:ident $six:ident, $fields:tt, |$words:ident| $rows:expr) => {{
    let (device, n): (&Device, u32) = ($device, $n);
    const { assert!(size_of::<$t>().is_multiple_of(4), "values of attributes are whole words of 32 bits") };
    match const { size_of::<$t>() / 4 } {
        1 => device.launch(tiles(n), by_words!(@ $one n $fields)),
        2 => device.launch(tiles(n), by_words!(@ $two n $fields)),
        3 => device.launch(tiles(n), by_words!(@ $three n $fields)),
        4 => device.launch(tiles(n), by_words!(@ $four n $fields)),
        6 => device.launch(tiles(n), by_words!(@ $six n $fields)),
        words => {
            let $words = words as u32;
            $rows
        }
    }
}};
(@ $kernel:ident $n:ident { $($field:ident: $value:expr),* }) => { permute::$kernel { n: $n, $($field: $value),* } };
}

impl<E: Element, T: Pod> Attribute<E, T> {
    /// Sets all values.
    /// # Errors
    /// What the driver says.
    pub fn fill(&mut self, value: T) -> Result<()> {
        self.words()?;
        let (n, device) = (self.len() as u32, self.device().clone());
        let bytes = bytemuck::bytes_of(&value);
        let mut words = [0; 6];
        if let Some(part) = bytemuck::cast_slice_mut::<u32, u8>(&mut words).get_mut(..bytes.len()) {
            part.copy_from_slice(bytes);
        }
        let words = Words { words };
        by_words!(&device, n, T, Fill1 Fill2 Fill3 Fill4 Fill6, { value: words, to: self.values.view_mut().wide() }, |words| {
            let one = device.upload(&[value])?;
            let (value, to) = (one.view().wide(), self.values.view_mut().wide());
            device.launch(tiles(n), permute::FillRows { n, words, value, to })
        })
    }
    /// Replaces all values by `data`, which is in the order of the input (edges: of the ids). One copy to the device
    /// and, but for edges, a permutation there.
    /// # Errors
    /// [`Error::Length`] unless there is a value for each element; out of memory; what the driver says.
    pub fn upload(&mut self, data: &[T]) -> Result<()> {
        if E::KIND == ElementKind::Edge {
            return self.upload_by_id(data);
        }
        self.require_length(data)?;
        self.words()?;
        let (device, n) = (self.device().clone(), self.len() as u32);
        let from = device.upload(data)?;
        let (index, from) = (self.inputs.view(), from.view().wide());
        by_words!(&device, n, T, Gather1 Gather2 Gather3 Gather4 Gather6, {
            index: index, from: from, to: self.values.view_mut().wide()
        }, |words| {
            let to = self.values.view_mut().wide();
            device.launch(tiles(n), permute::GatherRows { n, words, index, from, to })
        })
    }
    /// Replaces all values by `data`, which is in the order of the ids. One copy.
    /// # Errors
    /// As [`Attribute::upload`].
    pub fn upload_by_id(&mut self, data: &[T]) -> Result<()> {
        self.require_length(data)?;
        self.values.write(data)
    }
    /// The values in the order of the input (edges: of the ids); waits for all work before. A permutation on the
    /// device, but for edges, and one copy.
    /// # Errors
    /// Out of memory; what a kernel recorded or the driver says.
    pub fn download(&self) -> Result<Vec<T>> {
        if E::KIND == ElementKind::Edge {
            return self.download_by_id();
        }
        self.words()?;
        let (device, n) = (self.device(), self.len() as u32);
        let mut to: Buffer<T> = device.zeros(self.len())?;
        let (index, from) = (self.inputs.view(), self.values.view().wide());
        by_words!(device, n, T, Scatter1 Scatter2 Scatter3 Scatter4 Scatter6, {
            index: index, from: from, to: to.view_mut().wide()
        }, |words| {
            device.launch(tiles(n), permute::ScatterRows { n, words, index, from, to: to.view_mut().wide() })
        })?;
        to.read()
    }
    /// The values in the order of the ids; waits for all work before.
    /// # Errors
    /// What a kernel recorded or the driver says.
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
    /// Refuses an attribute whose words cannot be addressed with 32 bits.
    fn words(&self) -> Result<()> {
        let (count, limit) = (self.values.bytes() as u64 / 4, u32::MAX as u64);
        if count > limit {
            return Err(Error::TooMany { what: "words of an attribute", count, limit });
        }
        Ok(())
    }
}
