//! `ribbonmesh convert` and `ribbonmesh generate`.
use crate::common;
use common::{Folder, every_kind, mesh, soup};
use ribbonmesh_mesh::shapes;

#[test]
fn conversion_keeps_order() {
    let folder = Folder::new();
    for (kind, mesh) in every_kind() {
        folder.mesh("a.ply", &mesh);
        for (from, to) in [("a.ply", "b.obj"), ("b.obj", "c.off"), ("c.off", "d.ply")] {
            let ran = folder.succeed(["convert", from, to]);
            assert_eq!(folder.read(to), mesh, "{kind}, {from} to {to}");
            assert!(ran.err.contains(&format!("wrote {to}: {} vertices", mesh.positions.len())), "{ran:?}");
        }
    }
}

#[test]
fn onto_itself() {
    let folder = Folder::new();
    folder.mesh("a.ply", &soup());
    folder.succeed(["convert", "a.ply", "a.ply", "--ascii"]);
    assert!(folder.text("a.ply").contains("format ascii 1.0"));
    assert_eq!(folder.read("a.ply"), soup());
}

#[test]
fn text_and_binary() {
    let folder = Folder::new();
    folder.mesh("a.ply", &soup());
    folder.succeed(["convert", "a.ply", "text.stl", "--ascii"]);
    assert!(folder.text("text.stl").starts_with("solid"));
    folder.succeed(["convert", "a.ply", "binary.stl", "-q"]);
    let (a, b) = (folder.read("text.stl"), folder.read("binary.stl"));
    assert_eq!(a, b);
    assert_eq!(a.faces.len(), soup().faces.len());
    folder.succeed(["convert", "a.ply", "a.glb"]);
    assert!(std::fs::read(folder.path("a.glb")).expect("a file").starts_with(b"glTF"));
}

#[test]
fn subdivided() {
    let folder = Folder::new();
    folder.write("quad.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
    let ran = folder.succeed(["convert", "quad.obj", "fine.ply", "--subdivide", "3", "--report", "r.json"]);
    let fine = folder.read("fine.ply");
    // 9 × 9 points of a grid of eighths, those of the square first
    let places: std::collections::BTreeSet<_> =
        fine.positions.iter().map(|p| p.to_array().map(|x| (8.0 * x) as i32)).collect();
    assert_eq!((fine.positions.len(), places.len(), fine.faces.len()), (81, 81, 128), "{ran:?}");
    assert!(fine.positions.iter().all(|p| (8.0 * p).fract() == Default::default()));
    assert_eq!(fine.positions[..4], folder.read("quad.obj").positions);
    let phases = folder.json("r.json")["phases"].to_string();
    assert!(phases.contains("subdivide"), "{phases}");
    folder.succeed(["convert", "quad.obj", "same.ply", "--subdivide", "0"]);
    assert_eq!(folder.read("same.ply"), folder.read("quad.obj"));
    let ran = folder.run(["convert", "quad.obj", "fine.ply", "--subdivide", "17"]);
    assert!(ran.status == 2 && ran.err.contains("--subdivide 17: too often for 2 faces"), "{ran:?}");
    assert_eq!(folder.read("fine.ply"), fine);
}

#[test]
fn polygons_are_counted() {
    let folder = Folder::new();
    folder.write("quad.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\nf 1 2 3\np 1\n");
    let ran = folder.succeed(["convert", "quad.obj", "quad.ply", "--report", "report.json"]);
    assert!(ran.err.contains("note: quad.obj: 1 polygon cut into 2 triangles"), "{ran:?}");
    let report = folder.json("report.json");
    assert_eq!(report["input"]["notes"]["polygons_triangulated"], 1);
    assert_eq!(report["notes"].as_array().map(Vec::len), Some(2), "{report}");
    assert_eq!(folder.read("quad.ply").faces, [[0, 1, 2], [0, 2, 3], [0, 1, 2]]);
}

#[test]
fn every_shape() {
    let folder = Folder::new();
    for (words, shape) in [
        ("icosphere 2", shapes::icosphere(2)),
        ("bumpy-sphere 3 --seed 5", shapes::bumpy_sphere(3, 5)),
        ("torus 12 --seed 3", shapes::torus(12, 3)),
        ("grid 9", shapes::grid(9, 1)),
        ("torus-knot 3 4 5 60", shapes::torus_knot(3, 4, 5, 60)),
        ("mobius 13 3", shapes::mobius(13, 3)),
    ] {
        let shape = shape.expect("small");
        let generate = |more: &str| {
            folder.succeed(format!("generate {words} -o a.ply {more}").split_whitespace());
            folder.read("a.ply")
        };
        assert_eq!(generate(""), mesh(shape.clone()), "{words}");
        let shuffled = generate("--shuffle");
        assert_eq!(shuffled, generate("--shuffle"), "{words}");
        assert_ne!(shuffled, mesh(shape.clone()), "{words}");
        let sorted = |faces: &[[u32; 3]], positions: &[[f32; 3]]| {
            let corners = |f: &[u32; 3]| f.map(|v| positions[v as usize].map(f32::to_bits));
            let mut faces: Vec<_> = faces.iter().map(corners).collect();
            faces.sort_unstable();
            faces
        };
        assert_eq!(
            sorted(&shuffled.faces, &shuffled.points_as_arrays()),
            sorted(&shape.faces, &shape.points_as_arrays()),
            "{words}"
        );
    }
}
