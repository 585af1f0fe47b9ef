//! Maps of charts to the plane, a block for each chart.
use super::chart::{Chart, Charts, area};
use super::energy::{energy, first_fold};
use super::gradients::{Matrix, Work};
use glam::{DVec2, DVec3};
use ribbonmesh::device::{Block, Out, kernel};

/// Residual of a step of Newton's method, as a part of the gradient: exact steps gain hardly more.
const ROUGH: f64 = 0.1;
/// The energy of an isometry.
pub const ISOMETRY: f64 = 4.0;
/// Steps after which the energy has to be below a limit.
const PATIENCE: u32 = 8;
/// A gain that is not worth another step.
pub const NEGLIGIBLE: f64 = 1e-9;
/// Residual of Tutte's system, as a part of the first.
const EXACT: f64 = 1e-11;

/// Maps each chart to the plane. It starts with the positions in `work.x`, if no triangle has a determinant
/// of `flat` or less there, or smoothing helps; otherwise with Tutte's map to a circle. Then Newton's method
/// makes the symmetric Dirichlet energy least, in at most `steps` steps, until one gains less than
/// `tolerance` of what the energy has above that of an isometry; triangles never fold. A chart whose energy
/// is above `hopeless` after some steps gets no others. `energies` are means over the area, 4 for an
/// isometry, infinite for a chart that Tutte's map folds by rounding; `taken` are the steps. Blocks: charts.
#[kernel(threads = 512, requires(
    charts.vertex_starts.len() == charts.face_starts.len(),
    work.x.len() < charts.star_starts.len() && charts.boundary.len() == work.x.len(),
    work.step.len() == work.x.len() && work.residual.len() == work.x.len(),
    work.search.len() == work.x.len() && work.product.len() == work.x.len(),
    work.inverse.len() == work.x.len(),
    3 * work.flux.len() == charts.faces.len() && charts.rest.len() == work.flux.len(),
    work.directions.len() == work.flux.len() && work.curvatures.len() == work.flux.len(),
    energies.len() < charts.vertex_starts.len() && taken.len() == energies.len(),
))]
pub fn parameterize_charts<'a>(
    block: &Block,
    steps: u32,
    tolerance: f64,
    hopeless: f64,
    flat: f64,
    charts: Charts<'a>,
    work: Work<'a>,
    energies: Out<'a, f64>,
    taken: Out<'a, u32>,
) {
    let chart = charts.of(block);
    let whole = block.reduce(chart.faces, 0.0, |i| area(charts.rest.get(chart.face + i)), |a, b| a + b);
    if !unfolded(block, &charts, &work, chart, flat) {
        to_circle(block, &charts, &work, chart, libm::sqrt(whole / core::f64::consts::PI));
    }
    let mut now = mean_energy(block, &charts, chart, whole, |v| work.x.get(v));
    let mut k = 0;
    while k < steps && now < f64::INFINITY {
        let next = descend(block, &charts, &work, chart, whole, now);
        k += 1;
        let gained = now - next;
        now = next;
        if gained <= tolerance * (now - ISOMETRY) + NEGLIGIBLE || (k >= PATIENCE && now > hopeless) {
            break;
        }
    }
    block.single_nosync(|| {
        energies.set(block.index(), now);
        taken.set(block.index(), k);
    });
}

/// Rounds in which folds are smoothed, and sweeps of each.
const ROUNDS: u32 = 12;
/// Sweeps of a round.
const SWEEPS: u32 = 8;

