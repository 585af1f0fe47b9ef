//! Hash table of cells: a fixed number of slots for each cell; entries of a full cell continue in the next
//! one.
//!
//! Section 3.1 of Chentanez, Müller, Macklin and Kim, *Grid-Free Surface Tracking on the GPU* (2016).
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Out, Parameter};
#[cfg(not(target_arch = "nvptx64"))]
use ribbonmesh::{Buffer, Result};

/// Slots of a cell.
pub const SLOTS: u32 = 8;

/// A table as kernels see it.
///
/// A cell counts all entries that came to it, including those that overflowed into the next one. So a search
/// continues to the next cell if the count exceeds the slots, and ends at the last cell that can have an
/// entry. (In the paper it also continues if the count equals the slots: one cell too many.)
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct CellTableView<'a> {
    /// Number of entries of each cell; the number of cells is a power of two.
    pub counts: Out<'a, u32>,
    /// The slots of all cells, `SLOTS` for each.
    pub slots: Out<'a, u64>,
    /// Most cells that an entry tries.
    pub tries: u32,
}

impl CellTableView<'_> {
    #[inline(always)]
    fn mask(&self) -> u32 {
        self.counts.len() as u32 - 1
    }
    /// Puts an entry into a cell or one after it; returns false if all cells that it may try are full. Then
    /// the table must be made again, and must not be searched.
    #[inline(always)]
    pub fn insert(&self, hash: u32, entry: u64) -> bool {
        let mut cell = hash & self.mask();
        let mut tried = 0;
        while tried < self.tries {
            let at = atomic::fetch_add(self.counts, cell, 1, Relaxed, Device);
            if at < SLOTS {
                self.slots.set(SLOTS * cell + at, entry);
                return true;
            }
            cell = (cell + 1) & self.mask();
            tried += 1;
        }
        false
    }
    /// Calls `visit` with every entry that came to a cell, and with others: entries of cells with the same
    /// index, and entries that overflowed into it or into a later cell. In any order.
    #[inline(always)]
    pub fn visit(&self, hash: u32, mut visit: impl FnMut(u64)) {
        let mut cell = hash & self.mask();
        loop {
            let came = self.counts.get(cell);
            let stored = if came < SLOTS { came } else { SLOTS };
            let mut k = 0;
            while k < stored {
                visit(self.slots.get(SLOTS * cell + k));
                k += 1;
            }
            if came <= SLOTS {
                return;
            }
            cell = (cell + 1) & self.mask();
        }
    }
}

/// A hash table of cells on a device.
#[cfg(not(target_arch = "nvptx64"))]
pub struct CellTable {
    counts: Buffer<u32>,
    slots: Buffer<u64>,
    tries: u32,
}

#[cfg(not(target_arch = "nvptx64"))]
impl CellTable {
    /// An empty table.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn new(device: &ribbonmesh::Device, size: TableSize) -> Result<Self> {
        let TableSize { cells, tries } = size;
        let cells = cells.max(1).next_power_of_two() as usize;
        let counts = device.zeros(cells)?;
        Ok(Self { counts, slots: device.unspecified(SLOTS as usize * cells)?, tries })
    }
    /// The table as an argument of kernels.
    pub fn view_mut(&mut self) -> CellTableViewArguments<'_> {
        CellTableViewArguments {
            counts: self.counts.view_mut(),
            slots: self.slots.view_mut(),
            tries: self.tries,
        }
    }
    /// Bytes on the device.
    pub fn bytes(&self) -> usize {
        self.counts.bytes() + self.slots.bytes()
    }
}

/// Size of a table.
#[cfg(not(target_arch = "nvptx64"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableSize {
    /// Number of cells; the table has the next power of two.
    pub cells: u32,
    /// Most cells that an entry tries.
    pub tries: u32,
}

#[cfg(not(target_arch = "nvptx64"))]
impl TableSize {
    /// Tries of a first table: if more are needed, many boxes share few cells.
    const FEW: u32 = 64;

    /// The default for this many faces, which have about four entries each.
    pub fn of(faces: u32) -> Self {
        Self { cells: faces.max(1).next_power_of_two(), tries: Self::FEW }
    }
    /// The size after an entry found no slot: with a slot for each of the eight entries that a face may have,
    /// and with tries of all cells. So no entry is lost.
    pub fn grown(faces: u32) -> Self {
        let all = faces.max(1).next_power_of_two();
        Self { cells: all, tries: all }
    }
}
