//! Sparse matrices: variants measured for families of matrices, in the form of tables 5.1 to 5.3 of
//! Mueller-Roemer's thesis (2020).
mod arrays;

use crate::options::Options;
use crate::report::{Report, row};
use crate::subject::{Order, Subject};
use anyhow::{Result, ensure};
use arrays::Arrays;
use ribbonmesh::{Device, DeviceKind};
use ribbonmesh_io::Format;
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_mesh::shapes::bumpy_sphere;
use ribbonmesh_sparse::{
    Complex, Csr, DenseBlock, DualQuaternion, Entry, Launched, Quaternion, Real, RowStatistics, Schedule,
    TuneOptions, Variant, VectorLayout, Winners, tune,
};
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;

/// The scan in the repository.
const SCAN: &[u8] = include_bytes!("../../assets/scans/nefertiti.ply");

/// The thesis's best layout and its speedup over the best schedule of `CSR-AoS-AoS`, on a Quadro GP100, for a
/// matrix of the same kind.
#[derive(Clone, Copy, Serialize)]
struct Thesis {
    matrix: &'static str,
    layout: &'static str,
    speedup: f64,
}
const fn thesis(matrix: &'static str, layout: &'static str, speedup: f64) -> Option<Thesis> {
    Some(Thesis { matrix, layout, speedup })
}

/// A matrix and its measurements.
#[derive(Serialize)]
struct Row {
    matrix: String,
    entry: String,
    rows: usize,
    entries: usize,
    longest_row: u32,
    /// Places of ELL and of SI32 per entry.
    padding_ell: f64,
    padding_si32: f64,
    best: String,
    best_ms: f64,
    /// Bytes that a product must move, without padding, in the layout of the best; the time of a copy of as
    /// many.
    floor_bytes: usize,
    floor_ms: f64,
    /// Bytes on the device.
    best_bytes: usize,
    guess: String,
    guess_ms: f64,
    /// The best schedule of a thread for each row of `CSR-AoS-AoS`.
    natural: String,
    natural_ms: f64,
    /// The serial product of the host, without layouts.
    serial_ms: f64,
    variants: usize,
    left_out: Vec<String>,
    /// Milliseconds of the variants among which a guess chooses: balanced rows, and a thread for each row
    /// with vectors as arrays of structures.
    candidates: Vec<(String, f64)>,
    thesis: Option<Thesis>,
}

