//! The kernels of a step: the time step, the list of tiles, two stages.
use super::domain::{Domain, SIDE, Scale};
use super::exact::{abs, greatest, mul, sqrt};
use super::state::{
    ACTIVE, COMPUTED, COUNT, Cells, CellsOut, DT, END, HIGHEST, Inflow, NOT_FINITE, SHORTEST, SPEED, STEPS,
    TIME, TOO_HIGH,
};
use super::tiles::{Cell, Found, Place, Tile};
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, In, Out, kernel};

/// A tile to which water comes from outside.
pub const FED: u32 = 1 << 9;

/// The parts of a tile that cell `i` is in, as bits: `3 (dy + 1) + dx + 1` for the two rows of cells on the
/// side in that direction, the middle one for the whole tile.
#[inline(always)]
fn parts(i: u32) -> u32 {
    let (x, y) = (i % SIDE, i / SIDE);
    let row = |x: u32| 2 | (x < 2) as u32 | ((x >= SIDE - 2) as u32) << 2;
    let (columns, mut bits) = (row(x), 0);
    let rows = row(y);
    let mut k = 0;
    while k < 3 {
        bits |= (columns * (rows >> k & 1)) << (3 * k);
        k += 1;
    }
    bits
}

/// Begins a step: the time step from the greatest speed, what comes in, no tiles.
#[kernel(threads = 32, requires(clock.len() == 3, state.len() == 6))]
pub fn begin<'a>(
    block: &Block,
    scale: Scale,
    inflows: Out<'a, Inflow>,
    clock: Out<'a, f64>,
    state: Out<'a, u32>,
) {
    block.single_nosync(|| {
        let active = state.get(COUNT);
        clock.set(COMPUTED, clock.get(COMPUTED) + active as f64);
        state.set(COUNT, 0);
        let left = clock.get(END) - clock.get(TIME);
        if state.get(DT) != 0 {
            state.set(ACTIVE, active);
        }
        if left <= 0.0 {
            state.set(DT, 0);
            return;
        }
        let speed = greatest(scale.slowest, f32::from_bits(state.get(SPEED)));
        let (mut dt, mut time) = (scale.reach / speed, clock.get(END));
        if left <= dt as f64 {
            dt = left as f32;
        } else {
            // no sliver of a step at the end
            if left < (dt + dt) as f64 {
                dt = (0.5 * left) as f32;
            }
            time = clock.get(TIME) + dt as f64;
        }
        clock.set(TIME, time);
        state.set(DT, dt.to_bits());
        state.set(SPEED, 0);
        state.set(STEPS, state.get(STEPS) + 1);
        if dt.to_bits() < state.get(SHORTEST) {
            state.set(SHORTEST, dt.to_bits());
        }
        let mut k = 0;
        while k < inflows.len() as u32 {
            let mut inflow = inflows.get(k);
            let sum = inflow.sum + mul(inflow.rate, dt) as f64;
            let gain = sum as i64 - inflow.sum as i64;
            // more is above the highest level, which is an error
            inflow.gain = if gain < HIGHEST as i64 { gain as i32 } else { HIGHEST };
            inflow.sum = sum;
            inflows.set(k, inflow);
            k += 1;
        }
    });
}

/// Lists the tiles that hold water or have it within two cells, and those of the step before, whose second
/// buffer must become equal to the first. Blocks: tiles of tiles.
#[kernel(threads = 256, requires(
    wet.len() >= domain.tiles() as usize,
    live.len() >= domain.tiles() as usize,
    list.len() >= domain.tiles() as usize,
    state.len() == 6,
))]
pub fn list_tiles<'a>(
    block: &Block,
    domain: Domain,
    wet: In<'a, u32>,
    live: Out<'a, u32>,
    list: Out<'a, u32>,
    state: Out<'a, u32>,
) {
    if state.get(DT) == 0 {
        return;
    }
    block.for_each_tile(domain.tiles(), |base, len| {
        block.append(len, list, state, COUNT, |i| {
            let t = base + i;
            let active = domain.everywhere | touched(&domain, wet, t);
            let listed = active | live.get(t);
            live.set(t, active);
            (listed != 0).then_some(t)
        });
    });
}

