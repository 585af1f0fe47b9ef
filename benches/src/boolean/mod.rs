//! Booleans of two meshes, from host memory to host memory.
mod peer;

use crate::options::Options;
use crate::paper::dragon;
use crate::report::Report;
use crate::timed::{middle, processor_seconds};
use anyhow::{Context, Result, ensure};
use peer::{Answer, Peer};
use ribbonmesh::Device;
use ribbonmesh::glam::DVec3;
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_mesh::shapes::{bumpy_sphere, shuffle};
use ribbonmesh_solid::boolean::{BooleanOptions, BooleanReport, Operation, boolean};
use ribbonmesh_solid::repair::{RepairOptions, repair_mesh};
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Subdivisions of the spheres.
const SPHERES: [u32; 4] = [5, 6, 7, 8];
const OPERATIONS: [(&str, Operation); 2] =
    [("union", Operation::Union), ("difference", Operation::Difference)];
/// The largest difference of volumes from the peer's, as a part of the volume of both meshes: the peer
/// computes in single precision.
const SAME_VOLUME: f64 = 1e-5;

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
    /// The least of all threads of the processor together, where the system tells.
    processor_ms: Option<f64>,
    peer: Option<OfPeer>,
    #[serde(flatten)]
    report: BooleanReport,
}

/// The same by the peer, in milliseconds, from arrays to arrays.
#[derive(Serialize)]
struct OfPeer {
    faces_of_result: usize,
    median_ms: f64,
    /// Without making its meshes.
    made_median_ms: f64,
    processor_ms: f64,
}

/// The mesh with its axes exchanged around the middle of its box, and moved by a part of its size.
fn turned(mesh: &TriangleMesh) -> TriangleMesh {
    let mut turned = mesh.clone();
    let Some(bounds) = mesh.bounding_box() else { return turned };
    let (middle, away) = (bounds.middle(), bounds.size().max_element() * DVec3::new(0.11, 0.07, 0.05));
    for p in &mut turned.positions {
        let q = *p - middle;
        *p = (middle + DVec3::new(q.y, q.z, q.x) + away).as_vec3().as_dvec3();
    }
    turned
}

/// The mesh with positions of single precision, its middle in the origin and as large as a unit cube.
fn unit(mut mesh: TriangleMesh) -> TriangleMesh {
    let Some(bounds) = mesh.bounding_box() else { return mesh };
    let (middle, size) = (bounds.middle(), bounds.size().max_element());
    mesh.positions.iter_mut().for_each(|p| *p = ((*p - middle) / size).as_vec3().as_dvec3());
    mesh
}

fn read(path: &Path) -> Result<TriangleMesh> {
    let mut mesh = ribbonmesh_io::read(path).with_context(|| path.display().to_string())?.mesh;
    repair_mesh(&Device::cpu(), &mut mesh, &RepairOptions::default())?;
    Ok(mesh)
}
fn name_of(path: &Path) -> String {
    path.file_stem().map_or(String::new(), |name| name.to_string_lossy().into_owned())
}

/// Spheres, the dragon with itself, and each of the given meshes with the next one.
fn pairs(options: &Options) -> Result<Vec<(String, [TriangleMesh; 2])>> {
    let mut pairs = vec![];
    for level in SPHERES {
        let sphere = |seed| -> Result<TriangleMesh> {
            let mut sphere = bumpy_sphere(level, seed)?;
            sphere.positions.iter_mut().for_each(|p| *p = p.as_vec3().as_dvec3());
            shuffle(&mut sphere, seed);
            Ok(sphere)
        };
        pairs.push(("two bumpy spheres, shuffled".to_owned(), [sphere(1)?, turned(&sphere(2)?)]));
    }
    match dragon(options.dragon.as_deref())? {
        Some(path) => {
            let mesh = read(&path)?;
            let other = turned(&mesh);
            pairs.push(("two dragons".to_owned(), [mesh, other]));
        }
        None => eprintln!("no dragon: `cargo xtask fetch-meshes` gets it"),
    }
    let given = options.meshes.iter().map(|path| Ok((name_of(path), unit(read(path)?))));
    let given = given.collect::<Result<Vec<_>>>()?;
    for two in given.windows(2) {
        let [(first, a), (second, b)] = two else { continue };
        pairs.push((format!("{first}, {second}"), [a.clone(), turned(b)]));
    }
    Ok(pairs)
}

