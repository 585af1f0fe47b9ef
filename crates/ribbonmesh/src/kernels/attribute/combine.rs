//! Arithmetic in place, scalar by scalar.
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

macro_rules! kernels { ($($t:ident $combine:ident $add:ident $sub:ident $mul:ident;)*) => { $(
    #[doc = concat!("`y = op(x, y)` for `n` scalars `", stringify!($t), "`; `x` is empty for [`SCALE`].")]
    /// If `by` has a number, `a` is multiplied by that, rounded to its type.
    #[kernel(threads = 256)]
    pub fn $combine<'a>(block: &Block, op: u32, n: u32, a: $t, by: In<'a, f64>, x: In<'a, $t>, y: Out<'a, $t>) {
        let a = match by.try_get(0) {
            Some(by) => $mul(a, by as $t),
            None => a,
        };
        if op == SCALE {
            return block.for_each_of_tile(n, |i| y.set(i, $mul(a, y.get(i))));
        }
        block.for_each_of_tile(n, |i| {
            let (x, old) = (x.get(i), y.get(i));
            y.set(i, match op {
                ADD => $add(old, x),
                SUB => $sub(old, x),
                MUL => $mul(old, x),
                MIN => old.min(x),
                MAX => old.max(x),
                AYPX => $add(x, $mul(a, old)),
                _ => $add(old, $mul(a, x)),
            });
        });
    }
)* } }
kernels! {
    f32 combine_f32 add sub mul;
    f64 combine_f64 add sub mul;
    u32 combine_u32 wrapping_add_u32 wrapping_sub_u32 wrapping_mul_u32;
    i32 combine_i32 wrapping_add_i32 wrapping_sub_i32 wrapping_mul_i32;
}

macro_rules! operations { ($($name:ident $trait:ident $method:ident;)*) => { $(
    #[inline(always)]
    fn $name<T: core::ops::$trait<Output = T>>(a: T, b: T) -> T {
        a.$method(b)
    }
)* } }
operations! { add Add add; sub Sub sub; mul Mul mul; }

macro_rules! wrapping { ($($t:ident $name:ident $method:ident;)*) => { $(
    #[inline(always)]
    fn $name(a: $t, b: $t) -> $t {
        a.$method(b)
    }
)* } }
wrapping! {
    u32 wrapping_add_u32 wrapping_add;
    u32 wrapping_sub_u32 wrapping_sub;
    u32 wrapping_mul_u32 wrapping_mul;
    i32 wrapping_add_i32 wrapping_add;
    i32 wrapping_sub_i32 wrapping_sub;
    i32 wrapping_mul_i32 wrapping_mul;
}
