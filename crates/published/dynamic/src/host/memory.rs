//! Memory of a store.
use std::fmt;

/// Bytes of a store's topology on its device, without attributes and maps to the input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoreMemory {
    /// EV, 4 bytes for each edge that fits.
    pub ev: u64,
    /// FE, 6 bytes for each face that fits.
    pub fe: u64,
    /// Masks of active and owned elements.
    pub masks: u64,
    /// Hash tables of ribbons.
    pub tables: u64,
    /// Patch stashes.
    pub stashes: u64,
    /// Rows of patches.
    pub rows: u64,
    /// Faces of the mesh.
    pub faces: u64,
}
impl StoreMemory {
    /// All bytes.
    pub fn total(&self) -> u64 {
        self.ev + self.fe + self.masks + self.tables + self.stashes + self.rows
    }
    /// Bytes for each face of the mesh; 0 without faces.
    pub fn per_face(&self) -> f64 {
        if self.faces == 0 { 0.0 } else { self.total() as f64 / self.faces as f64 }
    }
}
impl fmt::Display for StoreMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |bytes: u64| bytes as f64 / self.faces.max(1) as f64;
        write!(
            f,
            "{:.2} bytes a face: EV {:.2}, FE {:.2}, masks {:.2}, tables {:.2}, stashes {:.2}, rows {:.2}",
            of(self.total()),
            of(self.ev),
            of(self.fe),
            of(self.masks),
            of(self.tables),
            of(self.stashes),
            of(self.rows)
        )
    }
}
