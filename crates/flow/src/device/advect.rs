//! Transport by the velocity: backwards along its lines (Stam 1999), and with MacCormack's correction (Selle,
//! Fedkiw, Kim, Liu and Rossignac 2008).
use super::cells::Cells;
use super::solid::Boundary;
use glam::Vec3;
use ribbonmesh::device::{Block, In, Out, kernel};

/// A value between eight places, and the least and the greatest of the eight.
#[derive(Clone, Copy)]
struct Sample {
    value: f32,
    least: f32,
    most: f32,
}
impl Sample {
    /// `weight`: how much a place counts; `or` is the value where none counts.
    #[inline(always)]
    fn of(
        field: In<'_, f32>,
        (at, steps, t): (u32, [u32; 3], [f32; 3]),
        weight: impl Fn(u32) -> f32,
        or: f32,
    ) -> Self {
        let (mut sum, mut total) = (0.0, 0.0);
        let (mut least, mut most) = (f32::INFINITY, f32::NEG_INFINITY);
        let mut k = 0;
        while k < 8_u32 {
            let (mut place, mut w, mut a) = (at, 1.0, 0);
            while a < 3 {
                let up = k >> a & 1 == 1;
                place += if up { steps[a] } else { 0 };
                w *= if up { t[a] } else { 1.0 - t[a] };
                a += 1;
            }
            let counts = weight(place);
            if counts > 0.0 {
                let value = field.get(place);
                sum += w * value;
                total += w;
                least = least.min(value);
                most = most.max(value);
            }
            k += 1;
        }
        let value = if total > 0.0 { sum / total } else { or };
        Self { value, least: least.min(value), most: most.max(value) }
    }
    #[inline(always)]
    fn of_faces(cells: Cells, field: In<'_, f32>, d: usize, p: Vec3) -> Self {
        Self::of(field, cells.corner(d, (p / cells.edge).to_array()), |_| 1.0, 0.0)
    }
    /// Between the middles of cells, of which only those with a diagonal count.
    #[inline(always)]
    fn of_cells(cells: Cells, field: In<'_, f32>, diagonal: In<'_, f32>, p: Vec3, or: f32) -> Self {
        let corner = cells.corner_of_cells((p / cells.edge).to_array());
        Self::of(field, corner, |cell| diagonal.get(cell), or)
    }
    /// A value with half of the error that went back and forth, between the least and the greatest.
    #[inline(always)]
    fn corrected(self, before: f32, back: f32) -> f32 {
        (self.value + 0.5 * (before - back)).max(self.least).min(self.most)
    }
}

/// The position from which the velocity has led here in a time, by the midpoint rule; with a negative time,
/// to which it leads.
#[inline(always)]
fn origin(cells: Cells, velocity: In<'_, f32>, p: Vec3, dt: f32) -> Vec3 {
    let half = p - 0.5 * dt * cells.velocity(velocity, p);
    p - dt * cells.velocity(velocity, half)
}
#[inline(always)]
fn is_in_box(cells: Cells, p: Vec3) -> bool {
    let size = Vec3::new(cells.n[0] as f32, cells.n[1] as f32, cells.n[2] as f32) * cells.edge;
    p.cmpge(Vec3::ZERO).all() && p.cmple(size).all()
}
/// Runs `f` for the components of a node whose faces are moved, and copies the velocities of its other faces.
#[inline(always)]
fn for_moved(
    cells: Cells,
    boundary: Boundary,
    open: In<'_, f32>,
    velocity: In<'_, f32>,
    to: Out<'_, f32>,
    node: u32,
    f: impl Fn(usize, u32, Vec3) -> f32,
) {
    let at = cells.of_node(node);
    let mut d = 0;
    while d < 3 {
        if cells.has_face(d, at) {
            let face = d as u32 * cells.nodes() + node;
            let moves = open.get(face) > 0.0 && !boundary.is_given(cells, d, at);
            let value = match moves {
                true => f(d, face, Vec3::from_array(cells.middle(d, at))),
                false => velocity.get(face),
            };
            to.set(face, value);
        }
        d += 1;
    }
}

