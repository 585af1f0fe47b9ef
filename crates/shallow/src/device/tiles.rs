//! A tile with its rim in shared memory.
use super::domain::{Domain, RIM, SIDE, Scale, WALLS, WIDE, middle, mirrored, mirrored_corner};
use super::exact::{four_thirds, mul, sqrt};
use super::face::{Beside, Passing, flux, half_slope};
use super::state::Cells;
use ribbonmesh::device::{Arena, Block, In, Shared};

/// Corners along a side of a tile with its rim. Also the numbers between two rows of cells, so that a cell
/// has the index of its first corner.
const CORNERS: u32 = WIDE + 1;
/// Cells of a tile with its rim.
const CELLS: u32 = WIDE * WIDE;
/// Room for them.
const ROOM: u32 = WIDE * CORNERS;
/// Faces between cells of a row, of which one has a cell of the tile: first those before its cells, then
/// those behind the last cells of rows.
const FACES: u32 = (SIDE + 1) * SIDE;

/// The shared memory of a tile: 19 KB.
#[derive(Clone, Copy)]
pub struct Tile<'b> {
    /// The bed at corners.
    corners: Shared<'b, i32>,
    level: Shared<'b, i32>,
    /// Water above the middle of the bed.
    depth: Shared<'b, i32>,
    /// Velocities along x, then along y.
    velocity: Shared<'b, f32>,
    units: Shared<'b, i32>,
    before: Shared<'b, f32>,
    behind: Shared<'b, f32>,
    along: Shared<'b, f32>,
    found: Shared<'b, Found>,
}

/// Results of the second stage about cells: the greatest speed, as bits, and parts that hold water.
pub type Found = [u32; 2];

/// A cell as it is in memory.
#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Cell {
    /// The level.
    pub level: i32,
    /// Depth times velocity along x and y.
    pub momentum: [f32; 2],
}
impl Cell {
    /// Cell `i`.
    #[inline(always)]
    fn of(cells: &Cells<'_>, i: u32) -> Self {
        Self { level: cells.level.get(i), momentum: [cells.x.get(i), cells.y.get(i)] }
    }
}

/// Steps in a tile's arrays, for a face.
#[derive(Clone, Copy)]
struct Steps {
    /// To the next cell behind the face.
    cell: u32,
    /// To the other corner of the face.
    tangent: u32,
    /// Where velocities through it begin.
    through: u32,
    /// Where velocities along it begin.
    along: u32,
}
impl Steps {
    /// For a face between two cells of a row.
    const ALONG_X: Self = Self { cell: 1, tangent: CORNERS, through: 0, along: ROOM };
    /// For a face between two cells of a column.
    const ALONG_Y: Self = Self { cell: CORNERS, tangent: 1, through: ROOM, along: 0 };
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

/// The height of the bed in the middle of the cell at a column and a row.
#[inline(always)]
fn bed(domain: &Domain, corners: In<'_, i32>, column: u32, row: u32) -> i32 {
    let wide = domain.columns + 1;
    let at = row * wide + column;
    middle(corners.get(at), corners.get(at + 1), corners.get(at + wide), corners.get(at + wide + 1))
}
/// The cell at a column and a row, or the mirror image there, and the height of its bed.
#[inline(always)]
fn mirror_image(domain: &Domain, cells: &Cells<'_>, corners: In<'_, i32>, x: i32, y: i32) -> (Cell, i32) {
    let (columns, rows) = (domain.columns as i32, domain.rows as i32);
    let (column, row) = (mirrored(x, columns) as u32, mirrored(y, rows) as u32);
    let bed = bed(domain, corners, column, row);
    let row = row * domain.columns;
    let mut cell = Cell::of(cells, row + column);
    if turned(domain, (x, columns), 0, |edge| cells.x.get(row + edge)) {
        cell.momentum[0] = -cell.momentum[0];
    }
    if turned(domain, (y, rows), 2, |edge| cells.y.get(edge * domain.columns + column)) {
        cell.momentum[1] = -cell.momentum[1];
    }
    (cell, bed)
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
        bed(domain, corners, self.x + i % SIDE, self.y + i / SIDE)
    }
}

