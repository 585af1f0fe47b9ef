//! `ribbonmesh batch`.
use crate::common;
use common::{Folder, mesh, soup};
use ribbonmesh_mesh::shapes;
use serde_json::Value;
use std::time::{Duration, SystemTime};

/// Spheres a, b and c in a folder.
fn spheres() -> Folder {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("in")).expect("a folder");
    for (name, k) in [("in/a.ply", 1), ("in/b.ply", 2), ("in/c.obj", 3)] {
        folder.mesh(name, &mesh(shapes::icosphere(k).expect("small")));
    }
    folder
}

fn statuses(report: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let files = report["results"]["files"].as_array().expect("files");
    let mut all: Vec<_> = files.iter().map(|file| (text(&file["input"]), text(&file["status"]))).collect();
    all.sort();
    all
}

#[test]
fn every_mesh_as_the_command_alone_does_it() {
    let folder = spheres();
    let ran = folder.run(
        "batch in/*.ply in/c.obj --out out --seed 5 --report r.json -- remesh --target-length 0.3 --iterations 1"
            .split_whitespace(),
    );
    assert_eq!((ran.status, ran.out.as_str()), (0, ""), "{ran:?}");
    assert!(ran.err.contains("3 meshes: 3 done, 0 done before, 0 failed"), "{ran:?}");
    for name in ["a.ply", "b.ply", "c.obj"] {
        assert!(ran.err.contains(&format!("in/{name}: out/{name}, ")), "{name}: {ran:?}");
        let words = format!("remesh in/{name} -o alone-{name} --target-length 0.3 --iterations 1 --seed 5");
        folder.succeed(words.split_whitespace());
        assert_eq!(folder.read(&format!("out/{name}")), folder.read(&format!("alone-{name}")), "{name}");
    }
    let report = folder.json("r.json");
    assert_eq!(report["outputs"].as_array().map(Vec::len), Some(3));
    for file in report["results"]["files"].as_array().expect("files") {
        assert_eq!(file["report"]["seed"], 5);
        assert!(file["report"]["results"]["distance"].is_object(), "{file}");
        assert_eq!(file["report"]["machine"]["kind"], "cpu");
    }
}

#[test]
fn failures_do_not_keep_the_others_from_being_done() {
    let folder = spheres();
    folder.mesh("in/bad.ply", &soup());
    folder.write("in/cut.ply", "ply\nformat ascii 1.0\n");
    let words = "batch in/* --out out -q --report r.json -- simplify --ratio 0.5";
    let ran = folder.run(words.split_whitespace());
    assert_eq!(ran.status, 1, "{ran:?}");
    let lines: Vec<&str> = ran.err.lines().collect();
    assert_eq!(lines[0], "error: 2 of 5 meshes failed", "{ran:?}");
    assert!(lines[1..].iter().any(|line| line.starts_with("  in/bad.ply: in/bad.ply: ")), "{ran:?}");
    assert!(lines[1..].iter().any(|line| line.starts_with("  in/cut.ply: in/cut.ply, line ")), "{ran:?}");
    let report = folder.json("r.json");
    assert_eq!(report["exit_status"], 1);
    let expected = [
        ("a.ply", "done"),
        ("b.ply", "done"),
        ("bad.ply", "failed"),
        ("c.obj", "done"),
        ("cut.ply", "failed"),
    ];
    assert_eq!(statuses(&report), expected.map(|(name, status)| (format!("in/{name}"), status.to_owned())));
    for name in ["a.ply", "b.ply", "c.obj"] {
        assert!(!folder.read(&format!("out/{name}")).faces.is_empty());
    }
    let names = std::fs::read_dir(folder.path("out")).expect("a folder").count();
    assert_eq!(names, 3);
    let of = |status: &str| {
        let files = report["results"]["files"].as_array().expect("files").clone();
        files.into_iter().filter(|file| file["status"] == status).collect::<Vec<Value>>()
    };
    assert!(of("failed").iter().all(|file| file["report"]["exit_status"] == 3), "{report}");
}

