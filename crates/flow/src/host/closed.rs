//! Parts of the fluid without an outflow.
use crate::device::cells::Cells;
use crate::device::closed::{FindOutflows, FlagClosed, KeyClosed, SubtractMeans, UniteCells};
use crate::device::solid::Boundary;
use crate::host::poisson::Poisson;
use ribbonmesh::array::{self, sum_by_key};
use ribbonmesh::device::tiles;
use ribbonmesh::{Buffer, Result};

/// The cells of all parts without an outflow, sorted by parts. 24 bytes for each of these cells.
pub struct Closed {
    list: Buffer<u32>,
    keys: Buffer<u64>,
    /// Number of cells of each part.
    counts: Buffer<f64>,
}

impl Closed {
    /// Finds them; `None` if there are none. Two passes over the grid, and a sort of these cells. Waits.
    pub fn of(
        system: &Poisson,
        cells: Cells,
        boundary: Boundary,
        open: &Buffer<f32>,
    ) -> Result<Option<Self>> {
        let (device, n) = (open.device(), cells.count());
        let mut parents = array::count_up(device, n)?;
        device.launch(tiles(n), UniteCells { level: system.finest(), parents: parents.view_mut() })?;
        let mut outflow = device.zeros(n as usize)?;
        let kernel = FindOutflows {
            cells,
            boundary,
            open: open.view(),
            parents: parents.view_mut(),
            outflow: outflow.view_mut(),
        };
        device.launch(tiles(n), kernel)?;
        let mut flags = device.unspecified(n as usize)?;
        let kernel = FlagClosed {
            diagonal: system.diagonal().view(),
            parents: parents.view(),
            outflow: outflow.view(),
            flags: flags.view_mut(),
        };
        device.launch_each(n, kernel)?;
        drop(outflow);
        let mut list = array::select(&flags)?;
        drop(flags);
        if list.is_empty() {
            return Ok(None);
        }
        let mut keys = device.unspecified(list.len())?;
        let kernel = KeyClosed { list: list.view(), parents: parents.view(), keys: keys.view_mut() };
        device.launch_each(list.len() as u32, kernel)?;
        array::sort_pairs(&mut keys, &mut list, u32::BITS - n.leading_zeros())?;
        let mut ones = device.unspecified(list.len())?;
        array::fill(&mut ones, 1.0_f32)?;
        let counts = sum_by_key(&keys, &ones)?.sums;
        Ok(Some(Self { list, keys, counts }))
    }
    /// Number of parts.
    pub fn parts(&self) -> usize {
        self.counts.len()
    }
    /// Subtracts the mean of each part from values of cells. 20 bytes for each listed cell. Waits.
    pub fn subtract_means(&self, values: &mut Buffer<f32>) -> Result<()> {
        let of_list = array::gather(values, &self.list)?;
        let found = sum_by_key(&self.keys, &of_list)?;
        let device = values.device().clone();
        let kernel = SubtractMeans {
            list: self.list.view(),
            keys: self.keys.view(),
            sets: found.keys.view(),
            sums: found.sums.view(),
            counts: self.counts.view(),
            r: values.view_mut(),
        };
        device.launch_each(self.list.len() as u32, kernel)
    }
}
