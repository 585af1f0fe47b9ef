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
fn even_triangles_by_tiles() {
    let folder = Folder::new();
    folder.mesh("a.ply", &mesh(shapes::bumpy_sphere(5, 1).expect("small")));
    let words =
        "tiles remesh a.ply -o b.ply --target-length 1.5x --project --tile-faces 2000 --report r.json -v";
    let ran = folder.line(words);
    let results = &folder.json("r.json")["results"];
    assert!(results["levels"][0]["tiles"].as_u64() > Some(4), "{results}");
    assert_eq!(results["after"]["faces"], folder.read("b.ply").faces.len());
    assert!(results["target_length"].as_f64() > Some(0.0) && results["target_faces"].is_null(), "{results}");
    assert!(ran.err.contains("20480 faces to "), "{ran:?}");
    folder.succeed(["repair", "b.ply", "--check"]);
    // edges of a cube are kept
    let corner = |i: u32| format!("v {} {} {}\n", i & 1, i >> 1 & 1, i >> 2);
    let faces = "f 1 3 4\nf 1 4 2\nf 5 6 8\nf 5 8 7\nf 1 2 6\nf 1 6 5\nf 3 7 8\nf 3 8 4\nf 1 5 7\nf 1 7 3\n\
                 f 2 4 8\nf 2 8 6\n";
    folder.write("c.obj", (0..8).map(corner).collect::<String>() + faces);
    let ran = folder.line("tiles remesh c.obj -o d.ply --target-length 2% --tile-faces 1000");
    assert!(ran.err.contains("an angle of 30° or more"), "{ran:?}");
    let cube = folder.read("d.ply");
    assert!((cube.area() / 6.0 - 1.0).abs() < 1e-5 && cube.faces.len() > 10_000);
    let refused = folder.run("tiles remesh a.ply -o b.ply --step 2".split_whitespace());
    assert_eq!(refused.status, 2);
    assert!(refused.err.contains("--step is 2: 0 to 1"), "{refused:?}");
}

