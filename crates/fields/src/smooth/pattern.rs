//! The stored pattern of the matrix: the host's part.
use crate::smooth::rows::{RowsViewArguments, StoreRows};
use ribbonmesh::{Buffer, Error, Result, StaticMesh};

/// The rows of VV of all patches, as local indices.
pub struct Rows {
    starts: Buffer<u16>,
    columns: Buffer<u16>,
}
impl Rows {
    /// Finds the rows: one launch, linear in the mesh (quadratic in the neighbours of one vertex).
    pub fn new(mesh: &StaticMesh) -> Result<Self> {
        let device = mesh.device();
        let entries = mesh.totals().vv as u64 + 8 * mesh.patches() as u64 + 8;
        let limit = u32::MAX as u64;
        if entries > limit {
            return Err(Error::TooMany { what: "entries of a matrix", count: entries, limit });
        }
        let mut rows =
            Self { starts: device.zeros(mesh.vertices())?, columns: device.zeros(entries as usize)? };
        let kernel =
            StoreRows { mesh: mesh.view(), starts: rows.starts.view_mut(), columns: rows.columns.view_mut() };
        device.launch(mesh.patches() as u32, kernel)?;
        Ok(rows)
    }
    /// Number of entries for which there is room.
    pub fn len(&self) -> usize {
        self.columns.len()
    }
    pub fn bytes(&self) -> u64 {
        (self.starts.bytes() + self.columns.bytes()) as u64
    }
    pub fn view(&self) -> RowsViewArguments<'_> {
        RowsViewArguments { starts: self.starts.view(), columns: self.columns.view() }
    }
}
