//! Regular grids of cells in space.
use super::error::{Result, count, length};
use super::heights::{Heights, HeightsAt};
use super::scene::{Values, on};
use crate::device::cells::{Cubes, CutCells, Lattice, ValuesAround, ValuesOfCells};
use ribbonmesh::device::{BufferView, tiles};
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Buffer, Device};

/// A part of a cell by which a plane may reach beyond its last square.
const SLACK: f64 = 1e-3;

/// A regular grid of cubes in space, with a corner at the origin: the cell at i, j, k has the number
/// `i + nx (j + ny k)`. Its values are seen on planes, or on a surface in it.
///
/// Where there are numbers for cells beside their values, those of which this number is not above 0 have no
/// value: cells within an obstacle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellGrid {
    /// Cells along each axis.
    pub cells: [u32; 3],
    /// The edge of a cell.
    pub edge: f32,
}

impl CellGrid {
    /// Number of cells.
    pub fn count(&self) -> u64 {
        self.cells.iter().map(|&n| u64::from(n)).product()
    }
    /// The end of its diagonal.
    fn size(&self) -> DVec3 {
        DVec3::from_array(self.cells.map(f64::from)) * f64::from(self.edge)
    }
    fn cubes(&self) -> Cubes {
        Cubes { n: self.cells, edge: self.edge }
    }
    fn check(&self, device: &Device, values: &Buffer<f32>, open: Option<&Buffer<f32>>) -> Result<()> {
        let cells = count("cells", usize::try_from(self.count()).unwrap_or(usize::MAX))?;
        for (what, numbers) in [("values of cells", Some(values)), ("openness of cells", open)] {
            let Some(numbers) = numbers else { continue };
            length(what, cells as usize, numbers.len())?;
            on("the buffer of cells", device, numbers.device())?;
        }
        Ok(())
    }
    /// The value at each place: the mean of the eight cells around that have one, weighted as in trilinear
    /// interpolation; NaN where none has. Beyond the outermost middles of cells it is constant.
    /// # Errors
    /// [`ribbonmesh::Error::Length`]; [`ribbonmesh::Error::OtherDevice`]; out of memory; errors of the
    /// driver.
    pub fn values_at(
        &self,
        places: &Buffer<Vec3>,
        values: &Buffer<f32>,
        open: Option<&Buffer<f32>>,
    ) -> Result<Buffer<f32>> {
        let device = places.device();
        self.check(device, values, open)?;
        let n = count("places", places.len())?;
        let mut to = device.unspecified(places.len())?;
        let kernel = ValuesAround {
            cubes: self.cubes(),
            places: places.view(),
            values: values.view(),
            open: open.map_or_else(BufferView::empty, Buffer::view),
            to: to.view_mut(),
        };
        device.launch(tiles(n), kernel)?;
        Ok(to)
    }
    /// The section by the plane of all points whose product with the normal is the offset: squares as large
    /// as the sides of cells, in the directions of the axes if the plane has them. Those whose middle is
    /// outside are not seen. A plane that is off the grid has no squares.
    /// # Errors
    /// [`ribbonmesh::Error::TooMany`]; out of memory; errors of the driver.
    pub fn cut(&self, device: &Device, normal: DVec3, offset: f64) -> Result<CutGrid> {
        let lattice = self.lattice(normal, offset)?;
        let squares = lattice.columns as usize * lattice.rows as usize;
        let (mut cells, mut inside) = (device.unspecified(squares)?, device.unspecified(squares)?);
        let (to, inside_to) = (cells.view_mut(), inside.view_mut());
        let kernel = CutCells { cubes: self.cubes(), lattice, to, inside: inside_to };
        device.launch(tiles(squares as u32), kernel)?;
        Ok(CutGrid { grid: *self, lattice, cells, inside })
    }
    fn lattice(&self, normal: DVec3, offset: f64) -> Result<Lattice> {
        let length = normal.length();
        let (normal, offset) = (normal / length, offset / length);
        let (across, along) = normal.any_orthonormal_pair();
        let flat =
            Lattice { origin: [0.0; 3], across: [0.0; 3], along: [0.0; 3], columns: 0, rows: 0, padding: 0 };
        let Some([low, high]) = self.section(normal, offset, [across, along]) else { return Ok(flat) };
        let edge = f64::from(self.edge);
        let squares = [0, 1].map(|k| ((high[k] - low[k]) / edge - SLACK).ceil().max(1.0));
        let origin = normal * offset + across * low[0] + along * low[1];
        // triangles of a picture are counted, two for each square
        count("triangles of a slice", (2.0 * squares[0] * squares[1]) as usize)?;
        let [origin, across, along] = [origin, across * edge, along * edge].map(|v| v.as_vec3().to_array());
        Ok(Lattice { origin, across, along, columns: squares[0] as u32, rows: squares[1] as u32, padding: 0 })
    }
    /// The rectangle in a plane around its section of the box, by two directions; none if it misses the box.
    fn section(&self, normal: DVec3, offset: f64, [u, v]: [DVec3; 2]) -> Option<[[f64; 2]; 2]> {
        let size = self.size();
        let corner =
            |i: usize| DVec3::from_array([0, 1, 2].map(|a| if i >> a & 1 == 0 { 0.0 } else { size[a] }));
        let mut points = vec![];
        for (i, a) in (0..8).flat_map(|i| [0, 1, 2].map(|a| (i, a))).filter(|(i, a)| i >> a & 1 == 0) {
            let (from, to) = (corner(i), corner(i | 1 << a));
            let (below, above) = (normal.dot(from) - offset, normal.dot(to) - offset);
            if below == above {
                points.extend((below == 0.0).then_some([from, to]).into_iter().flatten());
            } else if (below <= 0.0) != (above < 0.0) || above == 0.0 {
                let part = below / (below - above);
                points.extend((0.0..=1.0).contains(&part).then(|| from.lerp(to, part)));
            }
        }
        let ends = |d: DVec3| {
            let along = points.iter().map(|p| p.dot(d));
            along.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)])
        };
        let [across, along] = [ends(u), ends(v)];
        (!points.is_empty()).then_some([[across[0], along[0]], [across[1], along[1]]])
    }
}

