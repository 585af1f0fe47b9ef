//! The effect of the pressure on velocities.
use super::cells::Cells;
use super::solid::Boundary;
use ribbonmesh::device::atomic::{self, Order, Scope};
use ribbonmesh::device::{Block, In, Out, kernel};

/// Subtracts the differences of the solution, times a factor, from the velocities of faces that are open in
/// part, but those that are given. Faces that are closed get the velocity of the obstacle. 40 bytes for each
/// cell.
#[kernel(threads = 256)]
pub fn project_open<'a>(
    block: &Block,
    cells: Cells,
    boundary: Boundary,
    factor: f32,
    open: In<'a, f32>,
    p: In<'a, f32>,
    velocity: Out<'a, f32>,
) {
    let nodes = cells.nodes();
    let steps = [1, cells.n[0], cells.n[0] * cells.n[1]];
    block.for_each_of_tile(nodes, |node| {
        let at = cells.of_node(node);
        let mut d = 0;
        while d < 3 {
            if cells.has_face(d, at) {
                let face = d as u32 * nodes + node;
                if open.get(face) == 0.0 {
                    velocity.set(face, boundary.of_solid(cells, d, at));
                } else if !boundary.is_given(cells, d, at) {
                    let cell = cells.cell(at);
                    // 0 beyond outflows
                    let above = if at[d] < cells.n[d] { p.get(cell) } else { 0.0 };
                    let below = if at[d] > 0 { p.get(cell - steps[d]) } else { 0.0 };
                    velocity.set(face, velocity.get(face) - factor * (above - below));
                }
            }
            d += 1;
        }
    });
}

/// Finds the most that leaves or enters a cell, as bits of a number that is not negative.
#[kernel(threads = 256)]
pub fn most_leaving<'a>(
    block: &Block,
    cells: Cells,
    boundary: Boundary,
    open: In<'a, f32>,
    velocity: In<'a, f32>,
    diagonal: In<'a, f32>,
    most: Out<'a, u32>,
) {
    block.for_each_tile(cells.count(), |base, len| {
        let of = |i: u32| {
            let is_unknown = diagonal.get(base + i) > 0.0;
            let out =
                if is_unknown { boundary.leaving(cells, open, velocity, cells.of(base + i)) } else { 0.0 };
            out.abs().to_bits()
        };
        let found = block.reduce(len, 0, of, |a, b| if a > b { a } else { b });
        block.single_nosync(|| {
            atomic::fetch_max(most, 0, found, Order::Relaxed, Scope::Device);
        });
    });
}

/// Velocities in the middles of cells: the means of the faces on both sides. 28 bytes for each cell.
#[kernel(threads = 256)]
pub fn to_middles<'a>(block: &Block, cells: Cells, velocity: In<'a, f32>, to: Out<'a, [f32; 3]>) {
    let nodes = cells.nodes();
    let across = [1, cells.n[0] + 1, (cells.n[0] + 1) * (cells.n[1] + 1)];
    block.for_each_of_tile(cells.count(), |cell| {
        let node = cells.node(cells.of(cell));
        let of = |d: usize| {
            let face = d as u32 * nodes + node;
            0.5 * (velocity.get(face) + velocity.get(face + across[d]))
        };
        to.set(cell, [of(0), of(1), of(2)]);
    });
}
