//! Where a picture is seen from.
use super::error::{Result, RixelError};
use crate::device::camera::{Camera, STEPS};
use ribbonmesh::glam::{DMat4, DVec4};

/// A picture's size and its camera: a matrix from the mesh to the eye, which looks along -z with y up, and a
/// projection from there as OpenGL has it, whose near plane becomes -1 and whose far plane 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    width: u32,
    height: u32,
    view: DMat4,
    projection: DMat4,
}

impl View {
    /// The greatest width and height.
    pub const LIMIT: u32 = 4096;

    /// A view of `width` by `height` pixels. In projections, z and w depend on z alone, as they do in parallel
    /// projections and in perspective with or without the eye at the middle.
    /// # Errors
    /// [`RixelError::Size`]; [`RixelError::Matrix`] for numbers that are not finite, a view that moves points
    /// to infinity, or another projection.
    pub fn new(width: u32, height: u32, view: DMat4, projection: DMat4) -> Result<Self> {
        let all = Self { width, height, view, projection };
        let sizes = 1..=Self::LIMIT;
        if !(sizes.contains(&width) && sizes.contains(&height)) {
            return Err(RixelError::Size { width, height, limit: Self::LIMIT });
        }
        let wrong = |matrix, problem| Err(RixelError::Matrix { matrix, problem });
        for (matrix, of) in [("view", view), ("projection", projection)] {
            if !of.is_finite() {
                return wrong(matrix, "has a number that is not finite");
            }
        }
        if view.row(3) != DVec4::W {
            return wrong("view", "has another last row than 0, 0, 0, 1");
        }
        let [z, w] = [projection.row(2), projection.row(3)];
        if [z.x, z.y, w.x, w.y] != [0.0; 4] {
            return wrong("projection", "has a depth that depends on x or y");
        }
        if projection.determinant() == 0.0 || view.determinant() == 0.0 {
            return wrong("projection", "or the view has no inverse");
        }
        let (near, far) = (all.near(), all.far());
        let divisor = |away: f64| w.w - w.z * away;
        if !(near < far && near.is_finite() && w.z <= 0.0 && divisor(near) > 0.0) {
            return wrong("projection", "has no near plane in front of its far plane and of the eye");
        }
        Ok(all)
    }
    /// As [`View::new`], with the 16 numbers of each matrix column by column, as WebGL has them.
    /// # Errors
    /// As [`View::new`].
    pub fn from_columns(width: u32, height: u32, view: &[f64; 16], projection: &[f64; 16]) -> Result<Self> {
        Self::new(width, height, DMat4::from_cols_array(view), DMat4::from_cols_array(projection))
    }
    /// A parallel projection of a box of this width and height around the direction of view, from `near` to
    /// `far`.
    pub fn parallel(width: f64, height: f64, near: f64, far: f64) -> DMat4 {
        let deep = far - near;
        DMat4::from_cols(
            DVec4::new(2.0 / width, 0.0, 0.0, 0.0),
            DVec4::new(0.0, 2.0 / height, 0.0, 0.0),
            DVec4::new(0.0, 0.0, -2.0 / deep, 0.0),
            DVec4::new(0.0, 0.0, -(far + near) / deep, 1.0),
        )
    }
    /// A perspective projection with a vertical field of view in radians, and the picture's width divided by
    /// its height.
    pub fn perspective(field_of_view: f64, aspect: f64, near: f64, far: f64) -> DMat4 {
        let (up, deep) = (1.0 / (field_of_view / 2.0).tan(), far - near);
        DMat4::from_cols(
            DVec4::new(up / aspect, 0.0, 0.0, 0.0),
            DVec4::new(0.0, up, 0.0, 0.0),
            DVec4::new(0.0, 0.0, -(far + near) / deep, -1.0),
            DVec4::new(0.0, 0.0, -2.0 * far * near / deep, 0.0),
        )
    }
    /// Pixels of a row.
    pub fn width(&self) -> u32 {
        self.width
    }
    /// Rows.
    pub fn height(&self) -> u32 {
        self.height
    }
    /// The matrix from the mesh to the eye.
    pub fn view(&self) -> DMat4 {
        self.view
    }
    /// The projection.
    pub fn projection(&self) -> DMat4 {
        self.projection
    }
    /// Pixels.
    pub fn pixels(&self) -> u32 {
        self.width * self.height
    }
    /// The distance of the near plane along the direction of view.
    pub fn near(&self) -> f64 {
        let [z, w] = [self.projection.row(2), self.projection.row(3)];
        (z.w + w.w) / (z.z + w.z)
    }
    /// The distance of the far plane; infinite for a projection without one.
    pub fn far(&self) -> f64 {
        let [z, w] = [self.projection.row(2), self.projection.row(3)];
        if w.z == z.z { f64::INFINITY } else { (w.w - z.w) / (w.z - z.z) }
    }
    /// The numbers that kernels need.
    pub(crate) fn camera(&self) -> Camera {
        let both = self.projection * self.view;
        let row = |row: DVec4| row.as_vec4().to_array();
        let [z, w] = [self.projection.row(2), self.projection.row(3)];
        let half = |pixels: u32| (f64::from(STEPS) / 2.0 * f64::from(pixels)) as f32;
        Camera {
            x: row(both.row(0)),
            y: row(both.row(1)),
            away: row(-self.view.row(2)),
            w: [-w.z as f32, w.w as f32],
            z: [-z.z as f32, z.w as f32],
            near: self.near() as f32,
            far: self.far() as f32,
            half: [half(self.width), half(self.height)],
            step: [1.0 / self.width as f32, 1.0 / self.height as f32],
            width: self.width,
            height: self.height,
        }
    }
}