/// Velocities moved by themselves. 36 bytes for each node, and some fifty values around each face.
#[kernel(threads = 128)]
pub fn advect_faces<'a>(
    block: &Block,
    cells: Cells,
    boundary: Boundary,
    dt: f32,
    open: In<'a, f32>,
    velocity: In<'a, f32>,
    to: Out<'a, f32>,
) {
    block.for_each_of_tile(cells.nodes(), |node| {
        for_moved(cells, boundary, open, velocity, to, node, |d, _, p| {
            let from = origin(cells, velocity, p, dt);
            cells.component(velocity, d, (from / cells.edge).to_array())
        });
    });
}
/// The correction of [`advect_faces`], whose result is `moved`.
#[kernel(threads = 128)]
pub fn correct_faces<'a>(
    block: &Block,
    cells: Cells,
    boundary: Boundary,
    dt: f32,
    open: In<'a, f32>,
    velocity: In<'a, f32>,
    moved: In<'a, f32>,
    to: Out<'a, f32>,
) {
    block.for_each_of_tile(cells.nodes(), |node| {
        for_moved(cells, boundary, open, velocity, to, node, |d, face, p| {
            let (from, on) = (origin(cells, velocity, p, dt), origin(cells, velocity, p, -dt));
            if !is_in_box(cells, from) || !is_in_box(cells, on) {
                return moved.get(face);
            }
            let back = cells.component(moved, d, (on / cells.edge).to_array());
            Sample::of_faces(cells, velocity, d, from).corrected(velocity.get(face), back)
        });
    });
}
/// Values of cells moved by the velocity; cells without a diagonal keep theirs. 12 bytes for each cell, and
/// some sixty values around it.
#[kernel(threads = 128)]
pub fn advect_cells<'a>(
    block: &Block,
    cells: Cells,
    dt: f32,
    diagonal: In<'a, f32>,
    velocity: In<'a, f32>,
    smoke: In<'a, f32>,
    to: Out<'a, f32>,
) {
    block.for_each_of_tile(cells.count(), |cell| {
        let before = smoke.get(cell);
        let mut value = before;
        if diagonal.get(cell) > 0.0 {
            let from = origin(cells, velocity, cells.centre(cells.of(cell)), dt);
            value = Sample::of_cells(cells, smoke, diagonal, from, before).value;
        }
        to.set(cell, value);
    });
}
/// The correction of [`advect_cells`], whose result is `moved`.
#[kernel(threads = 128)]
pub fn correct_cells<'a>(
    block: &Block,
    cells: Cells,
    dt: f32,
    diagonal: In<'a, f32>,
    velocity: In<'a, f32>,
    smoke: In<'a, f32>,
    moved: In<'a, f32>,
    to: Out<'a, f32>,
) {
    block.for_each_of_tile(cells.count(), |cell| {
        let mut value = moved.get(cell);
        if diagonal.get(cell) > 0.0 {
            let p = cells.centre(cells.of(cell));
            let (from, on) = (origin(cells, velocity, p, dt), origin(cells, velocity, p, -dt));
            if is_in_box(cells, from) && is_in_box(cells, on) {
                let before = smoke.get(cell);
                let back = Sample::of_cells(cells, moved, diagonal, on, value).value;
                value = Sample::of_cells(cells, smoke, diagonal, from, before).corrected(before, back);
            }
        }
        to.set(cell, value);
    });
}
/// Sets the smoke of cells whose middles are in a box to 1.
#[kernel(threads = 256)]
pub fn add_smoke<'a>(block: &Block, cells: Cells, low: [f32; 3], high: [f32; 3], smoke: Out<'a, f32>) {
    block.for_each_of_tile(cells.count(), |cell| {
        let p = cells.centre(cells.of(cell));
        if p.cmpge(Vec3::from_array(low)).all() && p.cmple(Vec3::from_array(high)).all() {
            smoke.set(cell, 1.0);
        }
    });
}
/// Adds to velocities that are not given a change, and one for each unit of smoke around.
#[kernel(threads = 256)]
pub fn add_forces<'a>(
    block: &Block,
    cells: Cells,
    boundary: Boundary,
    change: [f32; 3],
    lift: [f32; 3],
    open: In<'a, f32>,
    smoke: In<'a, f32>,
    velocity: Out<'a, f32>,
) {
    let nodes = cells.nodes();
    let steps = [1, cells.n[0], cells.n[0] * cells.n[1]];
    block.for_each_of_tile(nodes, |node| {
        let at = cells.of_node(node);
        let mut d = 0;
        while d < 3 {
            let face = d as u32 * nodes + node;
            let moves = cells.has_face(d, at) && !boundary.is_given(cells, d, at);
            if moves && open.get(face) > 0.0 {
                let mut around = 0.0;
                if lift[d] != 0.0 {
                    let cell = cells.cell(at);
                    let (here, before) = (at[d] < cells.n[d], at[d] > 0);
                    let above = if here { smoke.get(cell) } else { smoke.get(cell - steps[d]) };
                    let below = if before { smoke.get(cell - steps[d]) } else { above };
                    around = 0.5 * (above + below);
                }
                velocity.set(face, velocity.get(face) + change[d] + lift[d] * around);
            }
            d += 1;
        }
    });
}
