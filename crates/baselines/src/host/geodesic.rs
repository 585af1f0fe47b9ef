//! Front propagation over directed edges.
use super::Pde;
use crate::each::blocks;
use crate::geodesic::{LevelsArguments, PdeRelax};
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Buffer, Error, Op, Result};

/// Data for a run: vertices by their number of hops from the source (thesis 4.5.2, "as a preprocessing
/// step").
pub struct PdeGeodesic<'p> {
    pde: &'p Pde,
    positions: Buffer<Vec3>,
    /// Vertices by level.
    vertices: Buffer<u32>,
    /// The first index of each level, and the end.
    limits: Vec<u32>,
    distances: Buffer<f32>,
    unsettled: Buffer<u32>,
    /// Before the first iteration.
    start: Buffer<f32>,
}

/// The same as RXMesh's.
const TOLERANCE: f32 = 1e-3;

impl<'p> PdeGeodesic<'p> {
    /// Finds the levels, on the host. O(n).
    /// # Errors
    /// [`Error::Length`], [`Error::Option`] for a source that is not there; out of memory; errors of the
    /// driver.
    pub fn new(pde: &'p Pde, positions: &[Vec3], source: u32) -> Result<Self> {
        let (device, n) = (pde.device(), pde.vertices());
        if positions.len() != n {
            return Err(Error::Length { what: "positions", expected: n, found: positions.len() });
        }
        if source as usize >= n {
            let expected = "a vertex of the mesh";
            return Err(Error::Option { option: "source", value: source.to_string(), expected });
        }
        let neighbours = pde.query(Op::VV)?.values().read()?;
        let offsets = pde.offsets(Op::VV).map(Buffer::read).transpose()?.unwrap_or_default();
        let (mut vertices, mut limits) = (vec![source], vec![0]);
        let mut met = vec![false; n];
        met[source as usize] = true;
        while (limits[limits.len() - 1] as usize) < vertices.len() {
            let begin = limits[limits.len() - 1] as usize;
            limits.push(vertices.len() as u32);
            for i in begin..vertices.len() {
                let v = vertices[i] as usize;
                for &u in &neighbours[offsets[v] as usize..offsets[v + 1] as usize] {
                    if !std::mem::replace(&mut met[u as usize], true) {
                        vertices.push(u);
                    }
                }
            }
        }
        let mut start = vec![f32::INFINITY; n];
        start[source as usize] = 0.0;
        Ok(Self {
            pde,
            positions: device.upload(positions)?,
            vertices: device.upload(&vertices)?,
            limits,
            distances: device.zeros(n)?,
            unsettled: device.zeros(1)?,
            start: device.upload(&start)?,
        })
    }
    /// Number of levels, the source's own included.
    pub fn levels(&self) -> usize {
        self.limits.len() - 1
    }
    /// Computes all distances; returns the number of iterations. Each is one launch of the window's vertices
    /// and one look at how many are not settled.
    /// # Errors
    /// Errors of the driver.
    pub fn run(&mut self) -> Result<usize> {
        self.distances.copy_from(&self.start)?;
        let (levels, device) = (self.levels(), self.pde.device());
        // levels from..to
        let (mut from, mut to, mut iterations) = (1, 2.min(levels), 0);
        while from < to {
            from = from.max(to / 2);
            let (begin, first_end, end) = (self.limits[from], self.limits[from + 1], self.limits[to]);
            let n = end - begin;
            self.unsettled.clear()?;
            let kernel = PdeRelax {
                mesh: self.pde.view(),
                levels: LevelsArguments {
                    vertices: self.vertices.view(),
                    begin,
                    first_end,
                    n,
                    tolerance: TOLERANCE,
                },
                positions: self.positions.view(),
                distances: self.distances.view_mut(),
                unsettled: self.unsettled.view_mut(),
            };
            device.launch(blocks(n as usize), kernel)?;
            iterations += 1;
            from += (self.unsettled.read()?[0] == 0) as usize;
            to = (to + 1).min(levels);
        }
        Ok(iterations)
    }
    /// The distances after a run, infinite where no path leads; waits.
    /// # Errors
    /// Errors of the driver.
    pub fn distances(&self) -> Result<Vec<f32>> {
        self.distances.read()
    }
}
