//! Patches that own their storage, as the thesis has them: memory, queries, locks, and the tables of flips,
//! geodesic distances and smoothing after flips, and remeshing (5.3, 5.4).
mod geodesics;

use crate::options::Options;
use crate::report::{Report, row};
use anyhow::Result;
use ribbonmesh::device::{ElementKind, Vec3};
use ribbonmesh::mesh::shapes;
use ribbonmesh::{Device, DeviceKind, MeshOptions, Op, StaticMesh, TriangleMesh, Vertex};
use ribbonmesh_dynamic::change::phase;
use ribbonmesh_dynamic::{
    Carried, PatchAttribute, PatchStore, QueueOrder, StoreOp, StoreOptions, StoreRemeshOptions,
};
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

/// Mesh, patches, repetitions.
struct Subject<'a> {
    device: &'a Device,
    shape: TriangleMesh,
    patch_size: u32,
    runs: usize,
}
impl<'a> Subject<'a> {
    fn new(device: &'a Device, side: u32, patch_size: u32, runs: usize) -> Result<Self> {
        Ok(Self { device, shape: shapes::torus(side, 1)?, patch_size, runs })
    }
    /// The sphere on which remeshing by claims is measured.
    fn sphere(device: &'a Device, level: u32, patch_size: u32, runs: usize) -> Result<Self> {
        let mut shape = shapes::bumpy_sphere(level, 1)?;
        shapes::shuffle(&mut shape, 1);
        Ok(Self { device, shape, patch_size, runs })
    }
    fn mesh(&self) -> Result<StaticMesh> {
        let patches = MeshOptions { patch_size: self.patch_size, ..MeshOptions::default() };
        Ok(StaticMesh::new(self.device, self.shape.positions.len(), &self.shape.faces, &patches)?)
    }
    fn row(&self, table: &'static str, case: impl Into<String>, value: f64, note: String) -> Measured {
        let (faces, patch_size) = (self.shape.faces.len(), self.patch_size);
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
            let mut x = PatchAttribute::from_input(&store, &self.shape.points())?;
            self.device.synchronize()?;
            let start = Instant::now();
            let report = store.flip_delaunay(&mut x);
            times.push(1e3 * start.elapsed().as_secs_f64());
            note = report.map_or_else(|error| error.to_string(), |report| format!("{report:?}"));
        }
        times.sort_by(f64::total_cmp);
        Ok(self.row("flips, ms", "median", times[times.len() / 2], note))
    }
    /// Table 5.3: milliseconds of a step of smoothing before flips, and after.
    fn smoothing(&self) -> Result<Measured> {
        let mut store = PatchStore::from_mesh(&self.mesh()?, &StoreOptions::default())?;
        let mut x = PatchAttribute::from_input(&store, &self.shape.points())?;
        let before = self.step(&store)?;
        let report = store.flip_delaunay(&mut x)?;
        let after = self.step(&store)?;
        let note = format!("{before:.3} ms before {} flips, {} elements moved", report.filled, report.moved);
        Ok(self.row("smoothing after flips, ms", "Table 5.3", after, note))
    }
    /// Milliseconds of a step of smoothing, the median of some.
    fn step(&self, store: &PatchStore) -> Result<f64> {
        let mut x = PatchAttribute::from_input(store, &self.shape.points())?;
        let mut times = vec![];
        for _ in 0..self.runs.max(3) {
            self.device.synchronize()?;
            let start = Instant::now();
            store.smooth(&mut x, 1)?;
            self.device.synchronize()?;
            times.push(1e3 * start.elapsed().as_secs_f64());
        }
        times.sort_by(f64::total_cmp);
        Ok(times[times.len() / 2])
    }
    /// Simplification to a tenth of the faces.
    fn simplification(&self) -> Result<Measured> {
        let (mesh, mut times, mut note) = (self.mesh()?, vec![], String::new());
        for _ in 0..self.runs.clamp(1, 5) {
            let mut store = PatchStore::from_mesh(&mesh, &StoreOptions::default())?;
            let mut x = PatchAttribute::from_input(&store, &self.shape.points())?;
            self.device.synchronize()?;
            let start = Instant::now();
            let report = store.simplify(&mut x, &mut Carried::none(), self.shape.faces.len() / 10)?;
            self.device.synchronize()?;
            times.push(1e3 * start.elapsed().as_secs_f64());
            let (faces, done) = (store.count(ElementKind::Face), report.collapses);
            note = format!(
                "{} collapses in {} stages to {faces} faces; {} patches taken, {:.0} % dropped, {} launches, patches \
                 made anew {} times",
                done.filled,
                report.stages,
                done.scheduled,
                100.0 * f64::from(done.discarded) / f64::from(done.scheduled.max(1)),
                done.launches,
                report.merged
            );
        }
        times.sort_by(f64::total_cmp);
        Ok(self.row("simplification, ms", "to a tenth", times[times.len() / 2], note))
    }
    /// Section 5.4.5: the share of the blocks' time that they spend waiting for locks during flips.
    fn waiting(&self) -> Result<Measured> {
        let mut store = PatchStore::from_mesh(&self.mesh()?, &StoreOptions::default())?;
        let mut x = PatchAttribute::from_input(&store, &self.shape.points())?;
        let ticks = store.flip_delaunay(&mut x)?.ticks;
        let all = ticks.iter().sum::<u64>().max(1) as f64;
        let share = |phase: usize| 100.0 * ticks[phase] as f64 / all;
        let note = phase::NAMES.iter().enumerate().map(|(i, name)| format!("{name} {:.1}", share(i)));
        let note = note.collect::<Vec<_>>().join(", ");
        let locks = share(phase::OWN as usize) + share(phase::LOCK as usize);
        Ok(self.row("flips, % of time at locks", "5.4.5", locks, note))
    }
    /// Table 5.4: three iterations of remeshing to the mean length of edges.
    fn remeshing(&self) -> Result<Measured> {
        let (mesh, mut times, mut note) = (self.mesh()?, vec![], String::new());
        for _ in 0..self.runs.clamp(1, 5) {
            let mut store = PatchStore::from_mesh(&mesh, &StoreOptions::default())?;
            let mut x = PatchAttribute::from_input(&store, &self.shape.points())?;
            let input = Quality::of(&store, &x)?;
            let options = StoreRemeshOptions { length: input.mean, ..StoreRemeshOptions::default() };
            self.device.synchronize()?;
            let start = Instant::now();
            let report = store.remesh(&mut x, &mut Carried::none(), &options)?;
            self.device.synchronize()?;
            times.push(1e3 * start.elapsed().as_secs_f64());
            let of = |f: fn(&ribbonmesh_dynamic::StoreIteration) -> u32| report.iter().map(f).sum::<u32>();
            let [splits, collapses, flips] =
                [of(|i| i.splits.filled), of(|i| i.collapses.filled), of(|i| i.flips.filled)];
            note = format!(
                "{splits} splits, {collapses} collapses, {flips} flips; input {input}; output {}",
                Quality::of(&store, &x)?
            );
        }
        times.sort_by(f64::total_cmp);
        Ok(self.row("remeshing, ms", "Table 5.4", times[times.len() / 2], note))
    }
    /// Figure 5.7, for each order of the queue.
    fn contention(&self) -> Result<Contention> {
        let store = PatchStore::from_mesh(&self.mesh()?, &StoreOptions::still())?;
        let counts = QueueOrder::ALL.map(|(order, _)| store.contention(order));
        let [a, b, c] = counts;
        let (faces, patches) = (self.shape.faces.len(), store.patches());
        Ok(Contention { faces, patches, counts: [a?, b?, c?] })
    }
}

