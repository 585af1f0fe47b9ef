//! Strong and weak scaling: the same work on 1, 2, 4, … cards of this host, or threads of its CPU, on meshes
//! of one size and on meshes that grow with the machine.
use crate::options::Options;
use crate::report::{Report, head, row};
use crate::timed;
use anyhow::{Result, ensure};
use ribbonmesh::mesh::shapes::torus;
use ribbonmesh::{Attribute, Device, DeviceKind, Error, MeshOptions, Op, StaticMesh, Surface, TriangleMesh};
use ribbonmesh::{Vertex, array, glam::Vec3};
use ribbonmesh_fields::normals::Weight;
use ribbonmesh_fields::smooth::{SmoothOptions, Smoother, Solver};
use ribbonmesh_patches::normals_into;
use ribbonmesh_remeshing::delaunay::{DelaunayOptions, delaunay};
use ribbonmesh_remeshing::remesh::{RemeshOptions, remesh};
use ribbonmesh_remeshing::simplify::{SimplifyOptions, Target, simplify};
use serde::Serialize;
use std::cell::RefCell;
use std::fmt::Write;
use std::hash::{DefaultHasher, Hasher};
use std::path::PathBuf;

/// One piece of work on one device.
#[derive(Serialize)]
struct Measured {
    job: String,
    /// Faces of the mesh on one card, or thread.
    base: usize,
    /// Whether the mesh grows with the machine.
    weak: bool,
    faces: usize,
    /// Cards, or threads.
    parts: usize,
    median_ms: f64,
    /// A digest of the result, where it has an order of its own.
    digest: Option<u64>,
}

/// Devices of 1, 2, 4, … cards or threads, as many as there are.
fn devices(device: &Device) -> Result<Vec<(usize, Device)>> {
    let mut devices = vec![];
    for parts in (0..7).map(|power| 1_usize << power) {
        let next = match device.kind() {
            DeviceKind::Cuda => Device::cuda_cards(&(0..parts).collect::<Vec<_>>()),
            DeviceKind::Cpu if parts > std::thread::available_parallelism().map_or(1, usize::from) => break,
            DeviceKind::Cpu => Device::cpu_with_threads(parts),
        };
        match next {
            Err(Error::NoSuchDevice { .. }) => break,
            next => devices.push((parts, next?)),
        }
    }
    Ok(devices)
}

