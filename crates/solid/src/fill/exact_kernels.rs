//! The triangulation of least weight of many short holes, a block for each.
use crate::fill::measure::after;
use crate::fill::number::scaled;
use crate::fill::outline_kernels::{Rings, Row};
use crate::fill::weight::{Weight, cosine, lesser, normal, sharpness, triangle};
use crate::repair::{before, behind, corners_at};
use glam::DVec3;
use ribbonmesh::device::bytemuck::{Pod, Zeroable};
use ribbonmesh::device::{Arena, Block, In, Out, Parameter, Shared, kernel};

/// No place: a hole that is left open.
pub const OPEN: u32 = u32::MAX;
/// Threads of a block.
pub const THREADS: u32 = 64;

/// The triangulation of the polygon between two vertices.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
#[bytemuck(crate = "ribbonmesh::device::bytemuck")]
pub struct Cell {
    /// Its weight.
    weight: Weight,
    /// The normal of the triangle at the chord.
    normal: DVec3,
    /// The third vertex of this triangle.
    apex: u64,
}
impl Cell {
    const NONE: Self = Self { weight: Weight::INFINITE, normal: DVec3::ZERO, apex: 0 };
}

/// The filling of a hole.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[bytemuck(crate = "ribbonmesh::device::bytemuck")]
pub struct Filled {
    /// Its area, in the coordinates of the hole.
    pub area: f64,
    /// The least cosine of an angle between neighbouring normals; edges of the boundary count.
    pub cosine: f64,
    /// 1 if it was filled, 0 if no triangulation is allowed.
    pub done: u64,
}

/// A mesh with holes.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Open<'a> {
    /// The boundary loops.
    pub rings: Rings<'a>,
    /// Their measures.
    pub rows: In<'a, Row>,
    /// Three vertices of each face.
    pub faces: In<'a, u32>,
    /// The ends of the corners of each vertex in the list.
    pub ends: In<'a, u32>,
    /// The corners of all vertices.
    pub corners: In<'a, u32>,
}
impl Open<'_> {
    /// Whether two vertices have an edge.
    #[inline(always)]
    fn connected(&self, a: u32, b: u32) -> bool {
        let (mut at, end) = corners_at(a, self.ends);
        while at < end {
            let corner = self.corners.get(at);
            if self.faces.get(behind(corner)) == b || self.faces.get(before(corner)) == b {
                return true;
            }
            at += 1;
        }
        false
    }
}

/// Coordinates of a hole in which it has a size of about 1, so that squares neither overflow nor underflow:
/// the origin, and the unit.
#[inline(always)]
pub(crate) fn frame(low: DVec3, high: DVec3) -> (DVec3, f64) {
    let (low, high) = (scaled(low, 0.5), scaled(high, 0.5));
    let unit = (high - low).max_element();
    (low + high, if unit > 0.0 { unit } else { 1.0 })
}

/// The memory of a block, for holes of at most `most` edges.
#[derive(Clone, Copy)]
struct Memory<'b> {
    /// Vertices of the hole, in its coordinates.
    points: Shared<'b, DVec3>,
    /// Normals of the faces across.
    outside: Shared<'b, DVec3>,
    /// The best triangle of each part of each chord's apices.
    best: Shared<'b, Cell>,
    /// Area and least cosine of each triangle.
    sizes: Shared<'b, [f64; 2]>,
    /// Three vertices of each triangle.
    triangles: Shared<'b, u32>,
    /// Chords whose triangles are to be listed.
    waiting: Shared<'b, u32>,
}
impl<'b> Memory<'b> {
    fn carve(arena: &'b Arena, most: u32) -> Self {
        Self {
            points: arena.take(most),
            outside: arena.take(most),
            best: arena.take(if most > THREADS { most } else { THREADS }),
            sizes: arena.take(most),
            triangles: arena.take(3 * most),
            waiting: arena.take(2 * most),
        }
    }
}

/// Fills holes of `least` to `most` edges, each with the triangulation of least weight: algorithm 3 of
/// Chentanez, Müller, Macklin and Kim 2016, with the weight of Liepa 2003. `first`: the place of the first
/// new face of each hole, or [`OPEN`]; `tables`: `most`² cells for each block.
#[kernel(threads = 64, shared = Memory::carve(arena, most), requires(
    first.len() < open.rings.starts.len(),
    filled.len() >= first.len(),
))]
pub fn fill_least<'a>(
    block: &Block,
    least: u32,
    most: u32,
    open: Open<'a>,
    first: In<'a, u32>,
    tables: Out<'a, Cell>,
    faces: Out<'a, u32>,
    filled: Out<'a, Filled>,
) {
    let memory = Memory::carve(block.arena(), most);
    let mut hole = block.index();
    while hole < first.len() as u32 {
        let n = open.rings.of(hole).n;
        let at = first.get(hole);
        if at != OPEN && n >= least && n <= most {
            let table = Table { cells: tables, start: block.index() * most * most, n };
            triangulate(block, hole, open, table, memory);
            if list(block, table, memory) {
                write(block, (hole, at), open, (faces, filled), table, memory);
            } else {
                block.single_nosync(|| filled.set(hole, Filled { area: 0.0, cosine: 1.0, done: 0 }));
            }
        }
        hole += block.count();
    }
}

/// The cells of a hole: cell (i, j) has the triangulation of the polygon from vertex i to vertex j > i.
#[derive(Clone, Copy)]
struct Table<'a> {
    cells: Out<'a, Cell>,
    start: u32,
    n: u32,
}
impl Table<'_> {
    #[inline(always)]
    fn get(&self, i: u32, j: u32) -> Cell {
        self.cells.get(self.start + i * self.n + j)
    }
    #[inline(always)]
    fn set(&self, i: u32, j: u32, cell: Cell) {
        self.cells.set(self.start + i * self.n + j, cell);
    }
}

