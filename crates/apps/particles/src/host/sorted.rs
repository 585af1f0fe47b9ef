//! Particles in the order of cells: the host's part.
use super::options::wrong;
use crate::cells::{Arrange, CellsArguments, FindKeys, LEAST_BITS, PARTICLES, Table};
use crate::neighbours::{FindNeighbours, LISTED, NeighboursArguments, WriteNeighbours};
use crate::smoothing::Smoothing;
use crate::surface::CloudArguments;
use glam::Vec3;
use ribbonmesh::array::{self, Groups};
use ribbonmesh::device::Quad;
use ribbonmesh::{Buffer, Device, Error, Result};

/// Number of blocks of a kernel over particles.
pub fn blocks(n: u32) -> u32 {
    n.div_ceil(PARTICLES)
}

/// Most particles: their lists have [`LISTED`] entries each.
const MOST: u64 = (u32::MAX / LISTED) as u64;

/// The number of particles, if it can be handled.
pub fn count(n: usize) -> Result<u32> {
    if n as u64 > MOST {
        return Err(Error::TooMany { what: "particles", count: n as u64, limit: MOST });
    }
    Ok(n as u32)
}

/// Particles in the order of cells; within a cell, in the order of their indices.
pub struct Sorted {
    pub table: Table,
    /// The particles of each key.
    pub groups: Groups,
    /// The positions, packed.
    pub points: Buffer<Quad>,
}

impl Sorted {
    /// Sorts particles into cells with edges of a radius. There are as many keys as particles, or up to twice
    /// as many. 60 bytes per particle; waits for two words.
    /// # Errors
    /// A kernel's error if a position is not finite; out of memory; errors of the driver.
    pub fn new(x: &Buffer<Vec3>, radius: f32) -> Result<Self> {
        let (device, n) = (x.device(), count(x.len())?);
        let all = (u32::BITS - n.leading_zeros()).max(3 * LEAST_BITS);
        // most bits for x, so that rows along x are the longest
        let bits = [all.div_ceil(3), (all + 1) / 3, all / 3];
        let table = Table { edge: radius.to_bits(), bits };
        let mut keys = device.unspecified::<u32>(n as usize)?;
        device.launch(blocks(n), FindKeys { n, table, x: x.view(), keys: keys.view_mut() })?;
        let groups = array::group_by(&keys, table.keys())?;
        let mut points = device.unspecified::<Quad>(n as usize)?;
        let arrange = Arrange { n, order: groups.places().view(), x: x.view(), points: points.view_mut() };
        device.launch(blocks(n), arrange)?;
        Ok(Self { table, groups, points })
    }
    pub fn cells(&self) -> CellsArguments<'_> {
        CellsArguments { starts: self.groups.starts().view(), table: self.table }
    }
    pub fn cloud(&self, smoothing: Smoothing) -> CloudArguments<'_> {
        CloudArguments { cells: self.cells(), points: self.points.view(), smoothing }
    }
}

/// Lists of neighbours.
pub struct Lists {
    counts: Buffer<u32>,
    lists: Buffer<u32>,
}
impl Lists {
    /// Memory for this many particles.
    pub fn new(device: &Device, n: u32) -> Result<Self> {
        let lists = device.unspecified(n as usize * LISTED as usize)?;
        Ok(Self { counts: device.unspecified(n as usize)?, lists })
    }
    /// Finds the neighbours within a radius, at most that of the cells. Does not wait.
    pub fn find(&mut self, sorted: &Sorted, square: f32) -> Result<()> {
        let n = self.counts.len() as u32;
        let kernel = FindNeighbours {
            n,
            square,
            cells: sorted.cells(),
            points: sorted.points.view(),
            counts: self.counts.view_mut(),
            lists: self.lists.view_mut(),
        };
        sorted.points.device().launch(blocks(n), kernel)
    }
    pub fn view<'a>(&'a self, sorted: &'a Sorted, square: f32) -> NeighboursArguments<'a> {
        NeighboursArguments {
            n: self.counts.len() as u32,
            square,
            cells: sorted.cells(),
            points: sorted.points.view(),
            counts: self.counts.view(),
            lists: self.lists.view(),
        }
    }
}

/// Finds for each of some points the others that are nearer than a radius, in a fixed order without meaning.
/// Waits.
/// # Errors
/// [`Error::Option`] for a radius that is not positive; a kernel's error if a point is not finite; out of
/// memory; errors of the driver.
pub fn neighbours_of(points: &Buffer<Vec3>, radius: f32) -> Result<Vec<Vec<u32>>> {
    if !(1e-30..1e18).contains(&radius) {
        return Err(wrong("radius", radius, "1e-30 to 1e18"));
    }
    let (device, square) = (points.device(), radius * radius);
    let sorted = Sorted::new(points, radius)?;
    let n = sorted.points.len() as u32;
    let mut lists = Lists::new(device, n)?;
    lists.find(&sorted, square)?;
    let mut starts = lists.counts.try_clone()?;
    let counts = starts.read()?;
    let total = array::exclusive_scan(&mut starts)?;
    let mut rows = device.unspecified::<u32>(total as usize)?;
    let kernel = WriteNeighbours {
        neighbours: lists.view(&sorted, square),
        order: sorted.groups.places().view(),
        starts: starts.view(),
        rows: rows.view_mut(),
    };
    device.launch(blocks(n), kernel)?;
    let (rows, starts, order) = (rows.read()?, starts.read()?, sorted.groups.places().read()?);
    let mut found = vec![vec![]; n as usize];
    for ((start, count), i) in starts.into_iter().zip(counts).zip(order) {
        found[i as usize] = rows[start as usize..][..count as usize].to_vec();
    }
    Ok(found)
}
