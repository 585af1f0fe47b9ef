//! Extrapolation of velocities to faces that have none.
use super::cells::Cells;
use ribbonmesh::device::{Block, In, Out, kernel};

/// Runs `f` for the faces next to one along each axis.
#[inline(always)]
fn around(cells: Cells, at: [u32; 3], node: u32, mut f: impl FnMut(u32)) {
    let steps = [1, cells.n[0] + 1, (cells.n[0] + 1) * (cells.n[1] + 1)];
    let mut a = 0;
    while a < 3 {
        if at[a] > 0 {
            f(node - steps[a]);
        }
        if at[a] < cells.n[a] {
            f(node + steps[a]);
        }
        a += 1;
    }
}

/// Extrapolates by one layer: a face without a velocity gets the mean velocity of those of its up to six
/// neighbours that have one. Faces on the sides of the box keep theirs. 8 bytes for each face of three
/// components, and those around.
#[kernel(threads = 256)]
pub fn extrapolate<'a>(
    block: &Block,
    cells: Cells,
    marks: In<'a, u32>,
    next: Out<'a, u32>,
    velocity: Out<'a, f32>,
) {
    let nodes = cells.nodes();
    block.for_each_of_tile(nodes, |node| {
        let mut found = marks.get(node);
        if found != 7 {
            let at = cells.of_node(node);
            let mut any = 0;
            around(cells, at, node, |other| any |= marks.get(other));
            let wanted = any & !found;
            let mut d = 0;
            while d < 3 {
                if wanted & (1 << d) != 0 && cells.has_face(d, at) && !cells.is_wall(d, at) {
                    let (mut sum, mut count) = (0.0, 0.0);
                    let part = d as u32 * nodes;
                    // faces with a velocity are not written here
                    around(cells, at, node, |other| {
                        if marks.get(other) & (1 << d) != 0 {
                            sum += velocity.get(part + other);
                            count += 1.0;
                        }
                    });
                    velocity.set(part + node, sum / count);
                    found |= 1 << d;
                }
                d += 1;
            }
        }
        next.set(node, found);
    });
}