/// Fills in the table of a hole. The result is that of the sequential order: the lesser apex wins among
/// equal weights.
#[inline(always)]
fn triangulate(block: &Block, hole: u32, open: Open<'_>, table: Table<'_>, memory: Memory<'_>) {
    let (ring, n) = (open.rings.of(hole), table.n);
    let Memory { points, outside, best, .. } = memory;
    let measures = open.rows.get(hole).measures;
    let (origin, unit) = frame(measures.low, measures.high);
    block.for_each_nosync(n, |i| {
        let place = |p: DVec3| (p - origin) / unit;
        points.set(i, place(ring.point(i)));
        let (normal, _) = normal(ring.face_across(i).map(place));
        outside.set(i, normal);
        if i + 1 < n {
            table.set(i, i + 1, Cell { weight: Weight::ZERO, normal, apex: 0 });
        }
    });
    block.sync();
    // the outside of a face alone has no triangulation
    let lone = n == 3 && ring.side(0) / 3 == ring.side(1) / 3 && ring.side(1) / 3 == ring.side(2) / 3;
    let mut width = 2;
    while width < n {
        let (chords, apices, last) = (n - width, width - 1, width + 1 == n);
        // few chords are shared out among all threads
        let parts = if chords < THREADS { THREADS / chords } else { 1 };
        let parts = if parts < apices { parts } else { apices };
        block.for_each(chords * parts, |task| {
            let (i, part) = (task / parts, task % parts);
            let j = i + width;
            let (mut k, end) = (i + 1 + apices * part / parts, i + 1 + apices * (part + 1) / parts);
            let mut found = Cell::NONE;
            while k < end {
                let (from, to) = (table.get(i, k), table.get(k, j));
                k += 1;
                let both = from.weight.and(to.weight);
                if both >= found.weight {
                    continue;
                }
                let corners = [points.get(i), points.get(k - 1), points.get(j)];
                let (mut own, normal) = triangle(corners, [from.normal, to.normal]);
                if last {
                    own.sharpest = own.sharpest.max(sharpness(normal, outside.get(n - 1)));
                }
                let weight = both.and(own);
                if weight < found.weight {
                    found = Cell { weight, normal, apex: (k - 1) as u64 };
                }
            }
            best.set(task, found);
        });
        block.for_each(chords, |i| {
            let (mut found, mut part) = (best.get(i * parts), 1);
            while part < parts {
                let other = best.get(i * parts + part);
                if other.weight < found.weight {
                    found = other;
                }
                part += 1;
            }
            let ends = |i: u32| open.faces.get(ring.side(i));
            let legal = if last { !lone } else { !open.connected(ends(i), ends(i + width)) };
            table.set(i, i + width, if legal { found } else { Cell::NONE });
        });
        width += 1;
    }
}

/// Lists the triangles of a hole; whether there are some.
#[inline(always)]
fn list(block: &Block, table: Table<'_>, memory: Memory<'_>) -> bool {
    let (n, Memory { triangles, waiting, .. }) = (table.n, memory);
    if table.get(0, n - 1).weight.sharpest == f64::INFINITY {
        return false;
    }
    block.single_nosync(|| {
        waiting.set(0, 0);
        waiting.set(1, n - 1);
        let (mut left, mut count) = (1, 0);
        while left > 0 {
            left -= 1;
            let (i, j) = (waiting.get(2 * left), waiting.get(2 * left + 1));
            let k = table.get(i, j).apex as u32;
            triangles.set(3 * count, i);
            triangles.set(3 * count + 1, k);
            triangles.set(3 * count + 2, j);
            count += 1;
            for [from, to] in [[i, k], [k, j]] {
                if to > from + 1 {
                    waiting.set(2 * left, from);
                    waiting.set(2 * left + 1, to);
                    left += 1;
                }
            }
        }
    });
    block.sync();
    true
}

/// Writes the faces of a hole, and their measures.
#[inline(always)]
fn write(
    block: &Block,
    (hole, first): (u32, u32),
    open: Open<'_>,
    (faces, filled): (Out<'_, u32>, Out<'_, Filled>),
    table: Table<'_>,
    memory: Memory<'_>,
) {
    let (ring, n) = (open.rings.of(hole), table.n);
    let Memory { points, outside, sizes, triangles, .. } = memory;
    block.for_each(n - 2, |t| {
        let [i, k, j] = [triangles.get(3 * t), triangles.get(3 * t + 1), triangles.get(3 * t + 2)];
        for (c, v) in [i, k, j].into_iter().enumerate() {
            faces.set(3 * (first + t) + c as u32, open.faces.get(ring.side(v)));
        }
        let (own, area) = normal([points.get(i), points.get(k), points.get(j)]);
        let mut least = lesser(cosine(own, table.get(i, k).normal), cosine(own, table.get(k, j).normal));
        if after(j, n) == i {
            least = lesser(least, cosine(own, outside.get(j)));
        }
        sizes.set(t, [area, least]);
    });
    block.single_nosync(|| {
        let (mut area, mut least, mut t) = (0.0, 1.0, 0);
        while t < n - 2 {
            let [own, cosine] = sizes.get(t);
            area += own;
            least = lesser(least, cosine);
            t += 1;
        }
        filled.set(hole, Filled { area, cosine: least, done: 1 });
    });
    block.sync();
}
