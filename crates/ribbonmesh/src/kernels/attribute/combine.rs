//! Arithmetic in place, scalar by scalar.
use crate::array::kernels::number::Number;
use crate::device::{Block, In, Out, kernel};

/// `y += x`
pub const ADD: u32 = 0;
/// `y -= x`
pub const SUB: u32 = 1;
/// `y *= x`
pub const MUL: u32 = 2;
/// `y = min(x, y)`
pub const MIN: u32 = 3;
/// `y = max(x, y)`
pub const MAX: u32 = 4;
/// `y += a x`
pub const AXPY: u32 = 5;
/// `y *= a`
pub const SCALE: u32 = 6;
/// `y = a y + x`
pub const AYPX: u32 = 7;

/// `y = op(x, y)` for `n` numbers; `x` is empty for [`SCALE`].
/// If `by` has a number, `a` is multiplied by that, rounded to its type.
#[kernel(for T in [f32, f64, u32, i32], threads = 256)]
pub fn combine<'a, T: Number>(
    block: &Block,
    op: u32,
    n: u32,
    a: T,
    by: In<'a, f64>,
    x: In<'a, T>,
    y: Out<'a, T>,
) {
    let a = match by.try_get(0) {
        Some(by) => a.times(T::rounded(by)),
        None => a,
    };
    if op == SCALE {
        return block.for_each_of_tile(n, |i| y.set(i, a.times(y.get(i))));
    }
    block.for_each_of_tile(n, |i| {
        let (x, old) = (x.get(i), y.get(i));
        y.set(
            i,
            match op {
                ADD => old.plus(x),
                SUB => old.minus(x),
                MUL => old.times(x),
                MIN => old.least(x),
                MAX => old.greatest(x),
                AYPX => x.plus(a.times(old)),
                _ => old.plus(a.times(x)),
            },
        );
    });
}