/// Not 0 if a tile holds water, gets some, or has some within two cells.
#[inline(always)]
fn touched(domain: &Domain, wet: In<'_, u32>, t: u32) -> u32 {
    let (x, y) = (t % domain.across(), t / domain.across());
    let (mut found, mut k) = (wet.get(t) & FED, 0);
    while k < 9 {
        // the part of the neighbour at (dx, dy) that touches this tile is in the direction (-dx, -dy)
        let (nx, ny) = (x + k % 3, y + k / 3);
        if nx >= 1 && ny >= 1 && nx <= domain.across() && ny <= domain.down() {
            found |= wet.get((ny - 1) * domain.across() + nx - 1) >> (8 - k) & 1;
        }
        k += 1;
    }
    found
}

/// Results of two parts of a tile, together.
#[inline(always)]
fn both(a: Found, b: Found) -> Found {
    [if a[0] > b[0] { a[0] } else { b[0] }, a[1] | b[1]]
}

/// The part that a cell adds to it.
#[inline(always)]
fn found(scale: &Scale, i: u32, water: i32, momentum: [f32; 2]) -> Found {
    if water == 0 {
        return [0, 0];
    }
    let [u, v] = scale.velocity(water, momentum);
    let speed = greatest(abs(u), abs(v)) + sqrt(mul(scale.gravity, scale.length(water)));
    [speed.to_bits(), parts(i)]
}

/// Momentum that stays: damped by friction and where there is little water, none where there is none.
#[inline(always)]
fn kept(scale: &Scale, water: i32, friction: f32, momentum: [f32; 2]) -> [f32; 2] {
    let [x, y] = momentum;
    let momentum = if friction > 0.0 {
        let factor = 1.0 / (1.0 + friction);
        [mul(factor, x), mul(factor, y)]
    } else {
        momentum
    };
    let h = scale.length(water);
    if h < scale.thin {
        let [u, v] = scale.velocity(water, momentum);
        return [mul(h, u), mul(h, v)];
    }
    momentum
}

/// Looks at the cells of all tiles: speeds and water. Blocks: any number.
#[kernel(threads = 256, requires(
    corners.len() == domain.corners(),
    cells.level.len() == domain.cells(),
    wet.len() >= domain.tiles() as usize,
    state.len() == 6,
))]
pub fn survey<'a>(
    block: &Block,
    domain: Domain,
    scale: Scale,
    corners: In<'a, i32>,
    cells: Cells<'a>,
    wet: Out<'a, u32>,
    state: Out<'a, u32>,
) {
    let mut t = block.index();
    while t < domain.tiles() {
        let place = Place::of(&domain, t);
        let of = |i: u32| {
            let (inside, cell) = place.cell(&domain, i);
            if !inside {
                return [0, 0];
            }
            let water = scale.moving(cells.level.get(cell) - place.bed(&domain, corners, i));
            found(&scale, i, water, [cells.x.get(cell), cells.y.get(cell)])
        };
        let all = block.reduce(SIDE * SIDE, [0, 0], of, both);
        block.single_nosync(|| {
            wet.set(t, wet.get(t) & FED | all[1]);
            atomic::fetch_max(state, SPEED, all[0], Relaxed, Device);
        });
        t += block.count();
    }
}

/// The first stage: an Euler step. Blocks: any number, each takes tiles of the list.
#[kernel(threads = 128, shared = Tile::carve(arena), requires(
    corners.len() == domain.corners(),
    from.fits(&domain),
    to.fits(&domain),
    state.len() == 6,
))]
pub fn first_stage<'a>(
    block: &Block,
    domain: Domain,
    scale: Scale,
    corners: In<'a, i32>,
    from: Cells<'a>,
    to: CellsOut<'a>,
    list: In<'a, u32>,
    state: In<'a, u32>,
) {
    let tile = Tile::carve(block.arena());
    let dt = f32::from_bits(state.get(DT));
    let (ratio, count) = (dt / scale.spacing, state.get(COUNT));
    let mut next = block.index();
    while next < count {
        let place = Place::of(&domain, list.get(next));
        tile.read(block, (&domain, &scale), place, corners, &from);
        tile.pass(block, &scale, ratio);
        block.for_each(SIDE * SIDE, |i| {
            let (inside, cell) = place.cell(&domain, i);
            if !inside {
                return;
            }
            let change = tile.change(&scale, ratio, i);
            let (level, depth) = tile.level_and_depth(i);
            let rise = 2 * change.half_rise;
            let momentum = [from.x.get(cell) + change.x, from.y.get(cell) + change.y];
            let [x, y] = kept(&scale, scale.moving(depth + rise), mul(dt, change.friction), momentum);
            to.level.set(cell, level + rise);
            to.x.set(cell, x);
            to.y.set(cell, y);
        });
        next += block.count();
    }
}