/// A torus of about so many faces, on a device.
struct Subject<'a> {
    device: &'a Device,
    shape: TriangleMesh,
    runs: usize,
}
impl Subject<'_> {
    /// All work: its name, milliseconds, and a digest of its result.
    fn measure(&self) -> Result<Vec<(String, f64, Option<u64>)>> {
        let mut all = vec![];
        let built = timed::median(self.device, self.runs.min(3), || {
            StaticMesh::new(
                self.device,
                self.shape.positions.len(),
                &self.shape.faces,
                &MeshOptions::default(),
            )
        })?;
        all.push(("a mesh with patches".to_owned(), built.0, None));
        for (phase, seconds) in &built.1.build_report().phases {
            all.push((format!("its phase {phase}"), 1e3 * seconds, None));
        }
        self.kernels(&built.1, &mut all)?;
        drop(built);
        let length = self.shape.faces.len();
        type Job = fn(&mut Surface) -> ribbonmesh::Result<()>;
        let jobs: [(&str, Job); 3] = [
            ("Delaunay flips", |s| delaunay(s, &DelaunayOptions::default()).map(drop)),
            ("remeshing, 3 iterations", |s| {
                remesh(s, &RemeshOptions { iterations: 3, ..RemeshOptions::default() }).map(drop)
            }),
            ("simplification to a hundredth", |s| {
                let target = Some(Target::Ratio(0.01));
                simplify(s, &SimplifyOptions { target, ..SimplifyOptions::default() }).map(drop)
            }),
        ];
        for (name, job) in jobs {
            let (mut times, mut digest) = (vec![], None);
            // the first run compiles the kernels
            for _ in 0..=self.runs.min(3) {
                let mut surface = Surface::new(self.device, &self.shape, &MeshOptions::default())?;
                times.push(timed::milliseconds(self.device, || job(&mut surface))?.0);
                let after = surface.download()?;
                ensure!(!after.faces.is_empty() && after.faces.len() <= 2 * length, "{name}: no such mesh");
                digest = Some(digest_of(&after));
            }
            times.remove(0);
            all.push((name.to_owned(), timed::middle(times), digest));
        }
        Ok(all)
    }
    /// Launches on a mesh that stands: queries, normals, an iteration of conjugate gradients, a sort.
    fn kernels(&self, mesh: &StaticMesh, all: &mut Vec<(String, f64, Option<u64>)>) -> Result<()> {
        let mut time = |name: String, work: &dyn Fn() -> ribbonmesh::Result<()>| -> Result<()> {
            all.push((name, 1e3 * self.device.time_repeated(self.runs, work)?.median, None));
            Ok(())
        };
        for op in [Op::VV, Op::VF, Op::FE, Op::FV, Op::FF, Op::EF] {
            let result = RefCell::new(mesh.result_for(op)?);
            time(op.to_string(), &|| mesh.query_into(&mut result.borrow_mut()))?;
        }
        let positions = Attribute::<Vertex, Vec3>::from_input(mesh, &self.shape.points())?;
        let normals = RefCell::new(Attribute::<Vertex, Vec3>::zeros(mesh)?);
        time("vertex normals".into(), &|| {
            normals_into(mesh, &positions, Weight::Area, &mut normals.borrow_mut())
        })?;
        let options =
            SmoothOptions { solver: Solver::MatrixFree, tolerance: 0.0, ..SmoothOptions::default() };
        let smoother = RefCell::new(Smoother::new(mesh, &options)?);
        smoother.borrow_mut().begin(&positions)?;
        time("an iteration of conjugate gradients".into(), &|| smoother.borrow_mut().iterate(&positions))?;
        let keys = (0..self.shape.faces.len() as u64)
            .map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15))
            .collect::<Vec<_>>();
        let keys = RefCell::new(self.device.upload(&keys)?);
        time("a sort of a key a face, 64 bits".into(), &|| array::sort(&mut keys.borrow_mut(), 64))
    }
}

/// A digest of faces and positions.
fn digest_of(mesh: &TriangleMesh) -> u64 {
    let mut hasher = DefaultHasher::new();
    mesh.faces.iter().flatten().for_each(|&v| hasher.write_u32(v));
    mesh.positions.iter().flat_map(|p| p.to_array()).for_each(|x| hasher.write_u64(x.to_bits()));
    hasher.finish()
}

/// Measures and writes `scale.json` and `scale.md`; returns these.
pub fn run(device: &Device, options: &Options, report: Report) -> Result<[PathBuf; 2]> {
    let on_cpu = device.kind() == DeviceKind::Cpu;
    let usual = if on_cpu { vec![200_000] } else { vec![20_000_000, 40_000_000] };
    let sizes = if options.faces.is_empty() { usual } else { options.faces.clone() };
    let runs = options.repeat.unwrap_or(if on_cpu { 3 } else { 20 }).max(1);
    let devices = devices(device)?;
    let parts_are = if on_cpu { "threads" } else { "cards" };
    // what a run that is cut short has measured is kept
    let write = |measured: &[Measured]| {
        report.write_work(&options.output, "scale", measured, &table(&report, measured, parts_are)?)
    };
    let (mut measured, mut files) = (vec![], write(&[])?);
    for (weak, &base) in sizes.iter().map(|base| (false, base)).chain(sizes.last().map(|base| (true, base))) {
        for (parts, device) in &devices {
            // on one part the meshes of both kinds are one
            if weak && *parts == 1 {
                continue;
            }
            let faces = base * if weak { *parts as u64 } else { 1 };
            let side = ((faces as f64 / 2.0).sqrt().round() as u32).max(4);
            let subject = Subject { device, shape: torus(side, 1)?, runs };
            eprintln!("{}: {} faces", device.name(), subject.shape.faces.len());
            for (job, median_ms, digest) in subject.measure()? {
                let (base, faces) = (base as usize, subject.shape.faces.len());
                measured.push(Measured { job, base, weak, faces, parts: *parts, median_ms, digest });
            }
            files = write(&measured)?;
        }
    }
    Ok(files)
}

