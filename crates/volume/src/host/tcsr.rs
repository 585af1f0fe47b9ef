//! Relations on a device, by rows.
use super::error::{Result, VolumeError};
use super::relation::Relation;
use crate::device::product::{CountProduct, FillProduct, ListLong, ProductArguments};
use crate::device::tcsr::{MOST, TcsrViewArguments, decode};
use crate::device::transpose::{CheckColumns, CountColumns, FillTranspose, SortRows, TransposedEntries};
use ribbonmesh::device::NONE;
use ribbonmesh::{Buffer, Device, Error, array};

/// A sparse matrix of -1, 0 and 1 on a device, without an array of values: ternary compressed sparse rows
/// (TCSR). The word of an entry is its column for 1, and the column's complement for -1
/// ([`encode`](crate::encode), [`decode`](crate::decode)).
///
/// Relations without orientation have no negative entries, and are plain CSR then.
pub struct Tcsr {
    starts: Buffer<u32>,
    entries: Buffer<i32>,
    rows: u32,
    columns: u32,
    stride: u32,
}

/// A [`Tcsr`] on the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TcsrRows {
    /// The index in `entries` of the first entry of each row, and the end.
    pub starts: Vec<u32>,
    /// Encoded columns.
    pub entries: Vec<i32>,
}
impl TcsrRows {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }
    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The encoded columns of a row. Panics unless there is such a row.
    pub fn row(&self, row: usize) -> &[i32] {
        &self.entries[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
    /// The columns and signs of a row. Panics unless there is such a row.
    pub fn signed(&self, row: usize) -> impl ExactSizeIterator<Item = (u32, i32)> + '_ {
        self.row(row).iter().map(|&entry| decode(entry))
    }
}

impl Tcsr {
    /// Uploads rows: where each begins in `entries`, and the end; encoded columns, each below `columns`.
    /// # Errors
    /// [`VolumeError::Offsets`]; [`Error::Index`] for an entry out of range; [`Error::TooMany`] beyond 2³¹
    /// rows, columns or entries; out of memory, errors of the driver.
    pub fn new(device: &Device, columns: usize, starts: &[u32], entries: &[i32]) -> Result<Self> {
        let rows = starts.len().saturating_sub(1);
        count("rows of a matrix", rows)?;
        count("entries of a matrix", entries.len())?;
        let columns = count("columns of a matrix", columns)?;
        let offset = |row: usize| starts.get(row).copied();
        let wrong = (0..=rows).find(|&row| match row {
            0 => offset(0) != Some(0) || (rows == 0 && !entries.is_empty()),
            _ => offset(row) < offset(row - 1) || (row == rows && offset(row) != Some(entries.len() as u32)),
        });
        if let Some(row) = wrong {
            return Err(VolumeError::Offsets { row, entries: entries.len() });
        }
        if let Some(place) = entries.iter().position(|&entry| decode(entry).0 >= columns) {
            let (place, index) = (place as u32, decode(entries[place]).0);
            return Err(Error::Index { kernel: "upload of a matrix", place, index }.into());
        }
        Ok(Self::from_parts(device.upload(starts)?, device.upload(entries)?, columns))
    }
    /// A relation of rows with the same number of entries.
    pub(crate) fn with_stride(entries: Buffer<i32>, stride: u32, columns: u32) -> Result<Self> {
        let rows = entries.len() as u32 / stride;
        Ok(Self { starts: entries.device().unspecified(0)?, entries, rows, columns, stride })
    }
    /// A relation of offsets and entries that are known to be right.
    pub(crate) fn from_parts(starts: Buffer<u32>, entries: Buffer<i32>, columns: u32) -> Self {
        let rows = starts.len() as u32 - 1;
        Self { starts, entries, rows, columns, stride: 0 }
    }

