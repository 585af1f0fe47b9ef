//! The pressure's system, and the effect of the pressure on velocities.
use ribbonmesh::device::{Block, In, Out, kernel};
use ribbonmesh_flow::{Cells, LevelOut};
use ribbonmesh_linear::{Part, Scalars, Value};

/// Assembles the system of the finest level. A coefficient is 1 between two cells with particles; the
/// diagonal is the number of faces that are not walls, beyond which the pressure is another unknown or that
/// of the air, 0. `r`, the right-hand side, is minus the outflow of each cell. `d`, the solution, is 0. 40
/// bytes for each cell.
#[kernel(threads = 256)]
pub fn assemble<'a>(
    block: &Block,
    cells: Cells,
    starts: In<'a, u32>,
    velocity: In<'a, f32>,
    level: LevelOut<'a>,
    scalars: Scalars<'a>,
    r: Out<'a, f32>,
    d: Out<'a, f32>,
) {
    let nodes = cells.nodes();
    let liquid = |cell: u32| starts.get(cell) < starts.get(cell + 1);
    let of = |cell: u32| {
        let (mut lower, mut diagonal, mut out) = ([0.0; 3], 0.0, 0.0);
        if liquid(cell) {
            let at = cells.of(cell);
            let node = cells.node(at);
            let steps = [1, cells.n[0], cells.n[0] * cells.n[1]];
            let across = [1, cells.n[0] + 1, (cells.n[0] + 1) * (cells.n[1] + 1)];
            let mut a = 0;
            while a < 3 {
                let face = a as u32 * nodes + node;
                out += velocity.get(face + across[a]) - velocity.get(face);
                if at[a] > 0 {
                    diagonal += 1.0;
                    if liquid(cell - steps[a]) {
                        lower[a] = 1.0;
                    }
                }
                if at[a] + 1 < cells.n[a] {
                    diagonal += 1.0;
                }
                a += 1;
            }
        }
        level.set(cell, lower, diagonal);
        r.set(cell, -out);
        d.set(cell, 0.0);
        out.dot(out)
    };
    let part = Part::of_tile(block, cells.count()).sum(block, of);
    scalars.begin(block, part);
}

/// Subtracts the differences of the solution from the velocities of marked faces.
#[kernel(threads = 256)]
pub fn project<'a>(block: &Block, cells: Cells, marks: In<'a, u32>, d: In<'a, f32>, velocity: Out<'a, f32>) {
    let nodes = cells.nodes();
    block.for_each_of_tile(nodes, |node| {
        let marks = marks.get(node);
        if marks == 0 {
            return;
        }
        let at = cells.of_node(node);
        let mut a = 0;
        while a < 3 {
            if marks & (1 << a) != 0 && !cells.is_wall(a, at) {
                let cell = cells.cell(at);
                let step = [1, cells.n[0], cells.n[0] * cells.n[1]][a];
                let face = a as u32 * nodes + node;
                velocity.set(face, velocity.get(face) - (d.get(cell) - d.get(cell - step)));
            }
            a += 1;
        }
    });
}
