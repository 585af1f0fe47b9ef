//! The end of a reduction, and arithmetic on single numbers, on the device: the host does not wait for them.
use crate::array::kernels::number::Number;
use crate::array::ratio;
use crate::device::{Arena, Block, In, Out, Pod, Shared, kernel};

/// Lanes that visit the sums of tiles side by side, at most; a power of two.
const LANES: u32 = 1024;

fn memory<S: Pod>(arena: &Arena) -> Shared<'_, S> {
    arena.take(LANES)
}

/// `to[c]` = sum of component `c` of `n` values of `width` numbers. One block.
///
/// Lane `j` of as many as there are values, rounded up to a power of two, and at most 1024, adds values
/// `j`, `j + lanes`, …; then the lanes are added by halves. So the order depends on `n` alone.
#[kernel(for S in [f64, u64], threads = 1024, shared = memory::<S>(arena))]
pub fn finish<'a, S: Number>(block: &Block, n: u32, width: u32, x: In<'a, S>, to: Out<'a, S>) {
    let sums = memory::<S>(block.arena());
    let lanes = if n < LANES { n.next_power_of_two() } else { LANES };
    let mut c = 0;
    while c < width {
        block.for_each(lanes, |j| {
            let (mut i, mut sum) = (j, S::default());
            while i < n {
                sum = sum.plus(x.get(width * i + c));
                i += lanes;
            }
            sums.set(j, sum);
        });
        let mut half = lanes / 2;
        while half > 0 {
            block.for_each(half, |j| sums.set(j, sums.get(j).plus(sums.get(j + half))));
            half /= 2;
        }
        block.single_nosync(|| to.set(c, sums.get(0)));
        c += 1;
    }
}

/// `a + b`
pub const SUM: u32 = 0;
/// `a - b`
pub const DIFFERENCE: u32 = 1;
/// `a b`
pub const PRODUCT: u32 = 2;
/// `a / b`, 0 where b is 0.
pub const RATIO: u32 = 3;

/// `to = op(a, b)`, one number each.
#[kernel(threads = 32)]
pub fn scalar_operation<'a>(block: &Block, op: u32, a: In<'a, f64>, b: In<'a, f64>, to: Out<'a, f64>) {
    block.single_nosync(|| {
        let (a, b) = (a.get(0), b.get(0));
        to.set(
            0,
            match op {
                SUM => a + b,
                DIFFERENCE => a - b,
                PRODUCT => a * b,
                _ => ratio(a, b),
            },
        );
    });
}
