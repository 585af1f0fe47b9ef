//! Geodesic distances on a static mesh and on the patches of one that has changed, and the bytes of each
//! form: table 5.1 of the thesis.
use crate::options::Options;
use anyhow::{Context, Result, ensure};
use ribbonmesh::dynamic::{DynamicAttribute, DynamicMesh, PatchOptions, PatchQuality};
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Attribute, Device, DeviceKind, MeshOptions, StaticMesh, Vertex};
use ribbonmesh_fields::geodesic::GeodesicOptions;
use ribbonmesh_mesh::shapes::{bumpy_sphere, shuffle};
use ribbonmesh_patches::Geodesic;
use ribbonmesh_remeshing::delaunay::{DelaunayOptions, flip};
use serde::Serialize;
use std::cell::RefCell;
use std::fmt::Write;

/// Refinements of the icosahedron: 20·4ᵏ faces.
const ON_A_GPU: [u32; 2] = [8, 9];
const ON_A_CPU: [u32; 1] = [6];
/// Seconds in the thesis on an A100, for as many million faces: RXMesh's and its dynamic mesh's.
const THESIS: [(f64, f64, f64); 1] = [(5.2, 1.1, 0.85)];

/// One mesh in its forms.
#[derive(Serialize)]
pub struct Forms {
    /// Faces of the mesh.
    pub faces: usize,
    /// Milliseconds of distances from one vertex on the static mesh.
    pub static_ms: f64,
    /// The same on the patches of the dynamic mesh, after Delaunay flips.
    pub changed_ms: f64,
    /// The same with patches cut anew.
    pub cut_anew_ms: f64,
    /// Ribbon faces by owned faces of the three.
    pub ribbons: [f32; 3],
    /// Bytes per face of the static mesh's topology.
    pub static_bytes: f64,
    /// Bytes per face of the dynamic mesh's flat arrays, with claims and records.
    pub flat_bytes: f64,
    /// Bytes per face of the patches by which the changed mesh is queried, in addition to these.
    pub query_bytes: f64,
}

/// Times a run on each form.
pub fn measure(device: &Device, options: &Options) -> Result<Vec<Forms>> {
    let sizes = if device.kind() == DeviceKind::Cuda { &ON_A_GPU[..] } else { &ON_A_CPU };
    sizes.iter().map(|&level| forms(device, level, options.repeat.unwrap_or(5).max(1))).collect()
}

fn forms(device: &Device, level: u32, repetitions: usize) -> Result<Forms> {
    let mut shape = bumpy_sphere(level, 1)?;
    shuffle(&mut shape, 1);
    let mesh = StaticMesh::new(device, shape.positions.len(), &shape.faces, &MeshOptions::default())?;
    let points: Vec<Vec3> = shape.points();
    let x = Attribute::<Vertex, Vec3>::from_input(&mesh, &points)?;
    let static_ms = distances(&mesh, &x, repetitions)?;
    let mut dynamic = DynamicMesh::new(&mesh, 0.0)?;
    let mut y = DynamicAttribute::from_static(&dynamic, &x)?;
    let report = flip(&mut dynamic, &y, None, &DelaunayOptions::default())?;
    ensure!(report.flips > 0, "the sphere has no edge to flip");
    ensure!(dynamic.refresh(&PatchOptions::NEVER)?.compaction.is_none(), "ids have changed");
    let patches = |dynamic: &DynamicMesh, y: &DynamicAttribute<Vertex, Vec3>| -> Result<(f64, f32, usize)> {
        let mesh = dynamic.patches().context("patches are stale")?;
        let ms = distances(mesh, &y.to_static(mesh)?, repetitions)?;
        Ok((ms, PatchQuality::of(mesh).locality, mesh.topology_bytes()))
    };
    let (changed_ms, changed, query) = patches(&dynamic, &y)?;
    dynamic.repartition()?.apply_to(&mut y)?;
    dynamic.refresh(&PatchOptions::NEVER)?;
    let (cut_anew_ms, anew, _) = patches(&dynamic, &y)?;
    let faces = mesh.faces();
    let per_face = |bytes: usize| bytes as f64 / faces as f64;
    Ok(Forms {
        faces,
        static_ms,
        changed_ms,
        cut_anew_ms,
        ribbons: [PatchQuality::of(&mesh).locality, changed, anew],
        static_bytes: per_face(mesh.topology_bytes()),
        flat_bytes: per_face(dynamic.bytes()),
        query_bytes: per_face(query),
    })
}

/// Milliseconds of level sets and distances from the first vertex, by the same code on every form.
fn distances(mesh: &StaticMesh, x: &Attribute<Vertex, Vec3>, repetitions: usize) -> Result<f64> {
    let geodesic = RefCell::new(Geodesic::new(mesh, x)?);
    let options = GeodesicOptions::default();
    let run = || geodesic.borrow_mut().run(&[0], &options).map(drop);
    // the driver compiles the kernels
    run()?;
    let timing = mesh.device().time_repeated(repetitions, run)?;
    Ok(1e3 * timing.median)
}

/// Table 5.1.
pub fn table(all: &[Forms]) -> Result<String> {
    let mut text =
        String::from("\n## Table 5.1: geodesic distances on a static mesh and on one that has changed\n\n");
    writeln!(
        text,
        "Sphere with bumps, shuffled; from one vertex; milliseconds, median. Bytes per face: the static mesh's topology; the dynamic \
         mesh's flat arrays, claims and records included; beside these, the patches by which it is queried. The \
         thesis counts 34 for RXMesh, and 18.75 for its dynamic mesh without room to grow.\n"
    )?;
    writeln!(
        text,
        "| faces | static ms | after flips ms | patches cut anew ms | ribbon/owned faces of these | static bytes | flat | for queries | \
         RXMesh, its dynamic mesh: A100 |"
    )?;
    writeln!(text, "|---|---|---|---|---|---|---|---|---|")?;
    for f in all {
        let millions = f.faces as f64 / 1e6;
        let thesis = THESIS.iter().find(|(faces, ..)| (faces / millions - 1.0).abs() < 0.02);
        let thesis = thesis.map_or("–".to_owned(), |(_, rxmesh, ours)| format!("{rxmesh} s, {ours} s"));
        let [a, b, c] = f.ribbons;
        writeln!(
            text,
            "| {} | {:.1} | {:.1} | {:.1} | {a:.3}, {b:.3}, {c:.3} | {:.1} | {:.1} | {:.1} | {thesis} |",
            f.faces, f.static_ms, f.changed_ms, f.cut_anew_ms, f.static_bytes, f.flat_bytes, f.query_bytes
        )?;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_it_on_a_small_sphere() {
        let found = forms(&Device::cpu(), 4, 1).expect("measurements");
        assert_eq!(found.faces, 5120);
        for ms in [found.static_ms, found.changed_ms, found.cut_anew_ms] {
            assert!(ms > 0.0);
        }
        assert!(found.static_bytes > 12.0 && found.flat_bytes > 60.0);
        assert!(table(&[found]).expect("a table").lines().count() > 5);
    }
}
