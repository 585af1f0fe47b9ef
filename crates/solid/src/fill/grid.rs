//! Grid for searches of the vertices of a polygon by their positions.
use glam::{DVec3, I64Vec3};
use rustc_hash::FxHashMap;

/// Width of a cell, in distances between neighbours of the polygon.
const WIDTH: f64 = 3.0;
/// Most cells that are searched for a triangle.
const MOST: i64 = 512;
/// Width of the border of a triangle, as a part of it: a vertex there is not inside.
const BORDER: f64 = 1e-9;
/// Greatest distance of a vertex in front of a triangle from its plane, as a part of the triangle's longest
/// side.
const NEAR: f64 = 0.5;

/// A grid of the vertices of a polygon, by their positions.
pub(crate) struct Grid<'a> {
    points: &'a [DVec3],
    width: f64,
    cells: FxHashMap<I64Vec3, Vec<u32>>,
}

impl<'a> Grid<'a> {
    /// Makes a grid of the vertices that are `alive`. The width of a cell is in proportion to their distance
    /// along the polygon.
    pub fn of(points: &'a [DVec3], alive: &[bool]) -> Self {
        let left: Vec<u32> = (0..).zip(alive).filter(|(_, alive)| **alive).map(|(i, _)| i).collect();
        let at = |i: u32| points[i as usize];
        let length: f64 = left.windows(2).map(|two| at(two[0]).distance(at(two[1]))).sum();
        let width = WIDTH * length / left.len().max(1) as f64;
        let mut grid = Self { points, width, cells: FxHashMap::default() };
        for i in left {
            let cell = grid.cell(at(i));
            grid.cells.entry(cell).or_default().push(i);
        }
        grid
    }
    fn cell(&self, point: DVec3) -> I64Vec3 {
        if self.width > 0.0 { (point / self.width).floor().as_i64vec3() } else { I64Vec3::ZERO }
    }
    /// Removes a vertex.
    pub fn remove(&mut self, i: usize) {
        let cell = self.cell(self.points[i]);
        if let Some(list) = self.cells.get_mut(&cell) {
            list.retain(|&other| other as usize != i);
        }
    }
    /// Whether a vertex other than `own` is in or near a triangle, seen along its normal; also if the
    /// triangle is so large that the answer would take long.
    pub fn any_before(&self, corners: [DVec3; 3], normal: DVec3, own: [usize; 3]) -> bool {
        let [a, b, c] = corners;
        let low = self.cell(a.min(b).min(c));
        let high = self.cell(a.max(b).max(c));
        let size = high - low + I64Vec3::ONE;
        if size.x.saturating_mul(size.y).saturating_mul(size.z) > MOST {
            return true;
        }
        let longest = (b - a).length().max((c - a).length()).max((c - b).length());
        let twice = (b - a).cross(c - a).length();
        let within = |point: DVec3| {
            let share = |p: DVec3, q: DVec3| (q - p).cross(point - p).dot(normal) > BORDER * twice;
            (point - a).dot(normal).abs() <= NEAR * longest && share(a, b) && share(b, c) && share(c, a)
        };
        for x in low.x..=high.x {
            for y in low.y..=high.y {
                for z in low.z..=high.z {
                    let Some(list) = self.cells.get(&I64Vec3::new(x, y, z)) else { continue };
                    let others = list.iter().filter(|&&i| !own.contains(&(i as usize)));
                    if others.into_iter().any(|&i| within(self.points[i as usize])) {
                        return true;
                    }
                }
            }
        }
        false
    }
}
