//! Matrices on a device.
use super::balance::Balanced;
use super::error::{Result, SparseError, at_most, count, length};
use super::layout::{Inner, Layout, Outer, Schedule, Variant, VectorLayout};
use super::vector::Vector;
use super::{Csr, Launched};
use crate::device::check::{
    COLUMN, CheckRows, CountColumns, FindDiagonal, PlacesOfComponent, RANGE, RowsOfEntries,
};
use crate::device::components::{assemble, components, for_each_component};
use crate::device::multiply::ChunksArguments;
use crate::device::stored::{ALL, OperandsArguments, ReadArguments, StoredArguments, WrittenArguments};
use crate::{Entry, Real};
use ribbonmesh::device::{BufferView, BufferViewMut, NONE, TILE};
use ribbonmesh::{Buffer, Device, DeviceKind, Error, array};

mod arrange;

/// A sparse matrix on a device, in one of many layouts.
///
/// Products have the same bits in every run on a machine. Padding of a layout is never read, so that it
/// cannot turn an infinite element of a vector into NaN.
pub struct SparseMatrix<E: Launched> {
    variant: Variant,
    rows: u32,
    columns: u32,
    entries: usize,
    slice: u32,
    step: u32,
    starts: Buffer<u32>,
    lengths: Buffer<u32>,
    indices: Buffer<u32>,
    values: Values<E>,
    diagonal: Option<Values<E>>,
    balanced: Option<Balanced>,
}

/// Entries in memory.
pub(crate) enum Values<E: Entry> {
    /// As they are.
    Whole(Buffer<E>),
    /// Component by component: of all, or of groups of 32.
    Parts { numbers: Buffer<E::Real>, group: u32, stride: u32 },
}
/// Binary logarithm of the entries of a group.
const GROUP: u32 = 5;

impl<E: Launched> Values<E> {
    /// Arranges entries.
    fn upload(device: &Device, entries: Vec<E>, inner: Inner) -> Result<Self> {
        if inner == Inner::Aos {
            return Ok(Self::Whole(device.upload(&entries)?));
        }
        let width = components::<E, E::Real>();
        let padded = if inner == Inner::Grouped { entries.len().next_multiple_of(32) } else { entries.len() };
        at_most("numbers of a matrix", padded as u64 * u64::from(width), u64::from(u32::MAX))?;
        let (group, stride) = if inner == Inner::Grouped { (GROUP, 32) } else { (ALL, padded as u32) };
        let mut numbers = vec![E::Real::ZERO; padded * width as usize];
        for (place, entry) in entries.into_iter().enumerate() {
            let place = place as u32;
            let base = (place >> group) * (width << group) + (place & ((1 << group) - 1));
            for_each_component::<E, E::Real>(entry, |c, x| numbers[(base + c * stride) as usize] = x);
        }
        Ok(Self::Parts { numbers: device.upload(&numbers)?, group, stride })
    }
    /// Numbers of entries that there is room for, in memory of whole groups.
    fn bytes(&self) -> usize {
        match self {
            Self::Whole(entries) => entries.bytes(),
            Self::Parts { numbers, .. } => numbers.bytes(),
        }
    }
    fn device(&self) -> &Device {
        match self {
            Self::Whole(entries) => entries.device(),
            Self::Parts { numbers, .. } => numbers.device(),
        }
    }
    /// The entries at some places, which are known to be right.
    fn gather(&self, places: &Buffer<u32>) -> Result<Vec<E>> {
        match self {
            Self::Whole(entries) => Ok(array::gather(entries, places)?.read()?),
            Self::Parts { numbers, group, stride } => {
                let (device, n) = (places.device(), places.len() as u32);
                let mut found = vec![];
                for c in 0..components::<E, E::Real>() {
                    let mut at = device.unspecified::<u32>(places.len())?;
                    let kernel = PlacesOfComponent {
                        group: *group,
                        components: components::<E, E::Real>(),
                        offset: c * stride,
                        places: places.view(),
                        to: at.view_mut(),
                    };
                    device.launch_each(n, kernel)?;
                    found.push(array::gather(numbers, &at)?.read()?);
                }
                Ok((0..places.len()).map(|i| assemble::<E, E::Real>(|c| found[c as usize][i])).collect())
            }
        }
    }
    /// All entries of `places` places.
    fn download(&self, places: usize) -> Result<Vec<E>> {
        match self {
            Self::Whole(entries) => Ok(entries.read()?),
            Self::Parts { numbers, group, stride } => {
                let (numbers, width) = (numbers.read()?, components::<E, E::Real>());
                let entry = |place: usize| {
                    let place = place as u32;
                    let base = (place >> group) * (width << group) + (place & ((1 << group) - 1));
                    assemble::<E, E::Real>(|c| numbers[(base + c * stride) as usize])
                };
                Ok((0..places).map(entry).collect())
            }
        }
    }
}

