//! `ribbonmesh spectrum`.
use crate::common;
use common::{Folder, mesh};
use ribbonmesh_mesh::shapes;

#[test]
fn a_sphere() {
    let folder = Folder::new();
    let shape = mesh(shapes::icosphere(3).expect("small"));
    folder.mesh("sphere.ply", &shape);
    let line = "spectrum sphere.ply -k 9 -o out.ply --values values.csv --functions 2 --hks 3 --wks 4 --source 5 \
                --report report.json";
    folder.succeed(line.split_whitespace());
    let found = folder.read("out.ply");
    assert_eq!(found.faces, shape.faces);
    for name in ["eigenfunction_0", "eigenfunction_1", "hks_2", "wks_3"] {
        assert_eq!(found.vertices().get::<f64>(name).expect(name).len(), shape.positions.len());
    }
    assert!(found.vertices().get::<f64>("eigenfunction_2").is_err());
    assert_eq!(found.vertices().get::<f64>("spectral_distance").expect("distances")[5], 0.0);
    let text = folder.text("values.csv");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[1]), (10, "index,eigenvalue", "0,0.0"));
    let results = &folder.json("report.json")["results"];
    assert_eq!((&results["components"], &results["converged"]), (&1.into(), &9.into()));
    let values: Vec<f64> = serde_json::from_value(results["eigenvalues"].clone()).expect("numbers");
    assert!((values[3] - 2.0).abs() < 0.05 && (values[4] - 6.0).abs() < 0.2, "{values:?}");
    assert_eq!(results["times"].as_array().map(Vec::len), Some(3));
}

#[test]
fn too_few_iterations_are_said() {
    let folder = Folder::new();
    folder.mesh("sphere.ply", &mesh(shapes::icosphere(3).expect("small")));
    let ran = folder.succeed("spectrum sphere.ply -k 9 --values v.csv --max-iterations 1".split_whitespace());
    assert!(ran.err.contains("--max-iterations"), "{}", ran.err);
}

#[test]
fn refused() {
    let folder = Folder::new();
    folder.mesh("mesh.ply", &mesh(shapes::grid(3, 1).expect("small")));
    folder.write("points.obj", "v 0 0 0\nv 1 0 0\n");
    for (line, status, words) in [
        ("spectrum mesh.ply", 2, "--output"),
        ("spectrum mesh.ply -o out.obj", 2, "only PLY"),
        ("spectrum mesh.ply -o mesh.ply", 2, "would be overwritten"),
        ("spectrum mesh.ply -k 1000 -o out.ply", 2, "--count 1000"),
        ("spectrum mesh.ply -k 4 -o out.ply --source 99", 2, "--source 99"),
        ("spectrum mesh.ply -k 4 -o out.ply --distance commute", 2, "--source"),
        ("spectrum mesh.ply -k 4 --values v.csv --hks 3", 2, "--output"),
        ("spectrum mesh.ply -k 4 -o out.ply --tolerance 1", 2, "above 0 and below 1"),
        ("spectrum points.obj -o out.ply", 3, "no faces"),
    ] {
        folder.refuses(line, status, words);
    }
}
