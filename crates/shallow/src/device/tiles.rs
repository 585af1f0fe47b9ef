//! A tile with its rim in shared memory.
use super::domain::{Domain, RIM, SIDE, Scale, WALLS, WIDE, mirrored, mirrored_corner};
use super::exact::{four_thirds, mul, sqrt};
use super::face::{Beside, Passing, flux, half_slope};
use super::state::Cells;
use ribbonmesh::device::{Arena, Block, In, Shared};

/// Corners along a side of a tile with its rim.
const CORNERS: u32 = WIDE + 1;
/// Cells of a tile with its rim.
const CELLS: u32 = WIDE * WIDE;
/// Faces between cells of a row, of which one has a cell of the tile.
const FACES: u32 = (SIDE + 1) * SIDE;

/// The shared memory of a tile: 15 KB.
#[derive(Clone, Copy)]
pub struct Tile<'b> {
    /// The bed at corners.
    corners: Shared<'b, i32>,
    level: Shared<'b, i32>,
    /// Velocities along x, then along y.
    velocity: Shared<'b, f32>,
    units: Shared<'b, i32>,
    before: Shared<'b, f32>,
    behind: Shared<'b, f32>,
    along: Shared<'b, f32>,
}

/// Steps in a tile's arrays, for a face.
#[derive(Clone, Copy)]
struct Steps {
    /// To the next cell behind the face.
    cell: u32,
    /// To the corner of the next face behind it.
    normal: u32,
    /// To the other corner of the face.
    tangent: u32,
    /// Where velocities through it begin.
    through: u32,
    /// Where velocities along it begin.
    along: u32,
}

/// A cell of a tile after a stage: level and momenta.
#[derive(Clone, Copy)]
pub struct Changed {
    /// The level's change by what passed its faces, halved.
    pub half_rise: i32,
    /// Rate of change of the momentum along x, times the time step.
    pub x: f32,
    /// The same along y.
    pub y: f32,
    /// Manning's friction, a rate.
    pub friction: f32,
}

/// Whether the velocity of the mirror image `i`, of a row of `n` cells, is turned: at a wall, and where water
/// would come in through an open side. `wall` is the first of the two in [`WALLS`], `momentum` that of the
/// cell next to the side.
#[inline(always)]
fn turned(domain: &Domain, (i, n): (i32, i32), wall: usize, momentum: impl Fn(u32) -> f32) -> bool {
    if i < 0 {
        domain.walls & WALLS[wall] != 0 || momentum(0) > 0.0
    } else if i >= n {
        domain.walls & WALLS[wall + 1] != 0 || momentum(n as u32 - 1) < 0.0
    } else {
        false
    }
}

/// The place of a tile.
#[derive(Clone, Copy)]
pub struct Place {
    /// Column of its first cell.
    pub x: u32,
    /// Row of its first cell.
    pub y: u32,
}
impl Place {
    /// Of tile `t`.
    #[inline(always)]
    pub fn of(domain: &Domain, t: u32) -> Self {
        Self { x: t % domain.across() * SIDE, y: t / domain.across() * SIDE }
    }
    /// Whether cell `i` of the tile is in the domain, and its index there.
    #[inline(always)]
    pub fn cell(&self, domain: &Domain, i: u32) -> (bool, u32) {
        let (x, y) = (self.x + i % SIDE, self.y + i / SIDE);
        (x < domain.columns && y < domain.rows, y * domain.columns + x)
    }
    /// The height of the bed in the middle of the cell of the domain that is cell `i` of the tile.
    #[inline(always)]
    pub fn bed(&self, domain: &Domain, corners: In<'_, i32>, i: u32) -> i32 {
        let wide = domain.columns + 1;
        let at = (self.y + i / SIDE) * wide + self.x + i % SIDE;
        (corners.get(at) + corners.get(at + 1) + corners.get(at + wide) + corners.get(at + wide + 1)) >> 2
    }
}