/// Measures and writes `boolean.json` and `boolean.md`; returns these.
pub fn run(device: &Device, options: &Options, mut report: Report) -> Result<[PathBuf; 2]> {
    let mut peer = options.peer.as_deref().map(Peer::new).transpose()?;
    let mut measured = vec![];
    for (name, meshes) in &pairs(options)? {
        if let Some(peer) = &mut peer {
            peer.give(meshes)?;
        }
        for (operation_name, operation) in OPERATIONS {
            let once = || -> Result<_> {
                let (begin, busy) = (Instant::now(), processor_seconds());
                let options = BooleanOptions { operation, ..BooleanOptions::default() };
                let (mesh, report) = boolean(device, meshes, &options)?;
                let time = 1e3 * begin.elapsed().as_secs_f64();
                let busy = busy.zip(processor_seconds()).map(|(before, after)| 1e3 * (after - before));
                Ok((time, busy, mesh, report))
            };
            let (first_ms, _, result, of_first) = once()?;
            let (mut times, mut busy, mut answers) = (vec![], vec![], Vec::<Answer>::new());
            // in turn, so that what else the machine does concerns both
            for _ in 0..options.repeat.unwrap_or(5).max(1) {
                let (time, processor, ..) = once()?;
                times.push(time);
                busy.extend(processor);
                if let Some(peer) = &mut peer {
                    answers.push(peer.combined(operation_name)?);
                }
            }
            let of_all: f64 = meshes.iter().filter_map(TriangleMesh::volume).sum();
            let volume = result.volume();
            for Answer { volume: of_peer, .. } in &answers {
                let volume = volume.context("the result of closed meshes is closed")?;
                ensure!(
                    (of_peer - volume).abs() <= SAME_VOLUME * of_all,
                    "{operation_name}, {name}: volume {volume}, of the peer {of_peer}"
                );
            }
            let of_peer = answers.first().map(|first| OfPeer {
                faces_of_result: first.faces,
                median_ms: middle(answers.iter().map(|answer| answer.ms).collect()),
                made_median_ms: middle(answers.iter().map(|answer| answer.made_ms).collect()),
                processor_ms: answers.iter().map(|answer| answer.processor_ms).fold(f64::MAX, f64::min),
            });
            let median_ms = middle(times);
            let beside = of_peer.as_ref().map_or(String::new(), |of| format!(", peer {:.1}", of.median_ms));
            eprintln!("{operation_name}, {name}: {median_ms:.1} ms{beside}");
            measured.push(Measured {
                meshes: name.clone(),
                operation: operation_name,
                faces: meshes.iter().map(|mesh| mesh.faces.len()).sum(),
                faces_of_result: result.faces.len(),
                first_ms,
                median_ms,
                processor_ms: busy.into_iter().min_by(f64::total_cmp),
                peer: of_peer,
                report: of_first,
            });
        }
    }
    report.machine.jit_seconds = device.loading().seconds;
    let text = table(&report, &measured, peer.as_ref().map(Peer::name))?;
    report.write_work(&options.output, "boolean", &measured, &text)
}

fn table(report: &Report, measured: &[Measured], peer: Option<&str>) -> Result<String> {
    let mut text = String::new();
    writeln!(text, "# Booleans: {}\n", report.machine.name)?;
    writeln!(
        text,
        "{}, version {}, {} threads of the host. From two meshes in host memory to one there. Milliseconds, \
         median; the first run also compiles the kernels that no row above has used. The second mesh has its \
         axes exchanged, and is moved.\n",
        report.date,
        env!("CARGO_PKG_VERSION"),
        report.machine.threads
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
    let Some(peer) = peer else { return Ok(text) };
    writeln!(
        text,
        "\n## Beside {peer}\n\nOn the processor alone, in turn with the above, from arrays of single precision \
         to arrays. Medians of milliseconds; in parentheses without making its meshes. Processor time is that \
         of all threads, the least of all runs. Ratios are the peer's time in ours: above 1, ours is \
         shorter.\n"
    )?;
    writeln!(
        text,
        "| meshes | operation | faces | faces of the results | time | the peer's | ratio | processor time | \
         the peer's | ratio |"
    )?;
    writeln!(text, "|---|---|---|---|---|---|---|---|---|---|")?;
    for m in measured {
        let Some(of) = &m.peer else { continue };
        let busy = m.processor_ms.map_or("–".to_owned(), |busy| format!("{busy:.0}"));
        let ratio = m.processor_ms.map_or("–".to_owned(), |busy| format!("{:.2}", of.processor_ms / busy));
        writeln!(
            text,
            "| {} | {} | {} | {}, {} | {:.0} | {:.0} ({:.0}) | {:.2} | {busy} | {:.0} | {ratio} |",
            m.meshes,
            m.operation,
            m.faces,
            m.faces_of_result,
            of.faces_of_result,
            m.median_ms,
            of.median_ms,
            of.made_median_ms,
            of.median_ms / m.median_ms,
            of.processor_ms,
        )?;
    }
    Ok(text)
}
