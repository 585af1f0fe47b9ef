//! The neighbours of each particle.
use super::cells::{Cells, part_of};
use super::smoothing::unpack;
use glam::Vec3;
use ribbonmesh::device::{Block, In, Out, Parameter, Quad, kernel};

/// Length of a particle's list of neighbours. A particle with more of them searches each time.
pub const LISTED: u32 = 64;

/// The neighbours of particles in the order of cells: particles nearer than a radius, at the positions when
/// the lists were made.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Neighbours<'a> {
    /// Number of particles.
    pub n: u32,
    /// The squared radius.
    pub square: f32,
    /// Cells with edges of the radius at least.
    pub cells: Cells<'a>,
    /// The positions, packed.
    pub points: In<'a, Quad>,
    /// The number of neighbours of each particle.
    pub counts: In<'a, u32>,
    /// The first neighbour of each particle, then the second of each, and so on: [`LISTED`] times the number
    /// of particles.
    pub lists: In<'a, u32>,
}
impl Neighbours<'_> {
    /// Runs `f` for all neighbours of a particle, always in the same order.
    #[inline(always)]
    pub fn of(&self, k: u32, mut f: impl FnMut(u32)) {
        let count = self.counts.get(k);
        if count <= LISTED {
            let mut i = 0;
            while i < count {
                f(self.lists.get(i * self.n + k));
                i += 1;
            }
        } else {
            search(self.cells, self.points, self.square, k, f);
        }
    }
}

/// Runs `f` for all particles within a radius of particle `k`.
#[inline(always)]
fn search(cells: Cells<'_>, points: In<'_, Quad>, square: f32, k: u32, mut f: impl FnMut(u32)) {
    let (p, _): (Vec3, f32) = unpack(points.get(k));
    cells.near(p, 1, |l| {
        let (q, _) = unpack(points.get(l));
        if l != k && (q - p).length_squared() < square {
            f(l);
        }
    });
}

/// Counts the neighbours of each particle, and lists the first [`LISTED`] of them.
#[kernel(threads = 128)]
pub fn find_neighbours<'a>(
    block: &Block,
    n: u32,
    square: f32,
    cells: Cells<'a>,
    points: In<'a, Quad>,
    counts: Out<'a, u32>,
    lists: Out<'a, u32>,
) {
    let (base, count) = part_of(block, n);
    block.for_each_nosync(count, |k| {
        let k = base + k;
        let mut found = 0;
        search(cells, points, square, k, |l| {
            if found < LISTED {
                lists.set(found * n + k, l);
            }
            found += 1;
        });
        counts.set(k, found);
    });
}

/// Writes the neighbours of all particles in rows: the row of the particle that was `order[k]` begins at
/// `starts[k]`.
#[kernel(threads = 128)]
pub fn write_neighbours<'a>(
    block: &Block,
    neighbours: Neighbours<'a>,
    order: In<'a, u32>,
    starts: In<'a, u32>,
    rows: Out<'a, u32>,
) {
    let (base, count) = part_of(block, neighbours.n);
    block.for_each_nosync(count, |k| {
        let k = base + k;
        let mut to = starts.get(k);
        neighbours.of(k, |l| {
            rows.set(to, order.get(l));
            to += 1;
        });
    });
}
