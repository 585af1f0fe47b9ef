//! Hash tables of cells compared with the tree: sections 3.1 and 3.4 of the paper on grid-free surface
//! tracking.
use crate::options::Options;
use crate::paper::dragon;
use crate::report::{Report, row};
use crate::timed;
use anyhow::{Context, Result, ensure};
use ribbonmesh::bvh::Bvh;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Device, DeviceKind};
use ribbonmesh_cells::{FacesInsideOptions, PlaneTest, table_of};
use ribbonmesh_mesh::shapes::{bumpy_sphere, shuffle, torus_knot};
use ribbonmesh_mesh::{BoundingBox, TriangleMesh};
use ribbonmesh_solid::inside::InsideTest;
use ribbonmesh_solid::intersections::{Triangles, self_intersections};
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Times in milliseconds, medians.
#[derive(Serialize)]
struct Measured {
    mesh: String,
    faces: usize,
    pairs: usize,
    /// Times of the search for faces that intersect: making the tree, and all; making the table of cells, and
    /// all.
    tree_ms: f64,
    tree_all_ms: f64,
    hash_ms: f64,
    hash_all_ms: f64,
    /// Bytes for each face.
    tree_bytes: f64,
    hash_bytes: f64,
    /// Rays from points: their number; making a tree, and the rays; making a table, and the rays.
    points: usize,
    rays_tree_ms: f64,
    rays_by_tree_ms: f64,
    rays_table_ms: f64,
    rays_by_table_ms: f64,
    /// Faces inside the surface, by three tables that are there already.
    faces_inside_ms: f64,
}

/// Several meshes as one.
fn together(meshes: &[TriangleMesh]) -> TriangleMesh {
    let (mut positions, mut faces): (Vec<DVec3>, Vec<[u32; 3]>) = (vec![], vec![]);
    for mesh in meshes {
        let first = positions.len() as u32;
        positions.extend(&mesh.positions);
        faces.extend(mesh.faces.iter().map(|face| face.map(|v| first + v)));
    }
    TriangleMesh::new(positions, faces)
}
fn moved(mesh: &TriangleMesh, by: f64, way: DVec3) -> TriangleMesh {
    let mut moved = mesh.clone();
    moved.positions.iter_mut().for_each(|p| *p = *p * by + way);
    moved
}
/// Numbers from 0 to 1 that look random.
fn numbers(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / f64::from(1_u32 << 31)
    }
}
/// Triangles of the same size anywhere in a cube.
fn soup(n: usize) -> TriangleMesh {
    let mut number = numbers(1);
    let mut point = |size: f64| DVec3::new(number(), number(), number()) * size;
    let size = 2.0 / (n as f64).cbrt();
    let mut positions = vec![];
    for _ in 0..n {
        let at = point(1.0);
        positions.extend([at, at + point(size), at + point(size)]);
    }
    let faces = (0..n as u32).map(|f| [3 * f, 3 * f + 1, 3 * f + 2]).collect();
    TriangleMesh::new(positions, faces)
}
/// A part as drawn in a program for engineers: plates of few large triangles with walls of long slivers, and
/// fine threads between.
fn part(sides: u32, fine: &TriangleMesh) -> TriangleMesh {
    let (mut positions, mut faces): (Vec<DVec3>, Vec<[u32; 3]>) = (vec![], vec![]);
    for plate in 0..8 {
        let first = positions.len() as u32;
        let (low, radius) = (f64::from(plate) * 2.0, 20.0);
        for i in 0..sides {
            let turn = std::f64::consts::TAU * f64::from(i) / f64::from(sides);
            let (y, x) = turn.sin_cos();
            positions.extend([0.0, 0.5].map(|z| DVec3::new(radius * x, radius * y, low + z)));
        }
        let centre = positions.len() as u32;
        positions.extend([0.0, 0.5].map(|z| DVec3::new(0.0, 0.0, low + z)));
        for i in 0..sides {
            let [a, b] = [i, (i + 1) % sides].map(|i| first + 2 * i);
            faces.extend([[a, b, a + 1], [b, b + 1, a + 1], [centre, b, a], [centre + 1, a + 1, b + 1]]);
        }
    }
    let plates = TriangleMesh::new(positions, faces);
    let threads: Vec<TriangleMesh> = (0..4)
        .map(|i| moved(fine, 0.2, DVec3::new(4.0 * f64::from(i), 3.0, 1.25 + 2.0 * f64::from(i))))
        .collect();
    together(&[&[plates], &threads[..]].concat())
}

