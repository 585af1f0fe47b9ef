//! Tables of rows.
use crate::cluster::RowsArguments;
use crate::cluster::seed::RowStarts;
use ribbonmesh::device::tiles;
use ribbonmesh::{Buffer, Result, array};

/// For each key the places where it stands, ascending.
pub struct Rows {
    pub starts: Buffer<u32>,
    pub entries: Buffer<u32>,
}
impl Rows {
    /// Of keys below `count`.
    pub fn by_key(keys: &Buffer<u32>, count: u32) -> Result<Self> {
        let device = keys.device();
        let bits = (32 - count.leading_zeros()).max(1);
        let entries = array::order_of(keys, bits)?;
        let mut starts = device.unspecified::<u32>(count as usize + 1)?;
        let kernel = RowStarts { keys: keys.view(), order: entries.view(), starts: starts.view_mut() };
        device.launch(tiles(entries.len() as u32 + 1), kernel)?;
        Ok(Self { starts, entries })
    }
    pub fn view(&self) -> RowsArguments<'_> {
        RowsArguments { starts: self.starts.view(), entries: self.entries.view() }
    }
}
