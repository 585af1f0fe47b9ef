//! Sums of angles.
use core::f32::consts::PI;
use ribbonmesh::corners::angle;
use ribbonmesh::device::math::{fast_recip, sqrt};

/// π minus [`PI`].
const PI_REST: f32 = -8.742_278e-8;

/// A sum of angles from 0 to π each, as a product of complex numbers of length 1.
///
/// Where the sum is near a full turn, its difference from that is as precise as the products; there is one
/// arctangent, and no rounded π.
#[derive(Clone, Copy)]
pub struct Turn {
    re: f32,
    im: f32,
    /// Number of full turns in addition to the angle of `re`, `im`, which is from −π to π.
    full: i32,
}
impl Turn {
    /// The sum of no angles.
    #[inline(always)]
    pub fn new() -> Self {
        Self { re: 1.0, im: 0.0, full: 0 }
    }
    /// Adds the angle of the vector (`x`, `y`), `y` ≥ 0, not both 0.
    #[inline(always)]
    pub fn add(&mut self, x: f32, y: f32) {
        let scale = fast_recip(sqrt(x * x + y * y));
        let (x, y) = (x * scale, y * scale);
        let (re, im) = (self.re * x - self.im * y, self.re * y + self.im * x);
        // An angle up to π leads from the upper half to the lower one past π, or to a full turn; only
        // rounding leads past 0, or back past π.
        let past = im < 0.0 && (self.re <= 0.0 || re <= 0.0);
        if self.im >= 0.0 && (past || (self.re < 0.0 && re > 0.0)) {
            self.full += 1;
        }
        if self.im < 0.0 && im >= 0.0 && self.re < 0.0 && re < 0.0 {
            self.full -= 1;
        }
        (self.re, self.im) = (re, im);
    }
    /// `halves` · π minus the sum.
    #[inline(always)]
    pub fn defect(&self, halves: i32) -> f32 {
        let rest = angle(self.im.abs(), self.re);
        let rest = if self.im < 0.0 { -rest } else { rest };
        let halves = (halves - 2 * self.full) as f32;
        (halves * PI - rest) + halves * PI_REST
    }
}

#[cfg(test)]
mod tests {
    use super::Turn;
    use std::f64::consts::PI;

    #[test]
    fn sums_of_every_size() {
        let mut state = 1_u32;
        let mut unit = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(state >> 8) / f64::from(1 << 24)
        };
        for n in [0, 1, 2, 3, 6, 7, 20, 300] {
            for _ in 0..200 {
                let (mut turn, mut sum) = (Turn::new(), 0.0);
                for _ in 0..n {
                    let angle = unit() * PI;
                    let length = 0.1 + 10.0 * unit();
                    let (x, y) = ((angle.cos() * length) as f32, (angle.sin() * length) as f32);
                    turn.add(x, y);
                    sum += f64::from(y).atan2(f64::from(x));
                }
                let found = f64::from(turn.defect(2));
                let expected = 2.0 * PI - sum;
                assert!(
                    (found - expected).abs() < 2e-7 * (f64::from(n) + 1.0 + sum),
                    "{n}: {found} {expected}"
                );
            }
        }
    }
    #[test]
    fn a_full_turn_lacks_nothing() {
        for n in 2..100 {
            let mut turn = Turn::new();
            let (y, x) = (2.0 * PI / f64::from(n)).sin_cos();
            (0..n).for_each(|_| turn.add(x as f32, y as f32));
            assert!(turn.defect(2).abs() < 1e-7 * n as f32, "{n}: {}", turn.defect(2));
        }
    }
    #[test]
    fn angles_at_the_ends() {
        let sum = |angles: &[(f32, f32)]| {
            let mut turn = Turn::new();
            angles.iter().for_each(|&(x, y)| turn.add(x, y));
            -turn.defect(0)
        };
        let pi = std::f32::consts::PI;
        let (nothing, half) = ((1.0, 0.0), (-1.0, 0.0));
        assert_eq!(sum(&[nothing, nothing]), 0.0);
        assert_eq!(sum(&[half]), pi);
        assert!((sum(&[half, nothing, half]) - 2.0 * pi).abs() < 1e-6);
        assert!((sum(&[half, half, half]) - 3.0 * pi).abs() < 1e-6);
    }
}