#[test]
fn what_is_done_is_not_done_again() {
    let folder = spheres();
    let batch = |more: &str| {
        let words = format!("batch in/* --out out --report r.json {more} -- normals");
        folder.succeed(words.split_whitespace());
        statuses(&folder.json("r.json")).into_iter().map(|(_, status)| status).collect::<Vec<String>>()
    };
    assert_eq!(batch(""), ["done"; 3]);
    assert_eq!(batch(""), ["skipped"; 3]);
    std::fs::remove_file(folder.path("out/b.ply")).expect("a file");
    assert_eq!(batch(""), ["skipped", "done", "skipped"]);
    // a mesh that has changed since
    let input = std::fs::File::options().write(true).open(folder.path("in/c.obj")).expect("a file");
    input.set_modified(SystemTime::now() + Duration::from_secs(60)).expect("a time");
    assert_eq!(batch(""), ["skipped", "skipped", "done"]);
    assert_eq!(batch("--again"), ["done"; 3]);
}

#[test]
fn names_of_results() {
    let folder = spheres();
    folder.succeed("convert in/a.ply in/d.stl.gz".split_whitespace());
    for (options, names) in [
        ("--out 1 -- repair", ["a.ply", "b.ply", "c.obj", "d.stl.gz"]),
        ("--out 2 --extension obj.zst -- convert", ["a.obj.zst", "b.obj.zst", "c.obj.zst", "d.obj.zst"]),
        ("--out 3/deep -- curvature", ["a.ply", "b.ply", "c.ply", "d.ply"]),
        ("--out 4 --at-once 1 -- render --size 64x64", ["a.png", "b.png", "c.png", "d.png"]),
    ] {
        folder.succeed(format!("batch in/* {options}").split_whitespace());
        let out = options.split_whitespace().nth(1).expect("a folder");
        let entries = std::fs::read_dir(folder.path(out)).expect("a folder");
        let mut found: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        found.sort();
        assert_eq!(found, names, "{options}");
    }
}

#[test]
fn warnings_name_their_mesh() {
    let folder = spheres();
    folder.mesh("in/grid.ply", &mesh(shapes::grid(20, 1).expect("small")));
    let words = "batch in/grid.ply in/a.ply --out out -- simplify --faces 4 --fixed-boundary";
    let ran = folder.succeed(words.split_whitespace());
    assert!(ran.err.contains("in/grid.ply: warning: "), "{ran:?}");
    assert!(ran.err.contains("4 faces were wanted"), "{ran:?}");
    let lonely = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 5 5 5\nf 1 2 3\n";
    folder.write("in/lonely.obj", lonely);
    let ran = folder.succeed("batch in/lonely.obj --out out --report r.json -- normals".split_whitespace());
    assert!(ran.err.contains("warning: in/lonely.obj: 1 vertex without a normal"), "{ran:?}");
    assert_eq!(folder.json("r.json")["warnings"].as_array().map(Vec::len), Some(1));
}

#[test]
fn wrong_usage() {
    let folder = spheres();
    folder.mesh("a.obj", &mesh(shapes::icosphere(1).expect("small")));
    for (words, message) in [
        ("batch in/a.ply --out out", "COMMAND"),
        ("batch in/a.ply -- normals", "--out"),
        ("batch --out out -- normals", "MESH"),
        ("batch in/*.stl --out out -- normals", "no file has a name like in/*.stl"),
        ("batch in/[.ply --out out -- normals", "in/[.ply"),
        ("batch - --out out -- normals", "not standard input"),
        ("batch in/a.ply --out out -- info", "\"info\" is none of normals"),
        ("batch in/a.ply --out out -- batch", "\"batch\" is none of normals"),
        ("batch in/a.ply --out out -- normals --weight heavy", "heavy"),
        ("batch in/a.ply --out out -- normals -o b.ply", "--output"),
        ("batch in/a.ply --out out -- normals --report b.json", "--report"),
        ("batch in/a.ply --out out -- render --html b.html", "another file to write"),
        ("batch in/a.ply --out in -- normals", "would be overwritten by its result"),
        ("batch in/a.ply a.obj --out out --extension ply -- normals", "would both become out/a.ply"),
        ("batch in/a.ply --out out --report in/a.ply -- normals", "would be overwritten"),
    ] {
        let ran = folder.run(words.split_whitespace());
        assert!(ran.status == 2 && ran.err.contains(message), "{words}: {ran:?}");
        assert!(!folder.path("out").exists(), "{words}");
    }
    folder.write("file", "");
    let ran = folder.run("batch in/a.ply --out file -- normals".split_whitespace());
    assert!(ran.status == 1 && ran.err.contains("file: cannot be written"), "{ran:?}");
}
