//! Matrices on the host.
use super::error::{Result, SparseError, count, length};
use crate::{DenseBlock, Entry, Real};

/// A sparse matrix on the host in compressed sparse rows: where each row begins in two arrays, columns and
/// entries. The columns of a row ascend.
#[derive(Clone, Debug, PartialEq)]
pub struct Csr<E> {
    columns: usize,
    starts: Vec<u32>,
    indices: Vec<u32>,
    values: Vec<E>,
}

impl<E: Entry> Csr<E> {
    /// A matrix of entries `(row, column, entry)` in any order. Entries at the same place are summed in the
    /// order of the list. Zeros stay. Two sorts by counting, linear in the number of entries, rows and
    /// columns; by comparison where there are far fewer entries than rows and columns.
    /// # Errors
    /// [`SparseError::Outside`] names the first entry that is out of range; [`SparseError::TooMany`] beyond
    /// 2³¹ rows, columns or entries.
    pub fn from_triplets(rows: usize, columns: usize, triplets: &[(u32, u32, E)]) -> Result<Self> {
        count("rows of a matrix", rows)?;
        count("columns of a matrix", columns)?;
        count("entries of a matrix", triplets.len())?;
        let outside = |&(row, column, _): &(u32, u32, E)| row as usize >= rows || column as usize >= columns;
        if let Some(entry) = triplets.iter().position(outside) {
            let (row, column, _) = triplets[entry];
            return Err(SparseError::Outside { entry, row, column, rows, columns });
        }
        let by_column = order_by((0..triplets.len() as u32).collect(), columns, |k| triplets[k as usize].1);
        let order = order_by(by_column, rows, |k| triplets[k as usize].0);
        let mut matrix =
            Self { columns, starts: Vec::with_capacity(rows + 1), indices: vec![], values: vec![] };
        matrix.starts.push(0);
        let mut last = None;
        for k in order {
            let (row, column, value) = triplets[k as usize];
            while matrix.starts.len() <= row as usize {
                matrix.starts.push(matrix.indices.len() as u32);
            }
            match matrix.values.last_mut() {
                Some(sum) if last == Some((row, column)) => *sum = sum.plus(value),
                _ => {
                    matrix.indices.push(column);
                    matrix.values.push(value);
                }
            }
            last = Some((row, column));
        }
        matrix.starts.resize(rows + 1, matrix.indices.len() as u32);
        Ok(matrix)
    }
    /// A matrix of its arrays: where each row begins, and the end; columns, which ascend in each row;
    /// entries.
    /// # Errors
    /// [`SparseError::Offsets`] and [`SparseError::Columns`] name the first row that is wrong;
    /// [`SparseError::Length`] unless there is an entry for each column; [`SparseError::TooMany`] beyond 2³¹
    /// rows, columns or entries.
    pub fn from_parts(columns: usize, starts: Vec<u32>, indices: Vec<u32>, values: Vec<E>) -> Result<Self> {
        length("entries of a matrix", indices.len(), values.len())?;
        count("columns of a matrix", columns)?;
        let entries = count("entries of a matrix", indices.len())? as usize;
        count("rows of a matrix", starts.len())?;
        let rows = starts.len().saturating_sub(1);
        let offset = |row: usize| starts.get(row).copied();
        let wrong = (0..=rows).find(|&row| match row {
            0 => offset(0) != Some(0) || (rows == 0 && entries > 0),
            _ => offset(row) < offset(row - 1) || (row == rows && offset(row) != Some(entries as u32)),
        });
        if let Some(row) = wrong {
            return Err(SparseError::Offsets { row, entries });
        }
        let matrix = Self { columns, starts, indices, values };
        let descends = |row: &usize| {
            let indices = matrix.row(*row).0;
            indices.windows(2).any(|pair| pair[0] >= pair[1])
                || indices.last().is_some_and(|&last| last as usize >= columns)
        };
        match (0..rows).find(descends) {
            Some(row) => Err(SparseError::Columns { row, columns }),
            None => Ok(matrix),
        }
    }
    /// A matrix with these entries on its diagonal, and no others.
    /// # Errors
    /// [`SparseError::TooMany`] beyond 2³¹ entries.
    pub fn diagonal(entries: Vec<E>) -> Result<Self> {
        let n = count("rows of a matrix", entries.len())?;
        Ok(Self {
            columns: n as usize,
            starts: (0..=n).collect(),
            indices: (0..n).collect(),
            values: entries,
        })
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.starts.len() - 1
    }
    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }
    /// The number of entries that are stored.
    pub fn len(&self) -> usize {
        self.indices.len()
    }
    /// Whether no entries are stored.
    pub fn is_empty(&self) -> bool {
        self.indices.is_empty()
    }
    /// The index of the first entry of each row, and the end.
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }
    /// The columns of all entries, row by row.
    pub fn indices(&self) -> &[u32] {
        &self.indices
    }
    /// All entries, row by row.
    pub fn values(&self) -> &[E] {
        &self.values
    }
    /// All entries, to be changed where they are.
    pub fn values_mut(&mut self) -> &mut [E] {
        &mut self.values
    }
    /// The columns and entries of a row. Panics unless there is such a row.
    pub fn row(&self, row: usize) -> (&[u32], &[E]) {
        let range = self.starts[row] as usize..self.starts[row + 1] as usize;
        (&self.indices[range.clone()], &self.values[range])
    }
    /// The entry of a row and a column; zero where none is stored. Panics unless there is such a row.
    pub fn get(&self, row: usize, column: u32) -> E {
        let (columns, values) = self.row(row);
        columns.binary_search(&column).map_or(E::ZERO, |at| values[at])
    }
    /// All entries as `(row, column, entry)`, row by row.
    pub fn triplets(&self) -> impl Iterator<Item = (u32, u32, E)> + '_ {
        (0..self.rows()).flat_map(|row| {
            let (columns, values) = self.row(row);
            columns.iter().zip(values).map(move |(&column, &value)| (row as u32, column, value))
        })
    }
    /// The entries of another type, one by one.
    pub fn map<F: Entry>(&self, f: impl FnMut(E) -> F) -> Csr<F> {
        let values = self.values.iter().copied().map(f).collect();
        Csr { columns: self.columns, starts: self.starts.clone(), indices: self.indices.clone(), values }
    }
    /// The adjoint: rows become columns, each entry its adjoint. For numbers and blocks that is the
    /// transpose. Linear.
    pub fn adjoint(&self) -> Self {
        self.transposed(E::adjoint)
    }
    /// Rows become columns, each entry what `f` makes of it. Linear.
    pub fn transposed(&self, f: impl Fn(E) -> E) -> Self {
        let mut starts = vec![0; self.columns + 1];
        for &column in &self.indices {
            starts[column as usize + 1] += 1;
        }
        for column in 0..self.columns {
            starts[column + 1] += starts[column];
        }
        let mut next = starts.clone();
        let (mut indices, mut values) = (vec![0; self.len()], vec![E::ZERO; self.len()]);
        for (row, column, value) in self.triplets() {
            let at = &mut next[column as usize];
            indices[*at as usize] = row;
            values[*at as usize] = f(value);
            *at += 1;
        }
        Self { columns: self.rows(), starts, indices, values }
    }
    /// `A x` on one thread of the host, the products of a row added in their order: an oracle.
    /// # Errors
    /// [`SparseError::Length`] unless `x` has an element for each column.
    pub fn multiply(&self, x: &[E::Element]) -> Result<Vec<E::Element>> {
        length("elements of x", self.columns, x.len())?;
        let zero = <E::Element as crate::Element>::ZERO;
        let product = |row: usize| {
            let (columns, values) = self.row(row);
            columns.iter().zip(values).fold(zero, |sum, (&c, value)| value.times_plus(x[c as usize], sum))
        };
        Ok((0..self.rows()).map(product).collect())
    }
}