fn meshes(options: &Options, on_cpu: bool) -> Result<Vec<(String, TriangleMesh)>> {
    let level = if on_cpu { 6 } else { 8 };
    let sphere = bumpy_sphere(level, 1)?;
    let mut shuffled = sphere.clone();
    shuffle(&mut shuffled, 1);
    let two = |mesh: &TriangleMesh| {
        let size = mesh.positions.iter().fold(0.0_f64, |most, p| most.max(p.abs().max_element()));
        together(&[mesh.clone(), moved(mesh, 1.0, DVec3::new(0.31, 0.17, 0.05) * size)])
    };
    let fine = torus_knot(2, 3, if on_cpu { 24 } else { 80 }, if on_cpu { 600 } else { 2000 })?;
    let mut meshes = vec![
        ("bumpy sphere".to_owned(), sphere.clone()),
        ("bumpy sphere, shuffled".to_owned(), shuffled),
        ("two bumpy spheres".to_owned(), two(&sphere)),
        ("soup".to_owned(), soup(if on_cpu { 100_000 } else { 1_000_000 })),
        ("uneven part".to_owned(), part(720, &fine)),
    ];
    let read = |path: &Path| -> Result<TriangleMesh> {
        Ok(ribbonmesh_io::read(path).with_context(|| path.display().to_string())?.mesh)
    };
    match dragon(options.dragon.as_deref())? {
        Some(path) => {
            let mesh = read(&path)?;
            meshes.push(("two dragons".to_owned(), two(&mesh)));
            meshes.push(("dragon".to_owned(), mesh));
        }
        None => eprintln!("no dragon: `cargo xtask fetch-meshes` gets it"),
    }
    for path in &options.meshes {
        let name = path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        meshes.push((name, read(path)?));
    }
    Ok(meshes)
}

fn measure(device: &Device, runs: usize, name: &str, mesh: &TriangleMesh) -> Result<Measured> {
    let origin = mesh.local_origin();
    let (positions, faces) =
        (device.upload(&mesh.points_around(origin))?, device.upload(mesh.faces.as_flattened())?);
    let of = Triangles { positions: &positions, faces: &faces };
    let (by_tree, by_hash) = (self_intersections(of)?, ribbonmesh_cells::self_intersections(of)?);
    ensure!(by_tree.pairs.read()? == by_hash.pairs.read()?, "{name}: not the same pairs");

    let points = if device.kind() == DeviceKind::Cpu { 100_000 } else { 1_000_000 };
    let around = mesh.positions.iter().copied().fold(BoundingBox::EMPTY, BoundingBox::with);
    let mut number = numbers(7);
    let mut point =
        || (around.low - origin + around.size() * DVec3::new(number(), number(), number())).as_vec3();
    let at: Vec<Vec3> = (0..points).map(|_| point()).collect();
    let at = device.upload(&at)?;
    let test = InsideTest::new(of)?;
    let mut planes = PlaneTest::new(of)?;
    ensure!(test.cast(&at)?.odd.read()? == planes.cast(&at)?.odd.read()?, "{name}: not the same points");
    let faces_count = mesh.faces.len() as f64;
    let table_bytes = table_of(of)?.bytes() as f64;
    Ok(Measured {
        mesh: name.to_owned(),
        faces: mesh.faces.len(),
        pairs: by_tree.pairs.len(),
        tree_ms: timed::median(device, runs, || Bvh::from_buffers(&positions, &faces))?.0,
        tree_all_ms: timed::median(device, runs, || self_intersections(of))?.0,
        hash_ms: timed::median(device, runs, || table_of(of))?.0,
        hash_all_ms: timed::median(device, runs, || ribbonmesh_cells::self_intersections(of))?.0,
        tree_bytes: test.tree().bytes() as f64 / faces_count,
        hash_bytes: table_bytes / faces_count,
        points,
        rays_tree_ms: timed::median(device, runs, || InsideTest::new(of))?.0,
        rays_by_tree_ms: timed::median(device, runs, || test.cast(&at))?.0,
        rays_table_ms: timed::median(device, runs, || PlaneTest::new(of))?.0,
        rays_by_table_ms: timed::median(device, runs, || planes.cast(&at))?.0,
        faces_inside_ms: timed::median(device, runs, || {
            planes.faces_inside(&by_tree.marks, &FacesInsideOptions::default())
        })?
        .0,
    })
}