impl<'b> Tile<'b> {
    /// Its memory.
    #[inline(always)]
    pub fn carve(arena: &'b Arena) -> Self {
        Self {
            corners: arena.take(CORNERS * CORNERS),
            level: arena.take(ROOM),
            depth: arena.take(ROOM),
            velocity: arena.take(2 * ROOM),
            units: arena.take(2 * FACES),
            before: arena.take(2 * FACES),
            behind: arena.take(2 * FACES),
            along: arena.take(2 * FACES),
            found: arena.take(SIDE * SIDE),
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
        let inner = place.x >= RIM
            && place.y >= RIM
            && place.x + SIDE + RIM <= domain.columns
            && place.y + SIDE + RIM <= domain.rows;
        // negative numbers as their complements of two
        let (x, y) = (place.x.wrapping_sub(RIM), place.y.wrapping_sub(RIM));
        let at = |from: u32, i: u32| from.wrapping_add(i);
        let wide = domain.columns + 1;
        block.for_each_nosync(CORNERS * CORNERS, |i| {
            let (x, y) = (at(x, i % CORNERS), at(y, i / CORNERS));
            let corner = match inner {
                true => y * wide + x,
                false => {
                    let x = mirrored_corner(x as i32, domain.columns as i32) as u32;
                    mirrored_corner(y as i32, domain.rows as i32) as u32 * wide + x
                }
            };
            self.corners.set(i, corners.get(corner));
        });
        block.for_each(CELLS, |i| {
            let (x, y) = (at(x, i % WIDE), at(y, i / WIDE));
            let (cell, bed) = match inner {
                true => (Cell::of(cells, y * domain.columns + x), bed(domain, corners, x, y)),
                false => mirror_image(domain, cells, corners, x as i32, y as i32),
            };
            let depth = cell.level - bed;
            let [u, v] = scale.velocity(scale.moving(depth), cell.momentum);
            let to = i / WIDE * CORNERS + i % WIDE;
            self.level.set(to, cell.level);
            self.depth.set(to, depth);
            self.velocity.set(to, u);
            self.velocity.set(ROOM + to, v);
        });
    }
    /// Computes what passes each face. `ratio` is the time step divided by the side of a cell. Collective,
    /// ends with a barrier.
    #[inline(always)]
    pub fn pass(&self, block: &Block, scale: &Scale, ratio: f32) {
        let factor = ratio / (scale.unit + scale.unit);
        block.for_each(2 * FACES, |f| {
            let along_x = f < FACES;
            let g = if along_x { f } else { f - FACES };
            // the cell behind the face
            let (x, y) = if along_x && g >= SIDE * SIDE { (SIDE, g % SIDE) } else { (g % SIDE, g / SIDE) };
            let cell = (RIM + y) * CORNERS + RIM + x;
            // two copies of the code, in which all steps are constants
            let passing = match along_x {
                true => self.face(scale, factor, cell, Steps::ALONG_X),
                false => self.face(scale, factor, cell, Steps::ALONG_Y),
            };
            self.units.set(f, passing.units);
            self.before.set(f, passing.before);
            self.behind.set(f, passing.behind);
            self.along.set(f, passing.along);
        });
    }
    /// The flux through the face before a cell.
    #[inline(always)]
    fn face(&self, scale: &Scale, factor: f32, cell: u32, steps: Steps) -> Passing {
        let Steps { cell: step, tangent, through, along } = steps;
        let (before, behind) = (cell - step, cell);
        let depths = [self.depth.get(before), self.depth.get(behind)];
        let waters = depths.map(|depth| scale.moving(depth));
        if waters[0] | waters[1] == 0 {
            return Passing::NOTHING;
        }
        let bed = (self.corners.get(cell) >> 1) + (self.corners.get(cell + tangent) >> 1);
        let level = [before - step, before, behind, behind + step].map(|i| self.level.get(i));
        let rises = [1, 2, 3].map(|i| scale.length(level[i] - level[i - 1]));
        let at_face = |from: u32| {
            let all = [before - step, before, behind, behind + step].map(|i| self.velocity.get(from + i));
            let changes = [1, 2, 3].map(|i| all[i] - all[i - 1]);
            [all[1] + half_slope(changes[0], changes[1]), all[2] - half_slope(changes[1], changes[2])]
        };
        let (u, v) = (at_face(through), at_face(along));
        let beside = |k: usize, rise: f32| {
            let above = level[k + 1] - bed;
            Beside {
                water: waters[k],
                above,
                // the middle of the bed is between those of its faces
                above_far: (depths[k] - above) + depths[k],
                rise: if waters[k] == 0 { 0.0 } else { rise },
                u: if waters[k] == 0 { 0.0 } else { u[k] },
                v: v[k],
            }
        };
        let before = beside(0, half_slope(rises[0], rises[1]));
        let behind = beside(1, -half_slope(rises[1], rises[2]));
        flux(scale, factor, &before, &behind)
    }
    /// How cell `i` of the tile changes by what passed its faces.
    #[inline(always)]
    pub fn change(&self, scale: &Scale, ratio: f32, i: u32) -> Changed {
        let (x, y) = (i % SIDE, i / SIDE);
        let (west, south, north) = (i, FACES + i, FACES + i + SIDE);
        let east = if x + 1 < SIDE { i + 1 } else { SIDE * SIDE + y };
        let units = |f: u32| self.units.get(f);
        let between = |low: u32, high: u32| mul(ratio, self.behind.get(low) - self.before.get(high));
        let across = |low: u32, high: u32| self.along.get(low) - self.along.get(high);
        Changed {
            half_rise: units(west) - units(east) + units(south) - units(north),
            x: between(west, east) + across(south, north),
            y: between(south, north) + across(west, east),
            friction: self.friction(scale, Self::place(i)),
        }
    }
    /// The place of cell `i` of the tile in its arrays.
    #[inline(always)]
    fn place(i: u32) -> u32 {
        (i / SIDE + RIM) * CORNERS + i % SIDE + RIM
    }
    /// Manning's friction of the cell at a place, a rate.
    #[inline(always)]
    fn friction(&self, scale: &Scale, i: u32) -> f32 {
        let water = scale.moving(self.depth.get(i));
        if scale.friction == 0.0 || water == 0 {
            return 0.0;
        }
        let (u, v) = (self.velocity.get(i), self.velocity.get(ROOM + i));
        let speed = sqrt(mul(u, u) + mul(v, v));
        mul(scale.friction, speed) / four_thirds(scale.length(water))
    }
    /// Keeps what cell `i` of the tile adds.
    #[inline(always)]
    pub fn find(&self, i: u32, found: Found) {
        self.found.set(i, found);
    }
    /// Its part of the sums.
    #[inline(always)]
    pub fn found(&self, i: u32) -> Found {
        self.found.get(i)
    }
    /// The level of cell `i` of the tile, and the water above the middle of its bed.
    #[inline(always)]
    pub fn level_and_depth(&self, i: u32) -> (i32, i32) {
        let i = Self::place(i);
        (self.level.get(i), self.depth.get(i))
    }
}
