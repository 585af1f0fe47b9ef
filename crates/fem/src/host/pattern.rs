//! The blocks that a matrix has.
use super::assembler::{Marks, Stage};
use super::error::Result;
use super::kernels::fits;
use super::lengths::RowLengths;
use super::space::{CellShape, Space};
use crate::device::matrix::{BIN, PatternViewArguments};
use crate::device::pattern::{BinSizes, FILLERS, HexLengths, hex, tet1, tet2, tet3, tri};
use ribbonmesh::device::tiles;
use ribbonmesh::{Buffer, Device, DeviceKind, array};

/// The pattern of a matrix in the layout Bin-BCSR*: bins of 32 rows of blocks, each bin as wide as its
/// longest row, slot by slot. The blocks of the diagonal are kept by themselves (Mueller-Roemer 2020, section
/// 4.4.2).
///
/// 4 bytes per place, 4 per bin. Rows are in the order of nodes, columns of a row ascend.
pub struct Pattern {
    rows: u32,
    blocks: u64,
    offsets: Buffer<u32>,
    columns: Buffer<u32>,
}
impl Pattern {
    /// Allocates exactly, and fills. Lengths of rows from equation 4.6 on tetrahedra and triangles, counted
    /// on hexahedra; a launch for the columns, in which blocks of threads take rows by a counter. Waits
    /// twice.
    /// # Errors
    /// [`ribbonmesh::Error::TooMany`] beyond 2³² places; out of memory; errors of the driver.
    pub fn new(space: &Space<'_>) -> Result<Self> {
        Self::marked(space, &mut Marks::none())
    }
    pub(crate) fn marked(space: &Space<'_>, marks: &mut Marks<'_>) -> Result<Self> {
        let (device, rows, n) = (space.device(), space.nodes() as u32, space.view());
        let lengths = match space.simplices() {
            Some(mesh) => RowLengths::new(mesh, space.shape().order())?,
            None => {
                let mut lengths = device.unspecified::<u32>(rows as usize)?;
                device.launch(tiles(rows), HexLengths { space: space.view(), to: lengths.view_mut() })?;
                RowLengths::of_rows(lengths)?
            }
        };
        marks.done(device, Stage::CountContributions)?;
        let bins = rows.div_ceil(BIN);
        let mut offsets = device.zeros::<u32>(bins as usize + 1)?;
        let of = lengths.view(n.first_edge, n.first_face);
        device.launch_each(bins, BinSizes { rows, lengths: of, to: offsets.view_mut() })?;
        let places = fits("places of a matrix", array::exclusive_scan(&mut offsets)?.into())?;
        let blocks = lengths.total()?;
        drop(lengths);
        marks.done(device, Stage::BinOffsets)?;
        let mut columns = device.zeros::<u32>(places as usize)?;
        marks.done(device, Stage::AllocateColumns)?;
        let mut counter = device.zeros::<u32>(1)?;
        let chunks = rows.div_ceil(FILLERS);
        let resident = match device.kind() {
            // as many as run at the same time; the others would find nothing
            DeviceKind::Cuda => chunks.min(14 * device.multiprocessors()),
            DeviceKind::Cpu => chunks.min(64),
        };
        let (space_view, o, c, k) = (space.view(), offsets.view(), columns.view_mut(), counter.view_mut());
        macro_rules! fill {
            ($module:ident) => {
                device.launch(
                    resident,
                    $module::Columns { space: space_view, offsets: o, columns: c, counter: k },
                )?
            };
        }
        match space.shape() {
            CellShape::Tet1 => fill!(tet1),
            CellShape::Tet2 => fill!(tet2),
            CellShape::Tet3 => fill!(tet3),
            CellShape::Hex => fill!(hex),
            CellShape::Tri => fill!(tri),
        }
        marks.done(device, Stage::Columns)?;
        Ok(Self { rows, blocks, offsets, columns })
    }
    /// The device that holds it.
    pub fn device(&self) -> &Device {
        self.columns.device()
    }
    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows as usize
    }
    /// The number of blocks, including blocks of the diagonal, padding excluded.
    pub fn blocks(&self) -> u64 {
        self.blocks
    }
    /// The number of places of blocks off the diagonal, padding included.
    pub fn places(&self) -> usize {
        self.columns.len()
    }
    /// Places of padding by blocks that are not on the diagonal.
    pub fn padding(&self) -> f64 {
        let needed = self.blocks as f64 - f64::from(self.rows);
        if needed > 0.0 { self.places() as f64 / needed - 1.0 } else { 0.0 }
    }
    /// The first place of each bin of 32 rows, and the end.
    pub fn offsets(&self) -> &Buffer<u32> {
        &self.offsets
    }
    /// The column of each place.
    pub fn columns(&self) -> &Buffer<u32> {
        &self.columns
    }
    /// Bytes on the device.
    pub fn bytes(&self) -> usize {
        self.offsets.bytes() + self.columns.bytes()
    }
    /// As an argument of kernels.
    pub(crate) fn view(&self) -> PatternViewArguments<'_> {
        PatternViewArguments { rows: self.rows, offsets: self.offsets.view(), columns: self.columns.view() }
    }
}
/// The columns of a row off the diagonal and their places, by a pattern's arrays on the host. Padding, which
/// repeats the last column, is left out.
pub fn places(offsets: &[u32], columns: &[u32], row: u32) -> impl Iterator<Item = (u32, u32)> {
    let (bin, lane) = ((row / BIN) as usize, row % BIN);
    let mut last = row;
    (offsets[bin] + lane..offsets[bin + 1]).step_by(BIN as usize).map_while(move |place| {
        let column = columns[place as usize];
        let new = column != last && column != row;
        last = column;
        new.then_some((column, place))
    })
}

impl std::fmt::Debug for Pattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pattern of {} rows with {} blocks on {:?}", self.rows, self.blocks, self.device())
    }
}
