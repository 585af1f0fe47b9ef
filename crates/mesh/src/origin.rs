//! Coordinates far from the origin, for work in single precision.

use glam::{DVec3, Vec3};
use rayon::prelude::*;

use crate::{BoundingBox, MeshError, Precision, TriangleMesh};

impl TriangleMesh {
    /// A local origin for single precision: zero if single precision represents every coordinate exactly, so
    /// that nothing changes for files in single precision; otherwise the centre of the bounding box, rounded
    /// to a multiple of a power of two of about a thousandth of the box. Linear.
    pub fn local_origin(&self) -> DVec3 {
        let exact = |p: &DVec3| p.as_vec3().as_dvec3() == *p;
        if self.precision == Precision::Single || self.positions.par_iter().all(exact) {
            return DVec3::ZERO;
        }
        let finite = self.positions.iter().copied().filter(|p| p.is_finite());
        let Some(around) = BoundingBox::around(finite) else { return DVec3::ZERO };
        let (middle, side) = (around.middle(), around.size().max_element());
        let step = 2_f64.powi((side.log2().floor() as i32).saturating_sub(10));
        if middle.is_finite() && step.is_finite() && step > 0.0 {
            (middle / step).round() * step
        } else {
            DVec3::ZERO
        }
    }

    /// Positions relative to an origin, rounded to single precision.
    pub fn points_around(&self, origin: DVec3) -> Vec<Vec3> {
        self.positions.par_iter().map(|&position| (position - origin).as_vec3()).collect()
    }

    /// A mesh without attributes, of positions relative to an origin.
    pub fn from_points_around(
        origin: DVec3,
        points: &[Vec3],
        faces: Vec<[u32; 3]>,
        precision: Precision,
    ) -> Self {
        let positions = points.par_iter().map(|point| origin + point.as_dvec3()).collect();
        Self { positions, faces, precision, ..Self::default() }
    }

    /// Sets positions from points relative to an origin, one per vertex. A vertex whose point has not changed
    /// since [`points_around`](Self::points_around) keeps its position in double precision.
    ///
    /// # Errors
    /// [`MeshError::Points`], unless there is one point per vertex. The mesh is then unchanged.
    pub fn move_points_around(&mut self, origin: DVec3, points: &[Vec3]) -> Result<(), MeshError> {
        if points.len() != self.positions.len() {
            return Err(MeshError::Points { expected: self.positions.len(), found: points.len() });
        }
        for (position, &point) in self.positions.iter_mut().zip(points) {
            if (*position - origin).as_vec3() != point {
                *position = origin + point.as_dvec3();
            }
        }
        Ok(())
    }
}
