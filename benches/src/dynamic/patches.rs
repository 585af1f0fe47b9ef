//! Patches of a mesh that changes: the cost of keeping them, and their quality after changes (thesis, Table
//! 5.3).
use crate::options::Options;
use anyhow::{Context, Result, ensure};
use ribbonmesh::device::ElementKind;
use ribbonmesh::dynamic::{DynamicAttribute, DynamicMesh, PatchOptions, PatchQuality, Refresh};
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Attribute, Device, DeviceKind, MeshOptions, StaticMesh, Vertex};
use ribbonmesh_fields::smooth::{Mass, Preconditioner, SmoothOptions, Smoother, Solver, TimeStep, Weights};
use ribbonmesh_mesh::shapes::{shuffle, torus};
use ribbonmesh_remeshing::delaunay::{DelaunayOptions, flip};
use ribbonmesh_testing::classic::{Apply as _, Classic};
use serde::Serialize;
use std::cell::RefCell;
use std::time::Instant;

/// One piece of work on patches.
#[derive(Serialize)]
pub struct Upkeep {
    /// Name of the work.
    pub name: String,
    /// Faces of the mesh.
    pub faces: usize,
    /// Number of patches.
    pub patches: usize,
    /// Patches that were made anew.
    pub refreshed: Option<u32>,
    /// Ribbon faces by owned faces.
    pub locality: f32,
    /// Milliseconds, median of some; waiting for the device included.
    pub median_ms: f64,
    /// The least of these.
    pub least_ms: f64,
    /// Bytes that must be moved.
    pub floor_bytes: Option<u64>,
    /// Time of a copy of the same number of bytes, milliseconds.
    pub floor_ms: Option<f64>,
    /// Time by that before the mesh had changed.
    pub ratio: Option<f64>,
}

/// One face in this many has an edge that is meant to be flipped, so that every patch has some.
const ONE_IN: u32 = 40;
/// Part of the edges of which one is flipped, where few patches are to change.
const PART: u32 = 100;

/// Times the upkeep of patches; `bandwidth` in bytes per second, for floors.
pub fn measure(device: &Device, options: &Options, bandwidth: f64) -> Result<Vec<Upkeep>> {
    let mut all = Vec::new();
    for n in [100, 1000] {
        all.extend(Subject::new(device, n)?.measure(options.repeat.unwrap_or(7).max(1), bandwidth)?);
    }
    Ok(all)
}

struct Subject {
    mesh: StaticMesh,
    x: Attribute<Vertex, Vec3>,
    dynamic: DynamicMesh,
    y: DynamicAttribute<Vertex, Vec3>,
}

impl Subject {
    fn new(device: &Device, n: u32) -> Result<Self> {
        let mut shape = torus(n, 1)?;
        shuffle(&mut shape, 1);
        let mesh = StaticMesh::new(device, shape.positions.len(), &shape.faces, &MeshOptions::default())?;
        let points: Vec<Vec3> = shape.points();
        let x = Attribute::<Vertex, Vec3>::from_input(&mesh, &points)?;
        let dynamic = DynamicMesh::new(&mesh, 0.0)?;
        let y = DynamicAttribute::from_static(&dynamic, &x)?;
        Ok(Self { mesh, x, dynamic, y })
    }

    fn measure(mut self, repetitions: usize, bandwidth: f64) -> Result<Vec<Upkeep>> {
        let mut all = Vec::new();
        let before = smoothing(&self.mesh, &self.x, "smoothing, a step, before", None)?;
        let base = before.median_ms;
        all.push(before);

        // flips of any edges: patches do not depend on the benefit of a flip
        self.refresh()?;
        let mut times = Vec::new();
        for (name, part) in [("refresh of all patches, after flips", 1), ("refresh of few patches", PART)] {
            let mut refreshed = 0;
            for step in 0..repetitions as u32 + 1 {
                self.flip_some(step, part)?;
                let (ms, done) = self.refresh()?;
                // the first one allocates
                if step > 0 {
                    times.push(ms);
                }
                refreshed = done.refreshed;
            }
            let floor = (part == 1).then(|| self.floor_bytes()).transpose()?;
            all.push(self.row(name, &mut times, Some(refreshed), floor, bandwidth)?);
            times.clear();
        }
        for step in 0..repetitions + 1 {
            let start = Instant::now();
            let moved = self.dynamic.repartition()?;
            self.dynamic.device().synchronize()?;
            let ms = 1e3 * start.elapsed().as_secs_f64();
            moved.apply_to(&mut self.y)?;
            self.refresh()?;
            if step > 0 {
                times.push(ms);
            }
        }
        all.push(self.row("cutting patches anew", &mut times, None, None, bandwidth)?);

        // Table 5.3
        let (mesh, x) = (self.mesh, self.x);
        let dynamic = DynamicMesh::new(&mesh, 0.0)?;
        let y = DynamicAttribute::from_static(&dynamic, &x)?;
        let mut after = Self { mesh, x, dynamic, y };
        let report = flip(&mut after.dynamic, &after.y, None, &DelaunayOptions::default())?;
        ensure!(report.flips > 0, "the torus has no edge to flip");
        after.refresh()?;
        all.push(after.smoothing("smoothing, a step, after Delaunay flips", base)?);
        let moved = after.dynamic.repartition()?;
        moved.apply_to(&mut after.y)?;
        after.refresh()?;
        all.push(after.smoothing("smoothing, a step, after flips, with patches cut anew", base)?);
        Ok(all)
    }

