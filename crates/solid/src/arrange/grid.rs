//! Positions as integers.
use glam::{DVec3, Vec3};
use rayon::prelude::*;

/// Bits of a coordinate, with its sign 63.
const BITS: i32 = 62;

/// The multiples of a power of two on which all positions are.
///
/// The power is as small as 62 bits allow. Coordinates that are no multiple of it are rounded: by at most
/// 2⁻⁶² of the largest coordinate, which moves only coordinates below 2⁻³⁸ of it. They stay numbers of single
/// precision, so that the predicates for single precision hold for the same points.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    /// Positions, after rounding.
    pub(crate) points: Vec<Vec3>,
    scale: f64,
}

impl Grid {
    /// The grid of some finite positions.
    pub(crate) fn new(points: Vec<Vec3>) -> Self {
        let largest = points.par_iter().map(|p| p.abs().max_element()).reduce(|| 0.0, f32::max);
        // 2^power is above the largest coordinate
        let power = f64::from(largest).log2().floor() as i32 + 1;
        let power = if largest == 0.0 { 0 } else { power };
        Self { points: vec![], scale: 2.0_f64.powi(BITS - power) }.with(points)
    }
    /// The same grid with other positions, none of which is larger.
    pub(crate) fn with(&self, mut points: Vec<Vec3>) -> Self {
        let scale = self.scale;
        points.par_iter_mut().for_each(|p| *p = ((p.as_dvec3() * scale).round() / scale).as_vec3());
        Self { points, scale }
    }
    /// The integers of a position.
    pub(crate) fn integers(&self, vertex: u32) -> [i64; 3] {
        (self.points[vertex as usize].as_dvec3() * self.scale).to_array().map(|x| x as i64)
    }
    /// The same in double precision, without rounding.
    pub(crate) fn near(&self, vertex: u32) -> DVec3 {
        self.points[vertex as usize].as_dvec3() * self.scale
    }
    /// A bound of all coordinates in units of the grid.
    pub(crate) fn extent(&self) -> f64 {
        2.0_f64.powi(BITS)
    }
    /// The position of a point of the grid in the units of the positions.
    pub(crate) fn place(&self, near: DVec3) -> DVec3 {
        near / self.scale
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_integers() {
        let points = vec![Vec3::new(1.0, -0.1, 1e-3), Vec3::new(3.9, 6.1e-17, -1e-30), Vec3::ZERO];
        let grid = Grid::new(points.clone());
        assert_eq!(grid.points[0], points[0]);
        assert_eq!((grid.points[1].x, grid.points[1].z), (3.9, 0.0));
        assert!((grid.points[1].y - 6.1e-17).abs() < 4.0 * 2.0_f32.powi(-61));
        for v in 0..3 {
            let exact = grid.integers(v).map(|x| x as f64);
            assert_eq!(DVec3::from_array(exact), grid.near(v));
            assert_eq!(grid.place(grid.near(v)).as_vec3(), grid.points[v as usize]);
            assert!(grid.integers(v).iter().all(|x| x.abs() < 1 << 62));
        }
        assert_eq!(Grid::new(vec![Vec3::ZERO]).integers(0), [0; 3]);
        // the largest numbers, and the smallest
        for x in [f32::MAX, f32::MIN_POSITIVE, 1e-45] {
            let grid = Grid::new(vec![Vec3::new(x, -x, 0.0)]);
            assert_eq!(grid.points[0].x, x);
            assert_eq!(grid.integers(0)[0], -grid.integers(0)[1]);
            assert!(grid.integers(0)[0] > 1 << 60);
        }
    }
}
