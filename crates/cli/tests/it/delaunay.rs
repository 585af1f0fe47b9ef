//! `ribbonmesh delaunay`.
use crate::common;
use common::{Folder, mesh, soup};
use ribbonmesh_mesh::shapes;

#[test]
fn flips_and_report() {
    let folder = Folder::new();
    let torus = mesh(shapes::torus(30, 1).expect("small"));
    folder.mesh("torus.ply", &torus);
    folder.succeed(["delaunay", "torus.ply", "-o", "out.ply", "--validate", "--report", "r.json"]);
    let out = folder.read("out.ply");
    assert_eq!((out.positions, out.faces.len()), (torus.positions.clone(), torus.faces.len()));
    let results = &folder.json("r.json")["results"];
    assert!(results["flips"].as_u64().is_some_and(|n| n > 100), "{results}");
    assert_eq!(
        (&results["non_delaunay_after"], &results["finished"]),
        (&0.into(), &true.into()),
        "{results}"
    );
    let number = |v: &serde_json::Value| v.as_f64().expect("a number");
    let mean = |when: &str| number(&results[when]["smallest_angle"]["mean"]);
    assert!(mean("quality_after") > mean("quality_before"), "{results}");
    assert_eq!(results["quality_after"]["valence"]["interior"], torus.positions.len(), "{results}");
    assert!(
        results["quality_after"]["edge_length"]["bins"].as_array().is_some_and(|bins| !bins.is_empty()),
        "{results}"
    );
    let far = number(&results["distance"]["relative"]["hausdorff"]);
    assert!(far > 0.0 && far < 0.1, "{results}");
    folder.succeed(["delaunay", "out.ply", "-o", "again.ply", "--report", "r.json"]);
    let again = &folder.json("r.json")["results"];
    assert_eq!((&again["flips"], &again["quality_after"]), (&0.into(), &again["quality_before"]), "{again}");
    assert!(number(&again["distance"]["relative"]["hausdorff"]) < 1e-6, "{again}");
    folder.succeed([
        "delaunay",
        "torus.ply",
        "-o",
        "few.ply",
        "--max-normal-deviation",
        "1",
        "--report",
        "r.json",
    ]);
    let results = &folder.json("r.json")["results"];
    assert_eq!(results["blocked"]["normals"], results["non_delaunay_after"], "{results}");
}

#[test]
fn what_is_no_manifold() {
    let folder = Folder::new();
    folder.mesh("soup.ply", &soup());
    let ran = folder.run(["delaunay", "soup.ply", "-o", "out.ply"]);
    assert_eq!(ran.status, 3, "{ran:?}");
    assert!(ran.err.contains("soup.ply: ") && !folder.path("out.ply").exists(), "{ran:?}");
    assert!(ran.err.contains("face 5 has a vertex twice"), "{ran:?}");
    folder.succeed(["delaunay", "soup.ply", "-o", "out.ply", "--repair", "--validate"]);
}

#[test]
fn wrong_usage() {
    let folder = Folder::new();
    folder.mesh("a.ply", &mesh(shapes::icosphere(1).expect("small")));
    let ran = folder.run(["delaunay", "a.ply", "-o", "out.ply", "--max-normal-deviation", "200"]);
    assert_eq!(ran.status, 2, "{ran:?}");
}
