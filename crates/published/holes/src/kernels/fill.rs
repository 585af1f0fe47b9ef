//! Algorithms 3 and 4: triangulations of holes, a block for each.
use crate::kernels::cells::{Loops, squared};
use ribbonmesh::array::GroupsView;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, In, NONE, Out, Parameter, kernel};

/// A chord that no triangulation may use.
const ILLEGAL: u32 = NONE - 1;
/// A prime number that is greater than any number of candidates, so that its multiples reach all of them.
pub const LARGE_PRIME: u32 = 2_147_483_647;
/// Most vertices of a hole: the chords of more have no numbers of 32 bits.
#[cfg(not(target_arch = "nvptx64"))]
pub const MOST_VERTICES: u32 = 65_535;

/// Number of chords of a hole with `n` vertices, its edges but the last one included.
#[inline(always)]
pub fn chords(n: u32) -> u32 {
    n * (n - 1) / 2
}

/// The memory that an algorithm reads.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Search {
    /// Holes of at most this number of vertices get algorithm 3.
    pub exact: u32,
    /// Most candidates near a vertex.
    pub candidates: u32,
    /// The square of the distance below which vertices are near.
    pub reach: f64,
}

/// Memory of blocks: a part of each list for each block.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Tables<'a> {
    /// The weight of the polygon behind each chord.
    pub weights: Out<'a, f64>,
    /// The third vertex of the triangle at each chord.
    pub apices: Out<'a, u32>,
    /// Candidates of each vertex.
    pub near: Out<'a, u32>,
}

/// Chords that no triangulation may use.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Illegal<'a> {
    /// Those of each hole.
    pub groups: GroupsView<'a>,
    /// Two vertices of the hole each, counted from its first one, ascending.
    pub ends: In<'a, [u32; 2]>,
}

/// The tables of a hole. A chord of `m` edges is that from vertex `i` to vertex `i + m`; chords of as many
/// edges are beside each other, as threads need them.
#[derive(Clone, Copy)]
struct Hole<'a> {
    loops: Loops<'a>,
    tables: Tables<'a>,
    search: Search,
    /// The place of its first vertex.
    start: u32,
    /// Number of its vertices.
    n: u32,
    /// The first chord and the first candidate of the block.
    chord: u32,
    candidate: u32,
}
impl Hole<'_> {
    #[inline(always)]
    fn chord(&self, i: u32, j: u32) -> u32 {
        let m = j - i;
        self.chord + (m - 1) * self.n - m * (m - 1) / 2 + i
    }
    #[inline(always)]
    fn weight(&self, i: u32, j: u32) -> f64 {
        self.tables.weights.get(self.chord(i, j))
    }
    #[inline(always)]
    fn squared(&self, i: u32, j: u32) -> f64 {
        squared(self.loops.point(self.start + i), self.loops.point(self.start + j))
    }
    /// Lists the first vertices after `i` that are near it.
    #[inline(always)]
    fn list_near(&self, i: u32) {
        let Search { candidates, reach, .. } = self.search;
        let (first, mut count, mut k) = (self.candidate + i * candidates, 0, i + 1);
        while k < self.n && count < candidates {
            if self.squared(i, k) < reach {
                self.tables.near.set(first + count, k);
                count += 1;
            }
            k += 1;
        }
        if count < candidates {
            self.tables.near.set(first + count, NONE);
        }
    }
    /// Finds the triangle at the chord from `i` to `j`, which have all shorter chords between them.
    #[inline(always)]
    fn split(&self, i: u32, j: u32) {
        let Search { exact, candidates, reach } = self.search;
        let (chord, m, side) = (self.chord(i, j), j - i, self.squared(i, j));
        if self.tables.apices.get(chord) == ILLEGAL {
            self.tables.weights.set(chord, f64::INFINITY);
            return;
        }
        // a polygon behind an illegal chord, or that cannot be filled, has an infinite weight
        let sum = |k: u32| {
            let around = self.squared(i, k) + self.squared(k, j) + side;
            self.weight(i, k) + self.weight(k, j) + around
        };
        let (mut best, mut apex) = (f64::INFINITY, NONE);
        let (is_exact, is_near) = (self.n <= exact, side < reach);
        let all = is_exact || (is_near && m <= candidates);
        if is_near && !all {
            let (mut at, end) = (self.candidate + i * candidates, self.candidate + (i + 1) * candidates);
            while at < end {
                let k = self.tables.near.get(at);
                if k >= j {
                    break;
                }
                let weight = sum(k);
                if weight < best {
                    (best, apex) = (weight, k);
                }
                at += 1;
            }
        }
        if apex == NONE {
            let l = m - 1;
            let step = if is_exact { 1 % l } else { LARGE_PRIME % l };
            let (mut q, mut tried) = (if is_exact { 0 } else { step }, 0);
            while tried < l && (all || apex == NONE) {
                let weight = sum(i + 1 + q);
                if weight < best {
                    (best, apex) = (weight, i + 1 + q);
                }
                q = if q + step < l { q + step } else { q + step - l };
                tried += 1;
            }
        }
        self.tables.weights.set(chord, best);
        self.tables.apices.set(chord, apex);
    }
    /// The triangle whose apex is a vertex between the first and the last one: each of them is that of one.
    #[inline(always)]
    fn face(&self, vertex: u32) -> [u32; 3] {
        let (mut i, mut j) = (0, self.n - 1);
        loop {
            let k = self.tables.apices.get(self.chord(i, j));
            if k == vertex {
                return [i, k, j].map(|v| self.loops.order.get(self.start + v));
            }
            if k > vertex {
                j = k;
            } else {
                i = k;
            }
        }
    }
}

/// Fills the holes of `least` to `most` vertices. `open` counts those that have no legal triangulation.
#[kernel(threads = 128)]
pub fn fill_holes<'a>(
    block: &Block,
    least: u32,
    most: u32,
    loops: Loops<'a>,
    illegal: Illegal<'a>,
    search: Search,
    tables: Tables<'a>,
    faces: Out<'a, [u32; 3]>,
    flags: Out<'a, u32>,
    open: Out<'a, u32>,
) {
    let holes = loops.starts.len() as u32 - 1;
    let mut number = block.index();
    while number < holes {
        let (start, n) = (loops.starts.get(number), loops.len(number));
        if n >= least && n <= most {
            let chord = block.index() * chords(most);
            let candidate = block.index() * most * search.candidates;
            let hole = Hole { loops, tables, search, start, n, chord, candidate };
            block.for_each_nosync(chords(n), |c| tables.apices.set(chord + c, NONE));
            block.for_each_nosync(n - 1, |i| tables.weights.set(chord + i, 0.0));
            if n > search.exact {
                block.for_each_nosync(n, |i| hole.list_near(i));
            }
            block.sync();
            let (first, end) = illegal.groups.range(number);
            block.for_each(end - first, |k| {
                let [i, j] = illegal.ends.get(illegal.groups.places.get(first + k));
                tables.apices.set(hole.chord(i, j), ILLEGAL);
            });
            let mut m = 2;
            while m < n {
                block.for_each(n - m, |i| hole.split(i, i + m));
                m += 1;
            }
            if tables.apices.get(hole.chord(0, n - 1)) == NONE {
                block.single_nosync(|| {
                    atomic::fetch_add(open, 0, 1, Relaxed, Device);
                });
            } else {
                block.for_each_nosync(n - 2, |t| {
                    faces.set(start + t, hole.face(t + 1));
                    flags.set(start + t, 1);
                });
            }
            block.sync();
        }
        number += block.count();
    }
}
