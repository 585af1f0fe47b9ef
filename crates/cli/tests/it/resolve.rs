//! `ribbonmesh resolve`.
use crate::common;
use common::Folder;
use ribbonmesh::glam::DVec3;
use ribbonmesh_mesh::shapes;
use serde_json::Value;

#[test]
fn two_balls_become_one() {
    let folder = Folder::new();
    let ball = shapes::icosphere(3).expect("small");
    folder.mesh("a.ply", &ball);
    let mut other = ball.clone();
    other.positions.iter_mut().for_each(|p| *p += DVec3::new(1.0, 0.125, 0.25));
    folder.mesh("b.ply", &other);
    let ran = folder.succeed("resolve a.ply b.ply -o one.ply --report report.json".split_whitespace());
    assert!(ran.err.contains("pairs of faces intersected"), "{}", ran.err);
    let one = folder.read("one.ply");
    assert!(one.is_closed());
    let results = &folder.json("report.json")["results"];
    assert_eq!((&results["faces"], &results["volumes"]), (&one.faces.len().into(), &4.into()));
    let ran = folder.succeed(["intersections", "one.ply", "--json"]);
    let found: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(found["intersecting_pairs"], 0);
    // components that are apart stay
    let ran = folder.succeed(["resolve", "a.ply", "-o", "again.ply"]);
    assert!(ran.err.contains("0 pairs of faces intersected"), "{}", ran.err);
    assert_eq!(folder.read("again.ply").faces, ball.faces);

    // twice the same is once
    folder.succeed(["resolve", "a.ply", "a.ply", "-o", "again.ply"]);
    assert_eq!(folder.read("again.ply").faces.len(), ball.faces.len());

    let mut open = ball;
    open.faces.pop();
    folder.mesh("open.ply", &open);
    let ran = folder.succeed(["resolve", "a.ply", "open.ply", "-o", "again.ply"]);
    assert!(ran.err.contains("mesh 1 is open at ("), "{}", ran.err);
    open.faces.truncate(1);
    folder.mesh("open.ply", &open);
    let cases = [
        ("resolve open.ply -o out.ply", 3, "open.ply: nothing is left: mesh 0 does not enclose a volume"),
        ("resolve a.ply -o out.ply --attempts 0", 2, "attempts"),
        ("resolve -o out.ply", 2, "MESHES"),
    ];
    for (line, status, message) in cases {
        folder.refuses(line, status, message);
    }
}