#[test]
fn refusals() {
    let folder = Folder::new();
    let sphere = mesh(shapes::icosphere(2).expect("small"));
    folder.mesh("a.ply", &sphere);
    folder.mesh("a.off", &sphere);
    let refused = |words: &str| {
        let ran = folder.run(words.split_whitespace());
        (ran.status, ran.err)
    };
    let (status, text) = refused("tiles simplify a.ply -o b.ply --ratio 0.5 --memory 1MB");
    assert_eq!(status, 2);
    assert!(text.contains("--memory is 1000000: 128000000 or more"), "{text}");
    let (status, text) = refused("tiles simplify a.off -o b.ply --ratio 0.5");
    assert_eq!(status, 3);
    assert!(
        text.contains(
            "a.off: a file of OFF cannot be read in pieces; `ribbonmesh convert` reads it as a whole"
        ),
        "{text}"
    );
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

#[test]
fn descriptions_normals_and_formats() {
    let folder = Folder::new();
    folder.mesh("a.stl", &mesh(shapes::bumpy_sphere(4, 1).expect("small")));
    let ran = folder.line("tiles info a.stl --tile-faces 1000 --json");
    let found: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    let known: serde_json::Value = serde_json::from_str(&folder.line("info a.stl --json").out).expect("JSON");
    for name in ["vertices", "edges", "faces", "components", "genus", "boundary_edges", "bounding_box"] {
        assert_eq!(found[name], known[name], "{name}");
    }
    assert!(folder.line("tiles info a.stl").out.contains("genus                 0"));
    folder.line("tiles convert a.stl -o b.glb --tile-faces 1000");
    folder.line("tiles normals b.glb -o c.ply --tile-faces 1000 --weight area");
    folder.line("normals a.stl -o d.ply --weight area");
    let [c, d] = ["c.ply", "d.ply"].map(|name| folder.read(name));
    assert_eq!((c.positions, c.faces), (d.positions, d.faces));
    assert!(!folder.path("a.stl.tiles").exists() && !folder.path("c.ply.tiles").exists());
}

#[test]
fn repair_and_distances_are_those_in_memory() {
    let folder = Folder::new();
    let mut broken = mesh(shapes::bumpy_sphere(5, 1).expect("small"));
    for i in (0..broken.faces.len()).step_by(100) {
        let [a, b, c] = broken.faces[i];
        broken.faces[i] = [a, c, b];
        broken.faces.push([a, b, broken.faces[i + 50][0]]);
    }
    folder.mesh("a.ply", &broken);
    let ran =
        folder.line("tiles repair a.ply -o b.ply --remove-components 5 --tile-faces 1000 --report r.json");
    assert!(ran.err.contains("faces turned"), "{ran:?}");
    folder.line("repair a.ply -o c.ply --remove-components 5 --report s.json");
    let [b, c] = ["b.ply", "c.ply"].map(|name| folder.read(name));
    assert_eq!((b.positions, b.faces), (c.positions, c.faces));
    let [found, known] = ["r.json", "s.json"].map(|name| folder.json(name)["results"].clone());
    let listed = known["faces_turned"].as_array().map(Vec::len);
    assert!(found["tiles"].as_u64() > Some(10) && listed > Some(100), "{found}");
    assert_eq!(found["faces_turned"].as_u64(), listed.map(|n| n as u64), "{found}");
    folder.succeed(["repair", "b.ply", "--check"]);
    let refused = folder.line("tiles repair a.ply -o a.ply");
    assert!(refused.err.contains("the output is the input"), "{refused:?}");

    folder.line("simplify b.ply -o d.ply --ratio 0.2");
    let [found, known] =
        ["tiles distance b.ply d.ply --tile-faces 1000", "distance b.ply d.ply"].map(|words| {
            let ran = folder.line(&format!("{words} --samples 20000 --json"));
            serde_json::from_str::<serde_json::Value>(&ran.out).expect("JSON")
        });
    for way in ["a_to_b", "b_to_a", "symmetric"] {
        for figure in ["hausdorff", "mean", "rms"] {
            let [a, b] = [&found, &known].map(|found| found[way][figure].as_f64().expect("a number"));
            // the farthest of few random points is not that of others
            let bound = if figure == "hausdorff" { 0.3 } else { 0.05 };
            assert!((a / b - 1.0).abs() < bound, "{way} {figure}: {a} {b}");
        }
    }
    assert_eq!(found["diagonal"], known["diagonal"]);
    assert!(folder.line("tiles distance b.ply d.ply").out.contains("both / diagonal of a"));
    assert!(!folder.path("b.ply.tiles").exists());
}

#[test]
fn pictures_are_those_in_memory() {
    let folder = Folder::new();
    folder.mesh("a.ply", &mesh(shapes::bumpy_sphere(5, 1).expect("small")));
    let bytes = |name: &str| std::fs::read(folder.path(name)).expect("a file");
    for look in
        ["", "--view iso --perspective --normals --transparent", "--flat --edges --up z --view -30,20"]
    {
        let by_parts = format!("tiles render a.ply -o b.png --size 200x150 {look} --tile-faces 1000");
        let ran = folder.line(&format!("{by_parts} --report r.json -v"));
        assert!(ran.err.contains("20480 faces in 21 parts"), "{ran:?}");
        folder.line(&format!("render a.ply -o c.png --size 200x150 {look} --report s.json"));
        assert!(bytes("b.png") == bytes("c.png"), "{look}");
        let [found, known] = ["r.json", "s.json"].map(|name| folder.json(name)["results"].clone());
        assert_eq!(found, known);
    }
    assert!(!folder.path("b.png.tiles").exists());
    // a bound of memory chooses parts
    let ran = folder.line("render a.ply -o d.png --size 200x150 --memory 60MB -v");
    assert!(ran.err.contains("--memory is 60000000: "), "{ran:?}");
    folder.mesh("e.ply", &mesh(shapes::bumpy_sphere(8, 1).expect("small")));
    let ran = folder.line("render e.ply -o f.png --size 200x150 --memory 145MB -v");
    assert!(ran.err.contains("1310720 faces in "), "{ran:?}");
    folder.line("render e.ply -o g.png --size 200x150");
    assert!(bytes("f.png") == bytes("g.png"));
    for (words, text) in [
        ("render e.ply -o h.png --size 200x150 --memory 145MB --scalar x", "tiles do not have --scalar"),
        ("render e.ply -o h.png --size 200x150 --memory 145MB --patches", "tiles do not have --patches"),
        ("tiles render a.ply -o h.ply", "pictures are PNG files"),
        ("tiles render a.ply -o h.png --size 16384x16384", "samples"),
    ] {
        let refused = folder.run(words.split_whitespace());
        assert!(refused.status == 2 && refused.err.contains(text), "{words}: {refused:?}");
    }
}

#[test]
fn a_bound_of_memory_chooses_tiles() {
    let folder = Folder::new();
    folder.mesh("a.ply", &mesh(shapes::bumpy_sphere(7, 1).expect("small")));
    // 327,680 faces need some 250 MB in memory
    let ran = folder.line("simplify a.ply -o b.ply --ratio 0.01 --memory 150MB --report r.json");
    let results = &folder.json("r.json")["results"];
    assert!(results["levels"][0]["tiles"].as_u64() > Some(3), "{ran:?} {results}");
    assert!((3_270..=3_277).contains(&folder.read("b.ply").faces.len()));
    let by_tiles = folder.line("tiles simplify a.ply -o c.ply --ratio 0.01 --memory 150MB");
    let [b, c] = ["b.ply", "c.ply"].map(|name| std::fs::read(folder.path(name)).expect("a file"));
    assert!(b == c, "{by_tiles:?}");
    let whole = folder.line("simplify a.ply -o d.ply --ratio 0.01 --memory 1GB --report r.json");
    assert!(folder.json("r.json")["results"]["levels"].is_null(), "{whole:?}");
    let ran = folder.line("remesh a.ply -o b.ply --target-length 2x --memory 150MB --report r.json");
    assert!(folder.json("r.json")["results"]["levels"][0]["tiles"].as_u64() > Some(1), "{ran:?}");
    let by_tiles = folder.line("tiles remesh a.ply -o c.ply --target-length 2x --memory 150MB");
    let [b, c] = ["b.ply", "c.ply"].map(|name| std::fs::read(folder.path(name)).expect("a file"));
    assert!(b == c, "{by_tiles:?}");
    let near = "--adaptive --tolerance 0.3% --target-length 2x --memory 150MB";
    let ran = folder.line(&format!("remesh a.ply -o b.ply {near} --report r.json"));
    assert!(folder.json("r.json")["results"]["levels"][0]["tiles"].as_u64() > Some(1), "{ran:?}");
    let by_tiles = folder.line(&format!("tiles remesh a.ply -o c.ply {near}"));
    let [b, c] = ["b.ply", "c.ply"].map(|name| std::fs::read(folder.path(name)).expect("a file"));
    assert!(b == c, "{by_tiles:?}");
    folder.line("distance a.ply c.ply --samples 100000 --report r.json");
    let far = folder.json("r.json")["results"]["symmetric"]["hausdorff"].as_f64().expect("a distance");
    let diagonal = folder.json("r.json")["results"]["diagonal"].as_f64().expect("a length");
    assert!(far > 0.0 && far <= 0.003 * diagonal, "{far} {diagonal}");
    let refused = folder.run("simplify a.ply -o b.ply --max-error 1% --memory 150MB".split_whitespace());
    assert_eq!(refused.status, 2);
    assert!(refused.err.contains("--max-error: a.ply does not fit into --memory 150 MB"), "{refused:?}");
    let ran = folder.line("repair a.ply -o b.ply --memory 150MB --report r.json");
    assert!(folder.json("r.json")["results"]["tiles"].as_u64() > Some(1), "{ran:?}");
    let [a, b] = ["a.ply", "b.ply"].map(|name| folder.read(name));
    assert_eq!((a.positions, a.faces), (b.positions, b.faces));
    let ran = folder.line("distance a.ply a.ply --samples 1000 --memory 150MB -v");
    assert!(ran.err.contains("327680 faces in "), "{ran:?}");
    let refused = folder.run("repair a.ply -o b.ply --weld 0 --memory 150MB".split_whitespace());
    assert!(refused.err.contains("tiles do not have --weld"), "{refused:?}");
    let refused = folder.run("info a.ply --intersections --memory 150MB".split_whitespace());
    assert!(refused.err.contains("tiles do not have --intersections"), "{refused:?}");
    let refused = folder.run("convert a.ply b.obj --subdivide 1 --memory 1MB".split_whitespace());
    assert!(refused.err.contains("tiles do not have --subdivide"), "{refused:?}");
    folder.run("convert a.ply text.ply --ascii".split_whitespace());
    let refused = folder.run("normals text.ply -o b.ply --memory 150MB".split_whitespace());
    assert!(refused.err.contains("--memory 150 MB: text.ply"), "{refused:?}");
    // a text that is read as a whole may be too small to need tiles, whatever it holds
    folder.line("generate icosphere 3 -o small.ply --ascii");
    folder.line("normals small.ply -o b.ply --memory 150MB");
}

#[cfg(target_os = "linux")]
#[test]
fn commands_stay_below_their_bound() {
    let folder = Folder::new();
    folder.mesh("a.ply", &mesh(shapes::bumpy_sphere(7, 1).expect("small")));
    // the bound of which a command says that the mesh just fits, and one that it takes tiles for
    let all = [
        ("simplify a.ply -o b.ply --ratio 0.5", 252, false),
        ("simplify a.ply -o b.ply --ratio 0.5", 251, true),
        ("remesh a.ply -o b.ply --project", 261, false),
        ("remesh a.ply -o b.ply", 260, true),
        ("remesh a.ply -o b.ply --adaptive --tolerance 0.3% --target-length 2x", 150, true),
        ("repair a.ply -o b.ply", 179, false),
        ("repair a.ply -o b.ply", 178, true),
        ("distance a.ply a.ply", 184, false),
        ("distance a.ply a.ply", 183, true),
        ("render a.ply -o b.png --size 200x150", 98, false),
        ("tiles render a.ply -o b.png --size 200x150", 139, true),
        ("info a.ply", 157, false),
        ("info a.ply", 156, true),
        ("normals a.ply -o b.ply", 121, false),
        ("tiles normals a.ply -o b.ply", 128, true),
        ("normals a.ply -o n.glb", 121, false),
        ("convert a.ply b.glb", 93, false),
        ("tiles convert b.glb -o b.stl", 128, true),
        ("normals b.stl -o b.ply", 121, false),
    ];
    for (words, megabytes, tiles) in all {
        // the operating system counts all writable memory of the process
        let words = format!(
            "ulimit -d {}; exec ribbonmesh --device cpu --threads 2 {words} --memory {megabytes}MB -v",
            megabytes * 1_000_000 / 1024
        );
        let ran = folder.shell(&words);
        assert_eq!(ran.status, 0, "{words}: {ran:?}");
        assert_eq!(ran.err.contains("tiles: "), tiles, "{words}: {ran:?}");
    }
}
