//! Kernels that turn pixels into rixels.
use super::camera::Camera;
use super::exact::{mul, number, ordered, rint};
use super::raster::{ARRIVED, COUNT, DISTANCES, NOTHING, VALUES};
use super::scene::Surface;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, In, Out, Parameter, Shared, TILE, kernel};

/// A value that is not finite.
pub const NO_VALUE: u32 = 65_535;
/// The greatest value.
const GREATEST_VALUE: f32 = 65_534.0;
/// The greatest depth of 16 bits.
const GREATEST_DEPTH: f32 = 65_535.0;

/// How depths are written.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Parameter)]
pub struct Depths {
    /// 1: the depth of OpenGL's window; 0: the distance.
    pub window: u32,
    /// 16 or 32.
    pub bits: u32,
}

/// Where the three parts of `count` rixels begin among words of 32 bits, and where the last ends.
#[inline(always)]
pub fn parts(pixels: u32, count: u32, bits: u32) -> ([u32; 4], bool) {
    let sparse = is_sparse(pixels, count);
    let even = |words: u32| words.next_multiple_of(2);
    let values = even(if sparse { count } else { pixels.div_ceil(32) });
    let depths = values + even(count.div_ceil(2));
    // two numbers before the depths
    let end = depths + even(2 + if bits == 16 { count.div_ceil(2) } else { count });
    ([0, values, depths, end], sparse)
}
/// Whether the places of `count` pixels take less than a bit for each pixel.
#[inline(always)]
pub fn is_sparse(pixels: u32, count: u32) -> bool {
    (count as u64) * 32 < pixels as u64
}

/// The sums of a part of the pixels: their number, and ordered extremes of values and distances.
#[inline(always)]
fn both(a: [u32; 5], b: [u32; 5]) -> [u32; 5] {
    let least = |i: usize| if a[i] < b[i] { a[i] } else { b[i] };
    let greatest = |i: usize| if a[i] > b[i] { a[i] } else { b[i] };
    [a[0] + b[0], least(1), greatest(2), least(3), greatest(4)]
}
const NONE: [u32; 5] = [0, u32::MAX, 0, u32::MAX, 0];

/// The value of each pixel, how many pixels of each tile have a face, then the places of the tiles' rixels;
/// and the ranges. Blocks: tiles of pixels.
#[kernel(for GRID in [0, 1], threads = 256, shared = arena.take::<u32>(TILE), requires(
    pixels.len() >= camera.width as usize * camera.height as usize,
    values.len() >= camera.width as usize * camera.height as usize,
    counts.len() >= (camera.width as usize * camera.height as usize).div_ceil(TILE as usize),
    state.len() >= 8,
))]
pub fn measure<'a, const GRID: u32>(
    block: &Block,
    camera: Camera,
    surface: Surface<'a>,
    pixels: In<'a, u64>,
    values: Out<'a, f32>,
    counts: Out<'a, u32>,
    state: Out<'a, u32>,
) {
    let n = camera.width * camera.height;
    block.for_each_tile(n, |base, len| {
        let of = |i: u32| {
            let key = pixels.get(base + i);
            if key == NOTHING {
                values.set(base + i, f32::NAN);
                return NONE;
            }
            let (x, y) = ((base + i) % camera.width, (base + i) / camera.width);
            let value = surface.value::<GRID>(block, &camera, key as u32, x, y);
            values.set(base + i, value);
            let away = (key >> 32) as u32;
            if value.is_finite() {
                [1, ordered(value), ordered(value), away, away]
            } else {
                [1, u32::MAX, 0, away, away]
            }
        };
        let found = block.reduce(len, NONE, of, both);
        block.single_nosync(|| {
            counts.set(base / TILE, found[0]);
            atomic::fetch_min(state, VALUES, found[1], Relaxed, Device);
            atomic::fetch_max(state, VALUES + 1, found[2], Relaxed, Device);
            atomic::fetch_min(state, DISTANCES, found[3], Relaxed, Device);
            atomic::fetch_max(state, DISTANCES + 1, found[4], Relaxed, Device);
        });
    });
    block.sync();
    if block.comes_last(state, ARRIVED) {
        let all = add_up(block, counts, n.div_ceil(TILE), block.shared::<u32>(TILE));
        block.single_nosync(|| state.set(COUNT, all));
    }
}

/// Replaces counts by the sums of those before; returns the sum of all. Collective.
#[inline(always)]
fn add_up(block: &Block, counts: Out<'_, u32>, n: u32, part: Shared<'_, u32>) -> u32 {
    let (mut base, mut before) = (0, 0);
    while base < n {
        let len = if n - base < TILE { n - base } else { TILE };
        block.for_each(len, |i| part.set(i, counts.get(base + i)));
        let sum = block.exclusive_scan(part, len);
        block.for_each(len, |i| counts.set(base + i, before + part.get(i)));
        before += sum;
        base += TILE;
    }
    before
}

