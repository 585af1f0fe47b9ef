//! Positions as integers.
use crate::arrange::pool::GRAIN;
use crate::boolean::on_grid;
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
    /// The factor that makes integers of positions up to a largest coordinate.
    pub(crate) fn scale_for(largest: f32) -> f64 {
        // 2^power is above the largest coordinate
        let power = f64::from(largest).log2().floor() as i32 + 1;
        2.0_f64.powi(BITS - if largest == 0.0 { 0 } else { power })
    }
    /// Some positions on a grid, rounded.
    pub(crate) fn of_scale(scale: f64, mut points: Vec<Vec3>) -> Self {
        points.par_iter_mut().with_min_len(GRAIN).for_each(|p| *p = on_grid(*p, scale));
        Self { points, scale }
    }
    /// The integers of a position on the grid.
    pub(crate) fn integers_of(&self, point: Vec3) -> [i64; 3] {
        self.near_of(point).to_array().map(|x| x as i64)
    }
    /// The same in double precision, without rounding.
    pub(crate) fn near_of(&self, point: Vec3) -> DVec3 {
        point.as_dvec3() * self.scale
    }
    /// The integers of a vertex.
    pub(crate) fn integers(&self, vertex: u32) -> [i64; 3] {
        self.integers_of(self.points[vertex as usize])
    }
    /// The same in double precision, without rounding.
    pub(crate) fn near(&self, vertex: u32) -> DVec3 {
        self.near_of(self.points[vertex as usize])
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

    fn grid(points: Vec<Vec3>) -> Grid {
        let largest = points.iter().map(|p| p.abs().max_element()).fold(0.0, f32::max);
        Grid::of_scale(Grid::scale_for(largest), points)
    }

    #[test]
    fn positions_are_integers() {
        let points = vec![Vec3::new(1.0, -0.1, 1e-3), Vec3::new(3.9, 6.1e-17, -1e-30), Vec3::ZERO];
        let on = grid(points.clone());
        assert_eq!(on.points[0], points[0]);
        assert_eq!((on.points[1].x, on.points[1].z), (3.9, 0.0));
        assert!((on.points[1].y - 6.1e-17).abs() < 4.0 * 2.0_f32.powi(-61));
        for v in 0..3 {
            let exact = on.integers(v).map(|x| x as f64);
            assert_eq!(DVec3::from_array(exact), on.near(v));
            assert_eq!(on.place(on.near(v)).as_vec3(), on.points[v as usize]);
            assert!(on.integers(v).iter().all(|x| x.abs() < 1 << 62));
        }
        assert_eq!(grid(vec![Vec3::ZERO]).integers(0), [0; 3]);
        // the largest numbers, and the smallest
        for x in [f32::MAX, f32::MIN_POSITIVE, 1e-45] {
            let on = grid(vec![Vec3::new(x, -x, 0.0)]);
            assert_eq!(on.points[0].x, x);
            assert_eq!(on.integers(0)[0], -on.integers(0)[1]);
            assert!(on.integers(0)[0] > 1 << 60);
        }
    }
}