/// A matrix in slices that is already on a device: [`SparseMatrix::from_slices`].
///
/// With slices of 32 rows this is Bin-BCSR* of Mueller-Roemer 2020, section 4.4.2, with lengths of rows.
#[derive(Debug)]
pub struct SliceParts<E: Entry> {
    /// The number of columns. That of rows is the number of `lengths`.
    pub columns: usize,
    /// Rows of a slice: a power of two from 2 to 1024; 32 is a bin.
    pub slice: u32,
    /// The index in `indices` of the first entry of each slice, and the end; each a multiple of `slice`.
    /// Slice `s` has room for `(offsets[s + 1] - offsets[s]) / slice` entries in each row.
    pub offsets: Buffer<u32>,
    /// The entries of each row, at most as many as there is room for.
    pub lengths: Buffer<u32>,
    /// Columns: entry `k` of the `l`-th row of slice `s` is stored at `offsets[s] + slice k + l`. Padding may
    /// hold anything.
    pub indices: Buffer<u32>,
    /// Entries, at the same places as their columns.
    pub values: SliceValues<E>,
    /// The entries of the diagonal, if they are stored separately. They are added first.
    pub diagonal: Option<SliceValues<E>>,
}
/// The entries of a [matrix in slices](SliceParts), or of its diagonal, by places.
#[derive(Debug)]
pub enum SliceValues<E: Entry> {
    /// As they are: an entry per place.
    Aos(Buffer<E>),
    /// Component by component: number `c` of the entry at place `p`, of `n` places, at `c n + p`.
    Soa(Buffer<E::Real>),
    /// Component by component in groups of 32 places: number `c` of the entry at place `p`, which has `C`
    /// numbers, at `32 C (p / 32) + 32 c + p mod 32`. The last group is whole.
    Grouped(Buffer<E::Real>),
}
impl<E: Launched> SliceValues<E> {
    fn check(self, what: &'static str, places: usize) -> Result<(Values<E>, Inner)> {
        let width = components::<E, E::Real>();
        match self {
            Self::Aos(entries) => {
                length(what, places, entries.len())?;
                Ok((Values::Whole(entries), Inner::Aos))
            }
            Self::Soa(numbers) => {
                length(what, places * width as usize, numbers.len())?;
                at_most("numbers of a matrix", numbers.len() as u64, u64::from(u32::MAX))?;
                Ok((Values::Parts { numbers, group: ALL, stride: places as u32 }, Inner::Soa))
            }
            Self::Grouped(numbers) => {
                length(what, places.next_multiple_of(32) * width as usize, numbers.len())?;
                at_most("numbers of a matrix", numbers.len() as u64, u64::from(u32::MAX))?;
                Ok((Values::Parts { numbers, group: GROUP, stride: 32 }, Inner::Grouped))
            }
        }
    }
}

/// Indices at which the entries of a matrix are stored, in an outer layout.
struct Places {
    slice: u32,
    step: u32,
    starts: Vec<u32>,
    count: usize,
}
impl Places {
    fn of(rows: &[u32], outer: Outer) -> Result<Self> {
        let lengths = || rows.windows(2).map(|pair| pair[1] - pair[0]);
        let n = rows.len() - 1;
        match outer {
            Outer::Csr => {
                let count = rows[n] as usize;
                Ok(Self { slice: 0, step: 1, starts: rows.to_vec(), count })
            }
            Outer::Ell => {
                let step = n.next_multiple_of(32);
                let places = step as u64 * u64::from(lengths().max().unwrap_or(0));
                at_most("places of ELL", places, u64::from(u32::MAX >> 1))?;
                Ok(Self { slice: ALL, step: step as u32, starts: vec![0], count: places as usize })
            }
            Outer::Sliced(rows_of_slice) => {
                let mut starts = vec![0];
                let mut places = 0;
                let all: Vec<u32> = lengths().collect();
                for slice in all.chunks(rows_of_slice as usize) {
                    places += u64::from(rows_of_slice) * u64::from(slice.iter().copied().max().unwrap_or(0));
                    at_most("places of slices", places, u64::from(u32::MAX >> 1))?;
                    starts.push(places as u32);
                }
                let slice = rows_of_slice.trailing_zeros();
                Ok(Self { slice, step: rows_of_slice, starts, count: places as usize })
            }
        }
    }
    fn of_row(&self, row: u32) -> usize {
        (self.starts[(row >> self.slice) as usize] + (row & ((1 << self.slice) - 1))) as usize
    }
}

