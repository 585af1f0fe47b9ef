//! Pairs of vertices that are near each other without an edge.
use super::complex::Complex;
use crate::simplify::contract::near::{
    CellKeys, Cells, CountNear, ListNear, MeasureVertices, NEAR, NearbyArguments,
};
use glam::Vec3;
use ribbonmesh::array::Groups;
use ribbonmesh::device::tiles;
use ribbonmesh::{Buffer, Result, array};

/// Vertices sorted by the cells of a grid.
pub struct Near {
    keys: Buffer<u64>,
    vertices: Buffer<u32>,
    lengths: Buffer<f32>,
    normals: Buffer<Vec3>,
    cells: Cells,
    /// Start of the pairs of each vertex.
    starts: Buffer<u32>,
    /// Number of pairs.
    pub count: u32,
}
impl Near {
    /// Counts the pairs. Waits.
    pub fn new(s: &Complex, corners: &Groups) -> Result<Self> {
        let (device, n) = (s.faces.device(), s.x.len() as u32);
        let mut lengths = device.unspecified::<f32>(n as usize)?;
        let mut normals = device.unspecified::<Vec3>(n as usize)?;
        let measure = MeasureVertices {
            x: s.x.view(),
            faces: s.faces.view(),
            corners: corners.view(),
            lengths: lengths.view_mut(),
            normals: normals.view_mut(),
        };
        device.launch(tiles(n), measure)?;
        let mean = array::sum(&lengths)? / f64::from(n - s.alone_count);
        let per_length = if mean > 0.0 { 1.0 / (f64::from(NEAR) * mean) } else { 1.0 };
        // a box is about one across, and has less than 2²⁰ cells to a side
        let cells = Cells { low: s.low, per_length: per_length.min(f64::from(1 << 18)) as f32 };
        let mut keys = device.unspecified::<u64>(n as usize)?;
        let (x, starts) = (s.x.view(), corners.starts().view());
        device.launch(tiles(n), CellKeys { x, starts, cells, keys: keys.view_mut() })?;
        let mut numbers = device.unspecified::<u32>(n as usize)?;
        array::fill(&mut numbers, 1)?;
        array::exclusive_scan(&mut numbers)?;
        array::sort_pairs(&mut keys, &mut numbers, 64)?;
        let starts = device.unspecified::<u32>(n as usize)?;
        let mut near = Self { keys, vertices: numbers, lengths, normals, cells, starts, count: 0 };
        let mut counts = device.unspecified::<u32>(n as usize)?;
        device.launch(tiles(n), CountNear { s: near.view(s, corners), counts: counts.view_mut() })?;
        near.count = array::exclusive_scan(&mut counts)?;
        near.starts = counts;
        Ok(near)
    }
    fn view<'a>(&'a self, s: &'a Complex, corners: &'a Groups) -> NearbyArguments<'a> {
        NearbyArguments {
            s: s.view(corners),
            keys: self.keys.view(),
            vertices: self.vertices.view(),
            lengths: self.lengths.view(),
            normals: self.normals.view(),
            cells: self.cells,
        }
    }
    /// Writes the pairs from `base` on.
    pub fn list(&self, s: &Complex, corners: &Groups, base: u32, pairs: &mut Buffer<[u32; 2]>) -> Result<()> {
        if self.count == 0 {
            return Ok(());
        }
        let starts = self.starts.view();
        let list = ListNear { s: self.view(s, corners), starts, base, pairs: pairs.view_mut() };
        s.faces.device().launch(tiles(self.starts.len() as u32), list)
    }
}
