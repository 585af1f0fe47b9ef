//! Hyperbolic functions. The polynomials near zero are those of the Cephes library.

use super::exponential::{exp, exp_scaled};
use super::{polynomial, with_sign};
use crate::machine::Machine;

/// The hyperbolic sine, to about 2 ulp.
#[inline(always)]
pub fn sinh<M: Machine>(m: &M, x: M::Float) -> M::Float {
    let a = m.abs(x);
    let z = m.mul(a, a);
    let p = polynomial(m, z, [2.037_219_2e-4, 8.330_284e-3, 0.166_667_16]);
    let small = m.fma(m.mul(p, z), a, a);
    // half the power: it is finite wherever the result is
    let half = exp_scaled(m, a, -1.0);
    let large = m.sub(half, m.div(m.constant(0.25), half));
    with_sign(m, m.select(m.less(a, m.constant(1.0)), small, large), x)
}

/// The hyperbolic cosine, to about 2 ulp.
#[inline(always)]
pub fn cosh<M: Machine>(m: &M, x: M::Float) -> M::Float {
    let half = exp_scaled(m, m.abs(x), -1.0);
    m.add(half, m.div(m.constant(0.25), half))
}

/// The hyperbolic tangent, to about 2 ulp.
#[inline(always)]
pub fn tanh<M: Machine>(m: &M, x: M::Float) -> M::Float {
    let a = m.abs(x);
    let z = m.mul(a, a);
    let p = polynomial(m, z, [-5.704_988_7e-3, 2.063_909e-2, -0.053_739_715, 0.133_314_42, -0.333_332_8]);
    let small = m.fma(m.mul(p, z), a, a);
    let one = m.constant(1.0);
    let large = m.sub(one, m.div(m.constant(2.0), m.add(exp(m, m.add(a, a)), one)));
    with_sign(m, m.select(m.less(a, m.constant(0.625)), small, large), x)
}
