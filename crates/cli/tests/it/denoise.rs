//! `ribbonmesh denoise`, and `--noise` of `generate` and `convert`.
use crate::common;
use common::{Folder, every_kind, soup};
use ribbonmesh_io::TriangleMesh;

fn mean_distance(a: &TriangleMesh, b: &TriangleMesh) -> f64 {
    a.positions.iter().zip(&b.positions).map(|(p, q)| p.distance(*q)).sum::<f64>() / a.positions.len() as f64
}

#[test]
fn noise_goes() {
    let folder = Folder::new();
    for words in [
        "generate icosphere 5 -o clean.ply",
        "convert clean.ply noisy.ply --noise 0.25 --seed 3",
        "denoise noisy.ply -o smooth.ply --reference clean.ply --method bilateral --radius mean --iterations 3 --report report.json",
    ] {
        folder.succeed(words.split_whitespace());
    }
    let [clean, noisy, smooth] = ["clean.ply", "noisy.ply", "smooth.ply"].map(|name| folder.read(name));
    assert_eq!((&clean.faces, &noisy.faces), (&noisy.faces, &smooth.faces));
    let (before, after) = (mean_distance(&clean, &noisy), mean_distance(&clean, &smooth));
    assert!(after < 0.6 * before, "{after} {before}");
    let results = &folder.json("report.json")["results"];
    let number = |key: &str, part: &str| results[part][key].as_f64().unwrap_or_else(|| panic!("{results}"));
    assert!(number("offset_rms", "after") < 0.6 * number("offset_rms", "before"), "{results}");
    assert!(number("normal_angle", "after") < 0.6 * number("normal_angle", "before"), "{results}");
    assert!((number("distance_rms", "before") / before - 1.0).abs() < 0.5, "{results}");
    assert_eq!((&results["iterations"], &results["radius"]), (&3.into(), &"mean".into()));
    assert_eq!(results["walked"].as_array().map(Vec::len), Some(3));
}

#[test]
fn noise_is_reported() {
    let folder = Folder::new();
    for words in ["generate icosphere 4 -o clean.ply", "convert clean.ply noisy.ply --noise 0.1 --seed 3"] {
        folder.succeed(words.split_whitespace());
    }
    let results = |words: &str| {
        folder.succeed(words.split_whitespace().chain(["--report", "report.json"]));
        folder.json("report.json")["results"].clone()
    };
    let found = results("denoise noisy.ply -o a.ply --reference clean.ply");
    let number = |value: &serde_json::Value| value.as_f64().unwrap_or_else(|| panic!("{found}"));
    assert!((number(&found["noise"]) - 0.1).abs() < 0.03, "{found}");
    assert!(number(&found["similarity"]) > 0.0 && number(&found["iterations"]) > 0.0, "{found}");
    assert!(number(&found["after"]["offset_rms"]) < 0.5 * number(&found["before"]["offset_rms"]), "{found}");
    assert_eq!((&found["method"], &found["radius"]), (&"normals".into(), &serde_json::Value::Null));
    let given = results("denoise noisy.ply -o b.ply --method taubin --noise 0.2");
    assert_eq!((&given["method"], &given["iterations"]), (&"taubin".into(), &10.into()));
    // without noise nothing moves
    assert_eq!(results("denoise clean.ply -o c.ply")["iterations"], 0);
    assert_eq!(folder.read("c.ply"), folder.read("clean.ply"));
    let results = results("denoise noisy.ply -o d.ply --method bilateral");
    assert!(
        results["iterations"].as_u64().is_some_and(|n| n > 0) && results["noise"].is_number(),
        "{results}"
    );
}

#[test]
fn noise_by_seed() {
    let folder = Folder::new();
    folder.succeed(["generate", "torus", "20", "-o", "clean.ply"]);
    for (seed, file) in [("4", "a.ply"), ("4", "b.ply"), ("5", "c.ply")] {
        folder.succeed(["convert", "clean.ply", file, "--noise", "0.1", "--seed", seed]);
    }
    let [clean, a, b, c] = ["clean.ply", "a.ply", "b.ply", "c.ply"].map(|name| folder.read(name));
    assert_eq!(a, b);
    assert!(a != c && a != clean && a.faces == clean.faces);
    folder.succeed(["generate", "torus", "20", "-o", "d.ply", "--noise", "0.1"]);
    assert!(folder.read("d.ply").positions != clean.positions);
    folder.succeed(["convert", "clean.ply", "e.ply", "--noise", "0"]);
    assert_eq!(folder.read("e.ply"), clean);
    for wrong in ["-1", "nan", "inf"] {
        let ran = folder.run(["convert", "clean.ply", "f.ply", &format!("--noise={wrong}")]);
        assert_eq!(ran.status, 2, "{ran:?}");
    }
}

#[test]
fn every_mesh() {
    let folder = Folder::new();
    for (kind, mesh) in every_kind() {
        folder.mesh("mesh.ply", &mesh);
        let check = |options: &str| {
            let words = format!("denoise mesh.ply -o out.ply {options} --patch-size 32");
            folder.succeed(words.split_whitespace());
            let found = folder.read("out.ply");
            assert_eq!(found.faces, mesh.faces, "{kind}, {options}");
            assert!(found.positions.iter().all(|p| p.is_finite()), "{kind}, {options}");
        };
        for radius in ["shortest", "mean", "longest"] {
            check(&format!("--method bilateral --iterations 2 --radius {radius}"));
        }
        for method in ["normals", "bilateral", "taubin"] {
            check(&format!("--method {method}"));
            check(&format!("--method {method} --iterations 2"));
        }
    }
    folder.mesh("mesh.ply", &soup());
    folder.succeed(["denoise", "mesh.ply", "-o", "same.obj", "--iterations", "0", "--fixed-boundary"]);
    assert_eq!(folder.read("same.obj"), soup());
}

#[test]
fn refusals() {
    let folder = Folder::new();
    folder.mesh("a.ply", &soup());
    folder.succeed(["generate", "icosphere", "1", "-o", "other.ply"]);
    let ran = folder.run(["denoise", "a.ply", "-o", "b.ply", "--reference", "other.ply"]);
    assert_eq!(ran.status, 3);
    assert!(ran.err.contains("other.ply: 42 vertices, but a.ply has 13"), "{ran:?}");
    let ran = folder.run(["denoise", "a.ply", "-o", "b.ply", "--scale", "0"]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("scale is 0: above 0, at most 100"), "{ran:?}");
    for wrong in [
        "--radius least",
        "--method best",
        "--noise -1",
        "--noise nan",
        "--noise 11",
        "--similarity 0",
        "--similarity 3",
    ] {
        let ran =
            folder.run(format!("denoise a.ply -o b.ply {}", wrong.replace(" ", "=")).split_whitespace());
        assert_eq!(ran.status, 2, "{wrong}: {ran:?}");
    }
}
