//! Results of queries: rows of ids on a device, and on the host.
use super::Op;
use crate::{Buffer, Device, Result};
use ribbonmesh_device::NONE;

/// The query that a result belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    Plain(Op),
    Oriented(Op),
    Active(Op),
    Ring(u32),
}

/// Rows of ids, one per source element, on a device: the result of [`crate::StaticMesh::query`] and similar
/// functions.
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
    /// Number of rows: one per source element.
    pub fn rows(&self) -> usize {
        self.rows
    }
    /// Number of entries per row, if it is the same for all rows; missing entries are [`NONE`].
    pub fn width(&self) -> Option<usize> {
        self.width
    }
    /// Offsets of the rows in [`QueryResult::values`], if rows have different lengths: one entry more than
    /// rows, the last is the end. After a query of a subset, one entry per row, and [`QueryResult::lengths`].
    pub fn offsets(&self) -> Option<&Buffer<u32>> {
        self.offsets.as_ref()
    }
    /// Lengths of the rows after a query of a subset; 0 for elements outside the subset.
    pub fn lengths(&self) -> Option<&Buffer<u32>> {
        self.lengths.as_ref()
    }
    /// The entries of all rows.
    pub fn values(&self) -> &Buffer<u32> {
        &self.values
    }
    /// As [`QueryResult::values`], by value.
    pub fn into_values(self) -> Buffer<u32> {
        self.values
    }
    /// After an oriented query: for each vertex, 1 if its faces do not form a single walk, else 0.
    pub fn problems(&self) -> Option<&Buffer<u32>> {
        self.problems.as_ref()
    }
    /// The device that holds the result.
    pub fn device(&self) -> &Device {
        self.values.device()
    }
    /// Copies the result to the host. Waits for all earlier work.
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
    /// Whether there are no rows.
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
    /// After an oriented query: the vertices whose faces do not form a single walk, ascending. Such a vertex
    /// has several fans, an edge with more than two faces, or neighbouring faces of opposite orientation; its
    /// row is in no particular order.
    pub fn non_manifold(&self) -> &[u32] {
        &self.non_manifold
    }
}
