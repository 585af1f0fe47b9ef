//! `ribbonmesh curvature`.
use crate::common;
use common::{Folder, every_kind, mesh, soup};
use ribbonmesh_mesh::shapes;
use std::f64::consts::PI;

const NAMES: [&str; 5] =
    ["gaussian_curvature", "mean_curvature", "geodesic_curvature", "angle_defect", "vertex_area"];

#[test]
fn properties_and_report() {
    let folder = Folder::new();
    folder.mesh("sphere.ply", &mesh(shapes::icosphere(4).expect("small")));
    folder.succeed(["curvature", "sphere.ply", "-o", "out.ply", "--report", "report.json"]);
    let (found, sphere) = (folder.read("out.ply"), folder.read("sphere.ply"));
    assert_eq!((&found.positions, &found.faces), (&sphere.positions, &sphere.faces));
    let [gaussian, mean, geodesic, defect, area] =
        NAMES.map(|name| found.vertices().get::<f32>(name).expect("curvatures"));
    assert!(gaussian.iter().chain(mean).all(|k| (k - 1.0).abs() < 0.05));
    assert!(geodesic.iter().all(|k| *k == 0.0));
    for v in 0..area.len() {
        assert!((gaussian[v] * area[v] - defect[v]).abs() < 1e-6);
    }
    let results = &folder.json("report.json")["results"];
    let number = |key: &str| results[key].as_f64().unwrap_or_else(|| panic!("{key} in {results}"));
    assert!((number("total_defect") - 4.0 * PI).abs() < 1e-4, "{results}");
    assert!((number("gauss_bonnet") - 4.0 * PI).abs() < 1e-12, "{results}");
    assert!((number("surface_area") - 4.0 * PI).abs() < 0.1, "{results}");
    assert_eq!(results["gaussian"]["count"], area.len());
    assert_eq!((&results["geodesic"], &results["area"]), (&serde_json::Value::Null, &"mixed".into()));
}

#[test]
fn total_of_every_mesh() {
    let folder = Folder::new();
    for (kind, mesh) in every_kind().into_iter().filter(|(kind, _)| *kind != "soup") {
        folder.mesh("mesh.ply", &mesh);
        for area in ["mixed", "barycentric"] {
            let words =
                format!("curvature mesh.ply -o out.ply --area {area} --patch-size 32 --report r.json");
            folder.succeed(words.split_whitespace());
            let results = &folder.json("r.json")["results"];
            let difference = results["total_defect"].as_f64().zip(results["gauss_bonnet"].as_f64());
            assert!(difference.is_some_and(|(a, b)| (a - b).abs() < 1e-4), "{kind}: {results}");
        }
    }
}

#[test]
fn isolated_vertices_are_told_of() {
    let folder = Folder::new();
    folder.mesh("soup.ply", &soup());
    let ran = folder.succeed(["curvature", "soup.ply", "-o", "out.ply"]);
    assert!(ran.err.contains("1 vertex without faces"), "{ran:?}");
    let found = folder.read("out.ply");
    let values = NAMES.map(|name| found.vertices().get::<f32>(name).expect("curvatures"));
    assert!(values.into_iter().flatten().all(|v| v.is_finite()));
}

#[test]
fn wrong_usage() {
    let folder = Folder::new();
    folder.mesh("a.ply", &soup());
    let ran = folder.run(["curvature", "a.ply", "-o", "out.obj"]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("out.obj: only PLY carries properties"), "{ran:?}");
    let ran = folder.run(["curvature", "a.ply", "-o", "out.ply", "--area", "voronoi"]);
    assert_eq!(ran.status, 2);
}