/// Measures and writes `broad.json` and `broad.md`; returns these.
pub fn run(device: &Device, options: &Options, mut report: Report) -> Result<[PathBuf; 2]> {
    let on_cpu = device.kind() == DeviceKind::Cpu;
    let runs = options.repeat.unwrap_or(if on_cpu { 3 } else { 15 }).max(1);
    let mut measured = vec![];
    for (name, mesh) in meshes(options, on_cpu)? {
        let m = measure(device, runs, &name, &mesh)?;
        eprintln!("{name}: {:.2} ms by the tree, {:.2} ms by cells", m.tree_all_ms, m.hash_all_ms);
        measured.push(m);
    }
    report.machine.jit_seconds = device.loading().seconds;
    report.write_work(&options.output, "broad", &measured, &table(&report, &measured)?)
}

fn table(report: &Report, measured: &[Measured]) -> Result<String> {
    let mut text = String::new();
    writeln!(text, "# Hash tables of cells and the tree: {}\n", report.machine.name)?;
    writeln!(
        text,
        "{}, version {}. Milliseconds, median; the ratio is that of the hash to the tree. Results are compared first and are the same.\n",
        report.date,
        env!("CARGO_PKG_VERSION")
    )?;
    writeln!(text, "Faces that intersect:\n")?;
    let head = [
        "mesh",
        "faces",
        "pairs",
        "tree",
        "search",
        "table",
        "search",
        "all by tree",
        "all by hash",
        "ratio",
        "tree, bytes per face",
        "table",
    ];
    row(&mut text, &head)?;
    row(&mut text, &vec!["---"; head.len()])?;
    for m in measured {
        row(
            &mut text,
            &[
                m.mesh.clone(),
                m.faces.to_string(),
                m.pairs.to_string(),
                format!("{:.3}", m.tree_ms),
                format!("{:.3}", m.tree_all_ms - m.tree_ms),
                format!("{:.3}", m.hash_ms),
                format!("{:.3}", m.hash_all_ms - m.hash_ms),
                format!("{:.3}", m.tree_all_ms),
                format!("{:.3}", m.hash_all_ms),
                format!("{:.2}", m.hash_all_ms / m.tree_all_ms),
                format!("{:.0}", m.tree_bytes),
                format!("{:.0}", m.hash_bytes),
            ],
        )?;
    }
    writeln!(
        text,
        "\nRays along x from points in the box of the mesh, and faces inside by clusters with three tables:\n"
    )?;
    let head =
        ["mesh", "points", "tree", "rays", "table", "rays", "ratio of rays", "ratio of all", "faces inside"];
    row(&mut text, &head)?;
    row(&mut text, &vec!["---"; head.len()])?;
    for m in measured {
        let [by_tree, by_table] = [m.rays_tree_ms + m.rays_by_tree_ms, m.rays_table_ms + m.rays_by_table_ms];
        row(
            &mut text,
            &[
                m.mesh.clone(),
                m.points.to_string(),
                format!("{:.3}", m.rays_tree_ms),
                format!("{:.3}", m.rays_by_tree_ms),
                format!("{:.3}", m.rays_table_ms),
                format!("{:.3}", m.rays_by_table_ms),
                format!("{:.2}", m.rays_by_table_ms / m.rays_by_tree_ms),
                format!("{:.2}", by_table / by_tree),
                format!("{:.3}", m.faces_inside_ms),
            ],
        )?;
    }
    Ok(text)
}
