//! Angles.
use crate::device::math::fast_recip;
use core::f32::consts::{FRAC_PI_2, PI};

/// The angle of the vector (x, y) with the x axis, for y ≥ 0, to about 1e-7 relative. Not both are 0.
///
/// Abramowitz and Stegun 4.4.49: the arctangent on \[0, 1\] to 2e-8.
#[inline(always)]
pub fn angle(y: f32, x: f32) -> f32 {
    const C: [f32; 8] = [
        -0.333_331_44,
        0.199_935_5,
        -0.142_089,
        0.106_562_64,
        -0.075_289_64,
        0.042_909_61,
        -0.016_165_737,
        0.002_866_226,
    ];
    let ax = x.abs();
    let (small, large) = if y < ax { (y, ax) } else { (ax, y) };
    let t = small * fast_recip(large);
    let q = t * t;
    let p =
        q * (C[0] + q * (C[1] + q * (C[2] + q * (C[3] + q * (C[4] + q * (C[5] + q * (C[6] + q * C[7])))))));
    let r = t + t * p;
    let r = if y > ax { FRAC_PI_2 - r } else { r };
    if x < 0.0 { PI - r } else { r }
}

#[cfg(test)]
mod tests {
    use super::angle;

    #[test]
    fn the_arctangent() {
        for i in 0..=20_000 {
            let expected = std::f64::consts::PI * i as f64 / 20_000.0;
            let (y, x) = expected.sin_cos();
            let found = angle(y.abs() as f32, x as f32) as f64;
            let exact = (y.abs() as f32 as f64).atan2(x as f32 as f64);
            assert!((found - exact).abs() <= 3e-7 * exact.max(1e-30), "{found} {exact}");
        }
        assert_eq!(angle(0.0, 1.0), 0.0);
    }
}
