//! `ribbonmesh lod`.
use crate::common;
use common::{Folder, mesh};
use ribbonmesh_mesh::shapes;

#[test]
fn levels_of_a_sphere_and_their_cuts() {
    let folder = Folder::new();
    let mut sphere = mesh(shapes::bumpy_sphere(5, 1).expect("small"));
    let heat = vec![1.0_f32; sphere.positions.len()];
    sphere.vertices_mut().insert("heat", heat).expect("rows");
    folder.mesh("a.ply", &sphere);
    let ran = folder.succeed("lod build a.ply -o a.json --report r.json -v".split_whitespace());
    let results = folder.json("r.json");
    let levels = results["results"]["levels"].as_array().expect("levels");
    assert!(levels.len() > 5 && levels[0]["triangles"] == 20_480, "{results}");
    assert!(
        ran.err.contains("attributes left out: vertex.heat") && ran.err.contains("level 0: 20480"),
        "{ran:?}"
    );
    // the file says where its parts are
    let (about, bytes) = (folder.json("a.json"), std::fs::read(folder.path("a.bin")).expect("a file").len());
    assert_eq!((&about["bytes"], &about["data"]), (&bytes.into(), &"a.bin".into()));
    folder.succeed("lod cut a.json -o b.ply --error 1% --report r.json".split_whitespace());
    let small = folder.read("b.ply");
    assert!(small.faces.len() < 10_000, "{}", small.faces.len());
    let results = &folder.json("r.json")["results"];
    assert_eq!(results["triangles"], small.faces.len());
    folder.succeed(["repair", "b.ply", "--check"]);
    let ran = folder.succeed("distance a.ply b.ply --json".split_whitespace());
    let found: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    let far = found["symmetric"]["hausdorff"].as_f64().expect("a distance");
    assert!(far < 0.011 * about_diagonal(&about), "{found}");
    // near the point of view it is finer
    folder.succeed("lod cut a.json -o c.glb --from 2,0,0 --slope 0.01".split_whitespace());
    assert!(folder.read("c.glb").faces.len() > 100);
}

fn about_diagonal(about: &serde_json::Value) -> f64 {
    let at = |corner: usize, axis: usize| about["bounding_box"][corner][axis].as_f64().expect("a number");
    (0..3).map(|axis| (at(1, axis) - at(0, axis)).powi(2)).sum::<f64>().sqrt()
}

#[test]
fn refusals() {
    let folder = Folder::new();
    folder.mesh("a.ply", &mesh(shapes::icosphere(2).expect("small")));
    let refused = |words: &str| {
        let ran = folder.run(words.split_whitespace());
        (ran.status, ran.err)
    };
    let (status, text) = refused("lod build a.ply -o a.glb");
    assert!(status == 2 && text.contains("a name that ends in .json"), "{text}");
    let (status, text) = refused("lod build a.ply -o -");
    assert!(status == 2 && text.contains("not to standard output"), "{text}");
    folder.succeed("lod build a.ply -o a.json".split_whitespace());
    let (status, text) = refused("lod cut a.json -o b.ply");
    assert!(status == 2 && text.contains("--error"), "{text}");
    let (status, text) = refused("lod cut a.json -o b.ply --error 0.8x");
    assert!(status == 2 && text.contains("% of the diagonal"), "{text}");
    std::fs::write(folder.path("a.bin"), "").expect("a file");
    let (status, text) = refused("lod cut a.json -o b.ply --error 1%");
    assert!(status == 3 && text.contains("a.bin: not as long as "), "{text}");
}