impl<R: Real> Csr<R>
where
    R: Entry,
{
    /// The matrix in blocks of `N` rows and columns: block `(i, j)` is stored if one of its entries is, with
    /// zeros for the others.
    /// # Errors
    /// [`SparseError::Length`] unless rows and columns are multiples of `N`.
    pub fn blocks<const N: usize>(&self) -> Result<Csr<DenseBlock<R, N>>>
    where
        DenseBlock<R, N>: Entry,
    {
        for n in [self.rows(), self.columns] {
            length("rows or columns that are whole blocks", n.next_multiple_of(N), n)?;
        }
        let zero = [[<R as Real>::ZERO; N]; N];
        let (mut starts, mut indices, mut values) = (vec![0], vec![], vec![]);
        for of_block in 0..self.rows() / N {
            let rows = of_block * N..(of_block + 1) * N;
            let mut columns: Vec<u32> =
                rows.clone().flat_map(|row| self.row(row).0.iter().map(|column| column / N as u32)).collect();
            columns.sort_unstable();
            columns.dedup();
            let mut blocks = vec![zero; columns.len()];
            for (i, row) in rows.enumerate() {
                let (own, entries) = self.row(row);
                for (&column, &entry) in own.iter().zip(entries) {
                    // every column is there
                    let at = columns.partition_point(|&of| of < column / N as u32);
                    blocks[at][i][column as usize % N] = entry;
                }
            }
            indices.extend(columns);
            values.extend(blocks.into_iter().map(DenseBlock));
            starts.push(indices.len() as u32);
        }
        Ok(Csr { columns: self.columns / N, starts, indices, values })
    }
}
impl<R: Real, const N: usize> Csr<DenseBlock<R, N>>
where
    R: Entry,
    DenseBlock<R, N>: Entry,
{
    /// The matrix of all numbers of the blocks, zeros included.
    /// # Errors
    /// [`SparseError::TooMany`] beyond 2³¹ rows, columns or entries.
    pub fn numbers(&self) -> Result<Csr<R>> {
        let n = N as u64;
        for (what, of) in [("rows", self.rows()), ("columns", self.columns), ("entries", self.len() * N)] {
            super::error::at_most(what, of as u64 * n, u64::from(u32::MAX >> 1))?;
        }
        let (mut starts, mut indices, mut values) = (vec![0], vec![], vec![]);
        for of_block in 0..self.rows() {
            let (columns, blocks) = self.row(of_block);
            for i in 0..N {
                for (&column, block) in columns.iter().zip(blocks) {
                    indices.extend((0..N as u32).map(|j| column * N as u32 + j));
                    values.extend_from_slice(&block.0[i]);
                }
                starts.push(indices.len() as u32);
            }
        }
        Ok(Csr { columns: self.columns * N, starts, indices, values })
    }
}

/// Stably sorts numbers by keys below `n`.
fn order_by(mut numbers: Vec<u32>, n: usize, key: impl Fn(u32) -> u32) -> Vec<u32> {
    // counters of mostly empty rows would be most of the memory
    if n / 16 > numbers.len() + 1024 {
        numbers.sort_by_key(|&k| key(k));
        return numbers;
    }
    let mut next = vec![0_usize; n + 1];
    for &k in &numbers {
        next[key(k) as usize + 1] += 1;
    }
    for i in 0..n {
        next[i + 1] += next[i];
    }
    let mut sorted = vec![0; numbers.len()];
    for k in numbers {
        let at = &mut next[key(k) as usize];
        sorted[*at] = k;
        *at += 1;
    }
    sorted
}
