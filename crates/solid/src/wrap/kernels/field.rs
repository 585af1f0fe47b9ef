//! Blocks near the triangles, and values at their nodes.
use crate::wrap::grid::{BLOCK, Grid, NODES, ROWS, SIDES, number, way};
use crate::wrap::kernels::{INSIDE, OUTSIDE, Values};
use glam::{DVec3, Vec3};
use ribbonmesh::bvh::BvhView;
use ribbonmesh::device::{Block, Each, In, NONE, Out, Parameter, kernel};

/// Rows of a block of [`row_values`]: one per thread.
pub const AT_ONCE: u32 = 128;
/// Additional reach, in cubes, so that rounding leaves out no block.
const MORE: f64 = 0.01;

/// The value of a node that is inside by its winding number, at the distance of one outside.
#[inline(always)]
fn turned(value: f32, offset: f64) -> f32 {
    (-(value as f64) - 2.0 * offset) as f32
}

/// Copies words to a place.
#[kernel(threads = 256)]
pub fn copy_to<'a>(i: Each, from: In<'a, u32>, at: u32, to: Out<'a, u32>) {
    to.set(at + i, from.get(i));
}
/// Flags each block of which a node may be at most `reach` cubes away from the triangles.
#[kernel(threads = 128)]
pub fn flag_near<'a>(b: Each, grid: Grid, bvh: BvhView<'a>, reach: f64, near: Out<'a, u32>) {
    let first = grid.node(b, 0);
    let reach = DVec3::splat(reach + MORE);
    let (low, high) = (grid.at(first - reach), grid.at(first + DVec3::splat((BLOCK - 1) as f64) + reach));
    near.set(b, bvh.meets([low, high, low]) as u32);
}
/// Gives the blocks of a list slots, from `first` on.
#[kernel(threads = 256)]
pub fn give_slots<'a>(i: Each, list: In<'a, u32>, first: u32, states: Out<'a, u32>) {
    states.set(list.get(i), first + i);
}

/// Computes the values at the nodes of a list of blocks: the distance from the triangles, or `reach` if it is
/// more, minus `offset`; all in cubes. Each iteration goes along a row, and begins each search with the face
/// that it found before. One block per [`AT_ONCE`] rows.
#[kernel(threads = 128)]
pub fn row_values<'a>(
    block: &Block,
    grid: Grid,
    bvh: BvhView<'a>,
    list: In<'a, u32>,
    reach: f64,
    offset: f64,
    values: Out<'a, f32>,
) {
    let rows = ROWS * list.len() as u32;
    let base = AT_ONCE * block.index();
    let radius = (reach * grid.cell) as f32;
    block.for_each_nosync(if rows - base < AT_ONCE { rows - base } else { AT_ONCE }, |i| {
        let row = base + i;
        let (of, first) = (list.get(row / ROWS), BLOCK * (row % ROWS));
        let (mut seed, mut x) = (NONE, 0);
        while x < BLOCK {
            let (found, face) = bvh.distance_from(grid.place(of, first + x), radius, seed);
            let distance = if face == NONE { reach } else { found as f64 / grid.cell };
            values.set(BLOCK * row + x, (distance - offset) as f32);
            seed = face;
            x += 1;
        }
    });
}

/// The box of the triangles: nodes beyond it are outside, whatever their winding numbers.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Within {
    /// Its lowest corner.
    pub low: Vec3,
    /// Its highest corner.
    pub high: Vec3,
}
impl Within {
    #[inline(always)]
    fn has(&self, p: Vec3) -> bool {
        p.cmpge(self.low).all() && p.cmple(self.high).all()
    }
}