/// A mesh size of Figure 5.7.
struct Contention {
    faces: usize,
    patches: usize,
    /// Patches scheduled and discarded by each order of the queue.
    counts: [[u32; 2]; QueueOrder::ALL.len()],
}
impl Contention {
    fn share([scheduled, discarded]: [u32; 2]) -> f64 {
        100.0 * f64::from(discarded) / f64::from(scheduled.max(1))
    }
    fn measured(&self, patch_size: u32) -> impl Iterator<Item = Measured> + '_ {
        QueueOrder::ALL.iter().zip(self.counts).map(move |((_, order), counts)| Measured {
            table: FIGURE,
            faces: self.faces,
            patch_size,
            case: (*order).to_owned(),
            value: Self::share(counts),
            note: format!("{} of {} discarded, {} patches", counts[1], counts[0], self.patches),
        })
    }
    /// The figure as a table: a row for each mesh.
    fn figure(all: &[Self], patch_size: u32) -> Result<String> {
        let mut text = format!(
            "\n## Figure 5.7\n\nTori in patches of {patch_size}. Each patch is loaded, and then locks all patches around \
             it, or is discarded and scheduled again. Discarded of those scheduled, in per cent, by the order of the \
             queue.\n\n"
        );
        let orders = QueueOrder::ALL.map(|(_, name)| name.to_owned());
        let head = ["faces", "patches"].map(str::to_owned).into_iter().chain(orders).collect::<Vec<_>>();
        row(&mut text, &head)?;
        row(&mut text, &vec!["---"; head.len()])?;
        for one in all {
            let shares = one
                .counts
                .map(|counts| format!("{:.1} ({} of {})", Self::share(counts), counts[1], counts[0]));
            let sizes = [one.faces.to_string(), one.patches.to_string()];
            row(&mut text, &sizes.into_iter().chain(shares).collect::<Vec<_>>())?;
        }
        Ok(text)
    }
}
/// The name of the figure among tables.
const FIGURE: &str = "all patches around locked, % discarded (Figure 5.7)";
/// Most faces of a patch in the figure.
const FIGURE_PATCHES: u32 = 256;

