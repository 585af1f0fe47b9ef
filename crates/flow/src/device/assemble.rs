//! The pressure's system: Σ open fraction · (p beyond the face − p) = outflow, for each cell with an open
//! face.
use super::cells::Cells;
use super::level::{Level, LevelOut};
use super::solid::Boundary;
use ribbonmesh::device::{Block, In, Out, kernel};
use ribbonmesh_linear::{Part, Scalars, Value};

/// The matrix of the finest level. A coefficient is the open fraction of the face between two cells; the
/// diagonal is the sum over the faces beyond which there is a cell, or an outflow with the pressure 0. 32
/// bytes for each cell.
#[kernel(threads = 256)]
pub fn assemble<'a>(block: &Block, cells: Cells, boundary: Boundary, open: In<'a, f32>, level: LevelOut<'a>) {
    let nodes = cells.nodes();
    let across = [1, cells.n[0] + 1, (cells.n[0] + 1) * (cells.n[1] + 1)];
    block.for_each_of_tile(cells.count(), |cell| {
        let at = cells.of(cell);
        let node = cells.node(at);
        let (mut lower, mut diagonal, mut a) = ([0.0; 3], 0.0, 0);
        while a < 3 {
            let face = a as u32 * nodes + node;
            let below = open.get(face);
            if at[a] > 0 {
                lower[a] = below;
                diagonal += below;
            } else if boundary.flows_out(a, 0) {
                diagonal += below;
            }
            if at[a] + 1 < cells.n[a] || boundary.flows_out(a, 1) {
                diagonal += open.get(face + across[a]);
            }
            a += 1;
        }
        level.set(cell, lower, diagonal);
    });
}

/// Minus what leaves each unknown, and the sum of its squares as the reference. 28 bytes for each cell.
///
/// The reference contains the products of the diagonal and the last solution, times `rounding`: a solve that
/// begins at its solution ends, where nothing but rounding is left.
#[kernel(threads = 256)]
pub fn right_side<'a>(
    block: &Block,
    cells: Cells,
    boundary: Boundary,
    open: In<'a, f32>,
    velocity: In<'a, f32>,
    level: Level<'a>,
    rounding: f32,
    scalars: Scalars<'a>,
    r: Out<'a, f32>,
    d: Out<'a, f32>,
) {
    let of = |cell: u32| {
        let diagonal = level.diagonal.get(cell);
        if diagonal == 0.0 {
            // it may have been an unknown before
            r.set(cell, 0.0);
            d.set(cell, 0.0);
            return 0.0;
        }
        let out = boundary.leaving(cells, open, velocity, cells.of(cell));
        r.set(cell, -out);
        let rounding = rounding * diagonal * d.get(cell);
        out.dot(out) + rounding.dot(rounding)
    };
    let part = Part::of_tile(block, cells.count()).sum(block, of);
    scalars.refer(block, part);
}

/// The residual of the last solution, r = b − A d; `r` is b before. 32 bytes for each cell.
#[kernel(threads = 256)]
pub fn residual<'a>(block: &Block, level: Level<'a>, scalars: Scalars<'a>, r: Out<'a, f32>, d: Out<'a, f32>) {
    let of = |cell: u32| {
        let diagonal = level.diagonal.get(cell);
        if diagonal == 0.0 {
            return 0.0;
        }
        let around = level.around(cell, level.of(cell), |other, _| d.get(other));
        let left = r.get(cell) + around - diagonal * d.get(cell);
        r.set(cell, left);
        left.dot(left)
    };
    let part = Part::of_tile(block, level.count()).sum(block, of);
    scalars.begin_relative(block, part);
}

/// Begins with a residual that was changed. 4 bytes for each cell.
#[kernel(threads = 256)]
pub fn begin_again<'a>(block: &Block, n: u32, scalars: Scalars<'a>, r: In<'a, f32>) {
    let part = Part::of_tile(block, n).sum(block, |cell| r.get(cell).dot(r.get(cell)));
    scalars.begin_relative(block, part);
}
