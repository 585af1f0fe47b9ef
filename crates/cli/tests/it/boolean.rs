//! `ribbonmesh boolean`.
use crate::common;
use common::Folder;
use ribbonmesh::glam::DVec3;
use ribbonmesh_mesh::{Element, shapes};
use serde_json::Value;

#[test]
fn two_balls_are_combined() {
    let folder = Folder::new();
    let ball = shapes::icosphere(3).expect("small");
    folder.mesh("a.ply", &ball);
    let mut other = ball.clone();
    other.positions.iter_mut().for_each(|p| *p += DVec3::new(1.0, 0.125, 0.25));
    folder.mesh("b.ply", &other);
    let volume = |op: &str| {
        let line = format!("boolean a.ply b.ply --op {op} -o {op}.ply --report {op}.json");
        let ran = folder.succeed(line.split_whitespace());
        assert!(ran.err.contains("of faces intersected"), "{}", ran.err);
        let mesh = folder.read(&format!("{op}.ply"));
        assert!(mesh.is_closed());
        let results = &folder.json(&format!("{op}.json"))["results"];
        assert_eq!(results["faces"], mesh.faces.len());
        let ran = folder.succeed(["intersections", &format!("{op}.ply"), "--json"]);
        let found: Value = serde_json::from_str(&ran.out).expect("JSON");
        assert_eq!(found["intersecting_pairs"], 0, "{op}");
        mesh.volume().expect("closed")
    };
    let [union, intersection, difference, xor] = ["union", "intersection", "difference", "xor"].map(volume);
    let own = ball.volume().expect("closed");
    for (found, expected) in
        [(union + intersection, 2.0 * own), (difference + intersection, own), (xor, 2.0 * difference)]
    {
        assert!((found - expected).abs() < 1e-5, "{found} {expected}");
    }

    let mut open = ball;
    open.faces.pop();
    folder.mesh("open.ply", &open);
    let ran = folder.line("boolean a.ply open.ply -o out.ply --provenance");
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(ran.err.contains("mesh 1 is open at ("), "{}", ran.err);
    let mesh = folder.read("out.ply");
    let faces = mesh.attributes(Element::Face).into_iter().map(|column| column.name());
    assert!(faces.eq(["input_mesh", "input_face"]));
    let cases =
        [("boolean a.ply b.ply --op minus -o out.ply", 2, "minus"), ("boolean -o out.ply", 2, "MESHES")];
    for (line, status, message) in cases {
        folder.refuses(line, status, message);
    }
}
