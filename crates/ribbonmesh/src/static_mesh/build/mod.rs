//! Construction: from indexed triangles to patches with ribbons, by kernels on the GPU or the CPU.
//!
//! Every step is linear in the mesh, except sorting a long bucket. The host handles only data per component
//! and per patch. The result does not depend on the device or the number of threads.
pub(crate) mod edges;
mod flood;
pub(super) mod numbering;
pub(super) mod order;
pub(crate) mod patching;
mod ribbon;
pub(crate) mod scan;

use super::{MeshOptions, StaticMesh};
use crate::{Device, Error, FlatTopology, Result};
use rayon::prelude::*;
use std::time::Instant;

/// Most faces of a mesh: corners, three for a face, fit 31 bits, so that darts of as many edges fit 32.
pub(crate) const MOST_FACES: usize = (1 << 31) / 3;
/// Most vertices of a mesh: three numbers for each have indices of 32 bits.
const MOST_VERTICES: usize = 1_200_000_000;

/// Phases of construction with their times in seconds.
#[derive(Clone, Debug, Default)]
pub struct BuildReport {
    /// Name and seconds of each phase, in their order.
    pub phases: Vec<(&'static str, f64)>,
    /// Iterations of Lloyd's algorithm.
    pub lloyd_iterations: u32,
    /// Number of times that patches above the patch size were halved afterwards.
    pub divisions: u32,
    /// Why construction ran on the CPU although the mesh is on a GPU; `None` if it did not.
    pub on_cpu_because: Option<String>,
}
impl BuildReport {
    /// Sum of the seconds of all phases.
    pub fn seconds(&self) -> f64 {
        self.phases.iter().map(|p| p.1).sum()
    }
}
/// Takes the time of phases.
pub(crate) struct Phases<'a> {
    device: &'a Device,
    pub report: BuildReport,
    start: Instant,
}
impl<'a> Phases<'a> {
    pub fn new(device: &'a Device) -> Self {
        Self { device, report: BuildReport::default(), start: Instant::now() }
    }
    pub fn done(&mut self, name: &'static str) -> Result<()> {
        self.device.synchronize()?;
        self.report.phases.push((name, self.start.elapsed().as_secs_f64()));
        self.start = Instant::now();
        Ok(())
    }
}

/// Refuses options that are out of their range.
pub(crate) fn check_options(options: &MeshOptions) -> Result<()> {
    if !(16..=4096).contains(&options.patch_size) {
        let value = options.patch_size.to_string();
        return Err(Error::Option { option: "patch size", value, expected: "16 to 4096 faces" });
    }
    Ok(())
}
/// Refuses more than ids and corners of 32 bits can name.
pub(crate) fn check_numbers(vertices: usize, faces: usize) -> Result<()> {
    let refuse = |what, count: usize, limit: usize| {
        Err(Error::TooMany { what, count: count as u64, limit: limit as u64 })
    };
    if faces > MOST_FACES {
        return refuse("faces", faces, MOST_FACES);
    }
    if vertices > MOST_VERTICES {
        return refuse("vertices", vertices, MOST_VERTICES);
    }
    Ok(())
}
/// Refuses the first face with a vertex that is not there, too.
pub(crate) fn check_faces(vertices: usize, faces: &[[u32; 3]]) -> Result<()> {
    check_numbers(vertices, faces.len())?;
    let bad = |f: &[u32; 3]| f.iter().any(|&v| v as usize >= vertices);
    if let Some(face) = faces.par_iter().position_first(bad) {
        let vertex = faces[face].into_iter().find(|&v| v as usize >= vertices).unwrap_or_default();
        return Err(Error::IndexOutOfRange { face, vertex, vertices });
    }
    Ok(())
}

/// Cuts a flat topology into patches.
pub(super) fn build(flat: &FlatTopology, options: &MeshOptions) -> Result<StaticMesh> {
    check_options(options)?;
    let device = flat.device().clone();
    let built = device.install(|| match build_on(&device, flat, options) {
        // a vertex of very many faces: the CPU has more memory for one patch
        Err(e @ Error::SharedMemory { .. }) => {
            let host = Device::cpu();
            let flat = flat.to_device(&host)?;
            let mut mesh = host.install(|| build_on(&host, &flat, options))?.to_device(&device)?;
            mesh.report.on_cpu_because = Some(e.to_string());
            Ok(mesh)
        }
        done => done,
    });
    match built {
        Err(Error::PatchTooLarge { face, what, count, limit, .. }) => {
            let (vertex, faces) = vertex_of_most_faces(flat)?;
            Err(Error::PatchTooLarge { vertex, faces, face, what, count, limit })
        }
        done => done,
    }
}

/// The first vertex with the most faces, and their number.
fn vertex_of_most_faces(flat: &FlatTopology) -> Result<(usize, usize)> {
    let mut faces = vec![0; flat.vertices()];
    for [a, b, c] in flat.face_vertices().read()?.as_chunks::<3>().0 {
        faces[*a as usize] += 1;
        faces[*b as usize] += usize::from(b != a);
        faces[*c as usize] += usize::from(c != a && c != b);
    }
    let most = faces.iter().copied().max().unwrap_or_default();
    Ok((faces.iter().position(|&n| n == most).unwrap_or_default(), most))
}

fn build_on(device: &Device, flat: &FlatTopology, options: &MeshOptions) -> Result<StaticMesh> {
    let mut phases = Phases::new(device);
    let (fv, sides) = (flat.face_vertices(), flat.sides());
    let cut = patching::cut(device, sides, options, &mut phases.report)?;
    phases.done("patches")?;
    let rank = order::rank(device, &sides.ring, &cut)?;
    phases.done("order of patches")?;
    let ids = numbering::number(device, flat.vertices() as u32, fv, sides, cut, &rank)?;
    drop(rank);
    phases.done("ids")?;
    let mesh = ribbon::finish(device, flat.vertices() as u32, sides, ids, options)?;
    phases.done("ribbons")?;
    let mut report = flat.build_report().clone();
    report.phases.append(&mut phases.report.phases);
    report.lloyd_iterations = phases.report.lloyd_iterations;
    report.divisions = phases.report.divisions;
    Ok(StaticMesh { report, ..mesh })
}
