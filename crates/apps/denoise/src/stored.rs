//! Stored rings: for each vertex those around it, one after the other, as local indices of its patch's
//! surroundings.
//!
//! The surroundings of a patch are its owned vertices, `0..owned`, and behind them the vertices within so
//! many edges of one of these. An entry is such an index, with [`LAST`] at the end of a ring. 32 vertices
//! share a slice: entry `k` of the slice's vertex `i` stands at `32 k + i`, so that their threads read side
//! by side.
use crate::ball::{Lengths, Rule, radius_squared};
use crate::offsets::Offsets;
use glam::Vec3;
use ribbonmesh::corners::Positions;
use ribbonmesh::device::{In, NONE, Parameter};

/// Flag of an entry: the last of its ring.
pub const LAST: u32 = 0x8000;
/// The local index in an entry.
pub const LOCAL: u32 = 0x7fff;
/// Entry: a ring without vertices, and so the end.
pub const END: u32 = 0xffff;
/// Entry, the first: the vertex has too many neighbours to be stored.
pub const BEYOND: u32 = 0x7fff;
/// Vertices of a slice.
pub const SLICE: u32 = 32;

/// Stored rings as kernels see them.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct StoredRings<'a> {
    /// Of each patch: where the ids of its surroundings begin, and their number.
    pub patches: In<'a, u32>,
    /// Those ids.
    pub surroundings: In<'a, u32>,
    /// Where each slice begins, by slices' worth of entries; [`NONE`] where nothing is stored.
    pub slices: In<'a, u32>,
    /// The entries.
    pub entries: In<'a, u16>,
    /// How many rings are stored.
    pub rings: u32,
    /// Most surroundings of a patch.
    pub most: u32,
}

/// The place in [`StoredRings::slices`] of owned vertex `l` of patch `p`, whose first vertex is `first`. No
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
    /// Those of owned vertex `l` of patch `p`.
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

    /// Where the vertex with local index `l` moves; none if its ball needs rings that are not stored.
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
