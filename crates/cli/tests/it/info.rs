//! `ribbonmesh info`.
use crate::common;
use common::{Folder, Ran, every_kind, mesh, soup, triangles};
use ribbonmesh_io::TriangleMesh;
use ribbonmesh_mesh::shapes;
use serde_json::{Value, json};

const KEYS: [&str; 25] = [
    "vertices",
    "edges",
    "faces",
    "boundary_edges",
    "nonmanifold_edges",
    "nonmanifold_vertices",
    "components",
    "isolated_vertices",
    "degenerate_faces",
    "duplicate_faces",
    "inconsistent_edges",
    "euler_characteristic",
    "genus",
    "area",
    "volume",
    "bounding_box",
    "edge_length",
    "valence",
    "angle",
    "quality",
    "patches",
    "owned_ribbon_ratio",
    "bytes_per_face",
    "thesis_bytes_per_face",
    "machine",
];

fn info(mesh: &TriangleMesh) -> Value {
    let folder = Folder::new();
    folder.mesh("mesh.ply", mesh);
    let ran = folder.succeed(["info", "mesh.ply", "--json", "--patch-size", "64"]);
    serde_json::from_str(&ran.out).unwrap_or_else(|e| panic!("{e}: {ran:?}"))
}
fn has(info: &Value, expected: Value) {
    for (name, value) in expected.as_object().expect("an object") {
        assert_eq!(&info[name], value, "{name} in {info}");
    }
}

#[test]
fn keys() {
    for (kind, mesh) in every_kind() {
        let info = info(&mesh);
        let found: Vec<&str> = info.as_object().expect("an object").keys().map(String::as_str).collect();
        let (mut found, mut expected) = (found, KEYS.to_vec());
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{kind}");
        assert_eq!(info["faces"], mesh.faces.len(), "{kind}");
        let (v, e, f) = (&info["vertices"], &info["edges"], &info["faces"]);
        let characteristic =
            v.as_i64().expect("a count") - e.as_i64().expect("a count") + f.as_i64().expect("a count");
        assert_eq!(info["euler_characteristic"], characteristic, "{kind}");
    }
}

#[test]
fn torus() {
    let torus = mesh(shapes::torus(40, 1).expect("small"));
    let (n, f) = (torus.positions.len(), torus.faces.len());
    let info = info(&torus);
    has(
        &info,
        json!({
            "vertices": n, "edges": 3 * n, "faces": f, "boundary_edges": 0, "nonmanifold_edges": 0,
            "nonmanifold_vertices": 0, "components": 1, "isolated_vertices": 0, "degenerate_faces": 0,
            "duplicate_faces": 0, "inconsistent_edges": 0, "euler_characteristic": 0, "genus": 1,
            "thesis_bytes_per_face": {"dynamic": 18.75, "static": 45.4}, "machine": info["machine"],
        }),
    );
    assert_eq!(info["valence"]["mean"], 6.0);
    assert_eq!(info["angle"]["count"], 3 * f);
    assert!((info["angle"]["mean"].as_f64().expect("a number") - 60.0).abs() < 1e-9);
    assert!(info["machine"].as_str().expect("text").starts_with("CPU"));
    assert!(info["patches"].as_u64().expect("a count") >= f as u64 / 64);
    let (ratio, bytes) = (info["owned_ribbon_ratio"].as_f64(), info["bytes_per_face"].as_f64());
    assert!(
        ratio.is_some_and(|r| r > 0.2 && r < 20.0) && bytes.is_some_and(|b| b > 12.0 && b < 80.0),
        "{info}"
    );
}

#[test]
fn defects() {
    has(
        &info(&soup()),
        json!({
            "vertices": 13, "faces": 10, "isolated_vertices": 1, "degenerate_faces": 2, "duplicate_faces": 1, "genus": null,
            "nonmanifold_vertices": 3,
        }),
    );
    has(
        &info(&triangles(5, &[[0, 1, 2], [0, 3, 4]])),
        json!({
            "nonmanifold_vertices": 1, "components": 2, "boundary_edges": 6, "genus": null, "owned_ribbon_ratio": null,
        }),
    );
    let mobius = info(&mesh(shapes::mobius(20, 4).expect("small")));
    has(&mobius, json!({"genus": null, "euler_characteristic": 0, "components": 1}));
    assert!(mobius["inconsistent_edges"].as_u64().expect("a count") > 0);
    let point = TriangleMesh::from_f32(vec![[1.0; 3]], vec![[0; 3]]);
    has(&info(&point), json!({"edge_length": null, "angle": null, "degenerate_faces": 1, "edges": 1}));
}

