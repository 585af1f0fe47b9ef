//! The same results on the GPU as on the CPU.
mod common;
use common::{Folder, every_kind, mesh};
use ribbonmesh_io::TriangleMesh;
use ribbonmesh_mesh::shapes;
use serde_json::Value;

/// Whether there is a GPU: if not, the test counts as skipped, and fails where `RIBBONMESH_REQUIRE_CUDA`
/// is 1.
fn has_gpu() -> bool {
    let folder = Folder::new();
    folder.mesh("a.ply", &common::triangles(3, &[[0, 1, 2]]));
    let ran = folder.line("info a.ply --device cuda");
    if ran.status != 0 {
        assert!(std::env::var_os("RIBBONMESH_REQUIRE_CUDA").is_none_or(|v| v != "1"), "no GPU: {ran:?}");
        println!("skipped: {}", ran.err);
    }
    ran.status == 0
}
fn meshes() -> Vec<(&'static str, TriangleMesh)> {
    let mut meshes = every_kind();
    meshes.push(("large sphere", mesh(shapes::bumpy_sphere(5, 1).expect("small"))));
    meshes
}
fn on(folder: &Folder, machine: &str, words: &str) -> String {
    let ran = folder.line(&format!("{words} --device {machine}"));
    assert_eq!(ran.status, 0, "{words} on {machine}: {ran:?}");
    ran.out
}

#[test]
fn queries() {
    if !has_gpu() {
        return;
    }
    let folder = Folder::new();
    for (kind, mesh) in meshes() {
        folder.mesh("a.ply", &mesh);
        let plain = ["VV", "VE", "VF", "EV", "EF", "FV", "FE", "FF", "EE", "EVDiamond"];
        let plain = plain.into_iter().filter(|&op| !(kind == "soup" && op == "EVDiamond")).map(str::to_owned);
        for op in plain.chain(["VV", "VE", "VF"].map(|op| format!("{op} --oriented"))) {
            let words = format!("query a.ply --patch-size 64 --op {op}");
            assert_eq!(on(&folder, "cuda", &words), on(&folder, "cpu", &words), "{op} of {kind}");
        }
    }
}

#[test]
fn figures() {
    if !has_gpu() {
        return;
    }
    let folder = Folder::new();
    for (kind, mesh) in meshes() {
        folder.mesh("a.ply", &mesh);
        let figures = |machine: &str| {
            let report = format!("info a.ply --json --report {machine}.json");
            let mut figures: Value = serde_json::from_str(&on(&folder, machine, &report)).expect("JSON");
            let name = figures.as_object_mut().and_then(|f| f.remove("machine")).expect("a machine");
            assert_eq!(folder.json(&format!("{machine}.json"))["machine"]["name"], name);
            for part in ["edge_length", "valence", "angle"] {
                // sums over elements in another order
                let numbers = figures[part].as_object_mut().into_iter().flatten();
                numbers.for_each(|(_, x)| *x = format!("{:.4e}", x.as_f64().expect("a number")).into());
            }
            figures
        };
        assert_eq!(figures("cuda"), figures("cpu"), "{kind}");
    }
    let report = folder.json("cuda.json");
    let kernels = &report["machine"]["kernels"];
    let number = |name: &str| kernels[name].as_u64().expect("a number");
    assert!(number("compiled") + number("from_machine_code") > 0);
    assert!(kernels["seconds"].as_f64().expect("a number") > 0.0);
    assert_eq!(kernels["rejected"], serde_json::json!([]));
}

#[test]
fn normals() {
    if !has_gpu() {
        return;
    }
    let folder = Folder::new();
    for (kind, mesh) in meshes() {
        folder.mesh("a.ply", &mesh);
        for weight in ["area", "angle", "max"] {
            let normals = |machine: &str| -> Vec<f32> {
                on(&folder, machine, &format!("normals a.ply -o {machine}.obj --weight {weight}"));
                let text = folder.text(&format!("{machine}.obj"));
                let rows = text.lines().filter_map(|l| l.strip_prefix("vn "));
                rows.flat_map(|l| l.split(' ').map(|x| x.parse().expect("a number"))).collect()
            };
            let (a, b) = (normals("cuda"), normals("cpu"));
            assert_eq!((a.len(), b.len()), (3 * mesh.positions.len(), 3 * mesh.positions.len()), "{kind}");
            assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-5), "{weight} of {kind}");
        }
    }
}

