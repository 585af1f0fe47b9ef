//! Edges, and the sides of faces that belong to them.
use crate::repair::check::degenerate;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// Number of vertices whose sides one task sorts.
const CHUNK: usize = 1 << 12;

/// The side before another in its face. Side `3 f + i` of face `f` leads from corner `i` to the next.
pub(crate) fn before(side: u32) -> u32 {
    if side.is_multiple_of(3) { side + 2 } else { side - 1 }
}
/// The side after another in its face.
pub(crate) fn behind(side: u32) -> u32 {
    if side % 3 == 2 { side - 2 } else { side + 1 }
}
/// The vertex at which a side begins.
pub(crate) fn start(faces: &[[u32; 3]], side: u32) -> u32 {
    faces.as_flattened()[side as usize]
}
/// The two vertices of a side.
pub(crate) fn ends(faces: &[[u32; 3]], side: u32) -> [u32; 2] {
    [start(faces, side), start(faces, behind(side))]
}

/// The sides of faces that are not degenerate, by edge.
pub(crate) struct Edges {
    /// Start of the sides of each vertex in `sides`, and the end. A side belongs to the lesser of its
    /// vertices.
    offsets: Vec<u32>,
    /// `greater vertex << 32 | side`, ascending for each vertex.
    sides: Vec<u64>,
}

/// An edge: an unordered pair of vertices that some face has as a side.
pub(crate) struct Edge<'a> {
    /// The vertices, the lesser first.
    pub ends: [u32; 2],
    sides: &'a [u64],
}

impl Edge<'_> {
    /// Number of sides that are this edge.
    pub fn len(&self) -> usize {
        self.sides.len()
    }
    /// The two sides, if there are exactly two.
    pub fn pair(&self) -> Option<[u32; 2]> {
        <[u64; 2]>::try_from(self.sides).ok().map(|pair| pair.map(|entry| entry as u32))
    }
}

impl Edges {
    /// Collects the edges. Linear but for sorting the sides of each vertex. Memory: 8 bytes a side, twice
    /// that for a while.
    pub fn of(vertices: usize, faces: &[[u32; 3]]) -> Self {
        let whole = || faces.par_iter().enumerate().filter(|(_, corners)| !degenerate(**corners));
        let mut counts: Vec<AtomicU32> = Vec::new();
        counts.resize_with(vertices + 1, AtomicU32::default);
        whole().for_each(|(_, &corners)| {
            for i in 0..3 {
                let lesser = corners[i].min(corners[(i + 1) % 3]);
                counts[lesser as usize].fetch_add(1, Relaxed);
            }
        });
        let mut end = 0;
        let offsets: Vec<u32> = counts
            .iter_mut()
            .map(|count| {
                let first = end;
                end += *count.get_mut();
                *count.get_mut() = first;
                first
            })
            .collect();
        let mut sides: Vec<AtomicU64> = Vec::new();
        sides.resize_with(end as usize, AtomicU64::default);
        whole().for_each(|(face, &corners)| {
            for i in 0..3 {
                let (a, b) = (corners[i], corners[(i + 1) % 3]);
                let place = counts[a.min(b) as usize].fetch_add(1, Relaxed);
                let side = (3 * face + i) as u64;
                sides[place as usize].store(u64::from(a.max(b)) << 32 | side, Relaxed);
            }
        });
        let mut sides: Vec<u64> = sides.into_par_iter().map(AtomicU64::into_inner).collect();
        sort_rows(&mut sides, &offsets);
        Self { offsets, sides }
    }
    /// The values that `pick` returns for edges, in ascending order of their vertices.
    pub fn pick<T: Send>(&self, pick: impl Fn(Edge<'_>) -> Option<T> + Sync) -> Vec<T> {
        let vertices = (0..self.offsets.len().saturating_sub(1)).into_par_iter().with_min_len(CHUNK);
        vertices.flat_map_iter(|a| self.at(a).filter_map(&pick)).collect()
    }
    /// The edges whose lesser vertex is `a`.
    fn at(&self, a: usize) -> impl Iterator<Item = Edge<'_>> {
        let row = &self.sides[self.offsets[a] as usize..self.offsets[a + 1] as usize];
        row.chunk_by(|x, y| x >> 32 == y >> 32)
            .map(move |sides| Edge { ends: [a as u32, (sides[0] >> 32) as u32], sides })
    }
}

/// Sorts the entries of each row.
fn sort_rows(entries: &mut [u64], offsets: &[u32]) {
    let mut chunks = Vec::with_capacity(offsets.len() / CHUNK + 1);
    let mut rest = entries;
    for first in (0..offsets.len().saturating_sub(1)).step_by(CHUNK) {
        let bounds = &offsets[first..(first + CHUNK + 1).min(offsets.len())];
        let (chunk, others) = rest.split_at_mut((bounds[bounds.len() - 1] - bounds[0]) as usize);
        chunks.push((bounds, chunk));
        rest = others;
    }
    chunks.into_par_iter().for_each(|(bounds, mut chunk)| {
        for row in bounds.windows(2) {
            let (entries, others) = chunk.split_at_mut((row[1] - row[0]) as usize);
            entries.sort_unstable();
            chunk = others;
        }
    });
}
