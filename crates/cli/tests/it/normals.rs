//! `ribbonmesh normals` against sums over faces in double precision.
use crate::common;
use common::{Folder, every_kind, mesh, soup};
use ribbonmesh_io::TriangleMesh;
use ribbonmesh_mesh::shapes;

fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
fn norm(a: [f64; 3]) -> f64 {
    a.iter().map(|x| x * x).sum::<f64>().sqrt()
}
/// Unit normals, or zero vectors where nothing adds up.
fn expected(mesh: &TriangleMesh, weight: &str) -> Vec<[f64; 3]> {
    let mut sums = vec![[0.0; 3]; mesh.positions.len()];
    for f in &mesh.faces {
        let p = f.map(|v| mesh.positions[v as usize].to_array());
        for i in 0..3 {
            let (a, b) = (sub(p[(i + 1) % 3], p[i]), sub(p[(i + 2) % 3], p[i]));
            let n = cross(a, b);
            if norm(n) == 0.0 {
                continue;
            }
            let angle = (a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>() / (norm(a) * norm(b)))
                .clamp(-1.0, 1.0)
                .acos();
            let scale = match weight {
                "area" => 1.0,
                "angle" => angle / norm(n),
                _ => 1.0 / (norm(a) * norm(b)).powi(2),
            };
            let sum = &mut sums[f[i] as usize];
            *sum = [0, 1, 2].map(|k| sum[k] + scale * n[k]);
        }
    }
    let unit = |s: [f64; 3]| if norm(s) < 1e-12 { [0.0; 3] } else { s.map(|x| x / norm(s)) };
    sums.into_iter().map(unit).collect()
}
/// The rows `x y z nx ny nz` of an ASCII PLY.
fn rows(text: &str, n: usize) -> Vec<Vec<f32>> {
    let properties: Vec<&str> = text.lines().filter(|l| l.starts_with("property float")).collect();
    let expected = ["x", "y", "z", "nx", "ny", "nz"].map(|name| format!("property float {name}"));
    assert_eq!(properties, expected);
    let lines = text.lines().skip_while(|l| *l != "end_header").skip(1).take(n);
    lines.map(|l| l.split_whitespace().map(|x| x.parse().expect("a number")).collect()).collect()
}

#[test]
fn every_mesh_and_weight() {
    let folder = Folder::new();
    for (kind, mesh) in every_kind() {
        folder.mesh("mesh.ply", &mesh);
        for weight in ["area", "angle", "max"] {
            folder.succeed([
                "normals",
                "mesh.ply",
                "-o",
                "out.ply",
                "--ascii",
                "--weight",
                weight,
                "--patch-size",
                "32",
            ]);
            let out = folder.read("out.ply");
            assert_eq!((&out.positions, &out.faces), (&mesh.positions, &mesh.faces), "{kind}");
            let rows = rows(&folder.text("out.ply"), mesh.positions.len());
            for (v, (row, normal)) in rows.iter().zip(expected(&mesh, weight)).enumerate() {
                for axis in 0..3 {
                    let found = f64::from(row[3 + axis]);
                    assert!(
                        (found - normal[axis]).abs() < 1e-5,
                        "{weight}, vertex {v} of {kind}: {row:?}, {normal:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn every_format() {
    let folder = Folder::new();
    folder.mesh("mesh.ply", &mesh(shapes::icosphere(2).expect("small")));
    for (file, mark) in [("a.obj", "\nvn "), ("a.off", "NOFF")] {
        folder.succeed(["normals", "mesh.ply", "-o", file]);
        assert!(folder.text(file).contains(mark), "{file}");
    }
    folder.succeed(["normals", "mesh.ply", "-o", "a.glb"]);
    let bytes = std::fs::read(folder.path("a.glb")).expect("a file");
    assert!(bytes.windows(6).any(|w| w == b"NORMAL"));
}

#[test]
fn vertices_without_normal_are_counted() {
    let folder = Folder::new();
    folder.mesh("mesh.ply", &soup());
    let ran = folder.succeed(["normals", "mesh.ply", "-o", "out.ply", "--report", "report.json"]);
    let count = expected(&soup(), "angle").iter().filter(|n| **n == [0.0; 3]).count();
    assert!(count > 1, "the soup has isolated vertices and degenerate faces");
    assert!(ran.err.contains(&format!("{count} vertices without a normal")), "{ran:?}");
    let report = folder.json("report.json");
    assert_eq!(report["results"]["without_normal"], count);
    assert_eq!(report["results"]["weight"], "angle");
    assert_eq!(report["outputs"], serde_json::json!(["out.ply"]));
}
