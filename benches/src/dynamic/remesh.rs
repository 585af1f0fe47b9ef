//! Isotropic remeshing, as RXMesh was measured: three iterations on a sphere, to its mean edge length.
use super::Work;
use crate::options::Options;
use anyhow::Result;
use ribbonmesh::dynamic::ExecutionMode;
use ribbonmesh::dynamic::Operations;
use ribbonmesh::{Device, MeshOptions, Surface};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_mesh::shapes::{bumpy_sphere, shuffle};
use ribbonmesh_remeshing::remesh::{Iteration, RemeshOptions, RemeshReport, Remesher};

/// Subdivisions of the spheres, and RXMesh's milliseconds: in all, splits, collapses, flips, smoothing.
const SPHERES: [(u32, f64, Option<[f64; 4]>); 2] =
    [(5, 83.0, None), (8, 1488.0, Some([79.0, 1125.0, 272.0, 8.0]))];

pub fn measure(device: &Device, options: &Options) -> Result<Vec<Work>> {
    let mut work = Vec::new();
    // the driver compiles the kernels
    let mode = options.mode();
    remesh(device, &sphere(3)?, true, mode)?;
    for (k, rxmesh_ms, of_phases) in SPHERES {
        let shape = sphere(k)?;
        for project in [false, true] {
            let repetitions = options.repeat.unwrap_or(5).max(1);
            let reports = (0..repetitions).map(|_| remesh(device, &shape, project, mode));
            let reports = reports.collect::<Result<Vec<_>>>()?;
            let faces = shape.faces.len();
            let row = |name: &str, rxmesh_ms: Option<f64>, seconds: &dyn Fn(&RemeshReport) -> f64| {
                let mut times: Vec<f64> = reports.iter().map(|r| 1e3 * seconds(r)).collect();
                times.sort_by(f64::total_cmp);
                Work {
                    name: name.into(),
                    mesh: "bumpy sphere, shuffled".into(),
                    faces,
                    changes: 0,
                    passes: 0,
                    rounds: 0,
                    median_ms: times[times.len() / 2],
                    least_ms: times[0],
                    rxmesh_ms,
                }
            };
            let phase = |name: &str, rxmesh_ms, of: fn(&Iteration) -> &Operations| {
                let all = || reports[0].iterations.iter().map(of);
                Work {
                    changes: all().map(|p| p.executed).sum(),
                    passes: all().map(|p| p.passes).sum(),
                    rounds: all().map(|p| p.rounds).sum(),
                    ..row(name, rxmesh_ms, &|r| r.iterations.iter().map(|i| of(i).seconds).sum())
                }
            };
            let peer = |i: usize| of_phases.filter(|_| !project).map(|ms| ms[i]);
            if project {
                work.push(row("remeshing with projection, 3 iterations", None, &|r| r.seconds));
                work.push(row("its projection", None, &|r| {
                    r.iterations.iter().map(|i| i.project_seconds).sum()
                }));
            } else {
                work.push(row("remeshing, 3 iterations", Some(rxmesh_ms), &|r| r.seconds));
                work.push(phase("its splits", peer(0), |i| &i.split));
                work.push(phase("its collapses", peer(1), |i| &i.collapse));
                work.push(phase("its flips", peer(2), |i| &i.flip));
                work.push(row("its smoothing, 9 steps", peer(3), &|r| {
                    r.iterations.iter().map(|i| i.smooth_seconds).sum()
                }));
            }
        }
    }
    Ok(work)
}

fn sphere(k: u32) -> Result<TriangleMesh> {
    let mut shape = bumpy_sphere(k, 1)?;
    shuffle(&mut shape, 1);
    Ok(shape)
}

fn remesh(device: &Device, shape: &TriangleMesh, project: bool, mode: ExecutionMode) -> Result<RemeshReport> {
    let mut surface = Surface::new(device, shape, &MeshOptions::default())?;
    let options = RemeshOptions { project, mode, ..RemeshOptions::default() };
    let mut remesher = Remesher::new(&mut surface, &options)?;
    for _ in 0..options.iterations {
        remesher.iterate()?;
    }
    Ok(remesher.finish_into(&mut surface)?)
}