/// Measurements so far, with the device and the options.
struct Tuner<'a> {
    device: &'a Device,
    options: TuneOptions,
    bandwidth: f64,
    winners: Winners,
    rows: Vec<Row>,
    /// The arrays of the matrices for other programs.
    arrays: Option<Arrays>,
}
impl Tuner<'_> {
    fn measure<E: Launched + PartialEq>(
        &mut self,
        name: &str,
        matrix: &Csr<E>,
        of: Option<Thesis>,
    ) -> Result<()> {
        let start = Instant::now();
        let tuned = tune(self.device, matrix, &self.options)?;
        let tuning = start.elapsed().as_secs_f64();
        self.winners.insert(self.device, &tuned);
        let rows = RowStatistics::of_matrix(matrix);
        let x = vec![<E::Element as ribbonmesh_sparse::Element>::ZERO; matrix.columns()];
        let (mut serial, begin) = (f64::INFINITY, Instant::now());
        for _ in 0..3 {
            let start = Instant::now();
            ensure!(matrix.multiply(&x)?.len() == matrix.rows(), "another product");
            serial = serial.min(start.elapsed().as_secs_f64());
            if begin.elapsed().as_secs_f64() > 0.1 {
                break;
            }
        }
        let (best, guess, natural) = (&tuned.best, &tuned.guess, &tuned.natural);
        let floor = best.product_bytes as f64 / self.bandwidth;
        eprintln!(
            "{name}, {}: {} {:.4} ms, {:.2} times the floor; guess {} {:.2}; CSR {:.2}; measured in {tuning:.1} s",
            tuned.class.entry,
            best.variant,
            1e3 * best.seconds,
            best.seconds / floor,
            guess.variant,
            tuned.guess_ratio(),
            tuned.layout_speedup(),
        );
        self.rows.push(Row {
            matrix: name.to_owned(),
            entry: tuned.class.entry.clone(),
            rows: rows.rows,
            entries: rows.entries,
            longest_row: rows.longest,
            padding_ell: rows.padding_of_ell(),
            padding_si32: rows.places_of_slices(32) as f64 / rows.entries.max(1) as f64,
            best: best.variant.to_string(),
            best_ms: 1e3 * best.seconds,
            floor_bytes: best.product_bytes,
            floor_ms: 1e3 * floor,
            best_bytes: best.bytes,
            guess: guess.variant.to_string(),
            guess_ms: 1e3 * guess.seconds,
            natural: natural.variant.to_string(),
            natural_ms: 1e3 * natural.seconds,
            serial_ms: 1e3 * serial,
            variants: tuned.all.len(),
            candidates: tuned
                .all
                .iter()
                .filter(|one| is_candidate(&one.variant))
                .map(|one| (one.variant.to_string(), 1e3 * one.seconds))
                .collect(),
            left_out: tuned.left_out.iter().map(|(variant, why)| format!("{variant}: {why}")).collect(),
            thesis: of,
        });
        Ok(())
    }
    /// In both precisions.
    fn both<A: Launched + PartialEq, B: Launched + PartialEq>(
        &mut self,
        name: &str,
        pattern: &Csr<f64>,
        (single, double): (impl Fn(f64) -> A, impl Fn(f64) -> B),
        of: [Option<Thesis>; 2],
    ) -> Result<()> {
        self.measure(name, &pattern.map(single), of[0])?;
        self.measure(name, &pattern.map(double), of[1])
    }
    /// Numbers in both precisions.
    fn numbers(&mut self, name: &str, matrix: &Csr<f64>) -> Result<()> {
        if let Some(arrays) = &mut self.arrays {
            arrays.write(name, matrix)?;
        }
        self.both(name, matrix, (|x: f64| x as f32, |x: f64| x), [None; 2])
    }
    /// Blocks of three rows in both precisions.
    fn blocks(&mut self, name: &str, pattern: &Csr<f64>, of: [Option<Thesis>; 2]) -> Result<()> {
        if let Some(arrays) = &mut self.arrays {
            arrays.write(name, &pattern.map(block::<f64>))?;
        }
        self.both(name, pattern, (block::<f32>, block::<f64>), of)
    }
}

fn is_candidate(variant: &Variant) -> bool {
    variant.layout.vector == VectorLayout::Aos
        && matches!(variant.schedule, Schedule::Balanced | Schedule::Rows { .. })
}

