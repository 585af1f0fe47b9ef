//! The staggered grid: cells of a box, velocities on their faces (Harlow and Welch 1965).
use glam::Vec3;
use ribbonmesh::device::{In, Parameter};

/// The weights of the three evaluations of Ralston's method of third order.
const RALSTON: [f32; 3] = [2.0 / 9.0, 3.0 / 9.0, 4.0 / 9.0];

/// The cells of a box with one corner at the origin. Everything outside of it is solid.
///
/// The face of component d at `(i, j, k)` is the one where cell `(i, j, k)` meets the cell before it along
/// axis d. Values of faces are stored in an array of three parts, one for each component, of
/// [`nodes`](Self::nodes) numbers each.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Parameter)]
pub struct Cells {
    /// Cells along each axis.
    pub n: [u32; 3],
    /// The edge of a cell.
    pub edge: f32,
}

/// The place before a position on a line of places 0 to `last`, 1 if there is another one after it, and the
/// weight of that one.
#[inline(always)]
fn place(s: f32, last: u32) -> (u32, u32, f32) {
    let s = s.max(0.0).min(last as f32);
    let i = s as u32;
    let i = if i < last { i } else { last.saturating_sub(1) };
    (i, if last > 0 { 1 } else { 0 }, s - i as f32)
}

