//! `ribbonmesh smooth`: its output, its report, and refused input. The numbers are tested in the crate of the
//! algorithm.
use crate::common;
use common::{Folder, every_kind, mesh, soup};
use ribbonmesh_io::TriangleMesh;
use ribbonmesh_mesh::shapes;

fn volume(mesh: &TriangleMesh) -> f64 {
    let p = |v: u32| mesh.positions[v as usize].to_array();
    let six = |f: &[u32; 3]| {
        let (a, b, c) = (p(f[0]), p(f[1]), p(f[2]));
        a[0] * (b[1] * c[2] - b[2] * c[1])
            + a[1] * (b[2] * c[0] - b[0] * c[2])
            + a[2] * (b[0] * c[1] - b[1] * c[0])
    };
    mesh.faces.iter().map(six).sum::<f64>() / 6.0
}
/// The sum of the squared differences between the ends of edges.
fn roughness(mesh: &TriangleMesh) -> f64 {
    let side = |a: u32, b: u32| mesh.positions[a as usize].distance_squared(mesh.positions[b as usize]);
    mesh.faces.iter().map(|f| side(f[0], f[1]) + side(f[1], f[2]) + side(f[2], f[0])).sum()
}

#[test]
fn every_mesh_and_way() {
    let folder = Folder::new();
    for (kind, mesh) in every_kind() {
        folder.mesh("mesh.ply", &mesh);
        for line in [
            "--time-step 2h2",
            "--weights uniform --mass unit --solver assembled",
            "--boundary fixed --mass mixed --preconditioner jacobi --steps 2",
        ] {
            let line = format!("--device cpu --patch-size 32 smooth mesh.ply -o out.ply --quiet {line}");
            let ran = folder.line(&line);
            assert_eq!((ran.status, ran.out.as_str()), (0, ""), "{kind}: {line}: {ran:?}");
            // the reader refuses numbers that are not finite
            let out = folder.read("out.ply");
            assert_eq!((out.positions.len(), &out.faces), (mesh.positions.len(), &mesh.faces), "{kind}");
            if line.contains("uniform") && !mesh.faces.is_empty() {
                assert!(roughness(&out) < roughness(&mesh), "{kind}");
            }
        }
    }
}

#[test]
fn the_report() {
    let folder = Folder::new();
    let sphere = mesh(shapes::bumpy_sphere(3, 1).expect("small"));
    folder.mesh("mesh.ply", &sphere);
    folder.succeed(
        "smooth mesh.ply -o out.obj --steps 2 --time-step 3h2 --keep-volume --report r.json".split(' '),
    );
    let report = folder.json("r.json");
    let results = &report["results"];
    assert_eq!(results["converged"], true);
    assert_eq!(results["weights"], "cotangent");
    let number = |value: &serde_json::Value| value.as_f64().expect("a number");
    let h = number(&results["mean_edge_length"]);
    assert!((number(&results["time_step"]) - 3.0 * h * h).abs() < 1e-12);
    let steps = results["steps"].as_array().expect("steps");
    assert_eq!(steps.len(), 2);
    let iterations: f64 = steps.iter().map(|s| number(&s["iterations"])).sum();
    assert_eq!(iterations, number(&results["iterations"]));
    assert!((number(&steps[0]["volumes"][0]) - volume(&sphere)).abs() < 1e-5);
    assert!((volume(&folder.read("out.obj")) / volume(&sphere) - 1.0).abs() < 1e-5);
    assert!(number(&results["greatest_displacement"]) > 0.0);
    assert_eq!(report["outputs"], serde_json::json!(["out.obj"]));
}

#[test]
fn a_step_that_is_not_solved() {
    let folder = Folder::new();
    folder.mesh("mesh.ply", &mesh(shapes::bumpy_sphere(3, 1).expect("small")));
    let ran = folder.succeed("smooth mesh.ply -o out.ply --time-step 100h2 --max-iterations 2".split(' '));
    assert!(ran.err.contains("warning: 1 step did not reach the tolerance"), "{ran:?}");
}

#[test]
fn refusals() {
    let folder = Folder::new();
    folder.mesh("mesh.ply", &soup());
    folder.mesh("grid.ply", &mesh(shapes::grid(9, 1).expect("small")));
    for (line, status, word) in [
        ("mesh.ply -o out.ply --time-step -1", 2, "'--time-step <T|Th2>': a number that is not negative"),
        ("mesh.ply -o out.ply --time-step 1h", 2, "1.5h2"),
        ("mesh.ply -o out.ply --weights cot", 2, "cotangent, uniform or intrinsic"),
        ("mesh.ply -o out.ply --tolerance 1", 2, "less than 1"),
        ("mesh.ply -o out.ply --steps 0", 2, "steps"),
        ("mesh.ply -o out.txt", 2, "out.txt"),
        ("grid.ply -o out.ply --keep-volume", 2, "has a boundary"),
        ("none.ply -o out.ply", 1, "none.ply"),
    ] {
        folder.refuses(&format!("--device cpu smooth {line}"), status, word);
        assert!(!folder.path("out.ply").exists(), "{line}");
    }
}