    /// The device that holds it.
    pub fn device(&self) -> &Device {
        self.entries.device()
    }
    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows as usize
    }
    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns as usize
    }
    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }
    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
    /// The number of entries of every row, if that is why no offsets are stored.
    pub fn stride(&self) -> Option<usize> {
        (self.stride > 0).then_some(self.stride as usize)
    }
    /// The index in [`Tcsr::entries`] of the first entry of each row, and the end; empty if there is a
    /// [stride](Self::stride).
    pub fn starts(&self) -> &Buffer<u32> {
        &self.starts
    }
    /// The encoded columns, row by row.
    pub fn entries(&self) -> &Buffer<i32> {
        &self.entries
    }
    /// Bytes on the device.
    pub fn bytes(&self) -> usize {
        self.starts.bytes() + self.entries.bytes()
    }
    /// As an argument of kernels.
    pub fn view(&self) -> TcsrViewArguments<'_> {
        TcsrViewArguments { starts: self.starts.view(), entries: self.entries.view(), stride: self.stride }
    }
    /// A copy on the same device.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn try_clone(&self) -> Result<Self> {
        let (starts, entries) = (self.starts.try_clone()?, self.entries.try_clone()?);
        Ok(Self { starts, entries, ..*self })
    }
    /// The rows on the host; waits.
    /// # Errors
    /// Errors of earlier kernels or of the driver.
    pub fn download(&self) -> Result<TcsrRows> {
        let starts = match self.stride {
            0 => self.starts.read()?,
            stride => (0..=self.rows).map(|row| row * stride).collect(),
        };
        Ok(TcsrRows { starts, entries: self.entries.read()? })
    }

    /// The transpose: for each column its rows, ascending, with their signs. Four launches and a prefix sum;
    /// at least 32 bytes per entry. Rows of more than 1024 entries make it a radix sort of all entries
    /// besides. Waits.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn transpose(&self) -> Result<Self> {
        let (device, n) = (self.device(), self.entries.len() as u32);
        let mut starts = device.zeros::<u32>(self.columns as usize + 1)?;
        let mut places = device.unspecified::<u32>(n as usize)?;
        let (counts, to) = (starts.view_mut(), places.view_mut());
        device.launch_each(n, CountColumns { entries: self.entries.view(), counts, places: to })?;
        array::exclusive_scan(&mut starts)?;
        let mut entries = device.unspecified::<i32>(n as usize)?;
        let fill = FillTranspose {
            from: self.view(),
            places: places.view(),
            starts: starts.view(),
            to: entries.view_mut(),
        };
        device.launch_each(self.rows, fill)?;
        let mut long = device.zeros::<u32>(1)?;
        let sort = SortRows { starts: starts.view(), entries: entries.view_mut(), long: long.view_mut() };
        device.launch_each(self.columns, sort)?;
        if long.read()?[0] != 0 {
            let kernel = TransposedEntries {
                from: self.view(),
                columns: places.view_mut(),
                entries: entries.view_mut(),
            };
            device.launch_each(self.rows, kernel)?;
            let order = array::order_of(&places, bits(self.columns))?;
            entries = array::gather(&entries, &order)?;
        }
        Ok(Self::from_parts(starts, entries, self.rows))
    }

    /// Composes this relation with another: for each row the columns of `second`, each once,
    /// ascending, without signs; with `others` no row reaches itself. Two launches and two prefix sums;
    /// waits.
    ///
    /// The work of a row grows with the number of candidates times that of results; beyond 128 candidates
    /// they are sorted instead.
    /// # Errors
    /// [`Error::Length`] unless the columns of this relation are the rows of the other;
    /// [`Error::OtherDevice`]; [`Error::TooMany`] if 32 bits do not count the candidates of long rows, or the
    /// results; out of memory; errors of the driver.
    pub fn product(&self, second: &Self, others: bool) -> Result<Self> {
        let (device, n) = (self.device(), self.rows);
        if !second.device().same(device) {
            return Err(Error::OtherDevice { what: "the second relation" }.into());
        }
        if self.columns != second.rows {
            let (expected, found) = (self.columns(), second.rows());
            return Err(Error::Length { what: "rows of the second relation", expected, found }.into());
        }
        let others = others.into();
        let mut starts = device.zeros::<u32>(n as usize + 1)?;
        let mut places = device.zeros::<u32>(n as usize + 1)?;
        let (counts, long) = (starts.view_mut(), places.view_mut());
        device.launch_each(n, CountProduct { product: product(self, second, others), counts, long })?;
        let scratch_words = array::exclusive_scan(&mut places)?;
        if scratch_words == u32::MAX {
            // a row has that many candidates, or more
            let (count, limit) = (u64::from(u32::MAX), u64::from(u32::MAX) - 1);
            return Err(Error::TooMany { what: "candidates of a row", count, limit }.into());
        }
        let mut scratch = device.unspecified::<u32>(scratch_words as usize)?;
        if scratch_words > 0 {
            let (to, counts) = (scratch.view_mut(), starts.view_mut());
            let list = ListLong {
                product: product(self, second, others),
                places: places.view(),
                scratch: to,
                counts,
            };
            device.launch_each(n, list)?;
        }
        let total = array::exclusive_scan(&mut starts)?;
        let mut entries = device.unspecified::<i32>(total as usize)?;
        let fill = FillProduct {
            product: product(self, second, others),
            starts: starts.view(),
            places: places.view(),
            scratch: scratch.view(),
            to: entries.view_mut(),
        };
        device.launch_each(n, fill)?;
        Ok(Self::from_parts(starts, entries, second.columns))
    }

    /// Refuses the first row with an entry that is not below `columns`; waits.
    pub(crate) fn check_columns(&self, relation: Relation, columns: u32) -> Result<()> {
        let mut wrong = self.device().upload(&[NONE])?;
        let (from, to) = (self.view(), wrong.view_mut());
        let check = CheckColumns { columns, from, wrong: to };
        self.device().launch_each(self.rows, check)?;
        match wrong.read()?[0] {
            NONE => Ok(()),
            row => {
                let (row, columns) = (row as usize, columns as usize);
                Err(VolumeError::EntryOutOfRange { relation, row, columns })
            }
        }
    }
}

impl std::fmt::Debug for Tcsr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tcsr of {} x {} with {} entries", self.rows, self.columns, self.len())
    }
}

fn product<'a>(first: &'a Tcsr, second: &'a Tcsr, others: u32) -> ProductArguments<'a> {
    ProductArguments { first: first.view(), second: second.view(), others }
}

/// A number of elements, if a sign and an index fit 32 bits.
pub(crate) fn count(what: &'static str, n: usize) -> Result<u32> {
    let limit = u64::from(MOST);
    if n as u64 >= limit {
        return Err(Error::TooMany { what, count: n as u64, limit: limit - 1 }.into());
    }
    Ok(n as u32)
}
/// Bits of the numbers below `n`, at least 1.
pub(crate) fn bits(n: u32) -> u32 {
    (u32::BITS - n.saturating_sub(1).leading_zeros()).max(1)
}
