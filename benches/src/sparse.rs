//! Sparse matrices: variants measured for families of matrices, in the form of tables 5.1 to 5.3 of Mueller-Roemer's thesis (2020).
use crate::options::Options;
use crate::report::{Report, row};
use anyhow::{Result, ensure};
use ribbonmesh::{Device, DeviceKind};
use ribbonmesh_io::Format;
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_mesh::shapes::bumpy_sphere;
use ribbonmesh_sparse::{
    Complex, Csr, DenseBlock, DualQuaternion, Entry, Launched, Quaternion, Real, RowStatistics, TuneOptions,
    Winners, tune,
};
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;

/// The scan in the repository.
const SCAN: &[u8] = include_bytes!("../../assets/scans/nefertiti.ply");

/// The thesis's best layout and its speedup over the best schedule of `CSR-AoS-AoS`, on a Quadro GP100, for a matrix of the same kind.
#[derive(Clone, Copy, Serialize)]
struct Thesis {
    matrix: &'static str,
    layout: &'static str,
    speedup: f64,
}
const fn thesis(matrix: &'static str, layout: &'static str, speedup: f64) -> Option<Thesis> {
    Some(Thesis { matrix, layout, speedup })
}

/// A matrix and what was measured with it.
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
    /// Bytes that a product must move, without padding, in the layout of the best; the time of a copy of as many.
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
    thesis: Option<Thesis>,
}

