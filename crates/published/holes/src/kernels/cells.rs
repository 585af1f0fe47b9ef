//! Vertices of holes by the cells of a grid, and how many of two holes are near each other (3.7).
use glam::Vec3;
use ribbonmesh::array::GroupsView;
use ribbonmesh::device::{Each, In, NONE, Out, Parameter, kernel};

/// The squared distance of two points. Differences are rounded to single precision; their squares are exact
/// in double precision, so that it does not matter whether a machine fuses products with sums.
#[inline(always)]
pub fn squared(p: Vec3, q: Vec3) -> f64 {
    let [x, y, z] = (p - q).to_array().map(f64::from);
    x * x + y * y + z * z
}

/// The vertices of holes.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Loops<'a> {
    /// The place of the first vertex of each hole, and the end.
    pub starts: In<'a, u32>,
    /// The vertices of all holes.
    pub order: In<'a, u32>,
    /// The hole of each of these.
    pub holes: In<'a, u32>,
    /// The positions of the mesh.
    pub positions: In<'a, Vec3>,
}
impl Loops<'_> {
    /// The position at a place.
    #[inline(always)]
    pub fn point(&self, place: u32) -> Vec3 {
        self.positions.get(self.order.get(place))
    }
    /// The number of vertices of a hole.
    #[inline(always)]
    pub fn len(&self, hole: u32) -> u32 {
        self.starts.get(hole + 1) - self.starts.get(hole)
    }
}

/// Most cells along an axis, to both sides of the origin; points farther away are in the outermost cells.
const FARTHEST: f64 = (1 << 30) as f64;

/// The cells.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Cells<'a> {
    /// The side of a cell: a little more than the greatest distance, so that rounding does not put near
    /// points two cells apart.
    pub side: f64,
    /// The square of the greatest distance.
    pub reach: f64,
    /// The places of the vertices of each cell. Several cells have the same number.
    pub groups: GroupsView<'a>,
}
#[inline(always)]
fn cell(p: Vec3, side: f64) -> [i32; 3] {
    p.to_array().map(|x| {
        let x = (x as f64 / side).clamp(-FARTHEST, FARTHEST);
        let towards_zero = x as i32;
        towards_zero - (towards_zero as f64 > x) as i32
    })
}
/// The number of a cell. `mask`: the number of numbers, a power of two, less 1.
#[inline(always)]
fn number([x, y, z]: [i32; 3], mask: u32) -> u32 {
    let mut hash = (x as u32).wrapping_mul(73_856_093)
        ^ (y as u32).wrapping_mul(19_349_663)
        ^ (z as u32).wrapping_mul(83_492_791);
    hash ^= hash >> 16;
    hash & mask
}

/// The number of the cell of each vertex.
#[kernel(threads = 256)]
pub fn number_cells<'a>(place: Each, loops: Loops<'a>, side: f64, mask: u32, numbers: Out<'a, u32>) {
    numbers.set(place, number(cell(loops.point(place), side), mask));
}

/// Calls `found` with holes of higher numbers that have vertices near a vertex, and how many of them are in a
/// cell: once for each cell and hole.
#[inline(always)]
fn near(place: u32, loops: Loops<'_>, cells: Cells<'_>, mut found: impl FnMut(u32, u32)) {
    let (point, hole) = (loops.point(place), loops.holes.get(place));
    let [x, y, z] = cell(point, cells.side);
    let mask = cells.groups.starts.len() as u32 - 2;
    let mut k = 0;
    while k < 27 {
        let there = [x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1];
        k += 1;
        // places ascend, and so do their holes
        let (mut run, mut count) = (NONE, 0);
        cells.groups.of(number(there, mask), |other| {
            let (at, q) = (loops.holes.get(other), loops.point(other));
            if at > hole && cell(q, cells.side) == there && squared(point, q) <= cells.reach {
                if at != run && count > 0 {
                    found(run, count);
                    count = 0;
                }
                run = at;
                count += 1;
            }
        });
        if count > 0 {
            found(run, count);
        }
    }
}
/// Counts the entries of each vertex in the list of near holes.
#[kernel(threads = 128)]
pub fn count_near<'a>(place: Each, loops: Loops<'a>, cells: Cells<'a>, counts: Out<'a, u32>) {
    let mut entries = 0;
    near(place, loops, cells, |_, _| entries += 1);
    counts.set(place, entries);
}
/// Lists holes that are near each other, with the number of vertices.
#[kernel(threads = 128)]
pub fn list_near<'a>(
    place: Each,
    loops: Loops<'a>,
    cells: Cells<'a>,
    bits: u32,
    firsts: In<'a, u32>,
    pairs: Out<'a, u64>,
    counts: Out<'a, u32>,
) {
    let (hole, mut at) = (loops.holes.get(place), firsts.get(place));
    near(place, loops, cells, |other, count| {
        pairs.set(at, (hole as u64) << bits | other as u64);
        counts.set(at, count);
        at += 1;
    });
}
