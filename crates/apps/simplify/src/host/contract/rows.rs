//! The corners at each vertex.
use crate::contract::RowsArguments;
use crate::contract::choose::CornerRows;
use ribbonmesh::device::tiles;
use ribbonmesh::{Buffer, Result, array};

/// For each vertex the corners there, ascending.
pub struct Corners {
    pub starts: Buffer<u32>,
    entries: Buffer<u32>,
}
impl Corners {
    /// Of faces, three vertices each, which are below `count`.
    pub fn new(faces: &Buffer<u32>, count: u32) -> Result<Self> {
        let device = faces.device();
        let bits = (32 - count.leading_zeros()).max(1);
        let entries = array::order_of(faces, bits)?;
        let mut starts = device.unspecified::<u32>(count as usize + 1)?;
        let kernel = CornerRows { keys: faces.view(), order: entries.view(), starts: starts.view_mut() };
        device.launch(tiles(entries.len() as u32 + 1), kernel)?;
        Ok(Self { starts, entries })
    }
    pub fn view(&self) -> RowsArguments<'_> {
        RowsArguments { starts: self.starts.view(), entries: self.entries.view() }
    }
}
