//! Lanczos' method for the greatest eigenvalue of D⁻¹ A, in the scalar product of D.
use super::aggregate::scramble;
use super::rows::{ROWS, Rows};
use ribbonmesh::device::{Block, In, Out, Parameter, kernel};
use ribbonmesh_linear::Part;

/// Memory that the steps have in common. `state` has two numbers for each step: the length of its vector, and
/// its number of the diagonal.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Lanczos<'a> {
    /// Nodes.
    pub nodes: u32,
    /// Unknowns of a node, at most 6.
    pub size: u32,
    /// The step.
    pub step: u32,
    /// Lengths and numbers of the diagonal.
    pub state: Out<'a, f64>,
    /// A number for each block.
    pub partials: Out<'a, f64>,
    /// Arrivals of blocks: `GROUPED_ARRIVALS` words of 0.
    pub arrived: Out<'a, u32>,
}
impl Lanczos<'_> {
    /// Adds a number of each block, and stores the result.
    #[inline(always)]
    fn sum(&self, block: &Block, part: f64, then: impl Fn(f64)) {
        block.reduce_blocks(part, 0.0, (self.partials, self.arrived), |a, b| a + b, then);
    }
    #[inline(always)]
    fn length(&self, step: u32) -> f64 {
        self.state.get(2 * step)
    }
    /// 1 by the length of a step's vector; 0 after the last step that has one.
    #[inline(always)]
    fn by_length(&self, step: u32) -> f64 {
        let length = self.length(step);
        if length > 0.0 { 1.0 / length } else { 0.0 }
    }
}

/// u = A v - α u - β (the u before), or a random vector in the first step; v = D⁻¹ u; the length of u.
/// Blocks: nodes.
#[kernel(threads = 128)]
pub fn next_vector<'a>(
    block: &Block,
    with: Lanczos<'a>,
    inverse: In<'a, f32>,
    w: In<'a, f64>,
    u: Out<'a, f64>,
    before: Out<'a, f64>,
    v: Out<'a, f64>,
) {
    let (size, step) = (with.size, with.step);
    let part = Part::of(block, with.nodes, ROWS).sum(block, |node| {
        let mut own = [0.0_f64; 6];
        let mut k = 0;
        while k < size {
            let i = node * size + k;
            let next = if step == 0 {
                scramble(i) as f64 / 2_147_483_648.0 - 1.0
            } else {
                let last = step - 1;
                let mut left = w.get(i) - with.state.get(2 * last + 1) * with.by_length(last) * u.get(i);
                if last > 0 {
                    left -= with.length(last) * with.by_length(last - 1) * before.get(i);
                }
                left
            };
            before.set(i, u.get(i));
            u.set(i, next);
            own[k as usize] = next;
            k += 1;
        }
        let (mut sum, mut k) = (0.0, 0);
        while k < size {
            let i = node * size + k;
            let (mut of_v, mut j) = (0.0, 0);
            while j < size {
                of_v += inverse.get(i * size + j) as f64 * own[j as usize];
                j += 1;
            }
            v.set(i, of_v);
            sum += of_v * own[k as usize];
            k += 1;
        }
        sum
    });
    with.sum(block, part, |sum| with.state.set(2 * step, libm::sqrt(if sum > 0.0 { sum } else { 0.0 })));
}

/// w = A v by the length of v's vector; the number of the diagonal. Blocks: numbers.
#[kernel(threads = 128)]
pub fn apply_matrix<'a>(
    block: &Block,
    with: Lanczos<'a>,
    rows: Rows<'a>,
    values: In<'a, f64>,
    v: In<'a, f64>,
    w: Out<'a, f64>,
) {
    let (size, by) = (with.size, with.by_length(with.step));
    let part = Part::of(block, with.nodes * size, ROWS).sum(block, |i| {
        let (node, r) = (i / size, i % size);
        let (mut k, end) = rows.range(node);
        let mut sum = 0.0;
        while k < end {
            let (own, from) = ((k * size + r) * size, rows.columns.get(k) * size);
            let mut j = 0;
            while j < size {
                sum += values.get(own + j) * v.get(from + j);
                j += 1;
            }
            k += 1;
        }
        w.set(i, by * sum);
        by * sum * by * v.get(i)
    });
    with.sum(block, part, |sum| with.state.set(2 * with.step + 1, sum));
}