impl<E: Launched> SparseMatrix<E> {
    /// Uploads a matrix in the variant that a model of rows and padding takes for the fastest:
    /// [`Variant::guess`].
    /// # Errors
    /// As [`SparseMatrix::with_variant`].
    pub fn new(device: &Device, matrix: &Csr<E>) -> Result<Self> {
        Self::with_variant(device, matrix, Variant::guess(device, matrix))
    }
    /// Uploads a matrix in a variant. Linear in the entries and the padding.
    /// # Errors
    /// [`SparseError::Variant`] for a variant that there is not; [`SparseError::TooMany`] if 31 bits do not
    /// count its places, padding included, or 32 bits the numbers of a layout other than AoS; out of memory;
    /// errors of the driver.
    pub fn with_variant(device: &Device, matrix: &Csr<E>, variant: Variant) -> Result<Self> {
        variant.check()?;
        let (rows, columns) = (count("rows of a matrix", matrix.rows())?, matrix.columns() as u32);
        let Layout { outer, inner, .. } = variant.layout;
        let places = Places::of(matrix.starts(), outer)?;
        let (lengths, indices, values) = if outer == Outer::Csr {
            (
                vec![],
                device.upload(matrix.indices())?,
                Values::upload(device, matrix.values().to_vec(), inner)?,
            )
        } else {
            let (mut indices, mut values) = (vec![0; places.count], vec![E::ZERO; places.count]);
            for row in 0..rows {
                let mut place = places.of_row(row);
                let (columns, entries) = matrix.row(row as usize);
                for (&column, &entry) in columns.iter().zip(entries) {
                    (indices[place], values[place]) = (column, entry);
                    place += places.step as usize;
                }
            }
            let lengths = matrix.starts().windows(2).map(|pair| pair[1] - pair[0]).collect();
            (lengths, device.upload(&indices)?, Values::upload(device, values, inner)?)
        };
        let balanced = match variant.schedule {
            Schedule::Balanced => Some(Balanced::new::<E>(device, matrix.starts())?),
            _ => None,
        };
        Ok(Self {
            variant,
            rows,
            columns,
            entries: matrix.len(),
            slice: places.slice,
            step: places.step,
            starts: device.upload(&places.starts)?,
            lengths: device.upload(&lengths)?,
            indices,
            values,
            diagonal: None,
            balanced,
        })
    }
    /// A matrix of arrays that are already on a device: the index of each row's first entry, and the end;
    /// columns; entries. The columns of a row may have any order, also be there twice. Checked on the device;
    /// waits. With [`Schedule::Balanced`], the offsets are read by the host.
    /// # Errors
    /// [`SparseError::Offsets`] and [`SparseError::Columns`] name the first row that is wrong;
    /// [`SparseError::Length`]; [`SparseError::Variant`] for a schedule that there is not;
    /// [`SparseError::TooMany`]; [`Error::OtherDevice`]; errors of the driver.
    pub fn from_buffers(
        columns: usize,
        starts: Buffer<u32>,
        indices: Buffer<u32>,
        values: Buffer<E>,
        schedule: Schedule,
    ) -> Result<Self> {
        let variant = Variant { layout: Layout::CSR, schedule };
        variant.check()?;
        let device = starts.device().clone();
        let entries = count("entries of a matrix", indices.len())? as usize;
        length("entries of a matrix", entries, values.len())?;
        let rows = count("rows of a matrix", starts.len().saturating_sub(1))?;
        let columns = count("columns of a matrix", columns)?;
        let others = [(indices.device(), "the columns"), (values.device(), "the entries")];
        same_device(&device, &others)?;
        let last = match rows {
            0 => starts.read()?.first().copied().unwrap_or(u32::MAX),
            _ => starts.read_range(rows as usize, 1)?[0],
        };
        if last as usize != entries {
            return Err(SparseError::Offsets { row: rows as usize, entries });
        }
        let lengths = device.unspecified(0)?;
        let [range, column] = check_rows(rows, columns, 0, &starts, &lengths, &indices)?;
        if range != NONE {
            return Err(SparseError::Offsets { row: range as usize, entries });
        }
        if column != NONE {
            return Err(SparseError::Columns { row: column as usize, columns: columns as usize });
        }
        let balanced = match schedule {
            Schedule::Balanced => Some(Balanced::new::<E>(&device, &starts.read()?)?),
            _ => None,
        };
        let values = Values::Whole(values);
        Ok(Self {
            variant,
            rows,
            columns,
            entries,
            slice: 0,
            step: 1,
            starts,
            lengths,
            indices,
            values,
            diagonal: None,
            balanced,
        })
    }
    /// A matrix in slices of arrays that are already on a device, such as Bin-BCSR*. Checked on the device;
    /// waits.
    /// # Errors
    /// [`SparseError::Slice`] names the first row that does not fit its slice, [`SparseError::Columns`] the
    /// first row with a column out of range; [`SparseError::Length`]; [`SparseError::Variant`] for a size of
    /// slices or a schedule that does not exist, or if the diagonal is in another order than the other
    /// entries; [`SparseError::TooMany`]; [`Error::OtherDevice`]; errors of the driver.
    pub fn from_slices(parts: SliceParts<E>, vector: VectorLayout, schedule: Schedule) -> Result<Self> {
        let SliceParts { columns, slice, offsets, lengths, indices, values, diagonal } = parts;
        let (rows, places) = (count("rows of a matrix", lengths.len())?, indices.len());
        count("places of slices", places)?;
        let columns = count("columns of a matrix", columns)?;
        let (values, inner) = values.check("entries of slices", places)?;
        let variant = Variant { layout: Layout { outer: Outer::Sliced(slice), inner, vector }, schedule };
        variant.check()?;
        length("offsets of slices", rows.div_ceil(slice) as usize + 1, offsets.len())?;
        let device = offsets.device().clone();
        let others = [
            (lengths.device(), "the lengths"),
            (indices.device(), "the columns"),
            (values.device(), "the entries"),
        ];
        same_device(&device, &others)?;
        let diagonal = match diagonal {
            None => None,
            Some(diagonal) => {
                let (diagonal, of_diagonal) = diagonal.check("entries of the diagonal", rows as usize)?;
                same_device(&device, &[(diagonal.device(), "the diagonal")])?;
                length(
                    "columns of a matrix whose diagonal stands by itself",
                    rows as usize,
                    columns as usize,
                )?;
                if of_diagonal != inner {
                    let reason = "the diagonal has the order of the other entries";
                    return Err(SparseError::Variant { variant: variant.to_string(), reason });
                }
                Some(diagonal)
            }
        };
        let shift = slice.trailing_zeros();
        let [range, column] = check_rows(rows, columns, shift, &offsets, &lengths, &indices)?;
        if range != NONE {
            return Err(SparseError::Slice { row: range as usize });
        }
        if column != NONE {
            return Err(SparseError::Columns { row: column as usize, columns: columns as usize });
        }
        let entries = array::sum(&lengths)? as usize + diagonal.as_ref().map_or(0, |_| rows as usize);
        Ok(Self {
            variant,
            rows,
            columns,
            entries,
            slice: shift,
            step: slice,
            starts: offsets,
            lengths,
            indices,
            values,
            diagonal,
            balanced: None,
        })
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows as usize
    }
    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns as usize
    }
    /// The number of entries, without padding.
    pub fn len(&self) -> usize {
        self.entries
    }
    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.entries == 0
    }
    /// The layout and the schedule.
    pub fn variant(&self) -> Variant {
        self.variant
    }
    /// Another schedule for the same layout.
    /// # Errors
    /// [`SparseError::Variant`] for a schedule that there is not for this layout; out of memory; errors of
    /// the driver.
    pub fn set_schedule(&mut self, schedule: Schedule) -> Result<()> {
        let variant = Variant { schedule, ..self.variant };
        variant.check()?;
        if schedule == Schedule::Balanced && self.balanced.is_none() {
            self.balanced = Some(Balanced::new::<E>(self.device(), &self.starts.read()?)?);
        }
        self.variant = variant;
        Ok(())
    }
    /// The device that holds it.
    pub fn device(&self) -> &Device {
        self.starts.device()
    }
    /// Places for entries, padding included, but without a diagonal that is stored separately.
    pub fn places(&self) -> usize {
        self.indices.len()
    }
    /// Bytes on the device.
    pub fn bytes(&self) -> usize {
        let arrays = self.starts.bytes() + self.lengths.bytes() + self.indices.bytes();
        let items = self.balanced.as_ref().map_or(0, Balanced::bytes);
        arrays + self.values.bytes() + self.diagonal.as_ref().map_or(0, Values::bytes) + items
    }
    /// Bytes that a product must move at least: the matrix in its layout without padding, and both vectors
    /// once each.
    pub fn product_bytes(&self) -> usize {
        let of_values = self.len() * size_of::<E>();
        let of_columns = 4 * (self.len() - self.diagonal.as_ref().map_or(0, |_| self.rows()));
        let of_vectors = (self.rows() + self.columns()) * size_of::<E::Element>();
        self.starts.bytes() + self.lengths.bytes() + of_values + of_columns + of_vectors
    }
    /// A vector of zeros with an element for each column, to be multiplied.
    /// # Errors
    /// As [`Vector::zeros`].
    pub fn domain(&self) -> Result<Vector<E::Element>> {
        Vector::zeros(self.device(), self.columns(), self.variant.layout.vector)
    }
    /// A vector of zeros with an element for each row, for products.
    /// # Errors
    /// As [`Vector::zeros`].
    pub fn range(&self) -> Result<Vector<E::Element>> {
        Vector::zeros(self.device(), self.rows(), self.variant.layout.vector)
    }

    /// `y = A x`. One launch, two for balanced rows some of which are long; does not wait.
    /// # Errors
    /// [`SparseError::Length`] or [`SparseError::Variant`] for a vector of another length or layout;
    /// [`Error::OtherDevice`]; errors of the driver.
    pub fn multiply(&self, x: &Vector<E::Element>, y: &mut Vector<E::Element>) -> Result<()> {
        self.product(None, x, y, 1)
    }
    /// `y = alpha A x + beta y`; the old values are not read if `beta` is 0. As [`SparseMatrix::multiply`].
    /// # Errors
    /// As [`SparseMatrix::multiply`].
    pub fn multiply_scaled(
        &self,
        alpha: E::Real,
        x: &Vector<E::Element>,
        beta: E::Real,
        y: &mut Vector<E::Element>,
    ) -> Result<()> {
        self.product(Some([alpha, beta]), x, y, 1)
    }
    /// `Y = A X` for `many` vectors that are stored next to each other, row by row: element `i` of vector `j`
    /// at `i many + j`. The matrix is read once. A thread for each row and vector, whatever the schedule but
    /// for its blocks.
    /// # Errors
    /// As [`SparseMatrix::multiply`]; [`SparseError::TooMany`] beyond 2³¹ rows times vectors;
    /// [`SparseError::Option`] for no vectors.
    pub fn multiply_many(&self, x: &Vector<E::Element>, y: &mut Vector<E::Element>, many: u32) -> Result<()> {
        self.product(None, x, y, many)
    }
    /// `y = A x` for buffers of elements, if the layout of vectors is AoS. As [`SparseMatrix::multiply`].
    /// # Errors
    /// As [`SparseMatrix::multiply`].
    pub fn multiply_buffers(&self, x: &Buffer<E::Element>, y: &mut Buffer<E::Element>) -> Result<()> {
        if self.variant.layout.vector != VectorLayout::Aos {
            let reason = "buffers of elements are vectors of the layout AoS";
            return Err(SparseError::Variant { variant: self.variant.to_string(), reason });
        }
        same_device(self.device(), &[(x.device(), "x"), (y.device(), "y")])?;
        length("elements of x", self.columns(), x.len())?;
        length("elements of y", self.rows(), y.len())?;
        let most = self.rows.max(self.columns) as u64 * u64::from(components::<E::Element, E::Real>());
        at_most("numbers of a vector", most, u64::from(u32::MAX))?;
        let part = BufferView::empty();
        let x = ReadArguments { whole: x.view(), parts: part, stride: 0, split: 0 };
        let y = WrittenArguments { whole: y.view_mut(), parts: BufferViewMut::empty(), stride: 0, split: 0 };
        self.launch(operands::<E>(None, x, y, 1))
    }

    fn product(
        &self,
        scaled: Option<[E::Real; 2]>,
        x: &Vector<E::Element>,
        y: &mut Vector<E::Element>,
        many: u32,
    ) -> Result<()> {
        if many == 0 {
            return Err(SparseError::Option { option: "many", value: 0.0, expected: "at least one vector" });
        }
        let layout = self.variant.layout.vector;
        x.check(self.device(), self.columns() * many as usize, layout, "elements of x")?;
        y.check(self.device(), self.rows() * many as usize, layout, "elements of y")?;
        let rows = u64::from(self.rows.max(self.columns)) * u64::from(many);
        at_most("rows times vectors", rows, u64::from(u32::MAX >> 1))?;
        self.launch(operands::<E>(scaled, x.read(), y.written(), many))
    }
    fn launch(&self, mut operands: OperandsArguments<'_, E::Element, E::Real>) -> Result<()> {
        let device = self.device();
        let n = self.rows * operands.many;
        if let (Schedule::Balanced, Some(balanced), 1) =
            (self.variant.schedule, &self.balanced, operands.many)
        {
            let (stored, items) = (self.stored(), balanced.items.view());
            // no allocation, which costs the host time for each product
            if balanced.pieces == 0 {
                // SAFETY: the constructors have checked the matrix, of whose offsets the items are made; the
                // callers the vectors.
                unsafe { E::balanced(device, stored, operands.reborrow(), items, BufferViewMut::empty())? };
                return Ok(());
            }
            let mut pieces = device.unspecified(balanced.pieces)?;
            // SAFETY: as above.
            unsafe { E::balanced(device, stored, operands.reborrow(), items, pieces.view_mut())? };
            // SAFETY: as above; there are as many pieces as the long rows say.
            unsafe { E::pieces(device, operands.reborrow(), balanced.long.view(), pieces.view())? };
            return Ok(());
        }
        let on_cpu = device.kind() == DeviceKind::Cpu;
        let (threads, size, blocks, dynamic) = match self.variant.schedule {
            // a task of the CPU takes more rows than a block of the GPU
            Schedule::Rows { threads } if on_cpu => (threads, TILE, n.div_ceil(TILE), 0),
            Schedule::Balanced if on_cpu => (256, TILE, n.div_ceil(TILE), 0),
            Schedule::Rows { threads } => (threads, threads, n.div_ceil(threads), 0),
            Schedule::Balanced => (256, 256, n.div_ceil(256), 0),
            Schedule::Static { threads, blocks } | Schedule::Dynamic { threads, blocks } => {
                let resident = blocks.saturating_mul(device.multiprocessors());
                let dynamic = matches!(self.variant.schedule, Schedule::Dynamic { .. });
                (threads, threads, n.div_ceil(threads).min(resident), dynamic.into())
            }
        };
        let mut counter = if dynamic == 0 { None } else { Some(device.zeros::<u32>(1)?) };
        let counter = counter.as_mut().map_or_else(BufferViewMut::empty, Buffer::view_mut);
        let chunks = ChunksArguments { size, dynamic, counter };
        // SAFETY: the constructors have checked the matrix, the callers the vectors.
        unsafe { E::rows(device, [blocks, threads], self.stored(), operands.reborrow(), chunks)? };
        Ok(())
    }
    /// The numbers of entries that have one each, by places; those of a diagonal that is stored by itself.
    pub(super) fn number_views(&self) -> (BufferView<'_, E::Real>, BufferView<'_, E::Real>) {
        (number_view(Some(&self.values)), number_view(self.diagonal.as_ref()))
    }
    /// The first place of each slice, lengths of rows, columns.
    pub(super) fn place_views(&self) -> [BufferView<'_, u32>; 3] {
        [&self.starts, &self.lengths, &self.indices].map(Buffer::view)
    }
    /// Binary logarithm of the rows of a slice; places from one entry of a row to the next.
    pub(super) fn steps(&self) -> (u32, u32) {
        (self.slice, self.step)
    }
    fn stored(&self) -> StoredArguments<'_, E, E::Real> {
        let (whole, parts, group, stride) = views(Some(&self.values));
        let (diagonal, diagonal_parts, _, diagonal_stride) = views(self.diagonal.as_ref());
        StoredArguments {
            rows: self.rows,
            slice: self.slice,
            step: self.step,
            group,
            stride,
            diagonal_stride,
            starts: self.starts.view(),
            lengths: self.lengths.view(),
            columns: self.indices.view(),
            whole,
            parts,
            diagonal,
            diagonal_parts,
        }
    }

    /// The entries of the diagonal on the host; waits. They are found on the device.
    /// # Errors
    /// [`SparseError::Diagonal`] names the first row that has none; [`SparseError::Length`] unless the matrix
    /// is square; out of memory; errors of the driver.
    pub fn diagonal(&self) -> Result<Vec<E>> {
        length("columns of a square matrix", self.rows(), self.columns())?;
        if let Some(diagonal) = &self.diagonal {
            return diagonal.download(self.rows());
        }
        let device = self.device();
        let mut missing = device.upload(&[NONE])?;
        let mut places = device.unspecified::<u32>(self.rows())?;
        let kernel = FindDiagonal {
            slice: self.slice,
            step: self.step,
            starts: self.starts.view(),
            lengths: self.lengths.view(),
            columns: self.indices.view(),
            places: places.view_mut(),
            missing: missing.view_mut(),
        };
        device.launch_each(self.rows, kernel)?;
        match missing.read()?[0] {
            NONE => self.values.gather(&places),
            row => Err(SparseError::Diagonal { row: row as usize }),
        }
    }
    /// The matrix on the host, in the order in which products are added. Waits.
    /// # Errors
    /// [`SparseError::Columns`] names a row whose columns do not ascend, as only columns of
    /// [`SparseMatrix::from_buffers`] and [`SparseMatrix::from_slices`] can; errors of earlier kernels or of
    /// the driver.
    pub fn download(&self) -> Result<Csr<E>> {
        let (starts, lengths) = (self.starts.read()?, self.lengths.read()?);
        let (indices, values) = (self.indices.read()?, self.values.download(self.places())?);
        let diagonal = match &self.diagonal {
            Some(diagonal) => diagonal.download(self.rows())?,
            None => vec![],
        };
        let (mut to, mut columns, mut entries) = (vec![0], vec![], vec![]);
        for row in 0..self.rows {
            let start = starts[(row >> self.slice) as usize];
            let len = lengths.get(row as usize).copied();
            let len = len.unwrap_or_else(|| starts[row as usize + 1] - start);
            let first = start + (row & ((1 << self.slice) - 1));
            let mut own: Vec<_> = (0..len)
                .map(|k| (first + k * self.step) as usize)
                .map(|place| (indices[place], values[place]))
                .collect();
            if let Some(&entry) = diagonal.get(row as usize) {
                let at = own.partition_point(|&(column, _)| column < row);
                own.insert(at, (row, entry));
            }
            columns.extend(own.iter().map(|&(column, _)| column));
            entries.extend(own.iter().map(|&(_, entry)| entry));
            to.push(columns.len() as u32);
        }
        Csr::from_parts(self.columns(), to, columns, entries)
    }
    /// The adjoint, made on the device: rows become columns, each entry its adjoint; for numbers and blocks
    /// the transpose. Only of `CSR-AoS-AoS`. A radix sort of the columns, gathers; waits.
    /// # Errors
    /// [`SparseError::Variant`] for another layout; [`SparseError::TooMany`] beyond 2³² numbers; out of
    /// memory; errors of the driver.
    pub fn adjoint(&self) -> Result<Self> {
        let Values::Whole(values) = &self.values else { return Err(self.not_csr()) };
        if self.variant.layout != Layout::CSR {
            return Err(self.not_csr());
        }
        let (device, n) = (self.device(), self.entries as u32);
        let numbers = self.entries as u64 * u64::from(components::<E, E::Real>());
        at_most("numbers of an adjoint", numbers, u64::from(u32::MAX))?;
        let mut rows = device.unspecified::<u32>(self.entries)?;
        let kernel = RowsOfEntries { starts: self.starts.view(), to: rows.view_mut() };
        device.launch_each(self.rows, kernel)?;
        let bits = (32 - self.columns.leading_zeros()).max(1);
        let order = array::order_of(&self.indices, bits)?;
        let indices = array::gather(&rows, &order)?;
        let mut starts = device.zeros::<u32>(self.columns() + 1)?;
        let counts = CountColumns { columns: self.indices.view(), counts: starts.view_mut() };
        device.launch_each(n, counts)?;
        array::exclusive_scan(&mut starts)?;
        let mut to = device.unspecified::<E>(self.entries)?;
        // SAFETY: a place of the matrix for each entry, and room for each.
        unsafe { E::adjoints(device, order.view(), values.view(), to.view_mut())? };
        let balanced = match self.variant.schedule {
            Schedule::Balanced => Some(Balanced::new::<E>(device, &starts.read()?)?),
            _ => None,
        };
        Ok(Self {
            rows: self.columns,
            columns: self.rows,
            starts,
            lengths: device.unspecified(0)?,
            indices,
            values: Values::Whole(to),
            diagonal: None,
            balanced,
            ..*self
        })
    }
    fn not_csr(&self) -> SparseError {
        let reason = "adjoints are made of CSR-AoS-AoS, and on the host";
        SparseError::Variant { variant: self.variant.to_string(), reason }
    }
}

