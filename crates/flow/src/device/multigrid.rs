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
//!
//! Small levels would cost more launches than work: `cycle_tail` is all of them in one resident launch, and
//! the kernels of its phases are for machines without one.
use super::level::{Level, LevelOut, parent, place};
use ribbonmesh::device::{Block, In, Out, kernel};
use ribbonmesh_linear::running;

/// Factor of the coefficients of a coarser level.
pub const SCALE: f32 = 0.5;
/// The most cells of the coarsest level.
#[cfg(not(target_arch = "nvptx64"))]
pub const COARSEST: u32 = 512;
/// The most cells of the first level of the tail.
#[cfg(not(target_arch = "nvptx64"))]
pub const SMALL: u32 = 1 << 18;
/// The coefficients and the diagonal of a cell of the next coarser level. `of` gives coefficients with the
/// cell before along an axis, and the diagonal as the fourth.
#[inline(always)]
fn coarsened(n: [u32; 3], coarse: [u32; 3], cell: u32, of: impl Fn(usize, u32) -> f32) -> ([f32; 3], f32) {
    let (at, steps) = (place(coarse, cell), [1, n[0], n[0] * n[1]]);
    let (mut lower, mut diagonal) = ([0.0; 3], 0.0);
    let mut child = 0;
    while child < 8 {
        let bits = [child & 1, child >> 1 & 1, child >> 2];
        let below = [0, 1, 2].map(|a| 2 * at[a] + bits[a]);
        if below[0] < n[0] && below[1] < n[1] && below[2] < n[2] {
            let c = below[0] + steps[1] * below[1] + steps[2] * below[2];
            diagonal += of(3, c);
            let mut a = 0;
            while a < 3 {
                let coefficient = of(a, c);
                if bits[a] == 0 {
                    lower[a] += coefficient;
                } else {
                    // between two cells of one coarse cell
                    diagonal -= 2.0 * coefficient;
                }
                a += 1;
            }
        }
        child += 1;
    }
    (lower.map(|c| SCALE * c), SCALE * diagonal)
}
/// Computes the next coarser level. 36 bytes for each of its cells, and 128 below.
#[kernel(threads = 256)]
pub fn coarsen<'a>(block: &Block, fine: Level<'a>, coarse: [u32; 3], to: LevelOut<'a>) {
    block.for_each_of_tile(coarse[0] * coarse[1] * coarse[2], |cell| {
        let of = |a: usize, c: u32| match a {
            0 => fine.x.get(c),
            1 => fine.y.get(c),
            2 => fine.z.get(c),
            _ => fine.diagonal.get(c),
        };
        let (lower, diagonal) = coarsened(fine.n, coarse, cell, of);
        to.set(cell, lower, diagonal);
    });
}
/// As [`coarsen`], within the arrays of the tail: from a level with `n` cells along each axis. The values of
/// both begin at `first`.
#[kernel(threads = 256)]
pub fn coarsen_tail<'a>(block: &Block, n: [u32; 3], coarse: [u32; 3], first: [u32; 2], level: LevelOut<'a>) {
    block.for_each_of_tile(coarse[0] * coarse[1] * coarse[2], |cell| {
        let of = |a: usize, c: u32| match a {
            0 => level.x.get(first[0] + c),
            1 => level.y.get(first[0] + c),
            2 => level.z.get(first[0] + c),
            _ => level.diagonal.get(first[0] + c),
        };
        let (lower, diagonal) = coarsened(n, coarse, cell, of);
        level.set(first[1] + cell, lower, diagonal);
    });
}

/// The value of a smoothed cell of a colour; `None` for cells that are no unknowns. `value` gets the index
/// and the coordinates of a cell of the other colour; `None` where all count as 0.
#[inline(always)]
pub fn smoothed(
    level: Level<'_>,
    half: u32,
    colour: u32,
    b: impl Fn(u32) -> f32,
    value: Option<impl Fn(u32, [u32; 3]) -> f32>,
) -> Option<(u32, f32)> {
    let (c, at) = level.of_colour(half, colour)?;
    let diagonal = level.diagonal.get(c);
    if diagonal == 0.0 {
        return None;
    }
    let around = match value {
        Some(value) => level.around(c, at, value),
        None => 0.0,
    };
    Some((c, (b(c) + around) / diagonal))
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
        // cells of the other colour are not written here
        let value = (first == 0).then_some(|other: u32, _: [u32; 3]| x.get(other));
        if let Some((c, new)) = smoothed(level, half, colour, |c| b.get(c), value) {
            x.set(c, new);
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
        let value = |other: u32, at: [u32; 3]| x.get(other) + correction.get(parent(coarse, at));
        if let Some((c, new)) = smoothed(level, half, 1, |c| b.get(c), Some(value)) {
            x.set(c, new);
        }
    });
}

/// The sum of the residuals of the cells in a cell of the coarser level: only of red cells, since black ones
/// were smoothed last and have no residual.
#[inline(always)]
pub fn restricted(
    fine: Level<'_>,
    coarse: [u32; 3],
    cell: u32,
    b: impl Fn(u32) -> f32,
    x: impl Fn(u32) -> f32,
) -> f32 {
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
                sum += b(c) + fine.around(c, below, |other, _| x(other)) - diagonal * x(c);
            }
        }
        child += 1;
    }
    sum
}

/// Sums the residuals of the cells in each cell of the coarser level.
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
        to.set(cell, restricted(fine, coarse, cell, |c| b.get(c), |c| x.get(c)));
    });
}
