//! `ribbonmesh inside`.
use crate::common;
use common::{Folder, mesh};
use ribbonmesh_mesh::shapes;
use serde_json::Value;
use std::fmt::Write;

#[test]
fn points_of_a_mesh_and_of_a_text() {
    let folder = Folder::new();
    folder.mesh("ball.ply", &mesh(shapes::icosphere(4).expect("small")));
    // one in two inside
    let mut text = "# points\n\n".to_owned();
    for i in 0..100 {
        let r = if i % 2 == 0 { 0.9 } else { 1.1 };
        let angle = f64::from(i);
        _ = writeln!(text, "{}, {};{} 7", r * angle.cos(), r * angle.sin(), 0.01);
    }
    std::fs::write(folder.path("points.xyz"), text).expect("written");
    for how in ["", "--method rays", "--exact", "--beta 4"] {
        let line = format!("inside ball.ply points.xyz -o told.ply --json --report report.json {how}");
        let ran = folder.succeed(line.split_whitespace());
        let found: Value = serde_json::from_str(&ran.out).expect("JSON");
        assert_eq!(folder.json("report.json")["results"], found);
        assert_eq!(
            (&found["points"], &found["inside"], &found["outside"]),
            (&100.into(), &50.into(), &50.into())
        );
        assert_eq!(found["closed"], true);
        let told = ribbonmesh_io::read_points(folder.path("told.ply"), None).expect("points").mesh;
        let inside = told.vertices().get::<u32>("inside").expect("marks").to_vec();
        assert!(inside.iter().enumerate().all(|(i, inside)| *inside == u32::from(i % 2 == 0)));
        let winding = told.vertices().get::<f32>("winding").expect("numbers");
        assert!(winding.iter().zip(&inside).all(|(w, inside)| (w - *inside as f32).abs() < 0.02));
        assert_eq!((told.positions.len(), told.faces.len()), (100, 0));
    }
    // the output can be read again as points
    let ran = folder.succeed(["inside", "ball.ply", "told.ply"]);
    assert!(ran.out.contains("inside                50\n"), "{}", ran.out);
    assert!(ran.out.contains("closed"), "{}", ran.out);
}

#[test]
fn refusals() {
    let folder = Folder::new();
    let mut ball = mesh(shapes::icosphere(2).expect("small"));
    folder.mesh("ball.ply", &ball);
    ball.faces.truncate(200);
    folder.mesh("open.ply", &ball);
    let write = |name: &str, text: &str| std::fs::write(folder.path(name), text).expect("written");
    write("nan.xyz", "0 0 0\n1 2 nan\n");
    write("words.xyz", "0 0 0\n# fine\n1 two 3\n");
    write("none.xyz", "");
    write("points.obj", "v 0 0 0\nv 1 0 0\n");
    let cases = [
        ("inside ball.ply nan.xyz", 3, "nan.xyz: point 1 has a coordinate"),
        ("inside ball.ply words.xyz", 3, "words.xyz: line 3: not three numbers"),
        ("inside ball.ply missing.xyz", 3, "missing.xyz"),
        ("inside points.obj points.obj", 3, "no faces"),
        ("inside open.ply points.obj --method rays", 3, "open.ply: the mesh is not closed"),
        ("inside ball.ply points.obj --beta 0.5", 2, "beta is 0.5"),
        ("inside ball.ply points.obj --beta 3 --exact", 2, "cannot be used with"),
        ("inside ball.ply points.obj -o out.obj", 2, "only PLY carries"),
        ("inside ball.ply points.obj --method guess", 2, "winding or rays"),
    ];
    for (line, status, message) in cases {
        folder.refuses(line, status, message);
    }
    let ran = folder.succeed(["inside", "ball.ply", "none.xyz"]);
    assert!(ran.out.starts_with("points                0\n"), "{}", ran.out);
    let ran = folder.succeed(["inside", "open.ply", "points.obj"]);
    assert!(ran.out.contains("not closed"), "{}", ran.out);
}
