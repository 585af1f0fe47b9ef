//! `ribbonmesh remesh`.
use crate::common;
use common::{Folder, mesh, soup};
use ribbonmesh_mesh::shapes;

#[test]
fn a_bumpy_sphere() {
    let folder = Folder::new();
    folder.mesh("a.ply", &mesh(shapes::bumpy_sphere(4, 1).expect("small")));
    let words =
        "remesh a.ply -o b.ply --target-length 0.8x --iterations 4 --project --validate --report r.json -v";
    let ran = folder.succeed(words.split_whitespace());
    let report = folder.json("r.json");
    let results = &report["results"];
    let after = folder.read("b.ply");
    assert_eq!(results["after"]["faces"], after.faces.len());
    assert_eq!(results["after"]["vertices"], after.positions.len());
    assert_eq!(results["iterations"].as_array().map(Vec::len), Some(4));
    assert!(results["quality_after"]["edges_near_target"].as_f64().expect("a share") > 0.9, "{results}");
    let far = results["distance"]["relative"]["hausdorff"].as_f64().expect("a distance");
    assert!(far > 0.0 && far < 0.05, "{far}");
    assert!(ran.err.contains("target length"), "{ran:?}");
    let first = &results["iterations"][0];
    for (name, phase) in [("splits", "split"), ("collapses", "collapse"), ("flips", "flip")] {
        let line = format!("iteration 1: {} {name}", first[phase]["executed"]);
        let line = ran.err.lines().find(|l| l.contains(&line)).expect("a line for each phase");
        for (reason, n) in first[phase]["rejected"].as_object().expect("reasons") {
            assert!(line.contains(&format!("{n} {}", reason.replace('_', " "))), "{line}");
        }
    }
    assert!(ran.err.contains("distance from the input"), "{ran:?}");
    assert_eq!(report["outputs"], serde_json::json!(["b.ply"]));
    folder.succeed(["repair", "b.ply", "--check"]);
}

#[test]
fn what_is_no_manifold_is_refused_by_name() {
    let folder = Folder::new();
    folder.mesh("a.ply", &soup());
    let ran = folder.run(["remesh", "a.ply", "-o", "b.ply"]);
    assert_eq!(ran.status, 3, "{ran:?}");
    assert!(ran.err.contains("a.ply: "), "{ran:?}");
    assert!(!folder.path("b.ply").exists());
    folder.succeed("remesh a.ply -o b.ply --repair --report r.json".split_whitespace());
    assert!(!folder.json("r.json")["results"]["repaired"].is_null());
    folder.succeed(["repair", "b.ply", "--check"]);
}

#[test]
fn lengths_by_curvature() {
    let folder = Folder::new();
    folder.mesh("a.ply", &mesh(shapes::bumpy_sphere(3, 1).expect("small")));
    let faces = |range: &str| {
        folder
            .succeed(format!("remesh a.ply -o b.ply --adaptive --tolerance 0.5% {range}").split_whitespace());
        folder.read("b.ply").faces.len()
    };
    // as the help text says; without it, edges may become shorter where the tolerance needs that
    let [usual, said, narrow] = ["", "--range 0.25,4", "--range 0.9,1.1"].map(faces);
    assert!(said <= usual, "{said}, {usual}");
    assert_ne!(said, narrow);
}

#[test]
fn wrong_usage() {
    let folder = Folder::new();
    folder.mesh("a.ply", &mesh(shapes::icosphere(1).expect("small")));
    for words in [
        "--target-length 0",
        "--target-length long",
        "--target-length -1",
        "--boundary gone",
        "--feature-angle 200",
        "--feature-angle 30 --merge-features 0.3",
        "--step 2",
        "--tolerance 1%",
        "--adaptive --range 2,1",
        "--adaptive --range 1",
        "--adaptive --range 0.25 4",
        "--adaptive --range 0.25,4,5",
    ] {
        let ran = folder.run(["remesh", "a.ply", "-o", "b.ply"].into_iter().chain(words.split_whitespace()));
        assert_eq!(ran.status, 2, "{words}: {ran:?}");
        assert!(!folder.path("b.ply").exists(), "{words}");
    }
}
