//! The water as others see it: levels, depths, velocities.
use super::domain::{Domain, Scale, middle};
use super::exact::{mul, sqrt};
use super::state::Cells;
use ribbonmesh::device::{Block, In, Out, kernel};

/// For each cell the height of the surface above the lowest point of the terrain, and above 0, the depth, the
/// velocity and the speed. 44 bytes for each cell. Blocks: tiles of cells.
#[kernel(threads = 256, requires(
    corners.len() >= domain.corners(),
    height.len() >= domain.cells(),
    to_level.len() >= domain.cells(),
    depth.len() >= domain.cells(),
    velocity.len() >= domain.cells(),
    speed.len() >= domain.cells(),
))]
pub fn view_water<'a>(
    block: &Block,
    domain: Domain,
    scale: Scale,
    corners: In<'a, i32>,
    cells: Cells<'a>,
    lowest: f32,
    height: Out<'a, f32>,
    to_level: Out<'a, f32>,
    depth: Out<'a, f32>,
    velocity: Out<'a, [f32; 3]>,
    speed: Out<'a, f32>,
) {
    block.for_each_of_tile(domain.columns * domain.rows, |cell| {
        let wide = domain.columns + 1;
        let at = cell / domain.columns * wide + cell % domain.columns;
        let bed =
            middle(corners.get(at), corners.get(at + 1), corners.get(at + wide), corners.get(at + wide + 1));
        let level = cells.level.get(cell);
        let water = level - bed;
        let [u, v] = scale.velocity(scale.moving(water), [cells.x.get(cell), cells.y.get(cell)]);
        height.set(cell, scale.length(level));
        to_level.set(cell, lowest + scale.length(level));
        depth.set(cell, scale.length(water));
        velocity.set(cell, [u, v, 0.0]);
        speed.set(cell, sqrt(mul(u, u) + mul(v, v)));
    });
}
