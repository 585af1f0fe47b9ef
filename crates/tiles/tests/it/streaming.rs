//! Descriptions and normals by tiles against those in memory.
use crate::{Folder, bumpy};
use ribbonmesh::{Device, FlatTopology, Statistics};
use ribbonmesh_fields::normals::{Weight, normals_of_triangles};
use ribbonmesh_io::{WriteOptions, read, write};
use ribbonmesh_mesh::{TriangleMesh, shapes};
use ribbonmesh_tiles::{Figures, Spread, Streaming, info, normals};

fn options(folder: &Folder, tile_faces: Option<u64>) -> Streaming {
    Streaming { tile_faces, ..Streaming::new(folder.path("work")) }
}

fn assert_near(found: Option<f64>, known: Option<f64>, what: &str) {
    let near = match (found, known) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-6 * b.abs().max(1.0),
        (a, b) => a == b,
    };
    assert!(near, "{what}: {found:?} {known:?}");
}

fn assert_same(found: Option<Spread>, known: Option<Statistics>, what: &str) {
    assert_eq!(found.map(|s| s.count), known.map(|s| s.count), "{what}");
    let of = |s: Spread| [s.min, s.max, s.mean, s.standard_deviation];
    let known = known.map(|s| [s.min, s.max, s.mean, s.standard_deviation]);
    for i in 0..4 {
        assert_near(found.map(|s| of(s)[i]), known.map(|s| s[i]), what);
    }
}

/// Describes a mesh by tiles and in memory.
fn compare(mesh: &TriangleMesh) -> Figures {
    let folder = Folder::with(mesh);
    let found = info(&folder.path("in.ply"), &options(&folder, Some(1_000)), &mut drop).expect("a mesh");
    let whole = info(&folder.path("in.ply"), &options(&folder, None), &mut drop).expect("a mesh");
    let flat = FlatTopology::new(&Device::cpu(), mesh.positions.len(), &mesh.faces).expect("indices");
    let known = flat.topology().expect("a mesh");
    let points: Vec<[f32; 3]> = mesh.positions.iter().map(|p| p.as_vec3().to_array()).collect();
    let geometry = flat.geometry(&points).expect("a mesh");
    for found in [&found, &whole] {
        let counts = [
            [found.vertices, known.vertices],
            [found.edges, known.edges],
            [found.faces, known.faces],
            [found.boundary_edges, known.boundary_edges],
            [found.nonmanifold_edges, known.nonmanifold_edges],
            [found.nonmanifold_vertices, known.nonmanifold_vertices],
            [found.components, known.components],
            [found.isolated_vertices, known.isolated_vertices],
            [found.degenerate_faces, known.degenerate_faces],
            [found.duplicate_faces, known.duplicate_faces],
            [found.inconsistent_edges, known.inconsistent_edges],
        ];
        assert!(counts.iter().all(|[found, known]| found == known), "{counts:?}");
        assert_eq!(found.euler_characteristic, known.euler_characteristic);
        if found.inconsistent_edges == 0 {
            assert_eq!(found.genus, known.genus);
        }
        assert_near(Some(found.area), Some(mesh.area()), "area");
        assert_near(found.volume, mesh.volume(), "volume");
        assert_same(found.valence, known.valence, "valence");
        assert_same(found.edge_length, geometry.edge_length, "edge length");
        assert_same(found.angle, geometry.angle, "angle");
    }
    found
}

#[test]
fn figures_are_those_in_memory() {
    assert_eq!(compare(&bumpy(5)).genus, Some(0));
    let torus = shapes::torus(70, 1).expect("small");
    assert_eq!(compare(&torus).genus, Some(1));
    let grid = shapes::grid(80, 3).expect("small");
    assert_eq!(compare(&grid).volume, None);
}

#[test]
fn defects_are_counted_once() {
    let mut mesh = bumpy(5);
    // every 50th face is missing, every 70th turned, every 90th there twice, every 110th apart
    let faces = std::mem::take(&mut mesh.faces);
    for (i, [a, b, c]) in faces.into_iter().enumerate() {
        if i % 50 == 0 {
            continue;
        }
        mesh.faces.push(if i % 70 == 1 { [a, c, b] } else { [a, b, c] });
        if i % 90 == 2 {
            mesh.faces.push([b, c, a]);
        }
        if i % 110 == 3 {
            let next = mesh.positions.len() as u32;
            let corners = [a, b, c].map(|v| mesh.positions[v as usize]);
            mesh.positions.extend(corners);
            // hangs on the mesh at a vertex, and is a component of its own
            mesh.faces.push([a, next + 1, next + 2]);
        }
    }
    let figures = compare(&mesh);
    assert!(figures.components > 100 && figures.nonmanifold_edges > 100, "{figures:?}");
    assert!(figures.isolated_vertices > 100 && figures.duplicate_faces > 100, "{figures:?}");
}

#[test]
fn normals_are_those_in_memory() {
    let mesh = bumpy(5);
    let folder = Folder::with(&mesh);
    let device = Device::cpu();
    let faces = device.upload(mesh.faces.as_flattened()).expect("memory");
    let positions: Vec<_> = mesh.positions.iter().map(|p| p.as_vec3()).collect();
    let positions = device.upload(&positions).expect("memory");
    for (weight, name) in [(Weight::Area, "a.ply"), (Weight::Angle, "a.obj"), (Weight::Max, "a.glb")] {
        let known = normals_of_triangles(&faces, &positions, weight).expect("a mesh").read().expect("memory");
        let (from, to) = (folder.path("in.ply"), folder.path(name));
        let options = options(&folder, Some(1_000));
        let report = normals(&from, &to, weight, &options, &mut drop).expect("a mesh");
        assert!(report.tiles > 20 && report.without_normal == 0, "{report:?}");
        let found = read(&to).expect("a mesh").mesh;
        assert_eq!((&found.positions, &found.faces), (&mesh.positions, &mesh.faces));

        let found = found.vertices().get::<ribbonmesh::glam::Vec3>("normal").expect("normals");
        assert_eq!(found.len(), known.len());
        let apart = found.iter().zip(&known).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(apart < 1e-5, "{name}: {apart}");
    }
    // a vertex without faces, and one whose faces cancel
    let mut flat = shapes::grid(40, 3).expect("small");
    flat.positions.push(flat.positions[0]);
    write(folder.path("in.ply"), &flat, &WriteOptions::default()).expect("a file");
    let (from, to) = (folder.path("in.ply"), folder.path("b.ply"));
    let report = normals(&from, &to, Weight::Angle, &options(&folder, None), &mut drop).expect("a mesh");
    assert_eq!(report.without_normal, 1);
    let refused = normals(&from, &folder.path("a.stl"), Weight::Angle, &options(&folder, None), &mut drop);
    assert!(refused.expect_err("refused").to_string().contains("STL cannot carry normals"));
}
