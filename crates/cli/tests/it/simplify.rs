//! `ribbonmesh simplify`.
use crate::common;
use common::{Folder, mesh, soup};
use ribbonmesh_mesh::shapes;

#[test]
fn a_bumpy_sphere() {
    let folder = Folder::new();
    folder.mesh("a.ply", &mesh(shapes::bumpy_sphere(4, 1).expect("small")));
    let words = "simplify a.ply -o b.ply --ratio 0.1 --validate --report r.json -v";
    let ran = folder.succeed(words.split_whitespace());
    let report = folder.json("r.json");
    let results = &report["results"];
    let after = folder.read("b.ply");
    assert_eq!(after.faces.len(), 512);
    assert_eq!(results["after"]["faces"], 512);
    assert_eq!(results["after"]["vertices"], after.positions.len());
    assert_eq!(results["stopped"], "target");
    let stages = results["stages"].as_array().expect("stages");
    let collapsed: u64 = stages.iter().map(|s| s["collapsed"].as_u64().expect("a number")).sum();
    assert_eq!(results["collapses"], collapsed);
    let far = results["distance"]["relative"]["hausdorff"].as_f64().expect("a distance");
    assert!(far > 0.0 && far < 0.05, "{far}");
    assert!(results["largest_quadric_error"].as_f64().expect("a length") > 0.0);
    assert!(ran.err.contains("5120 faces to 512 faces"), "{ran:?}");
    // refusals by reason add up, and are said
    let rejected = results["rejected"].as_object().expect("reasons");
    for (reason, n) in rejected {
        let of_stages: u64 = stages.iter().filter_map(|s| s["rejected"][reason].as_u64()).sum();
        assert_eq!(n, of_stages, "{reason}");
        assert!(ran.err.contains(&reason.replace('_', " ")), "{reason}: {ran:?}");
    }
    for (quality, faces) in [("quality_before", 5120), ("quality_after", 512)] {
        let q = &results[quality];
        let sum = |bins: &serde_json::Value| -> u64 {
            bins.as_array().expect("bins").iter().map(|n| n.as_u64().expect("a count")).sum()
        };
        let angles = &q["smallest_angle"];
        assert_eq!(sum(&angles["bins"]), faces, "{quality}");
        let lengths = &q["edge_length"];
        let edges = sum(&lengths["bins"]) + lengths["above"].as_u64().expect("a count");
        assert_eq!(edges, faces * 3 / 2, "{quality}");
        assert_eq!(sum(&q["valence"]["counts"]), faces / 2 + 2, "{quality}");
    }
    assert!(ran.err.contains("before: edges ") && ran.err.contains("after: edges "), "{ran:?}");
    let [a, b] =
        ["a_to_b", "b_to_a"].map(|way| results["distance"][way]["hausdorff"].as_f64().expect("a distance"));
    assert!(a > 0.0 && b > 0.0);
    assert_eq!(report["outputs"], serde_json::json!(["b.ply"]));
    folder.succeed(["repair", "b.ply", "--check"]);
}

#[test]
fn within_a_distance() {
    let folder = Folder::new();
    folder.mesh("a.ply", &mesh(shapes::icosphere(4).expect("small")));
    folder.succeed("simplify a.ply -o b.ply --max-error 0.5% --report r.json".split_whitespace());
    let results = &folder.json("r.json")["results"];
    let far = results["distance"]["relative"]["hausdorff"].as_f64().expect("a distance");
    assert!(far < 0.005, "{far}");
    assert_eq!(results["stopped"], "nothing_left");
    assert!(folder.read("b.ply").faces.len() < 2500);
    // faces that cannot be had
    let words = "simplify a.ply -o c.ply --max-error 0.1% --faces 100";
    let ran = folder.succeed(words.split_whitespace());
    assert!(ran.err.contains("note: ") && ran.err.contains("100 faces were wanted"), "{ran:?}");
}

