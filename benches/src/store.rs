//! Patches that own their storage, as the thesis has them: memory, queries, flips, locks (5.3, 5.4).
use crate::options::Options;
use crate::report::{Report, row};
use anyhow::Result;
use ribbonmesh::mesh::shapes;
use ribbonmesh::{Device, DeviceKind, MeshOptions, Op, StaticMesh, TriangleMesh};
use ribbonmesh_dynamic::{PatchAttribute, PatchStore, StoreOp, StoreOptions};
use serde::Serialize;
use std::cell::RefCell;
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;

/// One row of a table.
#[derive(Serialize)]
struct Measured {
    table: &'static str,
    faces: usize,
    patch_size: u32,
    case: String,
    /// Bytes a face, milliseconds, or per cent.
    value: f64,
    note: String,
}

/// Torus, patches, repetitions.
struct Subject<'a> {
    device: &'a Device,
    torus: TriangleMesh,
    patch_size: u32,
    runs: usize,
}
impl<'a> Subject<'a> {
    fn new(device: &'a Device, side: u32, patch_size: u32, runs: usize) -> Result<Self> {
        Ok(Self { device, torus: shapes::torus(side, 1)?, patch_size, runs })
    }
    fn mesh(&self) -> Result<StaticMesh> {
        let patches = MeshOptions { patch_size: self.patch_size, ..MeshOptions::default() };
        Ok(StaticMesh::new(self.device, self.torus.positions.len(), &self.torus.faces, &patches)?)
    }
    fn row(&self, table: &'static str, case: impl Into<String>, value: f64, note: String) -> Measured {
        let (faces, patch_size) = (self.torus.faces.len(), self.patch_size);
        Measured { table, faces, patch_size, case: case.into(), value, note }
    }
    fn memory(&self) -> Result<Vec<Measured>> {
        let mesh = self.mesh()?;
        let of = |options: StoreOptions| {
            let memory = PatchStore::from_mesh(&mesh, &options)?.memory();
            let case = format!("room {}, {} % of patches free", options.room, 100.0 * options.spare);
            Ok(self.row("bytes a face", case, memory.per_face(), memory.to_string()))
        };
        [StoreOptions::still(), StoreOptions::default()].into_iter().map(of).collect()
    }
    fn queries(&self) -> Result<Vec<Measured>> {
        let mesh = self.mesh()?;
        let store = PatchStore::from_mesh(&mesh, &StoreOptions::still())?;
        let of_mesh = [Op::VV, Op::VE, Op::VF, Op::EV, Op::EF, Op::FV, Op::FE, Op::FF];
        let mut all = vec![];
        for (op, of_mesh) in StoreOp::ALL.into_iter().zip(of_mesh) {
            let rows = RefCell::new(store.query(op)?);
            let again = self.device.time_repeated(self.runs, || store.query_again(&mut rows.borrow_mut()))?;
            let flat = self.device.time_repeated(self.runs, || mesh.query(of_mesh).map(drop))?;
            let note = format!("{:.3} ms from the static mesh, with allocation", 1e3 * flat.mean);
            all.push(self.row("queries, ms", op.name(), 1e3 * again.mean, note));
        }
        Ok(all)
    }
    fn flips(&self) -> Result<Measured> {
        let (mesh, mut times, mut note) = (self.mesh()?, vec![], String::new());
        for _ in 0..self.runs.clamp(1, 5) {
            let mut store = PatchStore::from_mesh(&mesh, &StoreOptions::default())?;
            let mut x = PatchAttribute::from_input(&store, &self.torus.points())?;
            self.device.synchronize()?;
            let start = Instant::now();
            let report = store.flip_delaunay(&mut x);
            times.push(1e3 * start.elapsed().as_secs_f64());
            note = report.map_or_else(|error| error.to_string(), |report| format!("{report:?}"));
        }
        times.sort_by(f64::total_cmp);
        Ok(self.row("flips, ms", "median", times[times.len() / 2], note))
    }
    /// Figure 5.7.
    fn contention(&self) -> Result<Measured> {
        let store = PatchStore::from_mesh(&self.mesh()?, &StoreOptions::still())?;
        let [scheduled, discarded] = store.contention()?;
        let share = 100.0 * f64::from(discarded) / f64::from(scheduled.max(1));
        let note = format!("{discarded} of {scheduled} discarded, {} patches", store.patches());
        Ok(self.row("all patches around locked, % discarded", "Figure 5.7", share, note))
    }
}

/// Measures and writes `store.json` and `store.md`; returns these.
pub fn run(device: &Device, options: &Options, mut report: Report) -> Result<[PathBuf; 2]> {
    let on_cpu = device.kind() == DeviceKind::Cpu;
    let runs = options.repeat.unwrap_or(if on_cpu { 1 } else { 20 }).max(1);
    let large = if on_cpu { 300 } else { 1000 };
    let mut measured = vec![];
    for patch_size in [256, 384, 512, 768, 1024, 1536] {
        measured.extend(Subject::new(device, large, patch_size, runs)?.memory()?);
    }
    for patch_size in [256, 512, 768] {
        measured.extend(Subject::new(device, large, patch_size, runs)?.queries()?);
    }
    for (side, patch_size) in [(100, 64), (100, 128), (100, 256), (large, 128), (large, 256), (large, 512)] {
        measured.push(Subject::new(device, side, patch_size, runs)?.flips()?);
    }
    for side in [20, 50, 100, 200, 500, 1000] {
        measured.push(Subject::new(device, side.min(large), 256, runs)?.contention()?);
    }
    report.machine.jit_seconds = device.loading().seconds;
    let mut text = String::new();
    writeln!(text, "# Patches that own their storage: {}\n", report.machine.name)?;
    writeln!(
        text,
        "{}, version {}. Tori, as in the thesis's comparison of flips. Times of queries are of the launch that writes \
         rows, after one that has found their lengths. Times of flips are of the host, with a cleanup after each \
         launch.\n",
        report.date,
        env!("CARGO_PKG_VERSION"),
    )?;
    let head = ["table", "faces", "patches of", "case", "value", "note"];
    row(&mut text, &head)?;
    row(&mut text, &vec!["---"; head.len()])?;
    for m in &measured {
        let cells =
            [m.faces.to_string(), m.patch_size.to_string(), m.case.clone(), format!("{:.3}", m.value)];
        let [faces, patch_size, case, value] = cells;
        row(&mut text, &[m.table.to_owned(), faces, patch_size, case, value, m.note.clone()])?;
    }
    report.write_work(&options.output, "store", &measured, &text)
}
