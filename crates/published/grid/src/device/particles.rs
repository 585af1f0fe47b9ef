//! Particles: their motion, their order by cells, and the transfer of their velocities to the faces and back
//! (Zhu and Bridson 2005).
use glam::Vec3;
use ribbonmesh::device::{Block, In, Out, kernel};
use ribbonmesh_flow::Cells;

/// Least weight of a face that gets a velocity.
const LEAST_WEIGHT: f32 = 1e-12;

/// Moves positions with the velocity of the grid. 24 bytes for each, and 72 values of faces.
#[kernel(threads = 128)]
pub fn advance_places<'a>(
    block: &Block,
    cells: Cells,
    velocity: In<'a, f32>,
    n: u32,
    dt: f32,
    margin: f32,
    x: Out<'a, Vec3>,
) {
    block.for_each_of_tile(n, |i| x.set(i, cells.moved(velocity, x.get(i), dt, margin)));
}

/// Computes the cell of each particle.
#[kernel(threads = 256)]
pub fn cells_of_particles<'a>(block: &Block, cells: Cells, n: u32, x: In<'a, Vec3>, keys: Out<'a, u32>) {
    block.for_each_of_tile(n, |i| keys.set(i, cells.cell(cells.cell_at(x.get(i)))));
}

/// Copies particles into the order of their cells.
#[kernel(threads = 256)]
pub fn reorder<'a>(
    block: &Block,
    n: u32,
    places: In<'a, u32>,
    x: In<'a, Vec3>,
    v: In<'a, Vec3>,
    sorted_x: Out<'a, Vec3>,
    sorted_v: Out<'a, Vec3>,
) {
    block.for_each_of_tile(n, |i| {
        let from = places.get(i);
        sorted_x.set(i, x.get(from));
        sorted_v.set(i, v.get(from));
    });
}

/// A linear weight, 1 at 0 and 0 from 1 on.
#[inline(always)]
fn hat(t: f32) -> f32 {
    (1.0 - t.abs()).max(0.0)
}

/// Computes the mean velocity of the particles around each face at a cell with particles, weighted linearly,
/// and a mark with a bit for each component that has a velocity. `before` gets that mean; `velocity` also has
/// the change by forces, and is 0 on walls.
///
/// A face reads the particles of up to 18 cells in their order, so that the sums have the same bits in every
/// run.
#[kernel(threads = 128)]
pub fn velocities_of_faces<'a>(
    block: &Block,
    cells: Cells,
    starts: In<'a, u32>,
    x: In<'a, Vec3>,
    v: In<'a, Vec3>,
    change: [f32; 3],
    velocity: Out<'a, f32>,
    before: Out<'a, f32>,
    marks: Out<'a, u32>,
) {
    let nodes = cells.nodes();
    block.for_each_of_tile(nodes, |node| {
        let at = cells.of_node(node);
        let marked = marked(cells, starts, at);
        marks.set(node, marked);
        let (mut sums, mut weights) = ([0.0_f32; 3], [0.0_f32; 3]);
        if marked != 0 {
            let corner = Vec3::new(at[0] as f32, at[1] as f32, at[2] as f32);
            let range = |i: u32, n: u32| {
                let (low, high) = (if i > 0 { i - 1 } else { 0 }, if i + 2 < n { i + 2 } else { n });
                (low, high)
            };
            let [(i, i_end), (j, j_end), (k, k_end)] = [0, 1, 2].map(|a| range(at[a], cells.n[a]));
            let mut layer = k;
            while layer < k_end {
                let mut row = j;
                while row < j_end {
                    // the cells of a row are contiguous, and so are their particles
                    let mut p = starts.get(cells.cell([i, row, layer]));
                    let end = starts.get(cells.cell([i_end - 1, row, layer]) + 1);
                    while p < end {
                        let (q, u) = (x.get(p) / cells.edge - corner, v.get(p));
                        let on = [hat(q.x), hat(q.y), hat(q.z)];
                        let mid = [hat(q.x - 0.5), hat(q.y - 0.5), hat(q.z - 0.5)];
                        let w = [on[0] * mid[1] * mid[2], mid[0] * on[1] * mid[2], mid[0] * mid[1] * on[2]];
                        let u = u.to_array();
                        let mut d = 0;
                        while d < 3 {
                            sums[d] += w[d] * u[d];
                            weights[d] += w[d];
                            d += 1;
                        }
                        p += 1;
                    }
                    row += 1;
                }
                layer += 1;
            }
        }
        let mut d = 0;
        while d < 3 {
            let mean = if weights[d] > LEAST_WEIGHT { sums[d] / weights[d] } else { 0.0 };
            let has = marked & (1 << d) != 0;
            let free = has && !cells.is_wall(d, at);
            let to = d as u32 * nodes + node;
            before.set(to, if has { mean } else { 0.0 });
            velocity.set(to, if free { mean + change[d] } else { 0.0 });
            d += 1;
        }
    });
}

/// A bit for each component whose face is at a cell with particles.
#[inline(always)]
fn marked(cells: Cells, starts: In<'_, u32>, at: [u32; 3]) -> u32 {
    let liquid = |at: [u32; 3]| {
        if at[0] >= cells.n[0] || at[1] >= cells.n[1] || at[2] >= cells.n[2] {
            return false;
        }
        let cell = cells.cell(at);
        starts.get(cell) < starts.get(cell + 1)
    };
    let here = liquid(at);
    let (mut marks, mut d) = (0, 0);
    while d < 3 {
        let mut below = at;
        // the cell before the first wraps to a large number, which is outside
        below[d] = at[d].wrapping_sub(1);
        if here || liquid(below) {
            marks |= 1 << d;
        }
        d += 1;
    }
    marks
}

/// Computes the new velocities of particles: a part `flip` of the old velocity with the change on the grid,
/// the rest from the grid.
#[kernel(threads = 128)]
pub fn velocities_of_particles<'a>(
    block: &Block,
    cells: Cells,
    n: u32,
    velocity: In<'a, f32>,
    before: In<'a, f32>,
    flip: f32,
    x: In<'a, Vec3>,
    v: Out<'a, Vec3>,
) {
    block.for_each_of_tile(n, |i| {
        let p = x.get(i);
        let now = cells.velocity(velocity, p);
        let change = now - cells.velocity(before, p);
        v.set(i, flip * (v.get(i) + change) + (1.0 - flip) * now);
    });
}
