//! Regular grids of heights.
use super::error::{Result, RixelError, count, length};
use super::scene::{Values, on};
use super::shown::Arguments;
use crate::device::heights::{CENTRES, CORNERS, Grid};
use crate::device::scene::SurfaceArguments;
use ribbonmesh::device::BufferView;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Buffer, Device, Error};

/// The places of a grid's heights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum HeightsAt {
    /// At the corners of cells.
    #[default]
    Corners,
    /// In cells: the height at a corner is the mean of the heights of the cells around it that have one.
    Centres,
}

/// A regular grid of heights on a device, drawn as two triangles for each cell without a mesh: of its corners
/// (0, 0), (1, 0), (1, 1), and of (0, 0), (1, 1), (0, 1). Cells and corners are numbered row by row; triangle
/// `k` of a picture belongs to cell `k / 2`. They are seen from both sides.
///
/// Without a height, that is where it is not finite or `wet` has 0, there is nothing: of heights at corners,
/// no triangle at this corner; of heights in cells, no triangle of this cell.
///
/// Values are one for each corner ([`Values::OfVertices`]), or one for each cell ([`Values::OfFaces`]).
#[derive(Clone, Copy, Debug)]
pub struct Heights<'a> {
    /// Heights of a row, and rows.
    pub size: [u32; 2],
    /// Where they are.
    pub at: HeightsAt,
    /// The place of the grid's first corner at height 0.
    pub origin: Vec3,
    /// The way to the next corner of a row.
    pub across: Vec3,
    /// The way to the next row.
    pub along: Vec3,
    /// The way up, for a height of 1.
    pub up: Vec3,
    /// Heights, row by row; none for 0 everywhere.
    pub heights: Option<&'a Buffer<f32>>,
    /// Whether a height counts: 0 or another number. None if all do.
    pub wet: Option<&'a Buffer<u8>>,
    /// Values.
    pub values: Values<'a>,
}

impl<'a> Heights<'a> {
    /// A grid of squares of side 1 in x and y from the origin on, with heights along z, all of which count,
    /// without values.
    pub fn new(size: [u32; 2], at: HeightsAt, heights: &'a Buffer<f32>) -> Self {
        Self {
            size,
            at,
            origin: Vec3::ZERO,
            across: Vec3::X,
            along: Vec3::Y,
            up: Vec3::Z,
            heights: Some(heights),
            wet: None,
            values: Values::Plain,
        }
    }
    /// Cells of a row, and rows of cells.
    pub fn cells(&self) -> [u32; 2] {
        match self.at {
            HeightsAt::Corners => self.size.map(|n| n.saturating_sub(1)),
            HeightsAt::Centres => self.size,
        }
    }
}

impl Arguments for Heights<'_> {
    fn check(&self, device: &Device) -> Result<u32> {
        let [columns, rows] = self.cells().map(|n| n as usize);
        let samples = self.size[0] as usize * self.size[1] as usize;
        // below 2^64: both have 32 bits
        let corners = (columns as u64 + 1) * (rows as u64 + 1);
        count("corners of a grid", usize::try_from(corners).unwrap_or(usize::MAX))?;
        let faces = count("triangles of a grid", (columns * rows).saturating_mul(2))?;
        if let Some(heights) = self.heights {
            length("heights of the grid", samples, heights.len())?;
            on("the buffer of heights", device, heights.device())?;
        }
        if let Some(wet) = self.wet {
            length("marks of heights", samples, wet.len())?;
            on("the buffer of marks", device, wet.device())?;
        }
        let named = ["values of the grid's corners", "values of the grid's cells"];
        self.values.check(device, named, [corners as usize, columns * rows])?;
        Ok(faces)
    }
    fn arguments(&self) -> SurfaceArguments<'_> {
        let (of, values) = self.values.view();
        let [columns, rows] = self.cells();
        let [origin, across, along, up] =
            [self.origin, self.across, self.along, self.up].map(|x| x.to_array());
        let kind = match self.at {
            HeightsAt::Corners => CORNERS,
            HeightsAt::Centres => CENTRES,
        };
        SurfaceArguments {
            positions: BufferView::empty(),
            faces: BufferView::empty(),
            heights: self.heights.map_or_else(BufferView::empty, Buffer::view),
            wet: self.wet.map_or_else(BufferView::empty, Buffer::view),
            values,
            grid: Grid { origin, across, along, up, columns, rows, kind, padding: 0 },
            of,
            count: 2 * columns * rows,
        }
    }
    fn named(&self, error: Error) -> RixelError {
        error.into()
    }
}
