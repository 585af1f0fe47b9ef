//! The order of faces around an edge.
use super::number::{cross, dot, length};
use glam::DVec3;

/// Directions around an axis.
#[derive(Clone, Copy)]
pub struct Around {
    foot: DVec3,
    right: DVec3,
    up: DVec3,
}
impl Around {
    /// Around the axis from `foot` to `head`.
    #[inline(always)]
    pub fn new(foot: DVec3, head: DVec3) -> Self {
        let axis = head - foot;
        let axis = axis / length(axis);
        // not along the axis
        let other = if axis.x > 0.9 || axis.x < -0.9 { DVec3::Y } else { DVec3::X };
        let right = cross(other, axis);
        let right = right / length(right);
        Self { foot, right, up: cross(axis, right) }
    }
    /// A number from 0 to 4 that grows with the angle of a point, counterclockwise seen from the head; 0
    /// where it has none.
    #[inline(always)]
    pub fn turn(&self, point: DVec3) -> f64 {
        let out = point - self.foot;
        let (x, y) = (dot(self.right, out), dot(self.up, out));
        let part = y / (x.abs() + y.abs());
        let turn = if x < 0.0 {
            2.0 - part
        } else if y < 0.0 {
            4.0 + part
        } else {
            part
        };
        if turn >= 0.0 { turn } else { 0.0 }
    }
}