impl<E: Launched> std::fmt::Debug for SparseMatrix<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (rows, columns, entries, variant) = (self.rows, self.columns, self.entries, self.variant);
        write!(f, "SparseMatrix of {rows} x {columns} with {entries} entries, {variant}")
    }
}

/// Entries as whole ones or as parts, how these are grouped, and their stride.
type Views<'a, E> = (BufferView<'a, E>, BufferView<'a, <E as Entry>::Real>, u32, u32);
fn views<E: Entry>(values: Option<&Values<E>>) -> Views<'_, E> {
    match values {
        None => (BufferView::empty(), BufferView::empty(), 0, 0),
        Some(Values::Whole(entries)) => (entries.view(), BufferView::empty(), 0, 0),
        Some(Values::Parts { numbers, group, stride }) => {
            (BufferView::empty(), numbers.view(), *group, *stride)
        }
    }
}
fn number_view<E: Entry>(values: Option<&Values<E>>) -> BufferView<'_, E::Real> {
    match values {
        None => BufferView::empty(),
        Some(Values::Whole(entries)) => entries.view().wide(),
        Some(Values::Parts { numbers, .. }) => numbers.view(),
    }
}
fn operands<'a, E: Launched>(
    scaled: Option<[E::Real; 2]>,
    x: ReadArguments<'a, E::Element, E::Real>,
    y: WrittenArguments<'a, E::Element, E::Real>,
    many: u32,
) -> OperandsArguments<'a, E::Element, E::Real> {
    let [alpha, beta] = scaled.unwrap_or([E::Real::ONE, E::Real::ZERO]);
    OperandsArguments { many, scaled: scaled.is_some().into(), alpha, beta, x, y }
}
fn same_device(device: &Device, others: &[(&Device, &'static str)]) -> Result<()> {
    match others.iter().find(|(other, _)| !other.same(device)) {
        Some(&(_, what)) => Err(Error::OtherDevice { what }.into()),
        None => Ok(()),
    }
}
/// The first row whose place is wrong, and the first with a column out of range; [`NONE`] for none.
fn check_rows(
    rows: u32,
    of_columns: u32,
    slice: u32,
    starts: &Buffer<u32>,
    lengths: &Buffer<u32>,
    columns: &Buffer<u32>,
) -> Result<[u32; 2]> {
    let device = starts.device();
    let mut wrong = device.upload(&[NONE; 2])?;
    let kernel = CheckRows {
        slice,
        places: columns.len() as u32,
        of_columns,
        starts: starts.view(),
        lengths: lengths.view(),
        columns: columns.view(),
        wrong: wrong.view_mut(),
    };
    device.launch_each(rows, kernel)?;
    let found = wrong.read()?;
    Ok([found[RANGE as usize], found[COLUMN as usize]])
}