/// Flags each block without values whose middle is within the box.
#[kernel(threads = 256)]
pub fn flag_middles<'a>(b: Each, grid: Grid, states: In<'a, u32>, within: Within, flags: Out<'a, u32>) {
    flags.set(b, (states.get(b) == OUTSIDE && within.has(grid.middle(b))) as u32);
}
/// The middles of a list of blocks.
#[kernel(threads = 256)]
pub fn take_middles<'a>(i: Each, grid: Grid, list: In<'a, u32>, points: Out<'a, Vec3>) {
    points.set(i, grid.middle(list.get(i)));
}
/// Whether a winding number is one of a point inside.
#[inline(always)]
fn is_inside(winding: f32) -> bool {
    winding.abs() > 0.5
}
/// Sets the states of the blocks of a list by the winding numbers of their middles.
#[kernel(threads = 256)]
pub fn set_states<'a>(i: Each, list: In<'a, u32>, winding: In<'a, f32>, states: Out<'a, u32>) {
    if is_inside(winding.get(i)) {
        states.set(list.get(i), INSIDE);
    }
}
/// Flags each block without values with a neighbour without values on another side.
#[kernel(threads = 256)]
pub fn flag_unlike<'a>(b: Each, grid: Grid, states: In<'a, u32>, flags: Out<'a, u32>) {
    let state = states.get(b);
    let mut unlike = false;
    if state >= INSIDE {
        for side in SIDES {
            if let Some(other) = grid.beside(b, side) {
                let other = states.get(other);
                unlike = unlike || other >= INSIDE && other != state;
            }
        }
    }
    flags.set(b, unlike as u32);
}
/// Flags each block without values beside which a block with values has a node, at the common border, that is
/// on another side.
#[kernel(threads = 128)]
pub fn flag_contradicted<'a>(b: Each, field: Values<'a>, flags: Out<'a, u32>) {
    let state = field.states.get(b);
    let mut unlike = false;
    let mut i = 0;
    while i < 27 && state >= INSIDE && !unlike {
        let way = way(i);
        i += 1;
        let Some(other) = field.grid.beside(b, way) else { continue };
        let slot = field.states.get(other);
        if slot >= INSIDE {
            continue;
        }
        // from the other block's nodes at the border towards this one
        let range = |axis: usize| match way[axis] {
            -1 => (BLOCK - 1, BLOCK),
            1 => (0, 1),
            _ => (0, BLOCK),
        };
        let ((x, x_end), (y, y_end), (z, z_end)) = (range(0), range(1), range(2));
        let mut at = [x, y, z];
        while at[2] < z_end {
            unlike = unlike || (field.values.get(NODES * slot + number(at)) <= 0.0) != (state == INSIDE);
            at[0] += 1;
            if at[0] == x_end {
                at = [x, at[1] + 1, at[2]];
            }
            if at[1] == y_end {
                at = [x, y, at[2] + 1];
            }
        }
    }
    flags.set(b, unlike as u32);
}

/// Flags the nodes, from a slot on, whose winding numbers are asked for: those within the box that are
/// listed, a byte for each row.
#[kernel(threads = 256)]
pub fn flag_asked_nodes<'a>(
    i: Each,
    grid: Grid,
    near: In<'a, u32>,
    first: u32,
    within: Within,
    asked: In<'a, u8>,
    flags: Out<'a, u32>,
) {
    let listed = asked.get(i / BLOCK) as u32 >> (i % BLOCK) & 1 != 0;
    let place = grid.place(near.get(first + i / NODES), i % NODES);
    flags.set(i, (listed && within.has(place)) as u32);
}
/// The positions of listed nodes, from a slot on.
#[kernel(threads = 256)]
pub fn take_nodes<'a>(
    i: Each,
    grid: Grid,
    near: In<'a, u32>,
    first: u32,
    list: In<'a, u32>,
    points: Out<'a, Vec3>,
) {
    let node = list.get(i);
    points.set(i, grid.place(near.get(first + node / NODES), node % NODES));
}
/// Turns the values of listed nodes, from a slot on, that are inside by their winding numbers.
#[kernel(threads = 256)]
pub fn turn_inside<'a>(
    i: Each,
    list: In<'a, u32>,
    winding: In<'a, f32>,
    first: u32,
    offset: f64,
    values: Out<'a, f32>,
) {
    if is_inside(winding.get(i)) {
        let at = NODES * first + list.get(i);
        values.set(at, turned(values.get(at), offset));
    }
}

/// Turns the values of nodes, from a slot on, that are inside by the winding numbers of their parts, a byte
/// for each row.
#[kernel(threads = 256)]
pub fn turn_rows<'a>(
    row: Each,
    grid: Grid,
    near: In<'a, u32>,
    first: u32,
    within: Within,
    offset: f64,
    solid: In<'a, u8>,
    values: Out<'a, f32>,
) {
    let (bits, mut x) = (solid.get(row) as u32, 0);
    while bits != 0 && x < BLOCK {
        let node = BLOCK * row + x;
        if bits >> x & 1 != 0 && within.has(grid.place(near.get(first + node / NODES), node % NODES)) {
            let at = NODES * first + node;
            values.set(at, turned(values.get(at), offset));
        }
        x += 1;
    }
}

/// Nodes with a positive value, a byte for each row, from a row on.
#[kernel(threads = 256)]
pub fn open_rows<'a>(row: Each, values: In<'a, f32>, first: u32, open: Out<'a, u8>) {
    let (mut bits, mut x) = (0, 0);
    while x < BLOCK {
        bits |= ((values.get(BLOCK * (first + row) + x) > 0.0) as u32) << x;
        x += 1;
    }
    open.set(row, bits as u8);
}
/// Makes the values of nodes negative that were not reached, given a byte for each row.
#[kernel(threads = 256)]
pub fn close_rows<'a>(row: Each, reached: In<'a, u8>, values: Out<'a, f32>) {
    let (bits, mut x) = (reached.get(row) as u32, 0);
    while x < BLOCK {
        if bits >> x & 1 == 0 {
            let at = BLOCK * row + x;
            values.set(at, -values.get(at).abs());
        }
        x += 1;
    }
}