/// What is measured, and with what.
struct Tuner<'a> {
    device: &'a Device,
    options: TuneOptions,
    bandwidth: f64,
    winners: Winners,
    rows: Vec<Row>,
}
impl Tuner<'_> {
    fn measure<E: Launched + PartialEq>(
        &mut self,
        name: &str,
        matrix: &Csr<E>,
        of: Option<Thesis>,
    ) -> Result<()> {
        let tuned = tune(self.device, matrix, &self.options)?;
        self.winners.insert(self.device, &tuned);
        let rows = RowStatistics::of_matrix(matrix);
        let x = vec![<E::Element as ribbonmesh_sparse::Element>::ZERO; matrix.columns()];
        let mut serial = f64::INFINITY;
        for _ in 0..3 {
            let start = Instant::now();
            ensure!(matrix.multiply(&x)?.len() == matrix.rows(), "another product");
            serial = serial.min(start.elapsed().as_secs_f64());
        }
        let (best, guess, natural) = (&tuned.best, &tuned.guess, &tuned.natural);
        let floor = best.product_bytes as f64 / self.bandwidth;
        eprintln!(
            "{name}, {}: {} {:.4} ms, {:.2} times the floor; guess {} {:.2}; CSR {:.2}",
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
}

/// The Laplacian of a triangle mesh with uniform weights: a row per vertex, its neighbours and itself.
fn laplacian(mesh: &TriangleMesh) -> Result<Csr<f64>> {
    let n = mesh.points_as_arrays().len();
    let mut pairs: Vec<[u32; 2]> =
        mesh.faces.iter().flat_map(|&[a, b, c]| [[a, b], [b, a], [b, c], [c, b], [c, a], [a, c]]).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let mut triplets: Vec<(u32, u32, f64)> = pairs.iter().map(|&[a, b]| (a, b, -1.0)).collect();
    triplets.extend(pairs.iter().map(|&[a, _]| (a, a, 1.0)));
    Ok(Csr::from_triplets(n, n, &triplets)?)
}
/// The pattern of linear elements on a Kuhn grid: a vertex has itself and 14 neighbours.
fn kuhn_grid(n: u32) -> Result<Csr<f64>> {
    let side = n + 1;
    let index = |[x, y, z]: [u32; 3]| (z * side + y) * side + x;
    let mut triplets = vec![];
    for z in 0..side {
        for y in 0..side {
            for x in 0..side {
                let a = index([x, y, z]);
                triplets.push((a, a, 8.0));
                for step in 1..8 {
                    let to = [x + (step & 1), y + (step >> 1 & 1), z + (step >> 2)];
                    if to.iter().all(|&c| c < side) {
                        triplets.extend([(a, index(to), -0.5), (index(to), a, -0.5)]);
                    }
                }
            }
        }
    }
    let all = (side as usize).pow(3);
    Ok(Csr::from_triplets(all, all, &triplets)?)
}
/// Diagonals at these distances.
fn banded(n: u32, diagonals: &[i64]) -> Result<Csr<f64>> {
    let entry = |row: u32| {
        diagonals.iter().filter_map(move |&d| {
            let column = i64::from(row) + d;
            (0..i64::from(n)).contains(&column).then_some((row, column as u32, 1.0))
        })
    };
    Ok(Csr::from_triplets(n as usize, n as usize, &(0..n).flat_map(entry).collect::<Vec<_>>())?)
}
/// Rows whose lengths fall with a power of their number, shuffled, at random columns.
fn power_law(n: u32, longest: u32) -> Result<Csr<f64>> {
    let mut state = 1_u64;
    let mut random = |below: u32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % u64::from(below)) as u32
    };
    let mut triplets = vec![];
    for place in 0..n {
        // a permutation of the rows
        let row = (u64::from(place) * 2_654_435_761 % u64::from(n)) as u32;
        let len = (f64::from(longest) / f64::from(place + 1).powf(0.7)).max(3.0) as u32;
        triplets.extend((0..len).map(|_| (row, random(n), 1.0)));
    }
    Ok(Csr::from_triplets(n as usize, n as usize, &triplets)?)
}
/// Short rows, and four that have every column.
fn few_long(n: u32) -> Result<Csr<f64>> {
    let mut triplets: Vec<_> = banded(n, &[-2, -1, 0, 1, 2])?.triplets().collect();
    for row in [0, n / 3, n / 2, n - 1] {
        triplets.extend((0..n).map(|column| (row, column, 1.0)));
    }
    Ok(Csr::from_triplets(n as usize, n as usize, &triplets)?)
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
    let mut tuner = Tuner {
        device,
        options: TuneOptions { repetitions, ..TuneOptions::quick(device) },
        bandwidth: report.machine.copy_bandwidth,
        winners: Winners::new(),
        rows: vec![],
    };
    let numbers = || (|x: f64| x as f32, |x: f64| x);
    let quaternions = || (quaternion::<f32>, quaternion::<f64>);
    let (ell, si32) = ("ELL-AoS-AoS", "SI32-SoA-SoA");

    let scan = laplacian(&ribbonmesh_io::read_from(SCAN, Format::Ply, "nefertiti.ply")?.mesh)?;
    tuner.both("surface, scan", &scan, numbers(), [None; 2])?;
    let bunny = [thesis("surface/bunny", ell, 1.46), thesis("surface/bunny", ell, 1.40)];
    tuner.both("surface, scan", &scan, quaternions(), bunny)?;
    // 164 thousand or 2.6 million vertices
    let sphere = laplacian(&bumpy_sphere(if on_cpu { 7 } else { 9 }, 1)?)?;
    tuner.both("surface, sphere", &sphere, numbers(), [None; 2])?;
    let buddha = [thesis("surface/buddha", ell, 1.48), thesis("surface/buddha", ell, 1.31)];
    tuner.both("surface, sphere", &sphere, quaternions(), buddha)?;
    tuner.both("surface, sphere", &sphere, (dual::<f32>, dual::<f64>), [None; 2])?;
    drop(sphere);
    let small =
        [thesis("fem/armadillo_1000.1", "SI16-SoA-SoA", 1.20), thesis("fem/armadillo_1000.1", si32, 1.18)];
    tuner.both("elasticity, 9 thousand rows", &kuhn_grid(20)?, (block::<f32>, block::<f64>), small)?;
    let large = [thesis("fem/dragon_100K", ell, 1.61), thesis("fem/dragon_100K", ell, 1.52)];
    let cubes = if on_cpu { 40 } else { 100 };
    tuner.both("elasticity", &kuhn_grid(cubes)?, (block::<f32>, block::<f64>), large)?;
    let mhd = [thesis("mhd1280b", "CSR-SoA-AoS", 1.05), thesis("mhd1280b", "CSR-SoA-SoA", 1.00)];
    let band: Vec<i64> = (-8..=8).collect();
    tuner.both("band, 1280 rows", &banded(1280, &band)?, (complex::<f32>, complex::<f64>), mhd)?;
    let n = if on_cpu { 200_000 } else { 4_000_000 };
    tuner.both("diagonal", &banded(n, &[0])?, numbers(), [None; 2])?;
    tuner.both(
        "nine diagonals",
        &banded(n, &[-2000, -1000, -2, -1, 0, 1, 2, 1000, 2000])?,
        numbers(),
        [None; 2],
    )?;
    tuner.both("power law", &power_law(n / 4, n / 40)?, numbers(), [None; 2])?;
    tuner.both("few long rows", &few_long(n / 4)?, numbers(), [None; 2])?;

    report.machine.jit_seconds = device.loading().seconds;
    let mut files =
        report.write_work(&options.output, "sparse", &tuner.rows, &table(&report, &tuner.rows)?)?.to_vec();
    let winners = report.machine.make_folder(&options.output)?.join("sparse-winners.json");
    tuner.winners.save(&winners)?;
    files.push(winners);
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