    fn flip_some(&mut self, seed: u32, part: u32) -> Result<()> {
        let n = self.dynamic.ids(ElementKind::Edge);
        let chosen: Vec<f32> = (0..n)
            .map(|e| {
                let chance = (e ^ seed.wrapping_mul(0x9E37_79B1)).wrapping_mul(0x85EB_CA6B) >> 8;
                if e < n / part && chance.is_multiple_of(ONE_IN) { chance as f32 } else { f32::NAN }
            })
            .collect();
        let priority = self.dynamic.device().upload(&chosen)?;
        let done = self.dynamic.apply(Classic::FlipEdge, &priority, &mut self.y)?;
        ensure!(done.executed > 0, "no edge was flipped");
        Ok(())
    }
    /// Milliseconds of a refresh, and its counts; ids stay.
    fn refresh(&mut self) -> Result<(f64, Refresh)> {
        self.dynamic.device().synchronize()?;
        let start = Instant::now();
        let done = self.dynamic.refresh(&PatchOptions::NEVER)?;
        let ms = 1e3 * start.elapsed().as_secs_f64();
        ensure!(done.compaction.is_none(), "ids have changed");
        Ok((ms, done))
    }
    fn patches(&self) -> Result<&StaticMesh> {
        self.dynamic.patches().context("patches are stale")
    }
    /// Half-edge tables in, EV, FE, ids of ribbons and rows out.
    fn floor_bytes(&self) -> Result<u64> {
        let mesh = self.patches()?;
        let t = mesh.totals();
        let ribbon = (t.v_all - t.v_owned) + (t.e_all - t.e_owned) + (t.f_all - t.f_owned);
        let read = 32 * mesh.faces() as u64 + 8 * mesh.edges() as u64 + 4 * mesh.vertices() as u64;
        let written = 4 * (t.e_all as u64 + ribbon as u64) + 6 * t.f_all as u64;
        Ok(read + written + 80 * mesh.patches() as u64)
    }
    fn row(
        &self,
        name: &str,
        times: &mut [f64],
        refreshed: Option<u32>,
        floor_bytes: Option<u64>,
        bandwidth: f64,
    ) -> Result<Upkeep> {
        let mesh = self.patches()?;
        times.sort_by(f64::total_cmp);
        Ok(Upkeep {
            name: name.into(),
            faces: mesh.faces(),
            patches: mesh.patches(),
            refreshed,
            locality: PatchQuality::of(mesh).locality,
            median_ms: times[times.len() / 2],
            least_ms: times[0],
            floor_bytes,
            floor_ms: floor_bytes.map(|b| 1e3 * b as f64 / bandwidth),
            ratio: None,
        })
    }
    fn smoothing(&self, name: &str, before: f64) -> Result<Upkeep> {
        let mesh = self.patches()?;
        smoothing(mesh, &self.y.to_static(mesh)?, name, Some(before))
    }
}

/// A step of smoothing: one multiplication with the uniform Laplacian, by way of VV, within conjugate
/// gradients that do not end.
fn smoothing(
    mesh: &StaticMesh,
    positions: &Attribute<Vertex, Vec3>,
    name: &str,
    before: Option<f64>,
) -> Result<Upkeep> {
    let options = SmoothOptions {
        weights: Weights::Uniform,
        mass: Mass::Unit,
        time_step: TimeStep::Absolute(1e4),
        solver: Solver::MatrixFree,
        preconditioner: Preconditioner::None,
        tolerance: 0.0,
        ..SmoothOptions::default()
    };
    let device = mesh.device();
    let repetitions = if device.kind() == DeviceKind::Cuda { 100 } else { 3 };
    let smoother = RefCell::new(Smoother::new(mesh, &options)?);
    smoother.borrow_mut().begin(positions)?;
    let timing = device.time_repeated(repetitions, || smoother.borrow_mut().iterate(positions))?;
    Ok(Upkeep {
        name: name.into(),
        faces: mesh.faces(),
        patches: mesh.patches(),
        refreshed: None,
        locality: PatchQuality::of(mesh).locality,
        median_ms: 1e3 * timing.median,
        least_ms: 1e3 * timing.min,
        floor_bytes: None,
        floor_ms: None,
        ratio: before.map(|before| 1e3 * timing.median / before),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_it_on_a_small_torus() {
        let subject = Subject::new(&Device::cpu(), 90).expect("a torus");
        let all = subject.measure(1, 1e10).expect("measurements");
        let names: Vec<&str> = all.iter().map(|w| w.name.as_str()).collect();
        assert_eq!(names.len(), 6, "{names:?}");
        assert!(all.iter().all(|w| w.median_ms > 0.0 && w.faces == all[0].faces));
        let refreshed = |i: usize| all[i].refreshed.unwrap_or(0) as usize;
        assert!(
            refreshed(1) == all[1].patches && refreshed(2) < all[2].patches,
            "{:?}",
            [refreshed(1), refreshed(2)]
        );
        assert!(all[4].locality > all[5].locality);
    }
}
