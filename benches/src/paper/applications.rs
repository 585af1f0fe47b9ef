//! Figure 4.10: applications compared with the baselines that the thesis names, in sorted order.
use crate::rxmesh;
use crate::subject::Subject;
use crate::timed::Clock;
use anyhow::{Result, ensure};
use ribbonmesh::glam::Vec3;
use ribbonmesh::ring::Ring;
use ribbonmesh::{Attribute, StaticMesh, Vertex};
use ribbonmesh_baselines::{
    IndexedTriangles, Pde, PdeDenoise, PdeFlow, PdeGeodesic, atomic_normals, hard_wired_normals,
};
use ribbonmesh_fields::denoise::{DenoiseOptions, Denoiser, Method, normals_with_ring_into};
use ribbonmesh_fields::geodesic::{GeodesicOptions, Order};
use ribbonmesh_fields::normals::Weight;
use ribbonmesh_fields::smooth::{Mass, Preconditioner, SmoothOptions, Smoother, Solver, TimeStep, Weights};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_mesh::shapes::add_noise;
use ribbonmesh_patches::{Geodesic, normals_into};
use serde::Serialize;
use std::cell::{Cell, RefCell};

/// One way to do one application's work.
#[derive(Serialize)]
pub struct Application {
    pub mesh: String,
    pub faces: usize,
    /// The application, and its part that is timed.
    pub work: &'static str,
    /// The method: patches, or the name of a baseline.
    pub how: &'static str,
    /// Milliseconds, median.
    pub ms: f64,
    /// Number of runs.
    pub repetitions: usize,
    /// Whether this is the way that the others are compared with.
    pub ours: bool,
    /// RXMesh on an H100 with a sphere of this size.
    pub rxmesh_ms: Option<f64>,
}

/// Seconds for which something is repeated, if the repetitions last that long.
const LONG: f64 = 0.2;

/// Measures one mesh.
struct Bench<'a> {
    name: &'a str,
    mesh: &'a StaticMesh,
    clock: Clock,
    rows: Vec<Application>,
}
impl Bench<'_> {
    /// Times `work`; the first way of an application is ours.
    fn time(
        &mut self,
        work: &'static str,
        how: &'static str,
        rxmesh_ms: Option<f64>,
        run: impl Fn() -> ribbonmesh::Result<()>,
    ) -> Result<()> {
        let device = self.mesh.device();
        let once = device.time(&run)?;
        let repetitions = ((LONG / once) as usize).clamp(1, self.clock.repetitions);
        let seconds = match repetitions {
            1 => device.time(&run)?,
            _ => device.time_repeated(repetitions, run)?.median,
        };
        let ours = self.rows.iter().all(|row| row.work != work);
        self.rows.push(Application {
            mesh: self.name.to_owned(),
            faces: self.mesh.faces(),
            work,
            how,
            ms: 1e3 * seconds,
            repetitions,
            ours,
            rxmesh_ms: rxmesh_ms.filter(|_| self.name == "sphere"),
        });
        Ok(())
    }
}

/// Times every application.
pub fn measure(
    name: &str,
    subject: &Subject,
    mesh: &StaticMesh,
    pde: &Pde,
    clock: Clock,
) -> Result<Vec<Application>> {
    let mut bench = Bench { name, mesh, clock, rows: Vec::new() };
    flow(&mut bench, subject, pde)?;
    geodesic(&mut bench, subject, pde)?;
    denoise(&mut bench, subject, pde)?;
    normals(&mut bench, subject)?;
    Ok(bench.rows)
}

/// A step, in units of the system, that is so long that no repetition converges.
const STEP: f32 = 1e4;

/// Figure 4.10a: one iteration of conjugate gradients in mean curvature flow, with uniform weights and unit
/// masses.
fn flow(bench: &mut Bench<'_>, subject: &Subject, pde: &Pde) -> Result<()> {
    const WORK: &str = "mean curvature flow, an iteration";
    let (mesh, faces) = (bench.mesh, bench.mesh.faces());
    let x: Vec<Vec3> = subject.points();
    let positions = Attribute::<Vertex, Vec3>::from_input(mesh, &x)?;
    let ways = [
        ("patches, matrix-free", Solver::MatrixFree, rxmesh::smooth_uniform_ms(faces)),
        ("patches, assembled", Solver::Assembled, rxmesh::smooth_assembled_ms(faces)),
    ];
    for (how, solver, peer) in ways {
        let options = SmoothOptions {
            weights: Weights::Uniform,
            mass: Mass::Unit,
            time_step: TimeStep::Absolute(STEP.into()),
            tolerance: 0.0,
            solver,
            preconditioner: Preconditioner::None,
            ..SmoothOptions::default()
        };
        let smoother = RefCell::new(Smoother::new(mesh, &options)?);
        smoother.borrow_mut().begin(&positions)?;
        let launched = Cell::new(0);
        bench.time(WORK, how, peer, || {
            launched.set(launched.get() + 1);
            smoother.borrow_mut().iterate(&positions)
        })?;
        let done = smoother.borrow().progress()?.iterations;
        ensure!(done == launched.get(), "{how}: {done} of {} iterations did something", launched.get());
    }
    let flow = RefCell::new(PdeFlow::new(pde, &x, STEP)?);
    bench.time(WORK, "directed edges", None, || flow.borrow_mut().iterate())
}

