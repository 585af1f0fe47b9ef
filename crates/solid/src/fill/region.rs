//! The region in which a filling may be.
use crate::fill::measure::{perimeter, vector_area};
use crate::fill::sheet::Sheet;
use glam::DVec3;

/// Greatest distance of new vertices from the boundary's extent, in radii of the hole: a hemisphere has 1,
/// and a rim of triangles has a smaller radius than its circle.
const REACH: f64 = 1.2;
/// Greatest ratio of the area of a smooth filling to that of the flat one; a hemisphere has 2.
const LARGER: f64 = 3.0;

/// The surroundings of the boundary of a hole: a cylinder around it, and a margin of about the hole's radius.
pub(crate) struct Region {
    middle: DVec3,
    axis: DVec3,
    /// Least and greatest heights of the boundary along the axis.
    heights: [f64; 2],
    /// Greatest distance of the boundary from the axis.
    width: f64,
    reach: f64,
    area: f64,
}

impl Region {
    /// The region of a flat filling. The radius is twice the area over the length of the boundary, which is
    /// the radius of a circle, and half the width of a slot. The boundary is a loop of `first` vertices; with
    /// a strip, the others are a second loop.
    pub fn of(flat: &Sheet, first: usize) -> Self {
        let rim = &flat.points[..flat.rim];
        let middle = rim.iter().sum::<DVec3>() / rim.len().max(1) as f64;
        // the vector areas of two loops that face each other would cancel
        let (before, behind) = rim.split_at(first);
        let around = |points: &[DVec3]| perimeter(points.len() as u32, |i| points[i as usize]);
        let axis = vector_area(first as u32, |i| before[i as usize]).normalize_or_zero();
        let length = around(before) + around(behind);
        let area = flat.area();
        let reach = REACH * 2.0 * area / length.max(f64::MIN_POSITIVE);
        let heights = [f64::INFINITY, f64::NEG_INFINITY];
        let mut region = Self { middle, axis, heights, width: 0.0, reach, area };
        for &p in rim {
            let (height, width) = region.place(p);
            region.heights = [region.heights[0].min(height), region.heights[1].max(height)];
            region.width = region.width.max(width);
        }
        region
    }
    /// The height along the axis, and the distance from it.
    fn place(&self, p: DVec3) -> (f64, f64) {
        let way = p - self.middle;
        let height = way.dot(self.axis);
        (height, (way - height * self.axis).length())
    }
    /// Whether all vertices of a filling are within `times` the reach, and its area is at most `times` the
    /// usual bound.
    pub fn holds(&self, sheet: &Sheet, times: f64) -> bool {
        let reach = times * self.reach;
        let within = |p: &DVec3| {
            let (height, width) = self.place(*p);
            height >= self.heights[0] - reach
                && height <= self.heights[1] + reach
                && width <= self.width + reach
        };
        // false also if the area is not a number
        sheet.points[sheet.rim..].iter().all(within) && sheet.area() <= times * LARGER * self.area
    }
}
