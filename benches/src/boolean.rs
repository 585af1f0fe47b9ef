//! Booleans of two meshes, from host memory to host memory.
use crate::options::Options;
use crate::paper::dragon;
use crate::report::Report;
use anyhow::{Context, Result};
use ribbonmesh::Device;
use ribbonmesh::glam::DVec3;
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_mesh::shapes::{bumpy_sphere, shuffle};
use ribbonmesh_solid::boolean::{BooleanOptions, BooleanReport, Operation, boolean};
use ribbonmesh_solid::repair::{RepairOptions, repair_mesh};
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;

/// Subdivisions of the spheres.
const SPHERES: [u32; 4] = [5, 6, 7, 8];
const OPERATIONS: [(&str, Operation); 2] =
    [("union", Operation::Union), ("difference", Operation::Difference)];

/// One Boolean, in milliseconds.
#[derive(Serialize)]
struct Measured {
    meshes: String,
    operation: &'static str,
    /// Of both meshes together.
    faces: usize,
    faces_of_result: usize,
    first_ms: f64,
    median_ms: f64,
    #[serde(flatten)]
    report: BooleanReport,
}

/// The mesh with its axes exchanged, and moved by a part of its size.
fn turned(mesh: &TriangleMesh) -> TriangleMesh {
    let mut turned = mesh.clone();
    let size = mesh.bounding_box().map_or(DVec3::ZERO, |bounds| bounds.size());
    let away = size.max_element() * DVec3::new(0.11, 0.07, 0.05);
    for p in &mut turned.positions {
        *p = (DVec3::new(p.y, p.z, p.x) + away).as_vec3().as_dvec3();
    }
    turned
}

/// Measures and writes `boolean.json` and `boolean.md`; returns these.
pub fn run(device: &Device, options: &Options, mut report: Report) -> Result<[PathBuf; 2]> {
    let mut pairs = vec![];
    for level in SPHERES {
        let sphere = |seed| -> Result<TriangleMesh> {
            let mut sphere = bumpy_sphere(level, seed)?;
            shuffle(&mut sphere, seed);
            Ok(sphere)
        };
        pairs.push(("two bumpy spheres, shuffled", [sphere(1)?, turned(&sphere(2)?)]));
    }
    match dragon(options.dragon.as_deref())? {
        Some(path) => {
            let mut mesh = ribbonmesh_io::read(&path).with_context(|| path.display().to_string())?.mesh;
            repair_mesh(&Device::cpu(), &mut mesh, &RepairOptions::default())?;
            let other = turned(&mesh);
            pairs.push(("two dragons", [mesh, other]));
        }
        None => eprintln!("no dragon: `cargo xtask fetch-meshes` gets it"),
    }
    let mut measured = vec![];
    for (name, meshes) in &pairs {
        for (operation_name, operation) in OPERATIONS {
            let once = || -> Result<_> {
                let begin = Instant::now();
                let options = BooleanOptions { operation, ..BooleanOptions::default() };
                let (mesh, report) = boolean(device, meshes, &options)?;
                Ok((1e3 * begin.elapsed().as_secs_f64(), mesh.faces.len(), report))
            };
            let (first_ms, faces_of_result, of_first) = once()?;
            let repetitions = options.repeat.unwrap_or(5).max(1);
            let mut times = (0..repetitions).map(|_| Ok(once()?.0)).collect::<Result<Vec<f64>>>()?;
            times.sort_by(f64::total_cmp);
            let median_ms = times[times.len() / 2];
            eprintln!("{operation_name}, {name}: {median_ms:.1} ms");
            measured.push(Measured {
                meshes: (*name).to_string(),
                operation: operation_name,
                faces: meshes.iter().map(|mesh| mesh.faces.len()).sum(),
                faces_of_result,
                first_ms,
                median_ms,
                report: of_first,
            });
        }
    }
    report.machine.jit_seconds = device.loading().seconds;
    report.write_work(&options.output, "boolean", &measured, &table(&report, &measured)?)
}

fn table(report: &Report, measured: &[Measured]) -> Result<String> {
    let mut text = String::new();
    writeln!(text, "# Booleans: {}\n", report.machine.name)?;
    writeln!(
        text,
        "{}, version {}. From two meshes in host memory to one there. Milliseconds, median; the first run also \
         compiles the kernels that no row above has used. The second mesh has its axes exchanged, and is \
         moved.\n",
        report.date,
        env!("CARGO_PKG_VERSION")
    )?;
    writeln!(
        text,
        "| meshes | operation | faces | intersecting pairs | faces of the result | rounds of mending | time | \
         ns for a face | first run |"
    )?;
    writeln!(text, "|---|---|---|---|---|---|---|---|---|")?;
    for m in measured {
        writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {:.1} | {:.0} | {:.1} |",
            m.meshes,
            m.operation,
            m.faces,
            m.report.intersecting_pairs,
            m.faces_of_result,
            m.report.rounds,
            m.median_ms,
            1e6 * m.median_ms / m.faces as f64,
            m.first_ms
        )?;
    }
    Ok(text)
}
