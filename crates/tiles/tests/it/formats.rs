//! Files of other formats than PLY.
use crate::{Folder, bumpy};
use ribbonmesh_io::{WriteOptions, read, write};
use ribbonmesh_mesh::{Precision, TriangleMesh};
use ribbonmesh_tiles::{Streaming, TilesError, convert, simplify};

const ALL: [&str; 4] = ["ply", "obj", "stl", "glb"];

fn streaming(folder: &Folder) -> Streaming {
    Streaming::new(folder.path("work"))
}
fn far(k: u32) -> TriangleMesh {
    let mut mesh = bumpy(k);
    mesh.positions.iter_mut().for_each(|p| *p += ribbonmesh::glam::DVec3::new(4.5e6, 1.25e5 + 0.1, 0.0));
    mesh.precision = Precision::Double;
    mesh
}

#[test]
fn any_format_gives_what_its_ply_gives() {
    for (mesh, formats) in [(bumpy(5), &ALL[1..]), (far(5), &["obj", "glb"])] {
        let folder = Folder::new();
        for format in formats {
            let from = folder.path(&format!("in.{format}"));
            write(&from, &mesh, &WriteOptions::default()).expect("a file");
            // what the reader makes of it
            let known = read(&from).expect("a mesh").mesh;
            write(folder.path("in.ply"), &known, &WriteOptions::default()).expect("a file");
            let options = folder.options(3_000, 2_000);
            folder.run(&options).expect("a manifold");
            let known = folder.bytes();
            let report = simplify(&from, &folder.path("out.ply"), &options, &mut drop).expect("a manifold");
            assert!(folder.bytes() == known, "{format}");
            assert_eq!(report.before.faces, mesh.faces.len() as u64);
        }
    }
}

#[test]
fn results_are_written_in_any_format() {
    let folder = Folder::with(&bumpy(5));
    let options = folder.options(3_000, 2_000);
    folder.run(&options).expect("a manifold");
    let known = folder.mesh();
    for format in ALL {
        let out = folder.path(&format!("small.{format}"));
        simplify(&folder.path("in.ply"), &out, &options, &mut drop).expect("a manifold");
        let found = read(&out).expect("a mesh").mesh;
        assert_eq!(found.faces.len(), known.faces.len(), "{format}");
        if format != "stl" {
            assert_eq!((&found.positions, &found.faces), (&known.positions, &known.faces), "{format}");
        }
    }
}

#[test]
fn conversion_keeps_vertices_and_faces() {
    for mesh in [bumpy(4), far(4)] {
        let folder = Folder::with(&mesh);
        for format in ["ply", "obj", "glb"] {
            let out = folder.path(&format!("out.{format}"));
            convert(&folder.path("in.ply"), &out, &streaming(&folder)).expect("a file");
            let found = read(&out).expect("a mesh").mesh;
            assert_eq!(found.faces, mesh.faces, "{format}");
            // of far ones, the local coordinates are in single precision
            let apart = found.positions.iter().zip(&mesh.positions).map(|(a, b)| a.distance(*b));
            let most = apart.fold(0.0, f64::max);
            assert!(most <= if mesh.precision == Precision::Single { 0.0 } else { 1e-6 }, "{format}: {most}");
            assert!(found.precision == mesh.precision, "{format}");
        }
    }
    let folder = Folder::with(&bumpy(4));
    let [first, second] = ["a.stl", "b.ply"].map(|name| folder.path(name));
    convert(&folder.path("in.ply"), &first, &streaming(&folder)).expect("a file");
    convert(&first, &second, &streaming(&folder)).expect("a file");
    let [known, found] = [&first, &second].map(|path| read(path).expect("a mesh").mesh);
    assert_eq!((known.positions, known.faces), (found.positions, found.faces));
    assert!(!folder.path("work").exists());
}

#[test]
fn outputs_are_refused_by_name() {
    let folder = Folder::with(&bumpy(3));
    let refused = |name: &str| match convert(&folder.path("in.ply"), &folder.path(name), &streaming(&folder))
    {
        Err(error @ TilesError::Output { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    };
    assert!(refused("a.off").contains("OFF is not written piece by piece"));
    assert!(refused("a.ply.gz").contains("a compressed file"));
    assert!(refused("a.xyz").contains("xyz"));
}