/// A square matrix of rows, each the columns and numbers that `fill` appends to an empty list, in any order;
/// entries of the same column are summed.
fn by_rows(n: u32, mut fill: impl FnMut(u32, &mut Vec<(u32, f64)>)) -> Result<Csr<f64>> {
    let (mut starts, mut columns, mut values) = (vec![0], vec![], vec![]);
    let mut own = vec![];
    for row in 0..n {
        own.clear();
        fill(row, &mut own);
        own.sort_unstable_by_key(|&(column, _)| column);
        own.dedup_by(|next, sum| {
            let same = next.0 == sum.0;
            if same {
                sum.1 += next.1;
            }
            same
        });
        columns.extend(own.iter().map(|&(column, _)| column));
        values.extend(own.iter().map(|&(_, value)| value));
        starts.push(columns.len() as u32);
    }
    Ok(Csr::from_parts(n as usize, starts, columns, values)?)
}
/// The Laplacian of a triangle mesh with uniform weights: a row per vertex, its neighbours and itself.
fn laplacian(mesh: &TriangleMesh) -> Result<Csr<f64>> {
    let n = mesh.points_as_arrays().len();
    // neighbours by vertices, each once for each face of the edge
    let mut starts = vec![0_u32; n + 2];
    for &vertex in mesh.faces.iter().flatten() {
        starts[vertex as usize + 2] += 2;
    }
    for i in 2..n + 2 {
        starts[i] += starts[i - 1];
    }
    let mut neighbours = vec![0; 6 * mesh.faces.len()];
    for &[a, b, c] in &mesh.faces {
        for (from, to) in [(a, b), (b, a), (b, c), (c, b), (c, a), (a, c)] {
            let next = &mut starts[from as usize + 1];
            neighbours[*next as usize] = to;
            *next += 1;
        }
    }
    by_rows(n as u32, |row, own| {
        let of_row = &mut neighbours[starts[row as usize] as usize..starts[row as usize + 1] as usize];
        of_row.sort_unstable();
        own.extend(of_row.iter().map(|&to| (to, -1.0)));
        own.dedup();
        own.push((row, own.len() as f64));
    })
}
/// The pattern of linear elements on a Kuhn grid: a vertex has itself and 14 neighbours.
fn kuhn_grid(n: u32) -> Result<Csr<f64>> {
    let side = n + 1;
    by_rows(side.pow(3), |row, own| {
        let at = [row % side, row / side % side, row / side / side];
        own.push((row, 8.0));
        for step in 1..8 {
            let by = [step & 1, step >> 1 & 1, step >> 2];
            let distance = (by[2] * side + by[1]) * side + by[0];
            if (0..3).all(|k| at[k] + by[k] < side) {
                own.push((row + distance, -0.5));
            }
            if (0..3).all(|k| at[k] >= by[k]) {
                own.push((row - distance, -0.5));
            }
        }
    })
}
/// The entries of a row of a matrix with diagonals at these distances.
fn band(n: u32, row: u32, diagonals: &[i64]) -> impl Iterator<Item = (u32, f64)> {
    let columns = diagonals.iter().map(move |&d| i64::from(row) + d);
    columns.filter(move |column| (0..i64::from(n)).contains(column)).map(|column| (column as u32, 1.0))
}
/// Diagonals at these distances.
fn banded(n: u32, diagonals: &[i64]) -> Result<Csr<f64>> {
    by_rows(n, |row, own| own.extend(band(n, row, diagonals)))
}
/// Rows whose lengths fall with a power of their number, shuffled, at random columns.
fn power_law(n: u32, longest: u32) -> Result<Csr<f64>> {
    let mut state = 1_u64;
    let mut random = |below: u32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % u64::from(below)) as u32
    };
    let mut lengths = vec![0; n as usize];
    for place in 0..n {
        // a permutation of the rows
        let row = u64::from(place) * 2_654_435_761 % u64::from(n);
        lengths[row as usize] = (f64::from(longest) / f64::from(place + 1).powf(0.7)).max(3.0) as u32;
    }
    by_rows(n, |row, own| own.extend((0..lengths[row as usize]).map(|_| (random(n), 1.0))))
}
/// Short rows, and four that have every column.
fn few_long(n: u32) -> Result<Csr<f64>> {
    let long = [0, n / 3, n / 2, n - 1];
    by_rows(n, |row, own| {
        own.extend(band(n, row, &[-2, -1, 0, 1, 2]));
        if long.contains(&row) {
            own.extend((0..n).map(|column| (column, 1.0)));
        }
    })
}

fn complex<R: Real>(x: f64) -> Complex<R> {
    Complex::new(R::from_f64(x), R::from_f64(0.5))
}
fn quaternion<R: Real>(x: f64) -> Quaternion<R> {
    Quaternion::new(R::from_f64(x), R::from_f64(0.5), R::from_f64(0.25), R::from_f64(-0.5))
}
fn dual<R: Real>(x: f64) -> DualQuaternion<R> {
    DualQuaternion { real: quaternion(x), dual: quaternion(1.0) }
}
fn block<R: Real>(x: f64) -> DenseBlock<R, 3>
where
    DenseBlock<R, 3>: Entry,
{
    let [a, b] = [x, 0.1].map(R::from_f64);
    DenseBlock([[a, b, b], [b, a, b], [b, b, a]])
}

