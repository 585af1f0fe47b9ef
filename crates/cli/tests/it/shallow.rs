//! `ribbonmesh shallow`.
use crate::common;
use common::Folder;

fn png(folder: &Folder, name: &str, width: u32, height: u32, depth: png::BitDepth, bytes: &[u8]) {
    let file = std::fs::File::create(folder.path(name)).expect("a file");
    let mut encoder = png::Encoder::new(file, width, height);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(depth);
    encoder.write_header().expect("a head").write_image_data(bytes).expect("pixels");
}

#[test]
fn frames_files_and_report() {
    let folder = Folder::new();
    let words = "shallow flat:20 -o out --dam 0,0,10,20@2 --time 1 --every 0.4 --save asc,npy,ply,png --report r.json";
    let ran = folder.succeed(words.split(' '));
    assert!(ran.err.contains("volume: 400.000000 at first"), "{ran:?}");
    let lines = folder.text("out/frames.jsonl");
    let lines: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let times: Vec<f64> = lines.iter().map(|line| line["time"].as_f64().expect("a number")).collect();
    assert_eq!(times, [0.0, 0.4, 0.8, 1.0]);
    assert!(lines.iter().all(|line| line["volume"] == 400.0), "{lines:?}");
    for frame in 0..4 {
        for end in ["-depth.asc", "-u.asc", "-v.asc", "-depth.npy", "-velocity.npy", ".ply", ".png"] {
            assert!(folder.path(&format!("out/frame-{frame:06}{end}")).exists(), "{frame} {end}");
        }
    }
    assert_eq!(folder.read("out/terrain.ply").faces.len(), 2 * 20 * 20);
    let surface = folder.read("out/frame-000000.ply");
    assert_eq!(surface.faces.len(), 2 * 10 * 20);
    let depths: &[f32] = surface.vertices().get("depth").expect("depths");
    assert!(depths.iter().all(|depth| *depth == 2.0) && surface.vertices().column("speed").is_some());
    assert!(surface.positions.iter().all(|p| p.z == 2.0));
    let text = folder.text("out/frame-000000-depth.asc");
    assert!(text.starts_with("ncols 20\nnrows 20\nxllcorner 0\nyllcorner 0\ncellsize 1\n"), "{text}");
    assert!(text.lines().nth(6).expect("a row").starts_with("2 2 2 2 2 2 2 2 2 2 0 0"), "{text}");
    let results = &folder.json("r.json")["results"];
    assert_eq!((&results["left"], &results["columns"]), (&0.0.into(), &20.into()), "{results}");
    for key in ["frame", "steps", "time", "wet_cells", "active_tiles", "volume"] {
        assert_eq!(results["end"][key], lines[3][key], "{key}: {results}");
    }
}

