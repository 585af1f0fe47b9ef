//! Volume meshes: tables 3.2 to 3.4 of Mueller-Roemer's thesis (2020), with its columns next to ours.
use crate::options::Options;
use crate::report::{Report, row};
use crate::timed;
use anyhow::{Result, ensure};
use ribbonmesh::{Device, DeviceKind};
use ribbonmesh_volume::{Relation, SimplexMesh, Tcsr, VolumeMesh, VolumeOptions, shapes};
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;

/// Cubes along a side of the Kuhn grids, and the thesis's mesh of about as many cells.
const GRIDS: [(u32, &str); 3] = [(8, "armadillo, 3,160"), (20, "bunny, 50,000"), (52, "dragon, 825,000")];

/// Milliseconds of the thesis for its three meshes: serial on an i7-6700, on a GTX 1080, by OpenVolumeMesh.
type Thesis = [[f64; 3]; 3];
const CELLS: Thesis = [[0.20, 0.22, 19.6], [2.49, 0.70, 372.0], [114.0, 14.0, 6788.0]];
const FACES: Thesis = [[0.26, 0.20, 3.19], [3.07, 1.17, 56.3], [65.6, 7.02, 1424.0]];
const EDGES: Thesis = [[0.16, 0.72, 0.62], [1.71, 0.58, 5.73], [35.9, 4.11, 184.0]];
const CELL_EDGES: Thesis = [[3.08, 0.98, 1.91], [46.7, 22.2, 34.1], [935.0, 237.0, 691.0]];
const CELL_VERTICES: Thesis = [[3.74, 2.72, 3.90], [57.2, 25.1, 65.5], [1236.0, 261.0, 1369.0]];
const FACE_VERTICES: Thesis = [[0.05, 0.12, 2.08], [0.85, 0.44, 26.3], [17.3, 1.88, 558.0]];
const SURFACE: Thesis = [[0.03, 1.13, 0.15], [0.28, 1.15, 1.21], [5.13, 2.83, 22.7]];
const CATMULL_CLARK: Thesis = [[13.4, 8.71, 392.0], [159.0, 66.6, 7058.0], [3844.0, 754.0, 125_625.0]];

/// One operation on one mesh.
#[derive(Serialize)]
struct Measured {
    operation: String,
    cells: usize,
    /// Milliseconds, median.
    ms: f64,
    /// Bytes read and written, each counted once; 0 if they were not counted.
    floor_bytes: usize,
    /// Milliseconds that a copy of as many bytes takes.
    floor_ms: f64,
    /// The thesis's times, of another mesh of about as many cells.
    thesis_serial_ms: Option<f64>,
    thesis_gpu_ms: Option<f64>,
    open_volume_mesh_ms: Option<f64>,
}

/// Measurements so far, with the device and the settings.
struct Clock<'a> {
    device: &'a Device,
    runs: usize,
    bandwidth: f64,
    /// The level of the thesis's mesh of the same size.
    level: usize,
    cells: usize,
}
impl Clock<'_> {
    fn measure<T>(
        &self,
        operation: &str,
        floor_bytes: usize,
        thesis: Option<&Thesis>,
        work: impl FnMut() -> ribbonmesh_volume::Result<T>,
    ) -> Result<Measured> {
        let of = |column: usize| thesis.map(|times| times[self.level][column]);
        let (ms, _) = timed::median(self.device, self.runs, work)?;
        eprintln!("{} cells, {operation}: {ms:.3} ms", self.cells);
        Ok(Measured {
            operation: operation.to_owned(),
            cells: self.cells,
            ms,
            floor_bytes,
            floor_ms: 1e3 * floor_bytes as f64 / self.bandwidth,
            thesis_serial_ms: of(0),
            thesis_gpu_ms: of(1),
            open_volume_mesh_ms: of(2),
        })
    }
}