/// Measures and writes `sparse.json`, `sparse.md` and `sparse-winners.json`; returns these.
pub fn run(device: &Device, options: &Options, mut report: Report) -> Result<Vec<PathBuf>> {
    let on_cpu = device.kind() == DeviceKind::Cpu;
    let repetitions = options.repeat.unwrap_or(if on_cpu { 3 } else { 100 }).max(1);
    let schedules = if options.full { TuneOptions::full(device) } else { TuneOptions::quick(device) };
    let mut tuner = Tuner {
        device,
        options: TuneOptions { repetitions, ..schedules },
        bandwidth: report.machine.copy_bandwidth,
        winners: Winners::new(),
        rows: vec![],
        arrays: options.matrices.as_deref().map(Arrays::new).transpose()?,
    };
    let quaternions = || (quaternion::<f32>, quaternion::<f64>);
    let (ell, si32) = ("ELL-AoS-AoS", "SI32-SoA-SoA");

    let scan = laplacian(&ribbonmesh_io::read_from(SCAN, Format::Ply, "nefertiti.ply")?.mesh)?;
    tuner.numbers("surface, scan", &scan)?;
    let bunny = [thesis("surface/bunny", ell, 1.46), thesis("surface/bunny", ell, 1.40)];
    tuner.both("surface, scan", &scan, quaternions(), bunny)?;
    // 164 thousand or 2.6 million vertices
    let sphere = laplacian(&bumpy_sphere(if on_cpu { 7 } else { 9 }, 1)?)?;
    tuner.numbers("surface, sphere", &sphere)?;
    let buddha = [thesis("surface/buddha", ell, 1.48), thesis("surface/buddha", ell, 1.31)];
    tuner.both("surface, sphere", &sphere, quaternions(), buddha)?;
    tuner.both("surface, sphere", &sphere, (dual::<f32>, dual::<f64>), [None; 2])?;
    drop(sphere);
    // with vertices patch by patch, as a mesh has them: neighbours are stored together
    let shape = bumpy_sphere(if on_cpu { 7 } else { 9 }, 1)?;
    let shape = Subject::of(&shape).in_order(Order::Sorted, device)?;
    let sphere = laplacian(&TriangleMesh::from_f32(shape.positions, shape.faces))?;
    tuner.numbers("surface, sphere, sorted", &sphere)?;
    tuner.both("surface, sphere, sorted", &sphere, quaternions(), buddha)?;
    drop(sphere);
    let small =
        [thesis("fem/armadillo_1000.1", "SI16-SoA-SoA", 1.20), thesis("fem/armadillo_1000.1", si32, 1.18)];
    tuner.blocks("elasticity, 9 thousand rows", &kuhn_grid(20)?, small)?;
    let large = [thesis("fem/dragon_100K", ell, 1.61), thesis("fem/dragon_100K", ell, 1.52)];
    let cubes = if on_cpu { 40 } else { 100 };
    tuner.blocks("elasticity", &kuhn_grid(cubes)?, large)?;
    let mhd = [thesis("mhd1280b", "CSR-SoA-AoS", 1.05), thesis("mhd1280b", "CSR-SoA-SoA", 1.00)];
    let band: Vec<i64> = (-8..=8).collect();
    tuner.both("band, 1280 rows", &banded(1280, &band)?, (complex::<f32>, complex::<f64>), mhd)?;
    let n = if on_cpu { 200_000 } else { 4_000_000 };
    tuner.numbers("diagonal", &banded(n, &[0])?)?;
    tuner.numbers("nine diagonals", &banded(n, &[-2000, -1000, -2, -1, 0, 1, 2, 1000, 2000])?)?;
    tuner.numbers("power law", &power_law(n / 4, n / 40)?)?;
    tuner.numbers("few long rows", &few_long(n / 4)?)?;

    report.machine.jit_seconds = device.loading().seconds;
    let mut files =
        report.write_work(&options.output, "sparse", &tuner.rows, &table(&report, &tuner.rows)?)?.to_vec();
    let winners = report.machine.make_folder(&options.output)?.join("sparse-winners.json");
    tuner.winners.save(&winners)?;
    files.push(winners);
    if let Some(arrays) = &tuner.arrays {
        files.push(arrays.finish()?);
    }
    Ok(files)
}

