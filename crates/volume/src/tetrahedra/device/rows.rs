//! Test which sites of the lattice are inside: faces are drawn into the rows of sites along x.
use super::lattice::{Lattice, Site};
use glam::Vec3;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, Each, In, Out, Parameter, kernel};
use ribbonmesh_solid::inside::crossing;

/// Triangles by the indices of their vertices, in units of the lattice.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Faces<'a> {
    /// Positions of vertices.
    pub positions: In<'a, Vec3>,
    /// Vertices of faces.
    pub vertices: In<'a, [u32; 3]>,
}

impl Faces<'_> {
    /// The corners of a face.
    #[inline(always)]
    pub fn corners(&self, face: u32) -> [Vec3; 3] {
        self.vertices.get(face).map(|v| self.positions.get(v))
    }
}

/// The indices of a grid along an axis between two coordinates, and one more to allow for rounding: the first
/// index, and the number of indices.
#[inline(always)]
fn places(lattice: &Lattice, grid: u32, axis: usize, [low, high]: [f32; 2]) -> (u32, u32) {
    let (first, last) = (lattice.first(grid, axis), lattice.size[axis] as f32);
    let from = libm::floorf(low - first).clamp(0.0, last) as u32;
    let to = (libm::ceilf(high - first) + 1.0).clamp(0.0, last) as u32;
    (from, to.saturating_sub(from))
}
#[inline(always)]
fn ends([a, b, c]: [Vec3; 3], of: impl Fn(Vec3) -> f32) -> [f32; 2] {
    let (a, b, c) = (of(a), of(b), of(c));
    let low = if a < b { a } else { b };
    let high = if a > b { a } else { b };
    [if c < low { c } else { low }, if c > high { c } else { high }]
}

/// Counts the planes of rows that each face meets, of both grids: rows of a plane have the same y. Blocks:
/// tiles.
#[kernel(threads = 256)]
pub fn count_planes<'a>(face: Each, faces: Faces<'a>, lattice: Lattice, counts: Out<'a, u32>) {
    let y = ends(faces.corners(face), |p| p.y);
    counts.set(face, places(&lattice, 0, 1, y).1 + places(&lattice, 1, 1, y).1);
}

/// Adds each face's crossing of each row to the last site before the face: the first sites of a row, up to
/// that one, are behind it. The decisions are the exact ones of [`crossing`]. One iteration per face and
/// plane of rows. Blocks: tiles.
#[kernel(threads = 128)]
pub fn cross_rows<'a>(
    task: Each,
    faces: Faces<'a>,
    starts: In<'a, u32>,
    lattice: Lattice,
    crossings: Out<'a, u32>,
) {
    // the last face that begins at or before the task
    let (mut face, mut end) = (0, starts.len() as u32 - 1);
    while end - face > 1 {
        let middle = face + (end - face) / 2;
        if starts.get(middle) <= task { face = middle } else { end = middle }
    }
    let corners = faces.corners(face);
    let [x, y, z] = [ends(corners, |p| p.x), ends(corners, |p| p.y), ends(corners, |p| p.z)];
    let (mut grid, mut plane) = (0, task - starts.get(face));
    let (mut first, count) = places(&lattice, 0, 1, y);
    if plane >= count {
        (grid, plane) = (1, plane - count);
        first = places(&lattice, 1, 1, y).0;
    }
    let j = first + plane;
    let (above, rows) = places(&lattice, grid, 2, z);
    let (left, along) = places(&lattice, grid, 0, x);
    let mut k = above;
    while k < above + rows {
        let of = |i: u32| crossing(lattice.position(Site { grid, at: [i, j, k] }), corners);
        // the sites behind the face are those below some index: all sites to the left of the face's box,
        // none to its right
        let (mut low, mut high) = (left, left + along);
        while low < high {
            let middle = low + (high - low) / 2;
            if of(middle) != 0 { low = middle + 1 } else { high = middle }
        }
        if low > 0 {
            let last = Site { grid, at: [low - 1, j, k] };
            let direction = of(low - 1) as u32;
            if direction != 0 {
                atomic::fetch_add(crossings, lattice.number(last), direction, Relaxed, Device);
            }
        }
        k += 1;
    }
}

/// Sums the crossings of each row from its end, and replaces them by 1 for a site inside, else 0. A site is
/// inside if its winding number is not 0, or, with `odd`, if it is odd. One iteration per row. Blocks: tiles.
#[kernel(threads = 128)]
pub fn sum_rows<'a>(block: &Block, lattice: Lattice, odd: u32, crossings: Out<'a, u32>) {
    let [x, y, z] = lattice.size;
    block.for_each_of_tile(2 * y * z, |row| {
        let grid = row / (y * z);
        let mut sum = 0_u32;
        let mut i = x;
        while i > 0 {
            i -= 1;
            let site = lattice.number(Site { grid, at: [i, row / z % y, row % z] });
            sum = sum.wrapping_add(crossings.get(site));
            crossings.set(site, (if odd == 1 { sum & 1 } else { sum } != 0) as u32);
        }
    });
}