/// Figure 4.10b: geodesic distances from the first vertex. Directed edges propagate as RXMesh does: planar
/// fronts, by hops, to a thousandth, one look at the device per iteration; their level sets are there before.
fn geodesic(bench: &mut Bench<'_>, subject: &Subject, pde: &Pde) -> Result<()> {
    const WORK: &str = "geodesic distances";
    let (mesh, faces) = (bench.mesh, bench.mesh.faces());
    let x: Vec<Vec3> = subject.points();
    let positions = Attribute::<Vertex, Vec3>::from_input(mesh, &x)?;
    let geodesic = RefCell::new(Geodesic::new(mesh, &positions)?);
    for (how, order) in [("patches", Order::Distance), ("patches, by hops", Order::Hops)] {
        let options = GeodesicOptions { order, ..GeodesicOptions::default() };
        geodesic.borrow_mut().level_sets(&[0])?;
        bench.time(WORK, how, rxmesh::geodesic_ms(faces), || {
            geodesic.borrow_mut().propagate(&options).map(drop)
        })?;
    }
    bench.time(WORK, "patches, level sets alone", rxmesh::level_sets_ms(faces), || {
        geodesic.borrow_mut().level_sets(&[0])
    })?;
    let front = RefCell::new(PdeGeodesic::new(pde, &x, 0)?);
    bench.time(WORK, "directed edges", None, || front.borrow_mut().run().map(drop))
}

/// Iterations of bilateral filtering, and the noise: its standard deviation in mean edge lengths, and its
/// seed.
const FILTERED: usize = 5;
const NOISE: (f64, u64) = (0.2, 1);

/// Figure 4.10c: bilateral filtering. Directed edges filter the same positions each time.
fn denoise(bench: &mut Bench<'_>, subject: &Subject, pde: &Pde) -> Result<()> {
    const WORK: &str = "bilateral filtering, 5 iterations";
    let mesh = bench.mesh;
    let mut shape = TriangleMesh::from_f32(subject.positions.clone(), subject.faces.clone());
    add_noise(&mut shape, NOISE.0, NOISE.1);
    let noisy: Vec<Vec3> = shape.points();
    let positions = Attribute::<Vertex, Vec3>::from_input(mesh, &noisy)?;
    let denoised = RefCell::new(Attribute::zeros(mesh)?);
    let (method, iterations) = (Method::Bilateral, Some(FILTERED as u32));
    let options = DenoiseOptions { method, iterations, ..DenoiseOptions::default() };
    let denoiser = RefCell::new(Denoiser::new(mesh, &options)?);
    bench.time(WORK, "patches", None, || {
        denoiser.borrow_mut().denoise(&positions, &mut denoised.borrow_mut()).map(drop)
    })?;
    bench.time(WORK, "patches, finding the rings included", None, || {
        Denoiser::new(mesh, &options)?.denoise(&positions, &mut denoised.borrow_mut()).map(drop)
    })?;
    let filter = RefCell::new(PdeDenoise::new(pde, &noisy)?);
    let run = || (0..FILTERED).try_for_each(|_| filter.borrow_mut().filter());
    if let Err(why) = bench.time(WORK, "directed edges", None, run) {
        // a neighbourhood has more vertices than a thread has room for
        eprintln!("{}: bilateral filtering over directed edges is left out: {why:#}", bench.name);
    }
    Ok(())
}

/// Figure 4.10d: vertex normals weighted as Max 1999 does.
fn normals(bench: &mut Bench<'_>, subject: &Subject) -> Result<()> {
    const WORK: &str = "vertex normals";
    let (mesh, faces) = (bench.mesh, bench.mesh.faces());
    let x: Vec<Vec3> = subject.points();
    let positions = Attribute::from_input(mesh, &x)?;
    let normals = RefCell::new(Attribute::<Vertex, Vec3>::zeros(mesh)?);
    let ring = Ring::new(mesh)?;
    bench.time(WORK, "patches", rxmesh::normals_ms(faces), || {
        normals_into(mesh, &positions, Weight::Max, &mut normals.borrow_mut())
    })?;
    bench.time(WORK, "patches, stored ring", None, || {
        normals_with_ring_into(mesh, &ring, &positions, Weight::Max, &mut normals.borrow_mut())
    })?;
    bench.time(WORK, "patches, FV and atomics (Listing 4.1)", None, || {
        atomic_normals(mesh, &positions, &mut normals.borrow_mut())
    })?;
    let triangles = IndexedTriangles::new(mesh.device(), &x, &subject.faces)?;
    let normals = RefCell::new(triangles.normals()?);
    bench.time(WORK, "hard-wired, atomics", None, || {
        hard_wired_normals(&triangles, &mut normals.borrow_mut())
    })?;
    bench.time(WORK, "hard-wired, sums only", rxmesh::hard_wired_normals_ms(faces), || {
        triangles.add_normals(&mut normals.borrow_mut())
    })
}