impl<'b> Tile<'b> {
    /// Its memory.
    #[inline(always)]
    pub fn carve(arena: &'b Arena) -> Self {
        Self {
            corners: arena.take(CORNERS * CORNERS),
            level: arena.take(CELLS),
            velocity: arena.take(2 * CELLS),
            units: arena.take(2 * FACES),
            before: arena.take(2 * FACES),
            behind: arena.take(2 * FACES),
            along: arena.take(2 * FACES),
        }
    }
    /// Reads the tile and its rim. Outside of the domain are mirror images. Collective, ends with a barrier.
    #[inline(always)]
    pub fn read(
        &self,
        block: &Block,
        (domain, scale): (&Domain, &Scale),
        place: Place,
        corners: In<'_, i32>,
        cells: &Cells<'_>,
    ) {
        let (columns, rows) = (domain.columns as i32, domain.rows as i32);
        let at = |place: u32, i: u32| (place + i) as i32 - RIM as i32;
        block.for_each(CORNERS * CORNERS, |i| {
            let x = mirrored_corner(at(place.x, i % CORNERS), columns);
            let y = mirrored_corner(at(place.y, i / CORNERS), rows);
            self.corners.set(i, corners.get(y as u32 * (domain.columns + 1) + x as u32));
        });
        block.for_each(CELLS, |i| {
            let (x, y) = (at(place.x, i % WIDE), at(place.y, i / WIDE));
            let cell = mirrored(y, rows) as u32 * domain.columns + mirrored(x, columns) as u32;
            let level = cells.level.get(cell);
            let water = scale.moving(level - self.bed(i));
            self.level.set(i, level);
            let (u, v) = (scale.velocity(water, cells.x.get(cell)), scale.velocity(water, cells.y.get(cell)));
            let (row, column) = (cell / domain.columns * domain.columns, cell % domain.columns);
            let turned_x = turned(domain, (x, columns), 0, |edge| cells.x.get(row + edge));
            let turned_y = turned(domain, (y, rows), 2, |edge| cells.y.get(edge * domain.columns + column));
            self.velocity.set(i, if turned_x { -u } else { u });
            self.velocity.set(CELLS + i, if turned_y { -v } else { v });
        });
    }
    /// The bed in the middle of cell `i` of the tile with its rim.
    #[inline(always)]
    fn bed(&self, i: u32) -> i32 {
        let at = i / WIDE * CORNERS + i % WIDE;
        let low = self.corners.get(at) + self.corners.get(at + 1);
        (low + self.corners.get(at + CORNERS) + self.corners.get(at + CORNERS + 1)) >> 2
    }
    /// Computes what passes each face. `ratio` is the time step divided by the side of a cell. Collective,
    /// ends with a barrier.
    #[inline(always)]
    pub fn pass(&self, block: &Block, scale: &Scale, ratio: f32) {
        let factor = ratio / (scale.unit + scale.unit);
        block.for_each(2 * FACES, |f| {
            let along_x = f < FACES;
            let g = if along_x { f } else { f - FACES };
            // the cell behind the face, and how far to the next one
            let wide = if along_x { SIDE + 1 } else { SIDE };
            let (x, y) = (RIM + g % wide, RIM + g / wide);
            let (cell, corner) = (y * WIDE + x, y * CORNERS + x);
            // one call, so that there is one copy of the code
            let steps = if along_x {
                Steps { cell: 1, normal: 1, tangent: CORNERS, through: 0, along: CELLS }
            } else {
                Steps { cell: WIDE, normal: CORNERS, tangent: 1, through: CELLS, along: 0 }
            };
            let passing = self.face(scale, factor, cell, corner, steps);
            self.units.set(f, passing.units);
            self.before.set(f, passing.before);
            self.behind.set(f, passing.behind);
            self.along.set(f, passing.along);
        });
    }
    /// What passes the face before a cell, from its first corner.
    #[inline(always)]
    fn face(&self, scale: &Scale, factor: f32, cell: u32, corner: u32, steps: Steps) -> Passing {
        let Steps { cell: step, normal, tangent, through, along } = steps;
        // twice the bed in the middle of this face and of the next ones
        let bed = |corner: u32| self.corners.get(corner) + self.corners.get(corner + tangent);
        let (far_before, here, far_behind) = (bed(corner - normal), bed(corner), bed(corner + normal));
        let (before, behind) = (cell - step, cell);
        let level = [before - step, before, behind, behind + step].map(|i| self.level.get(i));
        let water = |level: i32, far: i32| scale.moving(level - ((here + far) >> 2));
        let waters = [water(level[1], far_before), water(level[2], far_behind)];
        if waters[0] | waters[1] == 0 {
            return Passing::NOTHING;
        }
        let rises = [1, 2, 3].map(|i| scale.length(level[i] - level[i - 1]));
        let at_face = |from: u32| {
            let all = [before - step, before, behind, behind + step].map(|i| self.velocity.get(from + i));
            let changes = [1, 2, 3].map(|i| all[i] - all[i - 1]);
            [all[1] + half_slope(changes[0], changes[1]), all[2] - half_slope(changes[1], changes[2])]
        };
        let (u, v) = (at_face(through), at_face(along));
        let beside = |k: usize, far: i32, rise: f32| Beside {
            water: waters[k],
            above: level[k + 1] - (here >> 1),
            above_far: level[k + 1] - (far >> 1),
            rise: if waters[k] == 0 { 0.0 } else { rise },
            u: if waters[k] == 0 { 0.0 } else { u[k] },
            v: v[k],
        };
        let before = beside(0, far_before, half_slope(rises[0], rises[1]));
        let behind = beside(1, far_behind, -half_slope(rises[1], rises[2]));
        flux(scale, factor, &before, &behind)
    }
    /// How cell `i` of the tile changes by what passed its faces.
    #[inline(always)]
    pub fn change(&self, scale: &Scale, ratio: f32, i: u32) -> Changed {
        let (x, y) = (i % SIDE, i / SIDE);
        let (west, south) = (y * (SIDE + 1) + x, FACES + i);
        let (east, north) = (west + 1, south + SIDE);
        let units = |f: u32| self.units.get(f);
        let between = |low: u32, high: u32| mul(ratio, self.behind.get(low) - self.before.get(high));
        let across = |low: u32, high: u32| self.along.get(low) - self.along.get(high);
        Changed {
            half_rise: units(west) - units(east) + units(south) - units(north),
            x: between(west, east) + across(south, north),
            y: between(south, north) + across(west, east),
            friction: self.friction(scale, (y + RIM) * WIDE + x + RIM),
        }
    }
    /// Manning's friction of cell `i` of the tile with its rim, a rate.
    #[inline(always)]
    fn friction(&self, scale: &Scale, i: u32) -> f32 {
        let water = scale.moving(self.level.get(i) - self.bed(i));
        if scale.friction == 0.0 || water == 0 {
            return 0.0;
        }
        let (u, v) = (self.velocity.get(i), self.velocity.get(CELLS + i));
        let speed = sqrt(mul(u, u) + mul(v, v));
        mul(scale.friction, speed) / four_thirds(scale.length(water))
    }
    /// The bed in the middle of cell `i` of the tile.
    #[inline(always)]
    pub fn bed_of(&self, i: u32) -> i32 {
        self.bed((i / SIDE + RIM) * WIDE + i % SIDE + RIM)
    }
}