/// A section of a grid of cells, on a device: 5 bytes for each square.
pub struct CutGrid {
    grid: CellGrid,
    lattice: Lattice,
    cells: Buffer<u32>,
    inside: Buffer<u8>,
}

impl CutGrid {
    /// The value of the cell that the middle of each square is in; NaN where that has none.
    /// # Errors
    /// [`ribbonmesh::Error::Length`]; [`ribbonmesh::Error::OtherDevice`]; out of memory; errors of the
    /// driver.
    pub fn values(&self, values: &Buffer<f32>, open: Option<&Buffer<f32>>) -> Result<Buffer<f32>> {
        let device = self.cells.device();
        self.grid.check(device, values, open)?;
        let mut to = device.unspecified(self.cells.len())?;
        let kernel = ValuesOfCells {
            cells: self.cells.view(),
            values: values.view(),
            open: open.map_or_else(BufferView::empty, Buffer::view),
            to: to.view_mut(),
        };
        device.launch(tiles(self.cells.len() as u32), kernel)?;
        Ok(to)
    }
    /// The squares to be drawn, with one value for each.
    pub fn shown<'a>(&'a self, values: &'a Buffer<f32>) -> Heights<'a> {
        let Lattice { origin, across, along, columns, rows, .. } = self.lattice;
        Heights {
            size: [columns, rows],
            at: HeightsAt::Centres,
            origin: origin.into(),
            across: across.into(),
            along: along.into(),
            up: Vec3::ZERO,
            heights: None,
            wet: Some(&self.inside),
            values: Values::OfFaces(values),
        }
    }
    /// The squares as a mesh, for those who draw it themselves: corners, and two triangles for each square as
    /// in a picture of [`CutGrid::shown`]; those outside have three times the same corner. Copies the marks
    /// of squares to the host.
    /// # Errors
    /// Errors of the driver.
    pub fn mesh(&self) -> Result<(Vec<[f32; 3]>, Vec<u32>)> {
        let Lattice { origin, across, along, columns, rows, .. } = self.lattice;
        let [origin, across, along] = [origin, across, along].map(Vec3::from);
        let point = |i: u32| {
            let (x, y) = (i % (columns + 1), i / (columns + 1));
            (origin + x as f32 * across + y as f32 * along).to_array()
        };
        let points = (0..(columns + 1) * (rows + 1)).map(point).collect();
        let faces = (0..).zip(self.inside.read()?).flat_map(|(square, inside): (u32, u8)| {
            let first = square / columns * (columns + 1) + square % columns;
            let last = first + columns + 2;
            match inside {
                0 => [0; 6],
                _ => [first, first + 1, last, first, last, last - 1],
            }
        });
        Ok((points, faces.collect()))
    }
    /// Corners, and triangles.
    pub fn counts(&self) -> [u64; 2] {
        let [columns, rows] = [self.lattice.columns, self.lattice.rows].map(u64::from);
        let corners = if rows > 0 { (columns + 1) * (rows + 1) } else { 0 };
        [corners, 2 * columns * rows]
    }
    /// The number of the cell that a triangle of the picture shows.
    /// # Errors
    /// [`ribbonmesh::Error::IndexOutOfRange`] for a triangle that does not exist; errors of the driver.
    pub fn cell(&self, triangle: u32) -> Result<u32> {
        Ok(self.cells.read_range(triangle as usize / 2, 1)?[0])
    }
}