/// The columns of Table 5.4 about a mesh.
struct Quality {
    faces: usize,
    /// Mean length of edges.
    mean: f32,
    /// Least and greatest length by the mean.
    lengths: [f32; 2],
    /// Least, greatest and mean number of edges of a vertex.
    valences: [f64; 3],
}
impl Quality {
    fn of(store: &PatchStore, x: &PatchAttribute<Vertex, Vec3>) -> Result<Self> {
        let (faces, points) = (store.triangles()?, x.values(store)?);
        let mut valences = vec![0u32; points.len()];
        let (mut sum, mut edges, mut least, mut most) = (0.0, 0u32, f64::INFINITY, 0.0f64);
        for side in faces.iter().flat_map(|f| [[f[0], f[1]], [f[1], f[2]], [f[2], f[0]]]) {
            // each edge of a closed mesh once
            if side[0] < side[1] {
                let [a, b] = side.map(|v| points[v as usize].as_dvec3());
                let length = (a - b).length();
                (sum, edges) = (sum + length, edges + 1);
                (least, most) = (least.min(length), most.max(length));
                side.iter().for_each(|&v| valences[v as usize] += 1);
            }
        }
        let mean = sum / f64::from(edges.max(1));
        let extreme =
            |most: bool| valences.iter().copied().reduce(|a, b| if (a < b) == most { b } else { a });
        Ok(Self {
            faces: store.count(ElementKind::Face),
            mean: mean as f32,
            lengths: [least / mean, most / mean].map(|l| l as f32),
            valences: [
                f64::from(extreme(false).unwrap_or(0)),
                f64::from(extreme(true).unwrap_or(0)),
                2.0 * f64::from(edges) / points.len().max(1) as f64,
            ],
        })
    }
}
impl std::fmt::Display for Quality {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { faces, lengths: [short, long], valences: [least, most, mean], .. } = self;
        write!(f, "{faces} faces, L {short:.3} to {long:.2}, V {least} to {most}, {mean:.2}")
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
    for (side, patch_size) in [(100, 256), (large, 256)] {
        let subject = Subject::new(device, side, patch_size, runs)?;
        measured.extend([subject.smoothing()?, subject.waiting()?]);
    }
    for patch_size in [256, 512] {
        measured.extend(Subject::new(device, large, patch_size, runs)?.geodesics()?);
    }
    for (level, patch_size) in if on_cpu { [(4, 256), (5, 256)] } else { [(5, 256), (8, 512)] } {
        let subject = Subject::sphere(device, level, patch_size, runs)?;
        measured.extend([subject.remeshing()?, subject.simplification()?]);
    }
    let sides = [20, 50, 100, 200, 300, 500, 1000].into_iter().filter(|side| *side <= large);
    let figure = sides
        .map(|side| Subject::new(device, side, FIGURE_PATCHES, runs)?.contention())
        .collect::<Result<Vec<_>>>()?;
    measured.extend(figure.iter().flat_map(|one| one.measured(FIGURE_PATCHES)));
    report.machine.jit_seconds = device.loading().seconds;
    let mut text = String::new();
    writeln!(text, "# Patches that own their storage: {}\n", report.machine.name)?;
    writeln!(
        text,
        "{}, version {}. Tori, as in the thesis's comparison of flips; remeshing of bumpy spheres, three iterations. \
         Times of queries are of the launch that writes rows, after one that has found their lengths. Times of \
         changes are of the host, with cleanups. Geodesic distances are timed on a CPU by its processor time, the \
         best of five runs.\n",
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
    text += &Contention::figure(&figure, FIGURE_PATCHES)?;
    report.write_work(&options.output, "store", &measured, &text)
}
