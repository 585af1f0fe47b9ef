//! From the space of a mesh to the pixels of a picture.
use super::exact::{mul, rint};
use ribbonmesh::device::{Parameter, Vec3};

/// Steps of a pixel's side in which corners are placed.
pub const STEPS: i32 = 256;
/// How far from the middle corners may be, in halves of the picture; faces that reach further are clipped.
const GUARD: f32 = 64.0;

/// The numbers of a view that kernels need.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Parameter)]
pub struct Camera {
    /// The row of the product of both matrices that gives x before the division.
    pub x: [f32; 4],
    /// The row that gives y.
    pub y: [f32; 4],
    /// The row that gives the distance along the direction of view.
    pub away: [f32; 4],
    /// The divisor: the first times the distance, plus the second.
    pub w: [f32; 2],
    /// z before the division, in the same way.
    pub z: [f32; 2],
    /// The distance of the near plane.
    pub near: f32,
    /// The distance of the far plane; may be infinite.
    pub far: f32,
    /// Half of the picture's width and height in steps.
    pub half: [f32; 2],
    /// Width and height of a pixel in halves of the picture, halved.
    pub step: [f32; 2],
    /// Pixels of a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

/// A corner of a face before the division.
#[derive(Clone, Copy)]
pub struct Corner {
    /// To the right.
    pub x: f32,
    /// Up.
    pub y: f32,
    /// The distance along the direction of view.
    pub away: f32,
}

/// A corner on the picture.
#[derive(Clone, Copy)]
pub struct Place {
    /// Steps from the left.
    pub x: i32,
    /// Steps from below.
    pub y: i32,
    /// One divided by the divisor.
    pub q: f32,
    /// The distance along the direction of view.
    pub away: f32,
}

#[inline(always)]
fn row(row: &[f32; 4], p: Vec3) -> f32 {
    mul(row[0], p.x) + mul(row[1], p.y) + mul(row[2], p.z) + row[3]
}

impl Camera {
    /// The corner at a vertex.
    #[inline(always)]
    pub fn corner(&self, p: Vec3) -> Corner {
        Corner { x: row(&self.x, p), y: row(&self.y, p), away: row(&self.away, p) }
    }
    /// The divisor at a distance.
    #[inline(always)]
    pub fn divisor(&self, away: f32) -> f32 {
        mul(self.w[0], away) + self.w[1]
    }
    /// How far a corner is within each of the planes that bound what can be placed; negative outside.
    #[inline(always)]
    pub fn within(&self, c: Corner, plane: u32) -> f32 {
        let guard = mul(GUARD, self.divisor(c.away));
        match plane {
            0 => c.away - self.near,
            1 => self.far - c.away,
            2 => guard - c.x,
            3 => guard + c.x,
            4 => guard - c.y,
            _ => guard + c.y,
        }
    }
    /// The planes of [`Camera::within`].
    pub const PLANES: u32 = 6;
    /// Whether a corner can be placed as it is. Not if a coordinate is NaN.
    #[inline(always)]
    pub fn can_place(&self, c: Corner) -> bool {
        let guard = mul(GUARD, self.divisor(c.away));
        c.away >= self.near && c.away <= self.far && c.x.abs() <= guard && c.y.abs() <= guard
    }
    /// The place of a corner on the picture.
    #[inline(always)]
    pub fn place(&self, c: Corner) -> Place {
        let q = 1.0 / self.divisor(c.away);
        let to = |x: f32, half: f32| rint(mul(mul(x, q), half) + half) as i32;
        Place { x: to(c.x, self.half[0]), y: to(c.y, self.half[1]), q, away: c.away }
    }
    /// The middle of a pixel: from -1 at the left to 1, and from -1 below to 1.
    #[inline(always)]
    pub fn middle(&self, x: u32, y: u32) -> [f32; 2] {
        let of = |i: u32, step: f32| mul((2 * i + 1) as f32, step) - 1.0;
        [of(x, self.step[0]), of(y, self.step[1])]
    }
    /// The depth of a distance in the window of OpenGL: 0 at the near plane, 1 at the far one.
    #[inline(always)]
    pub fn window(&self, away: f32) -> f32 {
        let z = mul(self.z[0], away) + self.z[1];
        mul(z / self.divisor(away) + 1.0, 0.5)
    }
}
