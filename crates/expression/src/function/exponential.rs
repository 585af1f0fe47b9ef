//! Exponentials and logarithms.

use super::{polynomial, within};
use crate::machine::Machine;
use core::f32::consts::{LN_2, LOG2_E, LOG10_2, LOG10_E};

/// The exact constants minus their rounded values.
const LN_2_REST: f32 = -1.904_654_2e-9;
const LOG2_E_REST: f32 = 1.925_963e-8;
const LOG10_E_REST: f32 = -1.010_305e-8;
const LOG10_2_REST: f32 = -1.432_098_9e-8;

/// e to the power of `x`, to about 1 ulp.
#[inline(always)]
pub fn exp<M: Machine>(m: &M, x: M::Float) -> M::Float {
    exp_scaled(m, x, 0.0)
}

/// e to the power of `x`, times 2 to the power of a small integer `doublings`, to about 1 ulp.
#[inline(always)]
pub fn exp_scaled<M: Machine>(m: &M, x: M::Float, doublings: f32) -> M::Float {
    // where the result is 0 or infinite; it keeps the integer in the range of `scale`, and a NaN
    let x = within(m, x, 104.0);
    let n = m.rint(m.mul(x, m.constant(LOG2_E)));
    let power = exp_near_zero(m, remainder(m, x, n));
    scale(m, power, if doublings == 0.0 { n } else { m.add(n, m.constant(doublings)) })
}

/// `x - n * ln 2`.
#[inline(always)]
pub fn remainder<M: Machine>(m: &M, x: M::Float, n: M::Float) -> M::Float {
    let n = m.neg(n);
    m.fma(n, m.constant(LN_2_REST), m.fma(n, m.constant(LN_2), x))
}

/// e to the power of `r`, for -0.35 to 0.35.
#[inline(always)]
pub fn exp_near_zero<M: Machine>(m: &M, r: M::Float) -> M::Float {
    polynomial(m, r, [0.001_382_073_7, 0.008_368_675, 0.041_668_266, 0.166_665_21, 0.499_999_94, 1.0, 1.0])
}

/// `x * 2^n` for an integer from -152 to 152, rounded once.
#[inline(always)]
pub fn scale<M: Machine>(m: &M, x: M::Float, n: M::Float) -> M::Float {
    let n = m.to_int(n);
    let half = m.shift_right(n, 1);
    let power = |n: M::Int| m.float_of_bits(m.shift_left(m.int_add(n, m.integer(127)), 23));
    m.mul(m.mul(x, power(half)), power(m.int_sub(n, half)))
}

/// The natural logarithm, to about 1 ulp.
#[inline(always)]
pub fn log<M: Machine>(m: &M, x: M::Float) -> M::Float {
    let (e, f) = split(m, x);
    let log = log_near_one(m, f);
    special_log(m, x, m.fma(e, m.constant(LN_2), m.fma(e, m.constant(LN_2_REST), log)))
}

/// The logarithm to base 2, to about 2 ulp.
#[inline(always)]
pub fn log2<M: Machine>(m: &M, x: M::Float) -> M::Float {
    let (e, f) = split(m, x);
    let log = log_near_one(m, f);
    let rest = m.mul(log, m.constant(LOG2_E_REST));
    special_log(m, x, m.add(e, m.fma(log, m.constant(LOG2_E), rest)))
}

/// The logarithm to base 10, to about 2 ulp.
#[inline(always)]
pub fn log10<M: Machine>(m: &M, x: M::Float) -> M::Float {
    let (e, f) = split(m, x);
    let log = log_near_one(m, f);
    let rest = m.fma(e, m.constant(LOG10_2_REST), m.mul(log, m.constant(LOG10_E_REST)));
    let sum = m.fma(e, m.constant(LOG10_2), m.fma(log, m.constant(LOG10_E), rest));
    special_log(m, x, sum)
}

/// `x = 2^e * (1 + f)` with f from -1/3 to 1/3.
#[inline(always)]
pub fn split<M: Machine>(m: &M, x: M::Float) -> (M::Float, M::Float) {
    let subnormal = m.less(x, m.constant(f32::MIN_POSITIVE));
    let bits = m.bits(m.select(subnormal, m.mul(x, m.constant(8_388_608.0)), x));
    // from where the mantissa is 4/3 on, the exponent is one more
    let e = m.int_and(m.int_sub(bits, m.integer(0x3f2a_aaab)), m.integer(0xff80_0000_u32 as i32));
    let f = m.sub(m.float_of_bits(m.int_sub(bits, e)), m.constant(1.0));
    let shift = m.select(subnormal, m.constant(23.0), m.constant(0.0));
    (m.sub(m.to_float(m.shift_right(e, 23)), shift), f)
}

/// The natural logarithm of `1 + f`.
#[inline(always)]
fn log_near_one<M: Machine>(m: &M, f: M::Float) -> M::Float {
    let p = polynomial(
        m,
        f,
        [
            0.119_584_68,
            -0.128_301_26,
            0.107_695_55,
            -0.121_994_17,
            0.143_027_17,
            -0.166_792_96,
            0.199_996_81,
            -0.249_998_27,
            0.333_333_34,
            -0.5,
        ],
    );
    m.fma(p, m.mul(f, f), f)
}

/// A logarithm of 0, of negative numbers, of infinity and of NaN; `log` for everything else.
#[inline(always)]
fn special_log<M: Machine>(m: &M, x: M::Float, log: M::Float) -> M::Float {
    let zero = m.constant(0.0);
    let special = m.select(
        m.equal(x, zero),
        m.constant(f32::NEG_INFINITY),
        m.select(m.less(x, zero), m.constant(f32::NAN), x),
    );
    m.select(m.both(m.less(zero, x), m.less(x, m.constant(f32::INFINITY))), log, special)
}