/// The second stage: an Euler step from the first stage's result, the mean with the values before, and what
/// comes in. Blocks: any number, each takes tiles of the list.
#[kernel(threads = 128, shared = Tile::carve(arena), requires(
    corners.len() == domain.corners(),
    from.fits(&domain),
    to.fits(&domain),
    wet.len() >= domain.tiles() as usize,
    state.len() == 6,
))]
pub fn second_stage<'a>(
    block: &Block,
    domain: Domain,
    scale: Scale,
    corners: In<'a, i32>,
    from: Cells<'a>,
    to: CellsOut<'a>,
    inflows: In<'a, Inflow>,
    list: In<'a, u32>,
    wet: Out<'a, u32>,
    state: Out<'a, u32>,
) {
    let tile = Tile::carve(block.arena());
    let dt = f32::from_bits(state.get(DT));
    let (ratio, count) = (dt / scale.spacing, state.get(COUNT));
    let (mut next, mut fastest) = (block.index(), 0);
    while next < count {
        let t = list.get(next);
        let place = Place::of(&domain, t);
        tile.read(block, (&domain, &scale), place, corners, &from);
        tile.pass(block, &scale, ratio);
        block.for_each_nosync(SIDE * SIDE, |i| {
            let (inside, cell) = place.cell(&domain, i);
            if !inside {
                return tile.find(i, [0, 0]);
            }
            let old = Cell { level: to.level.get(cell), momentum: [to.x.get(cell), to.y.get(cell)] };
            let change = tile.change(&scale, ratio, i);
            // both levels differ by an even number of units
            let (first, depth) = tile.level_and_depth(i);
            let rise = ((first - old.level) >> 1) + change.half_rise;
            let gain = gain(inflows, place.x + i % SIDE, place.y + i / SIDE);
            let level = (old.level + rise).saturating_add(gain);
            let water = scale.moving(level - (first - depth));
            let mean = |old: f32, first: f32, change: f32| mul(0.5, old + (first + change));
            let momentum = [
                mean(old.momentum[0], from.x.get(cell), change.x),
                mean(old.momentum[1], from.y.get(cell), change.y),
            ];
            let [x, y] = kept(&scale, water, mul(mul(0.5, dt), change.friction), momentum);
            to.level.set(cell, level);
            to.x.set(cell, x);
            to.y.set(cell, y);
            if !(x.is_finite() && y.is_finite()) {
                block.status().record_code(NOT_FINITE, block.index(), cell, 0);
            } else if level > HIGHEST {
                block.status().record_code(TOO_HIGH, block.index(), cell, 0);
            }
            tile.find(i, found(&scale, i, water, [x, y]));
        });
        let all = block.reduce(SIDE * SIDE, [0, 0], |i| tile.found(i), both);
        block.single_nosync(|| wet.set(t, wet.get(t) & FED | all[1]));
        fastest = if all[0] > fastest { all[0] } else { fastest };
        next += block.count();
    }
    block.single_nosync(|| {
        if fastest != 0 {
            atomic::fetch_max(state, SPEED, fastest, Relaxed, Device);
        }
    });
}

/// Units that a cell gets in this step.
#[inline(always)]
fn gain(inflows: In<'_, Inflow>, x: u32, y: u32) -> i32 {
    let (mut gain, mut k) = (0, 0);
    while k < inflows.len() as u32 {
        let inflow = inflows.get(k);
        if x >= inflow.x && x < inflow.x_end && y >= inflow.y && y < inflow.y_end {
            gain = inflow.gain.saturating_add(gain);
        }
        k += 1;
    }
    gain
}
