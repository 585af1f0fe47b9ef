//! A Hilbert curve through a grid in space.
use crate::frame::Frame;
use glam::Vec3;

/// Bits of a coordinate on the finest grid. A key has three times as many.
pub const LEVELS: u32 = 21;

/// A grid of 2²¹ cells in each direction, of a cube larger than the mesh. Each level of tiles has another
/// place and another order of axes, so that tiles end elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    low: Vec3,
    per_length: f32,
    turn: usize,
}

impl Grid {
    /// That of a level.
    pub fn of_level(frame: &Frame, level: u32) -> Self {
        let (low, side) = frame.cube();
        let cube = 1.5 * side.max(f32::MIN_POSITIVE);
        // parts of half a side by the golden ratio, and by its powers: never the same
        let part = |power: i32| (f64::from(level + 1) * 0.618_033_988_749_895_f64.powi(power)).fract() as f32;
        let shift = Vec3::new(part(1), part(2), part(3));
        Self {
            low: low - 0.5 * side * shift,
            per_length: (1 << LEVELS) as f32 / cube,
            turn: level as usize % 3,
        }
    }
    /// The number along the curve of the cell with a point, on the grid of `levels` halvings: the first bits
    /// of the number on the finest grid.
    pub fn key(&self, p: Vec3, levels: u32) -> u64 {
        let most = (1 << LEVELS) - 1;
        let [a, b, c] = ((p - self.low) * self.per_length).to_array().map(|t| (t as u32).min(most));
        let turned = [[a, b, c], [b, c, a], [c, a, b]][self.turn];
        hilbert(turned.map(|t| t >> (LEVELS - levels)), levels)
    }
}

/// The number of a cell along the curve (J. Skilling, *Programming the Hilbert curve*, 2004).
fn hilbert(mut x: [u32; 3], bits: u32) -> u64 {
    let most = 1 << (bits - 1);
    let mut q = most;
    while q > 1 {
        let p = q - 1;
        for i in 0..3 {
            if x[i] & q != 0 {
                x[0] ^= p;
            } else {
                let t = (x[0] ^ x[i]) & p;
                x[0] ^= t;
                x[i] ^= t;
            }
        }
        q >>= 1;
    }
    x[1] ^= x[0];
    x[2] ^= x[1];
    let mut t = 0;
    q = most;
    while q > 1 {
        if x[2] & q != 0 {
            t ^= q - 1;
        }
        q >>= 1;
    }
    let x = x.map(|v| v ^ t);
    (0..bits).rev().fold(0, |key, bit| x.iter().fold(key, |key, v| key << 1 | u64::from(v >> bit & 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_on_the_curve_are_neighbours_in_space() {
        let bits = 4;
        let mut cells = vec![None; 1 << (3 * bits)];
        let n = 1 << bits;
        for cell in (0..n * n * n).map(|i| [i / n / n, i / n % n, i % n]) {
            let place = &mut cells[hilbert(cell, bits) as usize];
            assert_eq!(*place, None, "{cell:?}");
            *place = Some(cell);
        }
        for pair in cells.windows(2) {
            let [Some(a), Some(b)] = pair else { panic!("every number has a cell") };
            let apart: u32 = a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).sum();
            assert_eq!(apart, 1, "{a:?} {b:?}");
        }
    }

    #[test]
    fn coarse_keys_are_the_first_bits() {
        for i in 0..1000_u32 {
            let cell = [i * 2_097, i * 1_511 % (1 << 21), i * 977];
            let fine = hilbert(cell, 21);
            assert_eq!(hilbert(cell.map(|t| t >> 14), 7), fine >> 42, "{cell:?}");
        }
    }
}
