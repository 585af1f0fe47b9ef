//! The kernels of cycles for lanes that are a multiple of four: a thread computes four neighbouring numbers,
//! and reads what they share once. Each number has the sums of `cycle`, in their order.
use super::cycle::{ADD, SET, Step, ended};
use super::rows::{Rows, for_each_row};
use ribbonmesh::device::{Block, In, Out, Quad, kernel};
use ribbonmesh_linear::Real;

/// Numbers `4 i` to `4 i + 3`.
#[inline(always)]
fn four<V: Real>(of: In<'_, V>, i: u32) -> [f64; 4] {
    let quads = of.wide::<Quad>();
    if size_of::<V>() == 4 {
        let [a, b, c, d] = bytemuck::cast::<[u32; 4], [f32; 4]>(quads.get(i).0);
        [a as f64, b as f64, c as f64, d as f64]
    } else {
        let [a, b] = bytemuck::cast::<[u32; 4], [f64; 2]>(quads.get(2 * i).0);
        let [c, d] = bytemuck::cast::<[u32; 4], [f64; 2]>(quads.get(2 * i + 1).0);
        [a, b, c, d]
    }
}
/// The same of what is written, too.
#[inline(always)]
fn four_of<V: Real>(of: Out<'_, V>, i: u32) -> [f64; 4] {
    let quads = of.wide::<Quad>();
    if size_of::<V>() == 4 {
        let [a, b, c, d] = bytemuck::cast::<[u32; 4], [f32; 4]>(quads.get(i).0);
        [a as f64, b as f64, c as f64, d as f64]
    } else {
        let [a, b] = bytemuck::cast::<[u32; 4], [f64; 2]>(quads.get(2 * i).0);
        let [c, d] = bytemuck::cast::<[u32; 4], [f64; 2]>(quads.get(2 * i + 1).0);
        [a, b, c, d]
    }
}
/// Writes numbers `4 i` to `4 i + 3`.
#[inline(always)]
fn set_four<V: Real>(to: Out<'_, V>, i: u32, [a, b, c, d]: [f64; 4]) {
    let quads = to.wide::<Quad>();
    if size_of::<V>() == 4 {
        quads.set(i, Quad(bytemuck::cast([a as f32, b as f32, c as f32, d as f32])));
    } else {
        quads.set(2 * i, Quad(bytemuck::cast([a, b])));
        quads.set(2 * i + 1, Quad(bytemuck::cast([c, d])));
    }
}
/// `by a + times b`.
#[inline(always)]
fn mix(by: f64, a: [f64; 4], times: f64, b: [f64; 4]) -> [f64; 4] {
    [by * a[0] + times * b[0], by * a[1] + times * b[1], by * a[2] + times * b[2], by * a[3] + times * b[3]]
}
/// `a + by b`.
#[inline(always)]
fn add(a: [f64; 4], by: f64, b: [f64; 4]) -> [f64; 4] {
    [a[0] + by * b[0], a[1] + by * b[1], a[2] + by * b[2], a[3] + by * b[3]]
}

/// As [`multiply_blocks`](super::cycle::multiply_blocks). Blocks: four numbers of y for each thread; `fours`
/// by four lanes.
#[kernel(for (V, M) in [(f32, f32), (f32, f64), (f64, f32), (f64, f64)], threads = 128)]
pub fn multiply_fours<'a, V: Real, M: Real>(
    block: &Block,
    quads: u32,
    height: u32,
    width: u32,
    fours: u32,
    what: u32,
    state: In<'a, f64>,
    rows: Rows<'a>,
    values: In<'a, M>,
    x: In<'a, V>,
    b: In<'a, V>,
    y: Out<'a, V>,
) {
    if ended(state) {
        return;
    }
    for_each_row(block, quads, |quad| {
        let (unknown, lane) = (quad / fours, quad % fours);
        let (row, i) = (unknown / height, unknown % height);
        let (mut place, end) = rows.range(row);
        let mut sum = [0.0_f64; 4];
        while place < end {
            let (own, from) = ((place * height + i) * width, width * rows.columns.get(place));
            let mut j = 0;
            while j < width {
                sum = add(sum, values.get(own + j).to_f64(), four(x, (from + j) * fours + lane));
                j += 1;
            }
            place += 1;
        }
        let result = if what == SET {
            sum
        } else if what == ADD {
            add(four_of(y, quad), 1.0, sum)
        } else {
            add(four(b, quad), -1.0, sum)
        };
        set_four(y, quad, result);
    });
}

/// As [`relax`](super::cycle::relax). Blocks: four numbers for each thread; `fours` by four lanes.
#[kernel(for V in [f32, f64], threads = 128)]
pub fn relax_fours<'a, V: Real>(
    block: &Block,
    quads: u32,
    size: u32,
    fours: u32,
    step: Step,
    state: In<'a, f64>,
    inverse: In<'a, f32>,
    from: In<'a, V>,
    t: In<'a, V>,
    to: Out<'a, V>,
    d: Out<'a, V>,
    x: Out<'a, V>,
) {
    if ended(state) {
        return;
    }
    for_each_row(block, quads, |quad| {
        let left = |i: u32| {
            let from = four(from, i);
            if step.subtract == 0 { from } else { add(from, -1.0, four(t, i)) }
        };
        let (unknown, lane) = (quad / fours, quad % fours);
        let first = unknown - unknown % size;
        let (mut sum, mut j) = ([0.0; 4], 0);
        while j < size {
            sum = add(sum, inverse.get(unknown * size + j) as f64, left((first + j) * fours + lane));
            j += 1;
        }
        set_four(to, quad, left(quad));
        let keep = if step.keep == 0.0 { [0.0; 4] } else { four_of(d, quad) };
        let own = mix(step.keep, keep, step.by, sum);
        set_four(d, quad, own);
        set_four(x, quad, if step.add == 0 { own } else { add(four_of(x, quad), 1.0, own) });
    });
}

/// As [`relax_rows`](super::cycle::relax_rows). Blocks: four numbers for each thread; `fours` by four lanes.
#[kernel(for (V, M) in [(f32, f32), (f32, f64), (f64, f32), (f64, f64)], threads = 128)]
pub fn relax_rows_fours<'a, V: Real, M: Real>(
    block: &Block,
    quads: u32,
    fours: u32,
    step: Step,
    state: In<'a, f64>,
    rows: Rows<'a>,
    values: In<'a, M>,
    inverse: In<'a, f32>,
    from: In<'a, V>,
    before: In<'a, V>,
    to: Out<'a, V>,
    d: Out<'a, V>,
    x: Out<'a, V>,
) {
    if ended(state) {
        return;
    }
    for_each_row(block, quads, |quad| {
        let (row, lane) = (quad / fours, quad % fours);
        let (mut place, end) = rows.range(row);
        let mut left = four(from, quad);
        while place < end {
            let by = -values.get(place).to_f64();
            left = add(left, by, four(before, rows.columns.get(place) * fours + lane));
            place += 1;
        }
        set_four(to, quad, left);
        let keep = if step.keep == 0.0 { [0.0; 4] } else { four(before, quad) };
        let own = mix(step.by * inverse.get(row) as f64, left, step.keep, keep);
        set_four(d, quad, own);
        set_four(x, quad, add(four_of(x, quad), 1.0, own));
    });
}
