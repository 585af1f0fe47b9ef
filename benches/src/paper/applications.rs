//! Figure 4.10: applications beside the baselines that the thesis names, in sorted order.
use crate::rxmesh;
use crate::subject::Subject;
use crate::timed::Clock;
use anyhow::Result;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Attribute, StaticMesh, Vertex};
use ribbonmesh_baselines::{IndexedTriangles, Pde, atomic_normals, hard_wired_normals};
use ribbonmesh_normals::{Ring, Weight, vertex_normals_into, vertex_normals_with_ring_into};
use serde::Serialize;
use std::cell::RefCell;

/// One way to do one application's work.
#[derive(Serialize)]
pub struct Application {
    pub mesh: String,
    pub faces: usize,
    /// The application, and what of it is timed.
    pub work: &'static str,
    /// How: from patches, or which baseline.
    pub how: &'static str,
    /// Milliseconds, median.
    pub ms: f64,
    /// Whether this is the way that the others are compared with.
    pub ours: bool,
    /// RXMesh on an H100 with a sphere of this size.
    pub rxmesh_ms: Option<f64>,
}

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
        let timing = self.mesh.device().time_repeated(self.clock.repetitions, run)?;
        let ours = self.rows.iter().all(|row| row.work != work);
        self.rows.push(Application {
            mesh: self.name.to_owned(),
            faces: self.mesh.faces(),
            work,
            how,
            ms: 1e3 * timing.median,
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
    _pde: &Pde,
    clock: Clock,
) -> Result<Vec<Application>> {
    let mut bench = Bench { name, mesh, clock, rows: Vec::new() };
    normals(&mut bench, subject)?;
    Ok(bench.rows)
}

/// Figure 4.10d: vertex normals weighted as Max 1999 does.
fn normals(bench: &mut Bench<'_>, subject: &Subject) -> Result<()> {
    const WORK: &str = "vertex normals";
    let (mesh, faces) = (bench.mesh, bench.mesh.faces());
    let x: Vec<Vec3> = subject.positions.iter().map(|&p| p.into()).collect();
    let positions = Attribute::from_input(mesh, &x)?;
    let normals = RefCell::new(Attribute::<Vertex, Vec3>::zeros(mesh)?);
    let ring = Ring::new(mesh)?;
    bench.time(WORK, "patches", rxmesh::normals_ms(faces), || {
        vertex_normals_into(mesh, &positions, Weight::Max, &mut normals.borrow_mut())
    })?;
    bench.time(WORK, "patches, stored ring", None, || {
        vertex_normals_with_ring_into(mesh, &ring, &positions, Weight::Max, &mut normals.borrow_mut())
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
