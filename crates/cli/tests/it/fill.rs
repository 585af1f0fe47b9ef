//! `ribbonmesh fill`, and `ribbonmesh repair --fill-holes`.
use crate::common;
use common::Folder;
use ribbonmesh::glam::DVec3;
use ribbonmesh_mesh::{TriangleMesh, shapes};

/// A sphere without a face, and without a vertex and its faces.
fn open() -> TriangleMesh {
    let mut mesh = shapes::icosphere(3).expect("small");
    mesh.faces.retain(|face| !face.contains(&500));
    mesh.faces.remove(40);
    mesh
}

#[test]
fn all_holes_or_some() {
    let folder = Folder::new();
    let mesh = open();
    folder.mesh("a.ply", &mesh);
    for method in ["flat", "smooth"] {
        let ran = folder.line(&format!("fill a.ply -o b.ply --method {method} --report r.json"));
        assert_eq!(ran.status, 0, "{ran:?}");
        assert!(ran.err.contains("2 holes: 2 filled with "), "{ran:?}");
        let results = &folder.json("r.json")["results"];
        assert_eq!((&results["filled"], &results["left"]), (&2.into(), &0.into()), "{results}");
        assert_eq!(results["method"], method);
        let filled = folder.read("b.ply");
        assert!(filled.is_closed());
        assert_eq!(
            (&results["vertices"], &results["faces"]),
            (&filled.positions.len().into(), &filled.faces.len().into())
        );
        assert_eq!(filled.faces[..mesh.faces.len()], mesh.faces);
        let edges: Vec<u64> = results["holes"]
            .as_array()
            .expect("holes")
            .iter()
            .filter_map(|hole| hole["edges"].as_u64())
            .collect();
        assert_eq!(edges.iter().sum::<u64>(), 9);
    }
    for (options, words) in [
        ("--up-to 3", "1 hole left open: 1 too many edges"),
        ("--perimeter 4x", "1 hole left open: 1 too long"),
        ("--perimeter 20%", "1 hole left open: 1 too long"),
        ("--perimeter 0", "2 holes left open: 2 too long"),
        ("--keep-largest", "1 hole left open: 1 the largest"),
    ] {
        let ran = folder.line(&format!("fill a.ply -o b.ply {options}"));
        assert!(ran.status == 0 && ran.err.contains(words), "{options}: {ran:?}");
        assert!(!folder.read("b.ply").is_closed());
    }
    for wrong in ["--method round", "--up-to many", "--perimeter -1"] {
        assert_eq!(folder.line(&format!("fill a.ply -o b.ply {wrong}")).status, 2, "{wrong}");
    }
    folder.mesh("c.ply", &shapes::icosphere(1).expect("small"));
    assert!(folder.line("fill c.ply -o d.ply").err.contains("no holes"));
}

#[test]
fn repair_and_then_fill() {
    let folder = Folder::new();
    // two open spheres that share a vertex, in which holes touch, and whose faces are turned in part
    let mut mesh = open();
    let second = mesh.positions.len() as u32;
    let shared = mesh.faces[0][0];
    let moved = 2.0 * mesh.positions[shared as usize];
    let more: Vec<DVec3> = mesh.positions.iter().map(|p| moved - *p).collect();
    let twin = |v: u32| if v == shared { v } else { v + second };
    let faces: Vec<[u32; 3]> = mesh.faces.iter().map(|&[a, b, c]| [twin(a), twin(c), twin(b)]).collect();
    mesh.positions.extend(more);
    mesh.faces.extend(faces);
    mesh.faces[7].swap(0, 1);
    folder.mesh("a.ply", &mesh);
    let ran = folder.line("fill a.ply -o b.ply");
    assert_eq!(ran.status, 3, "{ran:?}");
    assert!(ran.err.contains("a.ply: ") && ran.err.contains("repair the mesh first"), "{ran:?}");
    let ran = folder.line("repair a.ply -o b.ply --fill-holes 10 --report r.json");
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(ran.err.contains("4 holes: 4 filled"), "{ran:?}");
    assert!(folder.read("b.ply").is_closed());
    let results = &folder.json("r.json")["results"];
    assert_eq!(
        (&results["filling"]["filled"], &results["faces_turned"]),
        (&4.into(), &serde_json::json!([7]))
    );
    assert_eq!(results["faces"], folder.read("b.ply").faces.len());
    folder.line("repair a.ply -o b.ply --fill-holes 3 --report r.json");
    assert_eq!(folder.json("r.json")["results"]["filling"]["left"], 2);
    folder.line("repair a.ply -o b.ply --report r.json");
    assert!(folder.json("r.json")["results"].get("filling").is_none());
    assert_eq!(folder.line("repair a.ply --check --fill-holes 3").status, 2);
}

#[test]
fn what_cannot_be_filled() {
    let folder = Folder::new();
    folder.mesh("strip.ply", &shapes::mobius(20, 4).expect("small"));
    let ran = folder.line("fill strip.ply -o b.ply");
    assert_eq!(ran.status, 3, "{ran:?}");
    assert!(ran.err.contains("have opposite orientations at edge"), "{ran:?}");
    folder.write("points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n");
    let ran = folder.line("fill points.obj -o b.ply");
    assert_eq!(ran.status, 3, "{ran:?}");
    assert!(!folder.path("b.ply").exists());
}

#[test]
fn holes_that_are_joined() {
    let folder = Folder::new();
    // a sphere with a gap around its middle
    let mut ball = shapes::icosphere(4).expect("small");
    let places = ball.positions.clone();
    ball.faces.retain(|face| face.iter().map(|&v| places[v as usize].z).sum::<f64>().abs() > 0.24);
    folder.mesh("gap.ply", &ball);
    let line = "fill gap.ply -o joined.ply --join 5x --up-to 0 --report report.json";
    let ran = folder.succeed(line.split_whitespace());
    assert!(ran.err.contains("joined: the holes at vertices"), "{}", ran.err);
    let results = &folder.json("report.json")["results"];
    assert_eq!((&results["joined"], &results["left"]), (&1.into(), &0.into()));
    assert_eq!((&results["holes"][0]["joined"], &results["holes"][1]["joined"]), (&1.into(), &0.into()));
    assert_eq!(results["holes"][0]["filling"]["triangulation"], "strip");
    let joined = folder.read("joined.ply");
    assert!(joined.is_closed());
    let ran = folder.line("fill gap.ply -o none.ply --join 0");
    assert_eq!(ran.status, 2, "{ran:?}");
}