fn measure(clock: &Clock<'_>, n: u32) -> Result<Vec<Measured>> {
    use Relation::{CC, CE, CF, CV, EC, EE, EF, EV, FC, FE, FF, FV, VC, VE, VF, VV};
    let (x, cells) = shapes::kuhn_grid([n; 3])?;
    let options = VolumeOptions::default();
    let build = || VolumeMesh::new(clock.device, &x, &cells, &options);
    let mut mesh = build()?;
    ensure!(mesh.cells() == clock.cells, "a grid of another size");
    let mut all = vec![clock.measure("build, with checks and upload", 0, None, build)?];
    let bytes = |relations: &[Relation]| -> Result<usize> {
        relations.iter().try_fold(0, |sum, &r| Ok(sum + mesh.relation(r)?.bytes()))
    };
    let transposes = [
        ("transpose cells", CF, FC, &CELLS),
        ("transpose faces", FE, EF, &FACES),
        ("transpose edges", EV, VE, &EDGES),
    ];
    for (name, from, to, thesis) in transposes {
        let (floor, operator) = (bytes(&[from, to])?, mesh.relation(from)?);
        all.push(clock.measure(name, floor, Some(thesis), || operator.transpose())?);
    }
    // each from the stored operators alone
    let relations: [(&str, Relation, &[Relation], Option<&Thesis>); 10] = [
        ("face vertices", FV, &[FE, EV, FV], Some(&FACE_VERTICES)),
        ("cell edges", CE, &[CF, FE, CE], Some(&CELL_EDGES)),
        ("cell vertices, with face vertices", CV, &[CF, FE, EV, FV, FV, CV], Some(&CELL_VERTICES)),
        ("edge cells, with cell edges", EC, &[CF, FE, CE, CE, EC], None),
        ("vertex cells, with cell and face vertices", VC, &[CF, FE, EV, FV, FV, CV, CV, VC], None),
        ("vertex faces, with face vertices", VF, &[FE, EV, FV, FV, VF], None),
        ("vertex neighbours, with vertex edges", VV, &[EV, VE, VE, EV, VV], None),
        ("edge neighbours, with edge faces", EE, &[FE, EF, EF, FE, EE], None),
        ("face neighbours, with edge faces", FF, &[FE, EF, FE, EF, FF], None),
        ("cell neighbours, with face cells", CC, &[CF, FC, CF, FC, CC], None),
    ];
    let mut floors = vec![];
    for (_, _, moved, _) in relations {
        floors.push(bytes(moved)?);
    }
    for ((name, relation, _, thesis), floor) in relations.into_iter().zip(floors) {
        let entries = mesh.relation(relation)?.len();
        let work = || {
            mesh.forget_relations();
            mesh.relation(relation).map(Tcsr::len)
        };
        all.push(clock.measure(name, floor, thesis, work)?);
        ensure!(mesh.relation(relation)?.len() == entries, "{name}: another size");
    }
    all.push(clock.measure("surface, with face cells and vertices", 0, Some(&SURFACE), || {
        mesh.forget_relations();
        mesh.surface()
    })?);
    all.push(clock.measure("defects, with relations", 0, None, || {
        mesh.forget_relations();
        mesh.defects()
    })?);
    for relation in [VE, FV, FC] {
        mesh.relation(relation)?;
    }
    all.push(clock.measure("smoothing, ten steps", 0, None, || mesh.smooth(10))?);
    all.push(clock.measure("relations for subdivision", 0, None, || {
        mesh.forget_relations();
        [FV, CE, CV, VE, VF, VC, EF, EC, FC].into_iter().try_for_each(|r| mesh.relation(r).map(drop))
    })?);
    all.push(clock.measure("Catmull-Clark, with relations", 0, Some(&CATMULL_CLARK), || {
        mesh.forget_relations();
        mesh.subdivide()
    })?);
    drop(mesh);
    let cells: Vec<[u32; 4]> =
        (0..cells.len()).filter_map(|cell| cells.cell(cell).1.try_into().ok()).collect();
    let mut simplices = SimplexMesh::tetrahedra(clock.device, &x, &cells)?;
    all.push(clock.measure("simplices: edges, faces, their operators", 0, None, || {
        simplices.forget_relations();
        simplices.relation(CF).map(Tcsr::len)
    })?);
    Ok(all)
}

/// Measures and writes `volume.json` and `volume.md`; returns these.
pub fn run(device: &Device, options: &Options, mut report: Report) -> Result<[PathBuf; 2]> {
    let on_cpu = device.kind() == DeviceKind::Cpu;
    let runs = options.repeat.unwrap_or(if on_cpu { 3 } else { 20 }).max(1);
    let mut measured = vec![];
    for (level, (n, _)) in GRIDS.into_iter().enumerate() {
        let cells = 6 * (n as usize).pow(3);
        let clock = Clock { device, runs, bandwidth: report.machine.copy_bandwidth, level, cells };
        measured.extend(measure(&clock, n)?);
    }
    report.machine.jit_seconds = device.loading().seconds;
    report.write_work(&options.output, "volume", &measured, &table(&report, &measured)?)
}

fn table(report: &Report, measured: &[Measured]) -> Result<String> {
    let mut text = String::new();
    writeln!(text, "# Volume meshes: {}\n", report.machine.name)?;
    writeln!(
        text,
        "{}, version {}. Kuhn grids. Milliseconds, median, the host's waits and the allocation of results included. The floor is the time of a copy of as many bytes \
         as are read and made, each once, at {:.0} GB/s. The thesis's meshes are others of about as many cells: {}; its times are serial on an i7-6700, on a \
         GTX 1080, and those of OpenVolumeMesh.\n",
        report.date,
        env!("CARGO_PKG_VERSION"),
        report.machine.copy_bandwidth / 1e9,
        GRIDS.map(|(_, name)| name).join("; "),
    )?;
    let head = [
        "cells",
        "operation",
        "ms",
        "floor",
        "× floor",
        "thesis, serial",
        "thesis, GPU",
        "OpenVolumeMesh",
        "thesis's GPU / ms",
    ];
    row(&mut text, &head)?;
    row(&mut text, &vec!["---"; head.len()])?;
    let or_none = |ms: Option<f64>| ms.map_or_else(|| "–".to_owned(), |ms| format!("{ms:.2}"));
    for m in measured {
        let floor = (m.floor_bytes > 0).then_some(m.floor_ms);
        row(
            &mut text,
            &[
                m.cells.to_string(),
                m.operation.clone(),
                format!("{:.3}", m.ms),
                floor.map_or_else(|| "–".to_owned(), |ms| format!("{ms:.3}")),
                or_none(floor.map(|floor| m.ms / floor)),
                or_none(m.thesis_serial_ms),
                or_none(m.thesis_gpu_ms),
                or_none(m.open_volume_mesh_ms),
                or_none(m.thesis_gpu_ms.map(|theirs| theirs / m.ms)),
            ],
        )?;
    }
    Ok(text)
}
