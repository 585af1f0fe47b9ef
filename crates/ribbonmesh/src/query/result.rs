//! Results of queries: rows of ids on a device, and on the host.
use super::Op;
use crate::{Buffer, Device, Result};
use ribbonmesh_device::NONE;

/// Which question a result answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    Plain(Op),
    Oriented(Op),
    Active(Op),
    Ring(u32),
}

/// Rows of ids, one per element of the source, on a device. Made by [`crate::StaticMesh::query`] and its siblings.
#[derive(Debug)]
pub struct QueryResult {
    pub(super) question: Question,
    pub(super) rows: usize,
    pub(super) width: Option<usize>,
    pub(super) offsets: Option<Buffer<u32>>,
    pub(super) lengths: Option<Buffer<u32>>,
    pub(super) values: Buffer<u32>,
    pub(super) problems: Option<Buffer<u32>>,
}
impl QueryResult {
    /// Number of rows: one per element of the source.
    pub fn rows(&self) -> usize {
        self.rows
    }
    /// Entries per row, where all rows have as many; missing ones are [`NONE`].
    pub fn width(&self) -> Option<usize> {
        self.width
    }
    /// Where the rows begin, if they have different lengths: one entry more than rows, the last is the end. A query
    /// of a subset has an entry per row, and [`QueryResult::lengths`].
    pub fn offsets(&self) -> Option<&Buffer<u32>> {
        self.offsets.as_ref()
    }
    /// Lengths of the rows after a query of a subset; 0 outside.
    pub fn lengths(&self) -> Option<&Buffer<u32>> {
        self.lengths.as_ref()
    }
    /// The entries of all rows.
    pub fn values(&self) -> &Buffer<u32> {
        &self.values
    }
    /// The same, without the rest.
    pub fn into_values(self) -> Buffer<u32> {
        self.values
    }
    /// After an oriented query: 1 for each vertex that cannot be walked around, else 0.
    pub fn problems(&self) -> Option<&Buffer<u32>> {
        self.problems.as_ref()
    }
    /// Where the result lives.
    pub fn device(&self) -> &Device {
        self.values.device()
    }
    /// Copies the result to the host; waits for all work before.
    /// # Errors
    /// Errors of earlier kernels or of the driver.
    pub fn download(&self) -> Result<Rows> {
        let read = |b: &Option<Buffer<u32>>| b.as_ref().map(Buffer::read).transpose();
        let problems = read(&self.problems)?.unwrap_or_default();
        let non_manifold = (0..).zip(problems).filter(|(_, p)| *p != 0).map(|(v, _)| v).collect();
        Ok(Rows {
            rows: self.rows,
            width: self.width.unwrap_or(0),
            offsets: read(&self.offsets)?,
            lengths: read(&self.lengths)?,
            values: self.values.read()?,
            non_manifold,
        })
    }
}

/// Rows of ids on the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    rows: usize,
    width: usize,
    offsets: Option<Vec<u32>>,
    lengths: Option<Vec<u32>>,
    values: Vec<u32>,
    non_manifold: Vec<u32>,
}
impl Rows {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }
    /// All entries of row `i`, [`NONE`] included.
    ///
    /// # Panics
    /// If there is no row `i`, as indexing a slice does.
    pub fn entries(&self, i: usize) -> &[u32] {
        match (&self.offsets, &self.lengths) {
            (Some(offsets), Some(lengths)) => &self.values[offsets[i] as usize..][..lengths[i] as usize],
            (Some(offsets), None) => &self.values[offsets[i] as usize..offsets[i + 1] as usize],
            (None, _) => &self.values[i * self.width..][..self.width],
        }
    }
    /// The elements in row `i`.
    ///
    /// # Panics
    /// If there is no row `i`, as indexing a slice does.
    pub fn row(&self, i: usize) -> impl Iterator<Item = u32> + '_ {
        self.entries(i).iter().copied().filter(|&x| x != NONE)
    }
    /// All rows.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.rows).map(|i| self.entries(i))
    }
    /// After an oriented query: the vertices that cannot be walked around, ascending. Several fans meet there, an edge
    /// there has more than two faces, or neighbouring faces have opposite orientations; their rows are in no
    /// particular order.
    pub fn non_manifold(&self) -> &[u32] {
        &self.non_manifold
    }
}
