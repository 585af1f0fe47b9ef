//! Pairs of vertices that are near each other without an edge.
use super::{Complex, around};
use glam::Vec3;
use ribbonmesh::array::GroupsView;
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{Block, In, Out, Parameter, kernel};

/// Bits of a coordinate of a cell.
const BITS: u32 = 21;
/// The key of a vertex without faces; greater than all others.
const NOWHERE: u64 = u64::MAX;
/// Most entries of a row of three cells that a vertex looks at.
const LOOKS: u32 = 64;
/// Most pairs that a vertex begins.
const MOST: u32 = 8;
/// Greatest distance of a near pair, as a part of the mean length of the edges at either end.
pub const NEAR: f32 = 0.5;
/// Greatest distance of a pair with a common neighbour, as a part of that: such pairs are the ends of sides
/// that have not been joined yet.
const SAME: f32 = 0.1;

/// Cells of a grid.
#[repr(C)]
#[derive(Clone, Copy, Debug, Parameter)]
pub struct Cells {
    /// The lower corner of the grid.
    pub low: Vec3,
    /// Reciprocal of the size of a cell.
    pub per_length: f32,
}
impl Cells {
    #[inline(always)]
    fn of(&self, p: Vec3) -> [u32; 3] {
        const LAST: u32 = (1 << BITS) - 2;
        // the first and the last cell of each axis stay empty, so that each cell has neighbours
        ((p - self.low) * self.per_length + Vec3::ONE).to_array().map(|t| (t as u32).clamp(1, LAST))
    }
}
#[inline(always)]
fn key(x: u32, y: u32, z: u32) -> u64 {
    ((x as u64) << (2 * BITS)) | ((y as u64) << BITS) | z as u64
}

/// Measures the mean length of the edges at each vertex, 0 without faces, and the sum of its faces' normals.
/// Blocks: tiles.
#[kernel(threads = 256)]
pub fn measure_vertices<'a>(
    block: &Block,
    x: In<'a, Vec3>,
    faces: In<'a, u32>,
    corners: GroupsView<'a>,
    lengths: Out<'a, f32>,
    normals: Out<'a, Vec3>,
) {
    block.for_each_of_tile(lengths.len() as u32, |v| {
        let p = x.get(v);
        let (mut i, end) = (corners.starts.get(v), corners.starts.get(v + 1));
        let count = 2 * (end - i);
        let (mut sum, mut normal) = (0.0f32, Vec3::ZERO);
        while i < end {
            let face = around(corners.places.get(i), |c| faces.get(c));
            let (a, b) = (x.get(face.u) - p, x.get(face.w) - p);
            sum += sqrt(a.length_squared()) + sqrt(b.length_squared());
            normal += a.cross(b);
            i += 1;
        }
        lengths.set(v, if count > 0 { sum / count as f32 } else { 0.0 });
        normals.set(v, normal);
    });
}

/// Computes the cell of each vertex with faces, as a key. Blocks: tiles.
#[kernel(threads = 256)]
pub fn cell_keys<'a>(block: &Block, x: In<'a, Vec3>, starts: In<'a, u32>, cells: Cells, keys: Out<'a, u64>) {
    block.for_each_of_tile(keys.len() as u32, |v| {
        let [i, j, k] = cells.of(x.get(v));
        keys.set(v, if starts.get(v) == starts.get(v + 1) { NOWHERE } else { key(i, j, k) });
    });
}

/// The data in which pairs are searched for.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Nearby<'a> {
    /// The triangles.
    pub s: Complex<'a>,
    /// Sorted keys of cells.
    pub keys: In<'a, u64>,
    /// The vertices in the order of the keys.
    pub vertices: In<'a, u32>,
    /// Mean edge length at each vertex, by [`measure_vertices`].
    pub lengths: In<'a, f32>,
    /// Sum of the normals at each vertex, by [`measure_vertices`].
    pub normals: In<'a, Vec3>,
    /// The cells.
    pub cells: Cells,
}

/// Counts the pairs that each vertex of the sorted list begins. Blocks: tiles.
#[kernel(threads = 256)]
pub fn count_near<'a>(block: &Block, s: Nearby<'a>, counts: Out<'a, u32>) {
    block.for_each_of_tile(counts.len() as u32, |i| counts.set(i, s.visit(i, |_, _| ())));
}

/// Writes the pairs; the pairs of index `i` of the list begin at `base + starts[i]`. Blocks: tiles.
#[kernel(threads = 256)]
pub fn list_near<'a>(block: &Block, s: Nearby<'a>, starts: In<'a, u32>, base: u32, pairs: Out<'a, [u32; 2]>) {
    block.for_each_of_tile(starts.len() as u32, |i| {
        let first = base + starts.get(i);
        s.visit(i, |k, pair| pairs.set(first + k, pair));
    });
}

impl Nearby<'_> {
    /// Visits the pairs of the vertex at an index of the list with vertices of smaller numbers; returns how
    /// many there are.
    #[inline(always)]
    fn visit(&self, place: u32, mut each: impl FnMut(u32, [u32; 2])) -> u32 {
        if self.keys.get(place) == NOWHERE {
            return 0;
        }
        let v = self.vertices.get(place);
        let [x, y, z] = self.cells.of(self.s.x.get(v));
        let (mut found, mut row) = (0, 0);
        while row < 9 {
            let (i, j) = (x + row / 3 - 1, y + row % 3 - 1);
            row += 1;
            let (first, last) = (self.before(key(i, j, z - 1)), self.before(key(i, j, z + 1) + 1));
            // in a crowded row, look at the entries around this index of the list
            let mut k = if place >= first && place < last && place - first > LOOKS / 2 {
                place - LOOKS / 2
            } else {
                first
            };
            let end = if last - k < LOOKS { last } else { k + LOOKS };
            while k < end && found < MOST {
                let u = self.vertices.get(k);
                k += 1;
                if u < v && self.is_near(u, v) {
                    each(found, [u, v]);
                    found += 1;
                }
            }
        }
        found
    }
    /// The number of keys below this one.
    #[inline(always)]
    fn before(&self, key: u64) -> u32 {
        let (mut low, mut high) = (0, self.keys.len() as u32);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.keys.get(middle) < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
    /// Whether two vertices are near each other without an edge, and are not the two sides of a wall, one
    /// behind the other. Vertices with a common neighbour are near only if they nearly coincide.
    #[inline(always)]
    fn is_near(&self, a: u32, b: u32) -> bool {
        let d = self.s.x.get(b) - self.s.x.get(a);
        let most = NEAR * self.lengths.get(a).min(self.lengths.get(b));
        if d.length_squared() > most * most {
            return false;
        }
        let wall = d.dot(self.normals.get(a)) < 0.0 && d.dot(self.normals.get(b)) > 0.0;
        !wall && !self.are_joined(a, b, d.length_squared() > SAME * SAME * most * most)
    }
    /// Whether they have an edge, or, with `far`, a common neighbour.
    #[inline(always)]
    fn are_joined(&self, a: u32, b: u32, far: bool) -> bool {
        let (mut i, end) = self.s.range(a);
        let mut joined = false;
        while i < end && !joined {
            let face = self.s.around(i);
            i += 1;
            joined = face.has(b);
            let (mut j, last) = self.s.range(b);
            while far && j < last && !joined {
                let other = self.s.around(j);
                joined = other.has(face.u) || other.has(face.w);
                j += 1;
            }
        }
        joined
    }
}
