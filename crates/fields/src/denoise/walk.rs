//! The ball of a vertex, found by walking the mesh beyond the stored rings.
use crate::denoise::ball::{Lengths, Rule, radius_squared};
use crate::denoise::offsets::{Offsets, Weights};
use crate::denoise::rows::VvRows;
use glam::Vec3;
use ribbonmesh::device::{In, Out};

/// The vertices that one walk has met, in their order and in a table with open addressing. They are stored in
/// one part of a common memory.
#[derive(Clone, Copy)]
pub struct Met<'a> {
    /// All parts. The tables' entries are 0 between walks: an entry is the vertex plus 1.
    pub memory: Out<'a, u32>,
    /// Index of the part's first entry.
    pub first: u32,
    /// Distance from an entry to the next.
    pub pitch: u32,
    /// Most vertices of a part: a power of two. Its table, after the list, has twice as many entries.
    pub capacity: u32,
}
impl Met<'_> {
    #[inline(always)]
    fn at(&self, k: u32) -> u32 {
        self.first + k * self.pitch
    }
    #[inline(always)]
    fn get(&self, k: u32) -> u32 {
        self.memory.get(self.at(k))
    }
    /// The slot of the table where `v` is, or would be.
    #[inline(always)]
    fn slot(&self, v: u32) -> u32 {
        // Knuth's multiplicative hash
        let (mut slot, mask) = (v.wrapping_mul(2_654_435_769) >> 8, 2 * self.capacity - 1);
        loop {
            let at = self.at(self.capacity + (slot & mask));
            let old = self.memory.get(at);
            if old == v + 1 || old == 0 {
                return at;
            }
            slot += 1;
        }
    }
    /// Adds a vertex, once. Vertices that do not fit are only counted.
    #[inline(always)]
    fn add(&self, len: &mut u32, v: u32) {
        let slot = self.slot(v);
        if self.memory.get(slot) == v + 1 {
            return;
        }
        if *len < self.capacity {
            self.memory.set(slot, v + 1);
            self.memory.set(self.at(*len), v);
        }
        *len += 1;
    }
    /// Empties the table from the last vertex to the first, so that the entries before a vertex's slot are
    /// still there when it is searched.
    #[inline(always)]
    fn clear(&self, len: u32) {
        let mut k = if len < self.capacity { len } else { self.capacity };
        while k > 0 {
            k -= 1;
            self.memory.set(self.slot(self.get(k)), 0);
        }
    }
}

/// The new position of vertex `v`, and whether its ball was cut.
///
/// Rings are those of `StaticMesh::k_ring`, added until one has no vertex in the ball. A ring with which
/// there would be more vertices than `met` can hold is left out, with all rings after it; the first ring
/// always counts.
#[inline(always)]
pub fn moved(v: u32, vv: VvRows<'_>, x: In<'_, Vec3>, n: Vec3, rule: Rule, met: Met<'_>) -> (Vec3, bool) {
    let mut len = 0;
    met.add(&mut len, v);
    let result = moved_from(&mut len, vv, x, n, rule, met);
    met.clear(len);
    result
}
#[inline(always)]
fn moved_from(
    len: &mut u32,
    vv: VvRows<'_>,
    x: In<'_, Vec3>,
    n: Vec3,
    rule: Rule,
    met: Met<'_>,
) -> (Vec3, bool) {
    let v = met.get(0);
    let at = x.get(v);
    let mut lengths = Lengths::new();
    vv.of(v, |u| {
        let d = x.get(u) - at;
        lengths.add(d.dot(d), rule);
        met.add(len, u);
    });
    let sigma = lengths.sigma_squared(rule);
    let radius = radius_squared(sigma);
    let mut offsets = Offsets::new();
    let mut mean = Mean { sum: 0.0, all: 0.0 };
    if *len > met.capacity {
        let mut any = false;
        vv.of(v, |u| {
            let d = x.get(u) - at;
            if d.dot(d) < radius {
                offsets.add(n.dot(d));
                any = true;
            }
        });
        if !any {
            return (at, true);
        }
        let weights = offsets.weights(sigma);
        vv.of(v, |u| mean.add(x.get(u) - at, n, radius, &weights));
        return (at + n * (mean.sum / mean.all), true);
    }
    // the last ring is the entries from..len; all in the ball are before end
    let (mut from, mut end) = (1, 1);
    loop {
        let (ring, mut inside, mut k) = (*len, false, from);
        while k < ring {
            let d = x.get(met.get(k)) - at;
            if d.dot(d) < radius {
                offsets.add(n.dot(d));
                inside = true;
            }
            k += 1;
        }
        if !inside {
            break;
        }
        end = ring;
        while from < ring && *len <= met.capacity {
            vv.of(met.get(from), |u| met.add(len, u));
            from += 1;
        }
        if *len > met.capacity {
            break;
        }
    }
    let cut = *len > met.capacity;
    if end == 1 {
        return (at, cut);
    }
    let weights = offsets.weights(sigma);
    let mut k = 1;
    while k < end {
        mean.add(x.get(met.get(k)) - at, n, radius, &weights);
        k += 1;
    }
    (at + n * (mean.sum / mean.all), cut)
}

/// A weighted mean of offsets.
struct Mean {
    sum: f32,
    all: f32,
}
impl Mean {
    #[inline(always)]
    fn add(&mut self, d: Vec3, n: Vec3, radius: f32, weights: &Weights) {
        let tt = d.dot(d);
        if tt < radius {
            let h = n.dot(d);
            let w = weights.of(tt, h);
            self.sum += w * h;
            self.all += w;
        }
    }
}
