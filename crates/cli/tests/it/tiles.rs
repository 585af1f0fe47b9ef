//! `ribbonmesh tiles`.
use crate::common;
use common::{Folder, mesh};
use ribbonmesh_mesh::shapes;

#[test]
fn a_bumpy_sphere_by_tiles() {
    let folder = Folder::new();
    let mut sphere = mesh(shapes::bumpy_sphere(5, 1).expect("small"));
    let heat = vec![1.0_f32; sphere.positions.len()];
    sphere.vertices_mut().insert("heat", heat).expect("rows");
    folder.mesh("a.ply", &sphere);
    let words = "tiles simplify a.ply -o b.ply --ratio 0.1 --tile-faces 1500 --report r.json -v --keep";
    let ran = folder.succeed(words.split_whitespace());
    let results = &folder.json("r.json")["results"];
    assert_eq!((folder.read("b.ply").faces.len(), &results["after"]["faces"]), (2_048, &2_048.into()));
    assert!(results["levels"][0]["tiles"].as_u64() > Some(10), "{results}");
    assert!(ran.err.contains("note: left out: vertex.heat"), "{ran:?}");
    assert!(ran.err.contains("20480 faces to 2048 faces, "), "{ran:?}");
    assert!(ran.err.contains("level 0: 20480 faces in "), "{ran:?}");
    folder.succeed(["repair", "b.ply", "--check"]);
    // the last tiles are meshes for every program
    let last = std::fs::read_dir(folder.path("b.ply.tiles")).expect("a folder");
    let tile = last.flatten().map(|entry| entry.path().join("results/0.ply")).find(|path| path.exists());
    folder.succeed(["info".into(), tile.expect("a tile").into_os_string()]);
}

#[test]
fn refusals() {
    let folder = Folder::new();
    let sphere = mesh(shapes::icosphere(2).expect("small"));
    folder.mesh("a.ply", &sphere);
    folder.mesh("a.obj", &sphere);
    let refused = |words: &str| {
        let ran = folder.run(words.split_whitespace());
        (ran.status, ran.err)
    };
    let (status, text) = refused("tiles simplify a.ply -o b.ply --ratio 0.5 --memory 1MB");
    assert_eq!(status, 2);
    assert!(text.contains("--memory is 1000000: 128000000 or more"), "{text}");
    let (status, text) = refused("tiles simplify a.obj -o b.ply --ratio 0.5");
    assert_eq!(status, 3);
    assert!(text.contains("a.obj"), "{text}");
    let (status, text) = refused("tiles simplify a.ply -o a.ply --ratio 0.5");
    assert_eq!(status, 2);
    assert!(text.contains("the output is the input"), "{text}");
    let (status, text) = refused("tiles simplify a.ply -o - --ratio 0.5");
    assert_eq!(status, 2);
    assert!(text.contains("written to a file"), "{text}");
    let cuda = folder.line("--device cuda tiles simplify a.ply -o b.ply --ratio 0.5");
    assert_eq!(cuda.status, 2);
    assert!(cuda.err.contains("on the CPU only"), "{cuda:?}");
}
