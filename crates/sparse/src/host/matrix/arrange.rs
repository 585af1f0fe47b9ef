//! Layouts of a matrix on a device, computed on the device.
use super::{ALL, GROUP, Places, SparseMatrix, Values};
use crate::device::arrange::{Sources, Split};
use crate::device::components::components;
use crate::host::Launched;
use crate::host::balance::Balanced;
use crate::host::error::{Result, at_most};
use crate::host::layout::{Inner, Layout, Outer, Schedule, Variant};
use ribbonmesh::device::BufferView;
use ribbonmesh::{Buffer, array};

impl<E: Launched> SparseMatrix<E> {
    /// The same matrix in another variant, made on the device: the layout of `CSR-AoS-AoS` is changed, other
    /// layouts are not. The host reads the offsets of rows. One pass over rows, one over places; needs memory
    /// for both layouts and 4 bytes for each place. Waits.
    /// # Errors
    /// [`SparseError::Variant`](crate::SparseError::Variant) for a variant that there is not, or if this
    /// layout is another one than `CSR-AoS-AoS`; [`SparseError::TooMany`](crate::SparseError::TooMany) beyond
    /// 2³¹ places or 2³² words of 4 bytes; out of memory; errors of the driver.
    pub fn rearranged(&self, variant: Variant) -> Result<Self> {
        variant.check()?;
        let Values::Whole(entries) = &self.values else { return Err(self.not_csr()) };
        if self.variant.layout != Layout::CSR {
            return Err(self.not_csr());
        }
        let device = self.device();
        let Layout { outer, inner, .. } = variant.layout;
        let of_rows = self.starts.read()?;
        let places = Places::of(&of_rows, outer)?;
        let starts = device.upload(&places.starts)?;
        let (lengths, indices, sources) = if outer == Outer::Csr {
            (vec![], self.indices.try_clone()?, None)
        } else {
            // padding takes entry 0, which no product reads
            let mut sources = device.zeros::<u32>(places.count)?;
            let kernel = Sources {
                slice: places.slice,
                step: places.step,
                of_rows: self.starts.view(),
                starts: starts.view(),
                to: sources.view_mut(),
            };
            device.launch_each(self.rows, kernel)?;
            let lengths = of_rows.windows(2).map(|pair| pair[1] - pair[0]).collect();
            (lengths, array::gather(&self.indices, &sources)?, Some(sources))
        };
        let values = match (inner, &sources) {
            (Inner::Aos, None) => Values::Whole(entries.try_clone()?),
            (Inner::Aos, Some(sources)) => Values::Whole(array::gather(entries, sources)?),
            (_, sources) => split(entries, sources.as_ref(), inner, places.count)?,
        };
        let balanced = match variant.schedule {
            Schedule::Balanced => Some(Balanced::new::<E>(device, &of_rows)?),
            _ => None,
        };
        Ok(Self {
            variant,
            slice: places.slice,
            step: places.step,
            starts,
            lengths: device.upload(&lengths)?,
            indices,
            values,
            diagonal: None,
            balanced,
            ..*self
        })
    }
}

/// Entries component by component; without sources, of CSR.
fn split<E: Launched>(
    entries: &Buffer<E>,
    sources: Option<&Buffer<u32>>,
    inner: Inner,
    places: usize,
) -> Result<Values<E>> {
    let (device, width) = (entries.device(), components::<E, E::Real>());
    let padded = if inner == Inner::Grouped { places.next_multiple_of(32) } else { places };
    at_most("numbers of a matrix", padded as u64 * u64::from(width), u64::from(u32::MAX))?;
    at_most("numbers of a matrix", entries.len() as u64 * u64::from(width), u64::from(u32::MAX))?;
    let (group, stride) = if inner == Inner::Grouped { (GROUP, 32) } else { (ALL, padded as u32) };
    let mut numbers = device.zeros::<E::Real>(padded * width as usize)?;
    let (from, to) = (entries.view().wide(), numbers.view_mut());
    let sources = sources.map_or(BufferView::empty(), Buffer::view);
    device.launch_each(places as u32, Split { components: width, group, stride, sources, from, to })?;
    Ok(Values::Parts { numbers, group, stride })
}
