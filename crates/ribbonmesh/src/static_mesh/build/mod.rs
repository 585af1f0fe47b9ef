//! Construction: from indexed triangles to patches with ribbons, by kernels on either machine.
//!
//! Every step is linear in the mesh, except sorting a long bucket; the host handles numbers of components and patches
//! only. The result does not depend on the machine or the number of threads.
pub(super) mod edges;
pub(super) mod numbering;
pub(super) mod order;
pub(super) mod patching;
mod ribbon;
pub(super) mod scan;

use super::{MeshOptions, StaticMesh};
use crate::{Device, Error, Result};
use rayon::prelude::*;
use std::time::Instant;

/// Most faces of a mesh: indices of corners and of scratch space fit 32 bits.
const MOST_FACES: usize = 400_000_000;

/// How long the phases of construction took, in seconds, in their order.
#[derive(Clone, Debug, Default)]
pub struct BuildReport {
    /// Names and seconds.
    pub phases: Vec<(&'static str, f64)>,
    /// Iterations of Lloyd's algorithm.
    pub lloyd_iterations: u32,
    /// Times that too large patches were divided afterwards.
    pub divisions: u32,
    /// Why construction ran on the CPU although the mesh lives on a GPU.
    pub on_cpu_because: Option<String>,
}
impl BuildReport {
    /// Seconds of all phases.
    pub fn seconds(&self) -> f64 {
        self.phases.iter().map(|p| p.1).sum()
    }
}
struct Phases<'a> {
    device: &'a Device,
    report: BuildReport,
    start: Instant,
}
impl Phases<'_> {
    fn done(&mut self, name: &'static str) -> Result<()> {
        self.device.synchronize()?;
        self.report.phases.push((name, self.start.elapsed().as_secs_f64()));
        self.start = Instant::now();
        Ok(())
    }
}

fn check(vertices: usize, faces: &[[u32; 3]], options: &MeshOptions) -> Result<()> {
    if !(16..=4096).contains(&options.patch_size) {
        let value = options.patch_size.to_string();
        return Err(Error::Option { option: "patch size", value, expected: "16 to 4096 faces" });
    }
    if faces.len() > MOST_FACES {
        return Err(Error::TooMany { what: "faces", count: faces.len() as u64, limit: MOST_FACES as u64 });
    }
    if vertices > 3 * MOST_FACES {
        return Err(Error::TooMany {
            what: "vertices",
            count: vertices as u64,
            limit: 3 * MOST_FACES as u64,
        });
    }
    let bad = |f: &[u32; 3]| f.iter().any(|&v| v as usize >= vertices);
    if let Some(face) = faces.par_iter().position_first(bad) {
        let vertex = faces[face].into_iter().find(|&v| v as usize >= vertices).unwrap_or_default();
        return Err(Error::IndexOutOfRange { face, vertex, vertices });
    }
    Ok(())
}

pub(super) fn build(
    device: &Device,
    vertices: usize,
    faces: &[[u32; 3]],
    options: &MeshOptions,
) -> Result<StaticMesh> {
    device.install(|| check(vertices, faces, options))?;
    match device.install(|| build_on(device, vertices as u32, faces, options)) {
        // a vertex of very many faces: the CPU has more memory for one patch
        Err(e @ Error::SharedMemory { .. }) => {
            let host = Device::cpu();
            let mut mesh =
                host.install(|| build_on(&host, vertices as u32, faces, options))?.to_device(device)?;
            mesh.report.on_cpu_because = Some(e.to_string());
            Ok(mesh)
        }
        done => done,
    }
}

fn build_on(device: &Device, vertices: u32, faces: &[[u32; 3]], options: &MeshOptions) -> Result<StaticMesh> {
    let mut phases = Phases { device, report: BuildReport::default(), start: Instant::now() };
    let fv = device.upload::<u32>(bytemuck::cast_slice(faces))?;
    phases.done("upload")?;
    let sides = edges::link(device, vertices, &fv)?;
    phases.done("edges")?;
    let cut = patching::cut(device, &sides, options, &mut phases.report)?;
    phases.done("patches")?;
    let rank = order::rank(device, &sides.ring, &cut)?;
    phases.done("order of patches")?;
    let ids = numbering::number(device, vertices, &fv, &sides, cut, &rank)?;
    drop((fv, rank));
    phases.done("ids")?;
    let mesh = ribbon::finish(device, vertices, sides, ids, options)?;
    phases.done("ribbons")?;
    Ok(StaticMesh { report: phases.report, ..mesh })
}