impl Cells {
    /// Number of cells.
    #[inline(always)]
    pub fn count(&self) -> u32 {
        self.n[0] * self.n[1] * self.n[2]
    }
    /// The index of a cell.
    #[inline(always)]
    pub fn cell(&self, [i, j, k]: [u32; 3]) -> u32 {
        i + self.n[0] * (j + self.n[1] * k)
    }
    /// The cell with an index.
    #[inline(always)]
    pub fn of(&self, cell: u32) -> [u32; 3] {
        let row = cell / self.n[0];
        [cell - row * self.n[0], row % self.n[1], row / self.n[1]]
    }
    /// Number of faces of one component, including unused ones that are outside.
    #[inline(always)]
    pub fn nodes(&self) -> u32 {
        (self.n[0] + 1) * (self.n[1] + 1) * (self.n[2] + 1)
    }
    /// The index of a face of component 0.
    #[inline(always)]
    pub fn node(&self, [i, j, k]: [u32; 3]) -> u32 {
        i + (self.n[0] + 1) * (j + (self.n[1] + 1) * k)
    }
    /// The face with an index.
    #[inline(always)]
    pub fn of_node(&self, node: u32) -> [u32; 3] {
        let (nx, ny) = (self.n[0] + 1, self.n[1] + 1);
        let row = node / nx;
        [node - row * nx, row % ny, row / ny]
    }
    /// Whether a face of component `d` is in the box or on its walls.
    #[inline(always)]
    pub fn has_face(&self, d: usize, at: [u32; 3]) -> bool {
        let mut a = 0;
        while a < 3 {
            if a != d && at[a] >= self.n[a] {
                return false;
            }
            a += 1;
        }
        true
    }
    /// Whether a face of component `d` is on a wall.
    #[inline(always)]
    pub fn is_wall(&self, d: usize, at: [u32; 3]) -> bool {
        at[d] == 0 || at[d] == self.n[d]
    }
    /// The middle of a face of component `d`.
    #[inline(always)]
    pub fn middle(&self, d: usize, at: [u32; 3]) -> [f32; 3] {
        [0, 1, 2].map(|a| (at[a] as f32 + if a == d { 0.0 } else { 0.5 }) * self.edge)
    }
    /// The middle of a cell.
    #[inline(always)]
    pub fn centre(&self, at: [u32; 3]) -> Vec3 {
        Vec3::new(at[0] as f32 + 0.5, at[1] as f32 + 0.5, at[2] as f32 + 0.5) * self.edge
    }
    /// The cell at a position; outside of the box, the nearest one.
    #[inline(always)]
    pub fn cell_at(&self, p: Vec3) -> [u32; 3] {
        let q = (p / self.edge).to_array();
        [0, 1, 2].map(|a| {
            // negative numbers and NaN become 0
            let i = q[a] as u32;
            if i < self.n[a] { i } else { self.n[a] - 1 }
        })
    }
    /// One component of the velocity at a position in units of the edge: linear between faces, constant
    /// beyond the last ones.
    #[inline(always)]
    pub fn component(&self, field: In<'_, f32>, d: usize, q: [f32; 3]) -> f32 {
        let (at, steps, t) = self.corner(d, q);
        let mix = |a: f32, b: f32, t: f32| a + t * (b - a);
        let line = |at: u32| mix(field.get(at), field.get(at + steps[0]), t[0]);
        let plane = |at: u32| mix(line(at), line(at + steps[1]), t[1]);
        mix(plane(at), plane(at + steps[2]), t[2])
    }
    /// The first of the eight faces of component `d` around a position in units of the edge, the steps to the
    /// others, and the weights of the others. Steps are 0 where a single cell is across.
    #[inline(always)]
    pub fn corner(&self, d: usize, q: [f32; 3]) -> (u32, [u32; 3], [f32; 3]) {
        let along = [0, 1, 2].map(|a| {
            let (shift, last) = if a == d { (0.0, self.n[a]) } else { (0.5, self.n[a] - 1) };
            place(q[a] - shift, last)
        });
        let strides = [1, self.n[0] + 1, (self.n[0] + 1) * (self.n[1] + 1)];
        let at = d as u32 * self.nodes() + self.node(along.map(|(i, _, _)| i));
        (at, [0, 1, 2].map(|a| along[a].1 * strides[a]), along.map(|(_, _, t)| t))
    }
    /// As [`corner`](Self::corner), of the middles of cells.
    #[inline(always)]
    pub fn corner_of_cells(&self, q: [f32; 3]) -> (u32, [u32; 3], [f32; 3]) {
        let along = [0, 1, 2].map(|a| place(q[a] - 0.5, self.n[a] - 1));
        let strides = [1, self.n[0], self.n[0] * self.n[1]];
        let at = self.cell(along.map(|(i, _, _)| i));
        (at, [0, 1, 2].map(|a| along[a].1 * strides[a]), along.map(|(_, _, t)| t))
    }
    /// The velocity at a position.
    #[inline(always)]
    pub fn velocity(&self, field: In<'_, f32>, p: Vec3) -> Vec3 {
        let q = (p / self.edge).to_array();
        Vec3::new(self.component(field, 0, q), self.component(field, 1, q), self.component(field, 2, q))
    }
    /// The position to which a constant velocity field moves a position in a time, by Ralston's method of
    /// third order; then [`pushed_back`](Self::pushed_back).
    #[inline(always)]
    pub fn moved(&self, field: In<'_, f32>, p: Vec3, dt: f32, margin: f32) -> Vec3 {
        let k = self.velocity(field, p);
        let l = self.velocity(field, p + 0.5 * dt * k);
        let m = self.velocity(field, p + 0.75 * dt * l);
        self.pushed_back(p + dt * (RALSTON[0] * k + RALSTON[1] * l + RALSTON[2] * m), margin)
    }
    /// Moves a position into the box: one that is nearer to a wall than `margin`, or beyond it, is moved to
    /// between the wall and the margin. Positions keep their order by distance, so that a surface is not
    /// flattened into one plane.
    #[inline(always)]
    pub fn pushed_back(&self, p: Vec3, margin: f32) -> Vec3 {
        let p = p.to_array();
        Vec3::from_array([0, 1, 2].map(|a| {
            let size = self.n[a] as f32 * self.edge;
            if p[a] < margin {
                margin * margin / (2.0 * margin - p[a])
            } else if p[a] > size - margin {
                size - margin * margin / (2.0 * margin - (size - p[a]))
            } else {
                p[a]
            }
        }))
    }
}