/// Whether no triangle has a determinant of `flat` or less, after vertices at such triangles have moved to
/// the middle of their neighbours. Vertices of the boundary stay. In each round the vertices around those
/// that move join them, where that has not been enough.
#[inline(always)]
fn unfolded(block: &Block, charts: &Charts<'_>, work: &Work<'_>, chart: Chart, flat: f64) -> bool {
    let folds = |face: u32| {
        let determinant = charts.map(face, |v| work.x.get(v)).determinant();
        determinant.is_nan() || determinant <= flat
    };
    // the y of a vertex's block says whether it moves, the x whether it is to
    block.for_each(chart.vertices, |i| work.inverse.set(chart.vertex + i, DVec3::ZERO));
    let mut round = 0;
    loop {
        let folded = block.count_where(chart.faces, |i| folds(chart.face + i));
        // many folds are no detail that could be smoothed
        if folded == 0 || round == ROUNDS || 8 * folded > chart.faces {
            return folded == 0;
        }
        choose(block, charts, work, chart, folds);
        let mut sweep = 0;
        while sweep < SWEEPS {
            block.for_each(chart.vertices, |i| {
                let v = chart.vertex + i;
                let (sum, count) = work.differences_at(charts, v);
                let by = if work.inverse.get(v).y > 0.0 { sum * (0.5 / count) } else { DVec2::ZERO };
                work.step.set(v, work.x.get(v) - by);
            });
            block.for_each(chart.vertices, |i| work.x.set(chart.vertex + i, work.step.get(chart.vertex + i)));
            sweep += 1;
        }
        round += 1;
    }
}
/// Vertices within the chart join those that move: at folded triangles, and beside vertices of such ones.
#[inline(always)]
fn choose(
    block: &Block,
    charts: &Charts<'_>,
    work: &Work<'_>,
    chart: Chart,
    folds: impl Fn(u32) -> bool + Copy,
) {
    block.for_each(chart.vertices, |i| {
        let (v, mut near) = (chart.vertex + i, false);
        charts.star(v, |face, _| near |= folds(face));
        let was = work.inverse.get(v).y;
        work.inverse.set(v, DVec3::new(if near { 1.0 } else { 0.0 }, was, 0.0));
    });
    block.for_each(chart.vertices, |i| {
        let (v, mut near) = (chart.vertex + i, false);
        charts.star(v, |face, _| {
            let mut k = 0;
            while k < 3 {
                near |= work.inverse.get(charts.faces.get(3 * face + k)).x > 0.0;
                k += 1;
            }
        });
        let moves = charts.boundary.get(v) < 0.0 && (near || work.inverse.get(v).y > 0.0);
        // x of this vertex is read by others in this loop, y is not
        work.step.set(v, DVec2::new(if moves { 1.0 } else { 0.0 }, 0.0));
    });
    block.for_each(chart.vertices, |i| {
        let v = chart.vertex + i;
        work.inverse.set(v, DVec3::new(0.0, work.step.get(v).x, 0.0));
    });
}

/// Tutte's map: the boundary on a circle, by length; each other vertex in the middle of its neighbours.
#[inline(always)]
fn to_circle(block: &Block, charts: &Charts<'_>, work: &Work<'_>, chart: Chart, radius: f64) {
    block.for_each(chart.vertices, |i| {
        let v = chart.vertex + i;
        let place = charts.boundary.get(v);
        let turn = 2.0 * core::f64::consts::PI * place;
        let at = DVec2::new(libm::cos(turn), libm::sin(turn)) * radius;
        work.x.set(v, if place < 0.0 { DVec2::ZERO } else { at });
    });
    let squares = work.differences(block, charts, chart);
    work.solve(
        block,
        charts,
        chart,
        Matrix::Tutte,
        (squares, EXACT, 200 + 16 * libm::sqrt(chart.vertices as f64) as u32),
    );
    block.for_each(chart.vertices, |i| {
        let v = chart.vertex + i;
        work.x.set(v, work.x.get(v) + work.step.get(v));
    });
}

/// The mean of the energy over the area.
#[inline(always)]
fn mean_energy(
    block: &Block,
    charts: &Charts<'_>,
    chart: Chart,
    whole: f64,
    at: impl Fn(u32) -> DVec2 + Copy,
) -> f64 {
    let of_face = |i: u32| {
        let face = chart.face + i;
        energy(charts.map(face, at)) * area(charts.rest.get(face))
    };
    block.reduce(chart.faces, 0.0, of_face, |a, b| a + b) / whole
}

/// A step of Newton's method with a line search; returns the energy after it.
#[inline(always)]
fn descend(block: &Block, charts: &Charts<'_>, work: &Work<'_>, chart: Chart, whole: f64, now: f64) -> f64 {
    let squares = work.linearize(block, charts, chart);
    if squares == 0.0 {
        return now;
    }
    let most = 30 + 2 * libm::sqrt(chart.vertices as f64) as u32;
    work.solve(block, charts, chart, Matrix::Hessian, (squares, ROUGH, most));
    let fold = |i: u32| {
        let face = chart.face + i;
        first_fold(charts.map(face, |v| work.x.get(v)), charts.map(face, |v| work.step.get(v)))
    };
    let first = block.reduce(chart.faces, f64::INFINITY, fold, |a, b| if a < b { a } else { b });
    let mut by = if 0.9 * first < 1.0 { 0.9 * first } else { 1.0 };
    let mut halvings = 0;
    while halvings < 30 {
        let to = |v: u32| work.x.get(v) + work.step.get(v) * by;
        let next = mean_energy(block, charts, chart, whole, to);
        if next < now {
            block.for_each(chart.vertices, |i| work.x.set(chart.vertex + i, to(chart.vertex + i)));
            return next;
        }
        by *= 0.5;
        halvings += 1;
    }
    now
}