/// A table for each size: a column for each number of parts, and what each part does compared with one alone.
fn table(report: &Report, measured: &[Measured], parts: &str) -> Result<String> {
    let mut out = format!("# Scaling: {}\n\n", report.machine.name);
    let version = env!("CARGO_PKG_VERSION");
    writeln!(
        out,
        "{}, version {version}. Tori along random diagonals. Milliseconds, median; in brackets",
        report.date
    )?;
    writeln!(out, "the work that one of the {parts} does in a time, compared with one alone.")?;
    let mut kinds: Vec<(bool, usize)> = measured.iter().map(|m| (m.weak, m.base)).collect();
    kinds.dedup();
    let mut numbers: Vec<usize> = measured.iter().map(|m| m.parts).filter(|&n| n > 1).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let columns: Vec<String> =
        std::iter::once(1).chain(numbers.iter().copied()).map(|n| n.to_string()).collect();
    let columns: Vec<&str> = std::iter::once("work").chain(columns.iter().map(String::as_str)).collect();
    for (weak, base) in kinds {
        let grows = if weak { format!(" for each of the {parts}") } else { String::new() };
        write!(out, "\n## {base} faces{grows}\n\n")?;
        let alone = measured.iter().filter(|m| !m.weak && m.base == base && m.parts == 1);
        let of = |job: &str, n: usize| {
            measured.iter().find(|m| m.weak == weak && m.base == base && m.job == job && m.parts == n)
        };
        head(&mut out, &columns)?;
        for one in alone {
            let mut cells = vec![one.job.clone(), format!("{:.3}", one.median_ms)];
            for &n in &numbers {
                cells.push(of(&one.job, n).map_or_else(String::new, |m| {
                    let work = if weak { 1.0 } else { n as f64 };
                    let bits = if weak || m.digest == one.digest { "" } else { ", other bits" };
                    format!("{:.3} ({:.2}{bits})", m.median_ms, one.median_ms / (work * m.median_ms))
                }));
            }
            row(&mut out, &cells)?;
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_bits_on_one_and_on_several_cards() -> Result<()> {
        let measure = |device: &Device| Subject { device, shape: torus(20, 1)?, runs: 1 }.measure();
        let (one, several) = (measure(&Device::cpu())?, measure(&Device::cpu_as_cards(3))?);
        let digests = |all: &[(String, f64, Option<u64>)]| {
            all.iter().filter_map(|(name, _, digest)| Some((name.clone(), (*digest)?))).collect::<Vec<_>>()
        };
        assert_eq!(digests(&one).len(), 3);
        assert_eq!(digests(&one), digests(&several));
        Ok(())
    }

    #[test]
    fn each_size_has_a_table() -> Result<()> {
        let at = |weak, parts, median_ms, digest| Measured {
            job: "flips".into(),
            base: 100,
            weak,
            faces: if weak { 200 } else { 100 },
            parts,
            median_ms,
            digest: Some(digest),
        };
        let all = [at(false, 1, 8.0, 1), at(false, 2, 5.0, 2), at(true, 2, 10.0, 3)];
        let text = table(&Report::new(&Device::cpu())?, &all, "cards")?;
        assert!(text.contains("| flips | 8.000 | 5.000 (0.80, other bits) |"), "{text}");
        assert!(text.contains("| flips | 8.000 | 10.000 (0.80) |"), "{text}");
        Ok(())
    }
}
