//! Gradient noise with its derivatives.
use glam::Vec3;

/// A number that looks random for each point of the lattice and each seed (the finaliser of MurmurHash3).
#[inline(always)]
fn hash(i: i32, j: i32, k: i32, seed: u32) -> u32 {
    let mut h = (i as u32).wrapping_mul(0x8da6_b343)
        ^ (j as u32).wrapping_mul(0xd816_3841)
        ^ (k as u32).wrapping_mul(0xcb1a_b31f)
        ^ seed.wrapping_mul(0x9e37_79b9);
    h ^= h >> 16;
    h = h.wrapping_mul(0x85eb_ca6b);
    h ^= h >> 13;
    h = h.wrapping_mul(0xc2b2_ae35);
    h ^ (h >> 16)
}

/// A unit vector for each point of the lattice.
#[inline(always)]
fn gradient(h: u32) -> Vec3 {
    // uniform on the sphere: a height, and a point on a circle by two more numbers
    let part = |shift: u32| ((h >> shift) & 0x3ff) as f32 / 511.5 - 1.0;
    let g = Vec3::new(part(0), part(10), part(20));
    let length = g.length();
    if length > 0.0 { g / length } else { Vec3::X }
}

/// Noise between about −1 and 1 (Perlin 2002), and its gradient. Both are continuous; it is 0 at the points
/// of the lattice.
#[inline(always)]
pub fn noise(x: Vec3, seed: u32) -> (f32, Vec3) {
    let low = Vec3::new(libm::floorf(x.x), libm::floorf(x.y), libm::floorf(x.z));
    let (i, j, k) = (low.x as i32, low.y as i32, low.z as i32);
    let f = x - low;
    let s = f * f * f * (Vec3::splat(10.0) - f * (Vec3::splat(15.0) - 6.0 * f));
    let ds = 30.0 * f * f * (f - Vec3::ONE) * (f - Vec3::ONE);
    let (mut value, mut slope) = (0.0, Vec3::ZERO);
    let mut corner = 0;
    while corner < 8 {
        let (a, b, c) = (corner & 1, corner >> 1 & 1, corner >> 2);
        let g = gradient(hash(i + a, j + b, k + c, seed));
        let dot = g.dot(f - Vec3::new(a as f32, b as f32, c as f32));
        let weight = |at: i32, s: f32, ds: f32| if at == 0 { (1.0 - s, -ds) } else { (s, ds) };
        let ((u, du), (v, dv), (w, dw)) = (weight(a, s.x, ds.x), weight(b, s.y, ds.y), weight(c, s.z, ds.z));
        value += u * v * w * dot;
        slope += u * v * w * g + dot * Vec3::new(du * v * w, u * dv * w, u * v * dw);
        corner += 1;
    }
    (value, slope)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gradient_is_that_of_the_values() {
        let h = 1e-2;
        for n in 0..200 {
            let t = n as f32;
            let x = Vec3::new((1.3 * t).sin(), (0.7 * t).cos(), (2.1 * t).sin()) * 5.0;
            let (value, slope) = noise(x, 7);
            assert!(value.abs() < 1.5);
            for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
                let change = (noise(x + h * axis, 7).0 - noise(x - h * axis, 7).0) / (2.0 * h);
                assert!((change - slope.dot(axis)).abs() < 0.01, "{x} {change} {slope}");
            }
        }
    }
    #[test]
    fn continuous_across_the_lattice() {
        for n in 0..100 {
            let t = 0.31 * n as f32 - 10.0;
            let [a, b] = [-1e-4, 1e-4].map(|by| noise(Vec3::new(3.0 + by, t, -2.5), 1));
            assert!((a.0 - b.0).abs() < 1e-3 && (a.1 - b.1).length() < 5e-3);
        }
    }
}
