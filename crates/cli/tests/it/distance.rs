//! `ribbonmesh distance`.
use crate::common;
use common::{Folder, mesh, triangles};
use ribbonmesh_io::TriangleMesh;
use ribbonmesh_mesh::shapes;
use serde_json::Value;

/// A sphere and the same moved by 0.25.
fn spheres(folder: &Folder) {
    let a = mesh(shapes::icosphere(3).expect("small"));
    let positions = a.points_as_arrays().into_iter().map(|[x, y, z]| [x + 0.25, y, z]);
    folder.mesh("b.ply", &TriangleMesh::from_f32(positions, a.faces.clone()));
    folder.mesh("a.ply", &a);
}
fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn json_and_report() {
    let folder = Folder::new();
    spheres(&folder);
    let words = "distance a.ply b.ply --samples 5000 --json --seed 4 --report report.json";
    let ran = folder.succeed(words.split_whitespace());
    let found: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!((&found["a"], &found["b"]), (&"a.ply".into(), &"b.ply".into()));
    for way in ["a_to_b", "b_to_a"] {
        let way = &found[way];
        assert_eq!((&way["vertices"], &way["samples"]), (&642.into(), &5000.into()));
        // the largest where the spheres are farthest apart; 0.25 |cos| in the mean over a sphere
        assert!((number(&way["hausdorff"]) - 0.25).abs() < 5e-3, "{way}");
        assert!((number(&way["mean"]) - 0.125).abs() < 5e-3, "{way}");
        assert!((number(&way["rms"]) - 0.25 / 3f64.sqrt()).abs() < 5e-3, "{way}");
        assert!(number(&way["at"][0]).abs() > 0.9, "{way}");
    }
    let diagonal = number(&found["diagonal"]);
    assert!((diagonal - 12f64.sqrt()).abs() < 0.02, "{found}");
    for figure in ["hausdorff", "mean", "rms"] {
        let relative = number(&found["symmetric"][figure]) / diagonal;
        assert!((number(&found["relative"][figure]) - relative).abs() < 1e-12, "{found}");
    }
    let report = folder.json("report.json");
    assert_eq!(report["results"], found);
    assert_eq!((&report["input"]["file"], &report["seed"]), (&"a.ply".into(), &4.into()));
    // the same again, other points with another seed
    assert_eq!(folder.succeed(words.split_whitespace()).out, ran.out);
    let other = folder.succeed("distance a.ply b.ply --samples 5000 --json --seed 5".split_whitespace());
    assert_ne!(other.out, ran.out);
}

#[test]
fn text() {
    let folder = Folder::new();
    spheres(&folder);
    let ran = folder.succeed(["distance", "a.ply", "a.ply", "--samples", "100"]);
    let rows: Vec<Vec<&str>> = ran.out.lines().map(|l| l.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["Hausdorff", "mean", "rms"]);
    assert!(rows[3][0] == "both" && rows[3][1].parse::<f64>().expect("a number") < 1e-6, "{}", ran.out);
    assert!(ran.out.ends_with("points of b           642 vertices, 100 random points\n"), "{}", ran.out);
}

#[test]
fn without_area_or_faces() {
    let folder = Folder::new();
    spheres(&folder);
    folder.mesh("line.ply", &triangles(2, &[[0, 1, 0]]));
    let ran = folder.succeed(["distance", "a.ply", "line.ply", "--samples", "100"]);
    assert!(ran.err.contains("line.ply: no area") && ran.out.contains("none"), "{ran:?}");
    folder.write("points.obj", "v 0 0 0\nv 1 0 0\n");
    let ran = folder.run(["distance", "a.ply", "points.obj"]);
    assert_eq!(ran.status, 3);
    assert!(ran.err.contains("points.obj") && ran.err.contains("face"), "{ran:?}");
    assert_eq!(folder.run(["distance", "a.ply"]).status, 2);
    assert_eq!(folder.run(["distance", "a.ply", "absent.ply"]).status, 1);
    let ran = folder.run(["distance", "a.ply", "b.ply", "--report", "b.ply"]);
    assert_eq!(ran.status, 2, "{ran:?}");
}

#[test]
fn a_vertex_far_from_all_others() {
    // single precision takes the rest for one point; the tests of the library count the triangles that a
    // search visits
    let folder = Folder::new();
    let mut far = mesh(shapes::icosphere(6).expect("small"));
    folder.mesh("a.ply", &far);
    far.positions[100].x = 1e30;
    folder.mesh("b.ply", &far);
    let ran = folder.succeed(["distance", "a.ply", "b.ply", "--json"]);
    let found: Value = serde_json::from_str(&ran.out).expect("JSON");
    let number = |way: &str, name: &str| number(&found[way][name]);
    assert!((number("b_to_a", "hausdorff") / 1e30 - 1.0).abs() < 1e-6, "{found}");
    assert_eq!((number("a_to_b", "vertices"), number("b_to_a", "vertices")), (40962.0, 40962.0));
    // triangles with a vertex 10^30 away and a side far shorter: the mean distance of their points is a third
    // of that
    assert!((number("b_to_a", "mean") / 1e30 - 1.0 / 3.0).abs() < 0.01, "{found}");
    assert!(number("a_to_b", "hausdorff") < 1e15, "{found}");
}

#[test]
fn a_far_vertex_without_a_face() {
    let folder = Folder::new();
    spheres(&folder);
    let mut b = folder.read("b.ply");
    b.positions.push([1e30, 0.0, 0.0].into());
    folder.mesh("c.ply", &b);
    let distances = |other: &str| {
        let ran = folder.succeed(["distance", "a.ply", other, "--json", "--samples", "1000"]);
        let mut found: Value = serde_json::from_str(&ran.out).expect("JSON");
        found["b"].take();
        found
    };
    assert_eq!(distances("c.ply"), distances("b.ply"));
}
