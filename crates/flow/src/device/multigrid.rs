//! The preconditioner: a V-cycle over levels of cells, each of eight cells of the level below (McAdams,
//! Sifakis and Teran 2010), whose equations are sums of those of the cells below (Braess 1995).
//!
//! A cell's equation is diagonal · x − Σ coefficient · (x of the cell beyond the face) = b. On the finest
//! level a coefficient is the open fraction of a face between two unknowns. A coarser level has the sums of
//! the coefficients between its cells, times [`SCALE`]: two cells have four faces between them, in two
//! dimensions two, and their centres are twice as far apart. So the matrix is half of Galerkin's, and that of
//! cells twice as large whose faces have the mean of the open fractions. A level represents sheets and gaps
//! of any form, no cell of the level below is lost, and all levels are symmetric and positive definite.
//!
//! A level is smoothed by Gauss and Seidel's method in two colours: black after red before the coarser level,
//! red after black after it, so that the whole is symmetric. The correction from the coarser level is
//! constant on its cells; it is added while black cells are smoothed.
use super::level::{Level, LevelOut, parent, place};
use ribbonmesh::device::{Arena, Block, In, Out, Shared, kernel};
use ribbonmesh_linear::running;

/// Factor of the coefficients of a coarser level.
pub const SCALE: f32 = 0.5;
/// The most cells of the coarsest level.
#[cfg(not(target_arch = "nvptx64"))]
pub const COARSEST: u32 = 512;
/// Smoothing steps on the coarsest level, before the order of colours is reversed and after it.
const STEPS: u32 = 16;

/// Computes the next coarser level. 36 bytes for each of its cells, and 128 below.
#[kernel(threads = 256)]
pub fn coarsen<'a>(block: &Block, fine: Level<'a>, coarse: [u32; 3], to: LevelOut<'a>) {
    let steps = [1, fine.n[0], fine.n[0] * fine.n[1]];
    block.for_each_of_tile(coarse[0] * coarse[1] * coarse[2], |cell| {
        let at = place(coarse, cell);
        let (mut lower, mut diagonal) = ([0.0; 3], 0.0);
        let mut child = 0;
        while child < 8 {
            let bits = [child & 1, child >> 1 & 1, child >> 2];
            let below = [0, 1, 2].map(|a| 2 * at[a] + bits[a]);
            if below[0] < fine.n[0] && below[1] < fine.n[1] && below[2] < fine.n[2] {
                let c = below[0] + steps[1] * below[1] + steps[2] * below[2];
                diagonal += fine.diagonal.get(c);
                let coefficients = [fine.x.get(c), fine.y.get(c), fine.z.get(c)];
                let mut a = 0;
                while a < 3 {
                    if bits[a] == 0 {
                        lower[a] += coefficients[a];
                    } else {
                        // a coefficient between two cells of one coarse cell
                        diagonal -= 2.0 * coefficients[a];
                    }
                    a += 1;
                }
            }
            child += 1;
        }
        to.set(cell, lower.map(|c| SCALE * c), SCALE * diagonal);
    });
}

/// Smooths the cells of a colour: 0 for red, 1 for black. If `first` is 1, all other values count as 0.
#[kernel(threads = 256)]
pub fn relax<'a>(
    block: &Block,
    level: Level<'a>,
    state: In<'a, f64>,
    b: In<'a, f32>,
    colour: u32,
    first: u32,
    x: Out<'a, f32>,
) {
    if !running(state) {
        return;
    }
    block.for_each_of_tile(level.halves(), |half| {
        if let Some((c, at)) = level.of_colour(half, colour) {
            let diagonal = level.diagonal.get(c);
            if diagonal > 0.0 {
                // cells of the other colour are not written here
                let around = if first != 0 { 0.0 } else { level.around(c, at, |other, _| x.get(other)) };
                x.set(c, (b.get(c) + around) / diagonal);
            }
        }
    });
}

/// Smooths the black cells, with the correction of the coarser level added to the values of red cells. These
/// are smoothed next, so the correction need not be stored.
#[kernel(threads = 256)]
pub fn relax_corrected<'a>(
    block: &Block,
    level: Level<'a>,
    state: In<'a, f64>,
    coarse: [u32; 3],
    correction: In<'a, f32>,
    b: In<'a, f32>,
    x: Out<'a, f32>,
) {
    if !running(state) {
        return;
    }
    block.for_each_of_tile(level.halves(), |half| {
        if let Some((c, at)) = level.of_colour(half, 1) {
            let diagonal = level.diagonal.get(c);
            if diagonal > 0.0 {
                let value = |other: u32, at: [u32; 3]| x.get(other) + correction.get(parent(coarse, at));
                x.set(c, (b.get(c) + level.around(c, at, value)) / diagonal);
            }
        }
    });
}

/// Sums the residuals of the cells in each cell of the coarser level: only of red cells, since black ones
/// were smoothed last and have no residual.
#[kernel(threads = 256)]
pub fn restrict<'a>(
    block: &Block,
    fine: Level<'a>,
    state: In<'a, f64>,
    coarse: [u32; 3],
    b: In<'a, f32>,
    x: In<'a, f32>,
    to: Out<'a, f32>,
) {
    if !running(state) {
        return;
    }
    block.for_each_of_tile(coarse[0] * coarse[1] * coarse[2], |cell| {
        let at = place(coarse, cell);
        let (mut sum, mut child) = (0.0, 0);
        while child < 8 {
            let bits = [child & 1, child >> 1 & 1, child >> 2];
            let below = [0, 1, 2].map(|a| 2 * at[a] + bits[a]);
            let red = (bits[0] + bits[1] + bits[2]) & 1 == 0;
            if red && below[0] < fine.n[0] && below[1] < fine.n[1] && below[2] < fine.n[2] {
                let c = below[0] + fine.n[0] * (below[1] + fine.n[1] * below[2]);
                let diagonal = fine.diagonal.get(c);
                if diagonal > 0.0 {
                    sum += b.get(c) + fine.around(c, below, |other, _| x.get(other)) - diagonal * x.get(c);
                }
            }
            child += 1;
        }
        to.set(cell, sum);
    });
}

fn memory(arena: &Arena, n: [u32; 3]) -> Shared<'_, f32> {
    arena.take(n[0] * n[1] * n[2])
}

/// Solves the coarsest level, of at most [`COARSEST`] cells, nearly exactly: many smoothing steps. One block.
#[kernel(threads = 256, shared = memory(arena, level.n))]
pub fn solve_coarsest<'a>(
    block: &Block,
    level: Level<'a>,
    state: In<'a, f64>,
    b: In<'a, f32>,
    x: Out<'a, f32>,
) {
    if !running(state) {
        return;
    }
    let n = level.count();
    let values = memory(block.arena(), level.n);
    block.for_each(n, |c| values.set(c, 0.0));
    let mut step = 0;
    while step < 4 * STEPS {
        // first red before black, then black before red
        let colour = if step < 2 * STEPS { step & 1 } else { (step & 1) ^ 1 };
        block.for_each(level.halves(), |half| {
            if let Some((c, at)) = level.of_colour(half, colour) {
                let diagonal = level.diagonal.get(c);
                if diagonal > 0.0 {
                    let around = level.around(c, at, |other, _| values.get(other));
                    values.set(c, (b.get(c) + around) / diagonal);
                }
            }
        });
        step += 1;
    }
    block.for_each_nosync(n, |c| x.set(c, values.get(c)));
}