#[test]
fn extent_in_coordinates_of_the_file() {
    let folder = Folder::new();
    // a tetrahedron in a national grid, in double precision, and a vertex that no face has
    folder.write(
        "a.obj",
        "v 400000.125 5200000.0625 0\nv 400001.125 5200000.0625 0\nv 400000.125 5200002.0625 0\n\
         v 400000.125 5200000.0625 3\nv 0 0 0\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n",
    );
    let ran = folder.succeed(["info", "a.obj", "--json", "--report", "report.json"]);
    let info: Value = serde_json::from_str(&ran.out).expect("JSON");
    let number = |name: &str| info[name].as_f64().unwrap_or_else(|| panic!("{name} in {info}"));
    assert!((number("volume") - 1.0).abs() < 1e-9);
    assert!((number("area") - 9.0).abs() < 1e-9);
    let (min, max) = ([400000.125, 5200000.0625, 0.0], [400001.125, 5200002.0625, 3.0]);
    assert_eq!(info["bounding_box"], json!({"min": min, "max": max}));
    assert_eq!(folder.json("report.json")["results"]["volume"], info["volume"]);
    let text = folder.succeed(["info", "a.obj"]).out;
    for line in [
        "area                  9\n",
        "volume                1\n",
        "bounding box          from 400000.125 5200000.0625 0 to 400001.125 5200002.0625 3\n",
        "size of the box       1 × 2 × 3, diagonal 3.7417\n",
    ] {
        assert!(text.contains(line), "{line:?} is not in {text}");
    }
    folder.mesh("grid.ply", &mesh(shapes::grid(5, 1).expect("small")));
    assert!(folder.succeed(["info", "grid.ply"]).out.contains("volume                none (not closed"));
}

#[test]
fn text() {
    let folder = Folder::new();
    for (kind, mesh) in every_kind() {
        folder.mesh("mesh.obj", &mesh);
        let Ran { out, err, .. } = folder.succeed(["info", "mesh.obj"]);
        let line = |name: &str| out.lines().find_map(|l| l.strip_prefix(name)).map(str::trim);
        assert_eq!(line("faces"), Some(mesh.faces.len().to_string().as_str()), "{kind}: {out}");
        assert!(
            line("bytes per face").is_some_and(|l| l.contains("18.75") && l.contains("45.4")),
            "{kind}: {out}"
        );
        assert_eq!(err, "", "{kind}");
        assert!(!out.contains("NaN"), "{kind}: {out}");
    }
}

#[test]
fn a_vertex_of_very_many_faces() {
    let folder = Folder::new();
    let n = 20_000;
    let mut points = vec![[0.0, 0.0, 0.5]];
    points.extend((0..n).map(|i| {
        let (y, x) = (i as f32 / n as f32 * std::f32::consts::TAU).sin_cos();
        [x, y, 0.0]
    }));
    let faces = (0..n).map(|i| [0, i + 1, (i + 1) % n + 1]).collect();
    folder.mesh("cone.ply", &TriangleMesh::from_f32(points, faces));
    let ran = folder.succeed(["info", "cone.ply", "--json"]);
    let found: Value = serde_json::from_str(&ran.out).unwrap_or_else(|e| panic!("{e}: {ran:?}"));
    assert_eq!((&found["faces"], &found["boundary_edges"]), (&json!(n), &json!(n)));
    assert_eq!((&found["patches"], &found["bytes_per_face"]), (&Value::Null, &Value::Null));
    assert!(ran.err.contains("vertex 0 has 20000 faces"), "{ran:?}");
    for command in ["normals", "curvature", "denoise", "smooth"] {
        folder.succeed([command, "cone.ply", "-o", "done.ply"]);
    }
    let ran = folder.run(["denoise", "cone.ply", "-o", "done.ply", "--method", "bilateral"]);
    assert!(ran.status == 3 && ran.err.contains("vertex 0 has 20000 faces"), "{ran:?}");
}