fn table(report: &Report, rows: &[Row]) -> Result<String> {
    let mut text = String::new();
    writeln!(text, "# Sparse matrices: {}\n", report.machine.name)?;
    let close = rows.iter().filter(|row| row.guess_ms <= 1.05 * row.best_ms).count();
    writeln!(
        text,
        "{}, version {}. Milliseconds of y = A x, the least mean of three batches. The floor is the time of a copy of the bytes of the matrix without padding and of both \
         vectors, each once, at {:.0} GB/s. *CSR / best*: the best schedule of a thread per row of `CSR-AoS-AoS` against the best variant, which the \
         thesis calls layout tuning speedup. *Guess / best*: what is taken without measuring; within 5 % for {close} of {} matrices. The thesis's columns are those of other matrices of \
         the same kind on a Quadro GP100. *Serial* is the product of the host on one thread.\n",
        report.date,
        env!("CARGO_PKG_VERSION"),
        report.machine.copy_bandwidth / 1e9,
        rows.len(),
    )?;
    let head = [
        "matrix",
        "entry",
        "rows",
        "entries",
        "ELL, SI32 padding",
        "best",
        "ms",
        "floor",
        "× floor",
        "CSR / best",
        "guess",
        "guess / best",
        "serial",
        "thesis's matrix, best, speedup",
    ];
    row(&mut text, &head)?;
    row(&mut text, &vec!["---"; head.len()])?;
    for of in rows {
        row(
            &mut text,
            &[
                of.matrix.clone(),
                of.entry.clone(),
                of.rows.to_string(),
                of.entries.to_string(),
                format!("{:.2}, {:.2}", of.padding_ell, of.padding_si32),
                of.best.clone(),
                format!("{:.4}", of.best_ms),
                format!("{:.4}", of.floor_ms),
                format!("{:.2}", of.best_ms / of.floor_ms),
                format!("{:.2}", of.natural_ms / of.best_ms),
                of.guess.clone(),
                format!("{:.2}", of.guess_ms / of.best_ms),
                format!("{:.3}", of.serial_ms),
                of.thesis.map_or_else(
                    || "–".to_owned(),
                    |of| format!("{}, {}, {:.2}", of.matrix, of.layout, of.speedup),
                ),
            ],
        )?;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_what_they_say() -> Result<()> {
        let grid = kuhn_grid(3)?;
        // vertices, and edges twice
        assert_eq!((grid.rows(), grid.len()), (64, 64 + 2 * (3 * 4 * 4 * 3 + 3 * 3 * 3 * 4 + 27)));
        assert_eq!(RowStatistics::of_matrix(&grid).longest, 15);
        let sphere = laplacian(&bumpy_sphere(2, 1)?)?;
        assert_eq!((sphere.rows(), sphere.len()), (162, 162 + 2 * 480));
        let ones = vec![1.0; 162];
        assert!(sphere.multiply(&ones)?.iter().all(|&y| y == 0.0));
        assert_eq!(banded(5, &[-1, 0, 2])?.len(), 4 + 5 + 3);
        let law = RowStatistics::of_matrix(&power_law(1000, 500)?);
        assert!(law.longest > 300 && law.mean() < 30.0);
        assert_eq!(few_long(100)?.row(33).0.len(), 100);
        Ok(())
    }
}