/// Terrains of all formats have their first row in the north; depths of a run begin another.
#[test]
fn terrains_of_files() {
    let folder = Folder::new();
    // 3 by 2 points: the north-western one is 10 high
    folder.write(
        "t.asc",
        b"ncols 3\nnrows 2\nxllcorner 99.5\nyllcorner 199.5\ncellsize 1\nNODATA_value -9\n10 0 0\n0 0 -9\n",
    );
    folder
        .succeed("shallow t.asc -o a --nodata 0 --water 1 --time 0.1 --every 0.1 --save asc,ply".split(' '));
    let ground = folder.read("a/terrain.ply");
    let high: Vec<_> = ground.positions.iter().filter(|p| p.z > 5.0).collect();
    assert!(high.len() == 1 && (high[0].x, high[0].y, high[0].z) == (0.0, 1.0, 10.0), "{high:?}");
    let depth = folder.text("a/frame-000001-depth.asc");
    assert!(depth.contains("ncols 2\nnrows 1\nxllcorner 100\nyllcorner 200\n"), "{depth}");

    png(&folder, "t.png", 3, 2, png::BitDepth::Eight, &[255, 0, 0, 0, 0, 0]);
    png(&folder, "t16.png", 3, 2, png::BitDepth::Sixteen, &[255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    for (k, name) in ["t.png", "t16.png"].into_iter().enumerate() {
        let words = format!(
            "shallow {name} -o p{k} --range 0,10 --water a/frame-000001-depth.asc --time 0.1 --every 0.1 --save asc,ply"
        );
        folder.succeed(words.split(' '));
        assert_eq!(folder.read(&format!("p{k}/terrain.ply")).positions, ground.positions);
        // depths are not changed by being read
        let lines = |name: &str| folder.text(name).lines().skip(6).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(lines(&format!("p{k}/frame-000000-depth.asc")), lines("a/frame-000001-depth.asc"));
    }
}

#[test]
fn refusals_name_the_place_and_the_option() {
    let folder = Folder::new();
    folder.write("bad.asc", b"ncols 2\nnrows 2\ncellsize 1\n1 2\n3 four\n");
    folder.write("none.asc", b"ncols 2\nnrows 2\ncellsize 1\nNODATA_value -9\n1 2\n3 -9\n");
    folder.write("bad.npy", b"\x93NUMPY\x01\x00\x05\x00{}");
    folder.write("bad.png", b"\x89PNG\r\n\x1a\nabc");
    folder.write("narrow.asc", b"ncols 1\nnrows 2\ncellsize 1\n1 2\n");
    folder.write("small.asc", b"ncols 2\nnrows 2\ncellsize 1\n1 2\n3 4\n");
    png(&folder, "rgb.png", 1, 1, png::BitDepth::One, &[0]);
    let cases = [
        ("bad.asc -o out", 3, "bad.asc, line 5: \"four\" is no number"),
        ("none.asc -o out", 3, "none.asc, line 6: no data; --nodata says which height is there"),
        ("bad.npy -o out", 3, "bad.npy, byte 12: the file ends early"),
        ("bad.png -o out", 3, "bad.png, as PNG: "),
        ("rgb.png -o out", 3, "grey of 8 or 16 is wanted"),
        ("narrow.asc -o out", 3, "narrow.asc: 1 by 2 points; expected 2 to 32769 in each direction"),
        ("missing.asc -o out", 1, "missing.asc: no such file"),
        ("mesh.ply -o out", 2, "mesh.ply: a file that ends in .asc, .npy or .png is wanted"),
        ("flat:0 -o out", 2, "has no number of cells, 1 to 32768"),
        ("flat:4 -o out --dam 1,2,3@4", 2, "is not X,Y,X,Y@VALUE"),
        ("flat:4 -o out --inflow 9,9,10,10@1", 2, "--inflow 9,9,10,10: there is no cell's middle"),
        ("flat:4 -o out --rain 0", 2, "--rain, --inflow: 0 as a height per time; expected above 0"),
        ("flat:4 -o out --time 0", 2, "--time: a positive number is wanted"),
        ("flat:4 -o out --every 0", 2, "--every: a positive number is wanted"),
        ("flat:4 -o out --courant 0.5", 2, "--courant is 0.5; expected above 0, at most 0.25"),
        ("flat:4 -o out --spacing 0", 2, "--spacing is 0; expected 1e-6 to 1e9"),
        ("flat:4 -o out --water small.asc", 3, "small.asc: depths of 2 by 2 cells; the terrain has 4 by 4"),
        ("flat:4 -o .", 2, ". is not empty"),
    ];
    for (words, status, message) in cases {
        folder.refuses(&format!("shallow {words}"), status, message);
        assert!(!folder.path("out").exists(), "{words}");
    }
    let words = "shallow flat:4 -o out --inflow 0,0,4,4@100 --highest 1 --time 10 --save asc";
    let ran = folder.run(words.split(' '));
    assert_eq!(ran.status, 1, "{ran:?}");
    assert!(ran.err.contains("the highest level; --highest makes room for more; frames"), "{ran:?}");
}
