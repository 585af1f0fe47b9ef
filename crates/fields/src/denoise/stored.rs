//! Stored rings: the vertices around each vertex, one after the other, as local indices of its patch's
//! surroundings.
//!
//! The surroundings of a patch are its owned vertices, `0..owned`, followed by the vertices within the stored
//! number of edges of an owned vertex. An entry is such an index, with [`LAST`] at the end of a ring. 32
//! vertices share a slice: entry `k` of the slice's vertex `i` is stored at `32 k + i`, so that their threads
//! read neighbouring entries.
use crate::denoise::ball::{Lengths, Rule, radius_squared};
use crate::denoise::offsets::Offsets;
use glam::Vec3;
use ribbonmesh::corners::Positions;
use ribbonmesh::device::{In, NONE, Parameter};

/// Flag of an entry: the last of its ring.
pub const LAST: u32 = 0x8000;
/// The local index in an entry.
pub const LOCAL: u32 = 0x7fff;
/// Entry: a ring without vertices, and so the end.
pub const END: u32 = 0xffff;
/// First entry of a vertex that has too many neighbours to be stored.
pub const BEYOND: u32 = 0x7fff;
/// Number of vertices in a slice.
pub const SLICE: u32 = 32;

/// Stored rings as kernels see them.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct StoredRings<'a> {
    /// For each patch, the start of the ids of its surroundings, and their number.
    pub patches: In<'a, u32>,
    /// Ids of the surroundings of all patches.
    pub surroundings: In<'a, u32>,
    /// Start of each slice, in units of slices' entries; [`NONE`] if nothing is stored.
    pub slices: In<'a, u32>,
    /// The entries.
    pub entries: In<'a, u16>,
    /// Number of rings that are stored.
    pub rings: u32,
    /// Most surroundings of a patch.
    pub most: u32,
}

/// The index in [`StoredRings::slices`] of owned vertex `l` of patch `p`, whose first vertex is `first`. No
/// two patches share one.
#[inline(always)]
pub fn slice_of(first: u32, p: u32, l: u32) -> u32 {
    first / SLICE + p + l / SLICE
}

/// The stored rings of a vertex.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    entries: In<'a, u16>,
    at: u32,
}
impl<'a> StoredRings<'a> {
    /// The rings of owned vertex `l` of patch `p`; `None` if they are not stored.
    #[inline(always)]
    pub fn row(&self, first: u32, p: u32, l: u32) -> Option<Row<'a>> {
        let slice = self.slices.get(slice_of(first, p, l));
        (slice != NONE).then(|| Row { entries: self.entries, at: slice * SLICE + l % SLICE })
    }
}
impl Row<'_> {
    #[inline(always)]
    fn get(&self, k: u32) -> u32 {
        self.entries.get(self.at + SLICE * k) as u32
    }

    /// The new position of the vertex with local index `l`; `None` if its ball needs rings that are not
    /// stored.
    #[inline(always)]
    pub fn moved(&self, l: u32, x: Positions, n: Vec3, rule: Rule, rings: u32) -> Option<Vec3> {
        let at = x.get(l);
        let (mut lengths, mut k) = (Lengths::new(), 0);
        loop {
            let e = self.get(k);
            if e & LOCAL == LOCAL {
                if e == BEYOND {
                    return None;
                }
                break;
            }
            let d = x.get(e & LOCAL) - at;
            lengths.add(d.dot(d), rule);
            k += 1;
            if e & LAST != 0 {
                break;
            }
        }
        let sigma = lengths.sigma_squared(rule);
        let radius = radius_squared(sigma);
        let mut offsets = Offsets::new();
        let (mut k, mut ring, mut inside, mut end) = (0, 0, false, 0);
        loop {
            let e = self.get(k);
            if e == END {
                break;
            }
            let d = x.get(e & LOCAL) - at;
            if d.dot(d) < radius {
                offsets.add(n.dot(d));
                inside = true;
            }
            k += 1;
            if e & LAST != 0 {
                if !inside {
                    break;
                }
                (inside, end) = (false, k);
                ring += 1;
                if ring == rings {
                    return None;
                }
            }
        }
        if end == 0 {
            return Some(at);
        }
        let weights = offsets.weights(sigma);
        let (mut sum, mut all, mut k) = (0.0, 0.0, 0);
        while k < end {
            let d = x.get(self.get(k) & LOCAL) - at;
            let tt = d.dot(d);
            if tt < radius {
                let h = n.dot(d);
                let w = weights.of(tt, h);
                sum += w * h;
                all += w;
            }
            k += 1;
        }
        Some(at + n * (sum / all))
    }
}