/// A range of numbers, and what a number is multiplied with to be whole.
#[derive(Clone, Copy)]
struct Range {
    low: f32,
    high: f32,
    scale: f32,
}
impl Range {
    /// The range of two ordered numbers, in halves, which do not overflow.
    #[inline(always)]
    fn new(low: u32, high: u32, greatest: f32) -> Self {
        if low > high {
            return Self { low: 0.0, high: 0.0, scale: 0.0 };
        }
        let (low, high) = (number(low), number(high));
        let scale = greatest / (mul(high, 0.5) - mul(low, 0.5));
        Self { low, high, scale: if scale.is_finite() { scale } else { 0.0 } }
    }
    #[inline(always)]
    fn whole(&self, x: f32, greatest: f32) -> u32 {
        let whole = rint(mul(mul(x, 0.5) - mul(self.low, 0.5), self.scale));
        if whole < greatest { whole as u32 } else { greatest as u32 }
    }
}

/// Writes rixels. Blocks: tiles of pixels.
#[kernel(threads = 256, shared = arena.take::<u32>(TILE), requires(
    pixels.len() >= camera.width as usize * camera.height as usize,
    values.len() >= camera.width as usize * camera.height as usize,
    counts.len() >= (camera.width as usize * camera.height as usize).div_ceil(TILE as usize),
    state.len() >= 8,
))]
pub fn pack<'a>(
    block: &Block,
    camera: Camera,
    depths: Depths,
    pixels: In<'a, u64>,
    values: In<'a, f32>,
    counts: In<'a, u32>,
    state: In<'a, u32>,
    to: Out<'a, u32>,
) {
    let n = camera.width * camera.height;
    let count = state.get(COUNT);
    let ([_, second, third, end], sparse) = parts(n, count, depths.bits);
    let range = Range::new(state.get(VALUES), state.get(VALUES + 1), GREATEST_VALUE);
    let distances = Range::new(state.get(DISTANCES), state.get(DISTANCES + 1), GREATEST_DEPTH);
    let halves = to.wide::<u16>();
    let rank = block.shared::<u32>(TILE);
    block.for_each_tile(n, |base, len| {
        let seen = |i: u32| pixels.get(base + i) != NOTHING;
        block.for_each(len, |i| rank.set(i, seen(i) as u32));
        let all = block.exclusive_scan(rank, len);
        let before = counts.get(base / TILE);
        block.for_each_nosync(len, |i| {
            let key = pixels.get(base + i);
            if key == NOTHING {
                return;
            }
            let at = before + rank.get(i);
            if sparse {
                to.set(at, base + i);
            }
            let value = values.get(base + i);
            let value = if value.is_finite() { range.whole(value, GREATEST_VALUE) } else { NO_VALUE };
            halves.set(2 * second + at, value as u16);
            let away = number((key >> 32) as u32);
            match (depths.window != 0, depths.bits == 16) {
                (false, true) => halves.set(2 * third + 4 + at, distances.whole(away, GREATEST_DEPTH) as u16),
                (false, false) => to.set(third + 2 + at, away.to_bits()),
                (true, true) => halves.set(2 * third + 4 + at, window(camera.window(away)) as u16),
                (true, false) => to.set(third + 2 + at, camera.window(away).to_bits()),
            }
        });
        if !sparse {
            block.for_each_nosync(len.div_ceil(32), |k| {
                let (mut word, mut i) = (0, 32 * k);
                while i < len && i < 32 * k + 32 {
                    let next = if i + 1 < len { rank.get(i + 1) } else { all };
                    word |= (next - rank.get(i)) << (i % 32);
                    i += 1;
                }
                to.set(base / 32 + k, word);
            });
        }
        // iteration i writes what others of the next tile would read
        block.sync();
    });
    if block.index() == 0 {
        block.single_nosync(|| {
            to.set(third, distances.low.to_bits());
            to.set(third + 1, distances.high.to_bits());
            let used = if sparse { count } else { n.div_ceil(32) };
            if used < second {
                to.set(used, 0);
            }
            fill(halves, 2 * second + count, 2 * third);
            let numbers = if depths.bits == 16 { count } else { 2 * count };
            fill(halves, 2 * third + 4 + numbers, 2 * end);
        });
    }
}

/// A depth of OpenGL's window with 16 bits.
#[inline(always)]
fn window(depth: f32) -> u32 {
    let whole = rint(mul(depth, GREATEST_DEPTH));
    if whole < GREATEST_DEPTH { whole as u32 } else { GREATEST_DEPTH as u32 }
}
/// Zeros between two parts.
#[inline(always)]
fn fill(halves: Out<'_, u16>, from: u32, to: u32) {
    let mut i = from;
    while i < to {
        halves.set(i, 0);
        i += 1;
    }
}