#[test]
fn a_distance_that_is_measured_holds() {
    let folder = Folder::new();
    folder.mesh("a.ply", &mesh(shapes::torus(30, 1).expect("small")));
    // here the estimates of collapses are too small for the first attempt
    let words = "simplify a.ply -o b.ply --max-error 0.1% --order rounds --report r.json";
    let ran = folder.succeed(words.split_whitespace());
    assert!(ran.err.contains("more than the") && ran.err.contains("again with"), "{ran:?}");
    let report = folder.json("r.json");
    let results = &report["results"];
    let number = |value: &serde_json::Value| value.as_f64().expect("a length");
    let far = number(&results["distance"]["symmetric"]["hausdorff"]);
    assert!(far <= number(&results["max_error"]), "{far}: {results}");
    let diagonal = number(&results["distance"]["diagonal"]);
    assert!((number(&results["max_error"]) - 1e-3 * diagonal).abs() < 1e-6 * diagonal, "{results}");
    assert_eq!(report["notes"].as_array().expect("notes").len(), 1, "{report}");
}

#[test]
fn faces_that_cannot_be_had_are_a_warning() {
    let folder = Folder::new();
    folder.mesh("a.ply", &mesh(shapes::grid(20, 1).expect("small")));
    // the boundary keeps its vertices, and so at least as many faces
    let words = "simplify a.ply -o b.ply --faces 4 --fixed-boundary -q --report r.json";
    let ran = folder.succeed(words.split_whitespace());
    let faces = folder.read("b.ply").faces.len();
    assert!(faces >= 74, "{faces}");
    let expected = format!(
        "{faces} faces: 4 faces were wanted, and no other edge may be collapsed; 76 corners kept, where curves end or meet; \
         vertices of more than 31 neighbours stay; --topology free goes further"
    );
    assert_eq!(ran.err, format!("warning: {expected}\n"));
    assert_eq!(folder.json("r.json")["warnings"], serde_json::json!([expected]));
}

#[test]
fn across_topology() {
    let folder = Folder::new();
    folder.mesh("a.ply", &mesh(shapes::torus(20, 1).expect("small")));
    let words = "simplify a.ply -o b.ply --faces 8 --topology free --report r.json -v";
    let ran = folder.succeed(words.split_whitespace());
    let faces = folder.read("b.ply").faces.len();
    assert!((1..=8).contains(&faces), "{faces}");
    let results = &folder.json("r.json")["results"];
    let done = &results["contractions"];
    assert_eq!((&done["before"]["genus"], &results["stopped"]), (&1.into(), &"target".into()));
    let pairs = done["pairs"].as_u64().expect("a number");
    assert!(ran.err.contains(&format!("across topology: {pairs} pairs contracted")), "{ran:?}");
    assert!(ran.err.contains("round 1: "), "{ran:?}");
    folder.succeed(["repair", "b.ply", "--check"]);
    folder.succeed("simplify a.ply -o b.ply --faces 300 --report r.json".split_whitespace());
    assert!(folder.json("r.json")["results"]["contractions"].is_null());
}

#[test]
fn what_is_no_manifold_is_refused_by_name() {
    let folder = Folder::new();
    folder.mesh("a.ply", &soup());
    let ran = folder.run(["simplify", "a.ply", "-o", "b.ply", "--ratio", "0.5"]);
    assert_eq!(ran.status, 3, "{ran:?}");
    assert!(ran.err.contains("a.ply: "), "{ran:?}");
    assert!(!folder.path("b.ply").exists());
    folder.succeed("simplify a.ply -o b.ply --ratio 0.5 --repair --report r.json".split_whitespace());
    assert!(!folder.json("r.json")["results"]["repaired"].is_null());
    folder.succeed(["repair", "b.ply", "--check"]);
}

#[test]
fn wrong_usage() {
    let folder = Folder::new();
    folder.mesh("a.ply", &mesh(shapes::icosphere(1).expect("small")));
    for words in [
        "",
        "--faces -1",
        "--faces many",
        "--faces 10 --ratio 0.5",
        "--ratio 2",
        "--ratio nan",
        "--max-error far",
        "--max-error -1",
        "--ratio 0.5 --feature-angle 200",
        "--ratio 0.5 --share 0",
        "--faces 9 --topology open",
        "--faces 0 --topology free",
        "--faces 9 --topology free --max-error 1%",
        "--faces 9 --topology free --fixed-boundary",
        "--ratio 0.5 --max-turn 100",
        "--ratio 0.5 --curve-weight inf",
    ] {
        let ran =
            folder.run(["simplify", "a.ply", "-o", "b.ply"].into_iter().chain(words.split_whitespace()));
        assert_eq!(ran.status, 2, "{words}: {ran:?}");
        assert!(!folder.path("b.ply").exists(), "{words}");
    }
}
