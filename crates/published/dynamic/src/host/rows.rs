//! Queries of a store.
use super::error::StoreError;
use super::store::PatchStore;
use crate::kernels::{RowEntries, RowEntriesTypes, RowLengths, RowLengthsTypes};
use crate::query::{Ef, Ev, Fe, Ff, Fv, StoreQuery, Ve, Vf, Vv};
use ribbonmesh::device::ElementKind;
use ribbonmesh::{Buffer, array};

macro_rules! ops { ($($(#[$doc:meta])* $op:ident $query:ident;)*) => {
    /// A query of Table 2.1. The first letter has a row, the second is in it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum StoreOp { $($(#[$doc])* $op),* }
    impl StoreOp {
        /// All eight.
        pub const ALL: [Self; 8] = [$(Self::$op),*];
        /// Name of the query.
        pub fn name(self) -> &'static str {
            match self { $(Self::$op => stringify!($op)),* }
        }
        /// Kind of the elements that have a row.
        pub fn source(self) -> ElementKind {
            match self { $(Self::$op => $query::SOURCE),* }
        }
        /// Kind of the elements in the rows.
        pub fn target(self) -> ElementKind {
            match self { $(Self::$op => $query::TARGET),* }
        }
    }
    impl PatchStore {
        /// Asks a query for all elements that patches own, straight from the store: a block loads a patch
        /// into shared memory, expands the table of its ribbon there, and transposes. Two launches, since
        /// rows have different lengths, with a prefix sum and a wait between.
        /// # Errors
        /// A patch that is too large for the shared memory; more than 2³² entries; out of memory; errors of
        /// the driver.
        pub fn query(&self, op: StoreOp) -> Result<StoreRows, StoreError> {
            match op { $(StoreOp::$op => self.rows_of::<$query>(op)),* }
        }
        /// Asks the query of `rows` again, which this store has answered and since not changed: the second of
        /// the launches, into the same memory. For measurements.
        /// # Errors
        /// Errors of the driver.
        pub fn query_again(&self, rows: &mut StoreRows) -> ribbonmesh::Result<()> {
            match rows.op { $(StoreOp::$op => self.write_rows::<$query>(rows)),* }
        }
    }
} }
ops! {
    /// The neighbours of a vertex.
    VV Vv;
    /// The edges of a vertex.
    VE Ve;
    /// The faces of a vertex.
    VF Vf;
    /// The vertices of an edge.
    EV Ev;
    /// The faces of an edge.
    EF Ef;
    /// The vertices of a face.
    FV Fv;
    /// The edges of a face.
    FE Fe;
    /// The faces across the edges of a face.
    FF Ff;
}

impl PatchStore {
    fn rows_of<Q: StoreQuery + RowLengthsTypes + RowEntriesTypes>(
        &self,
        op: StoreOp,
    ) -> Result<StoreRows, StoreError> {
        let (device, patches) = (self.device(), self.patches() as u32);
        let mut offsets = device.zeros(self.places(Q::SOURCE) + 1)?;
        if patches > 0 {
            device
                .launch(patches, RowLengths { store: self.view(), lengths: offsets.view_mut() }.of::<Q>())?;
        }
        let total = array::exclusive_scan(&mut offsets)?;
        let entries = device.unspecified(total as usize)?;
        let mut rows = StoreRows { op, offsets, entries };
        self.write_rows::<Q>(&mut rows)?;
        Ok(rows)
    }
    fn write_rows<Q: StoreQuery + RowEntriesTypes>(&self, rows: &mut StoreRows) -> ribbonmesh::Result<()> {
        let patches = self.patches() as u32;
        if patches == 0 {
            return Ok(());
        }
        let (offsets, entries) = (rows.offsets.view(), rows.entries.view_mut());
        self.device().launch(patches, RowEntries { store: self.view(), offsets, entries }.of::<Q>())
    }
}

/// The rows of a query, on a device.
pub struct StoreRows {
    op: StoreOp,
    offsets: Buffer<u32>,
    entries: Buffer<u32>,
}
impl StoreRows {
    /// The query.
    pub fn op(&self) -> StoreOp {
        self.op
    }
    /// Where the row of each place begins, and the end. Places without an owned element have empty rows.
    pub fn offsets(&self) -> &Buffer<u32> {
        &self.offsets
    }
    /// The entries of all rows: places.
    pub fn entries(&self) -> &Buffer<u32> {
        &self.entries
    }
    /// Copies the rows to the host. Waits for all earlier work.
    /// # Errors
    /// Errors of earlier kernels or of the driver.
    pub fn download(&self) -> Result<HostRows, StoreError> {
        Ok(HostRows { offsets: self.offsets.read()?, entries: self.entries.read()? })
    }
}

/// The rows of a query, on the host.
pub struct HostRows {
    offsets: Vec<u32>,
    entries: Vec<u32>,
}
impl HostRows {
    /// The row of a place: places.
    ///
    /// # Panics
    /// If there is no such place, as indexing a slice does.
    pub fn row(&self, place: usize) -> &[u32] {
        &self.entries[self.offsets[place] as usize..self.offsets[place + 1] as usize]
    }
}