#[test]
fn geodesic() {
    if !has_gpu() {
        return;
    }
    let folder = Folder::new();
    for (kind, mesh) in meshes() {
        folder.mesh("a.ply", &mesh);
        for order in ["distance", "hops"] {
            let distances = |machine: &str| -> Vec<f32> {
                let out = format!("{machine}.ply");
                on(&folder, machine, &format!("geodesic a.ply --source 1 -o {out} --order {order}"));
                folder.read(&out).vertices().get::<f32>("distance").expect("distances").to_vec()
            };
            let (a, b) = (distances("cuda"), distances("cpu"));
            let near = |(a, b): (&f32, &f32)| a == b || (a - b).abs() < 0.02 * b;
            assert!(a.iter().zip(&b).all(near), "by {order}, {kind}");
            let whole = |d: &[f32]| d.iter().filter(|d| d.is_finite()).map(|&d| f64::from(d)).sum::<f64>();
            assert!((whole(&a) - whole(&b)).abs() <= 1e-4 * whole(&b), "by {order}, {kind}");
        }
    }
}

/// Results of kernels that the driver compiles, and of those that ptxas has compiled before.
#[test]
fn machine_code_gives_the_same_bits_as_ptx() {
    if !has_gpu() {
        return;
    }
    let folder = Folder::new();
    folder.mesh("a.ply", &mesh(shapes::bumpy_sphere(5, 1).expect("small")));
    let mut counts = 0;
    for command in ["normals", "smooth", "delaunay", "remesh", "simplify --faces 5000"] {
        let run = |variable: &str, name: &str| {
            let files = format!("-o {name}.ply --report {name}.json --device cuda");
            let ran = folder.shell(&format!("{variable} ribbonmesh {command} a.ply {files}"));
            assert_eq!(ran.status, 0, "{command}: {ran:?}");
            let kernels = folder.json(&format!("{name}.json"))["machine"]["kernels"].clone();
            assert_eq!(kernels["rejected"], serde_json::json!([]), "{command}");
            let bytes = std::fs::read(folder.path(&format!("{name}.ply"))).expect("a mesh");
            (bytes, kernels["from_machine_code"].as_u64().expect("a number"))
        };
        let ((compiled, none), (built_in, count)) = (run("CUDA_FORCE_PTX_JIT=1", "ptx"), run("", "code"));
        assert_eq!(none, 0, "{command}");
        assert!(compiled == built_in, "{command}: the files differ");
        counts += count;
    }
    if counts == 0 {
        println!("skipped: no machine code for this GPU is built in");
    }
}

#[test]
fn bench() {
    if !has_gpu() {
        return;
    }
    let folder = Folder::new();
    folder.mesh("a.ply", &mesh(shapes::torus(100, 1).expect("small")));
    let bench: Value =
        serde_json::from_str(&on(&folder, "cuda", "bench-query a.ply --repetitions 3 --copy 64"))
            .expect("JSON");
    assert_eq!(bench["queries"].as_array().map(Vec::len), Some(13));
    assert!(bench["machine"].as_str().is_some_and(|m| m.starts_with("CUDA")), "{bench}");
}

/// The order of threads decides about the result in patches; the surface is one on both machines, and
/// encloses about the same volume.
#[cfg(feature = "patches")]
#[test]
fn tracking_in_patches() {
    if !has_gpu() {
        return;
    }
    let folder = Folder::new();
    let [a, b] = ["cuda", "cpu"].map(|machine| {
        let words = format!(
            "track enright --size 8 --steps 40 -o {machine} --save ply --every 100 --patch-size 64 \
             --resolver patches --validate --report {machine}.json"
        );
        on(&folder, machine, &words);
        let results = folder.json(&format!("{machine}.json"))["results"].clone();
        assert_eq!(results["patches"]["stores_made"], 1, "{results}");
        assert!(results["split"].as_u64().is_some_and(|n| n > 100), "{results}");
        results["volume_drift"].as_f64().unwrap_or_else(|| panic!("{results}"))
    });
    assert!((a - b).abs() < 0.005 && a.abs() < 0.02, "{a}, {b}");
}
