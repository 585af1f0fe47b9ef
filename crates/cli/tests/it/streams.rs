//! Standard input and output instead of meshes.
use crate::common;
use common::{Folder, mesh};
use ribbonmesh_mesh::{TriangleMesh, shapes};

fn sphere() -> TriangleMesh {
    mesh(shapes::icosphere(2).expect("small"))
}

/// A folder with a sphere as `a.ply`, and as `a.FORMAT` for every other format.
fn spheres() -> Folder {
    let folder = Folder::new();
    for format in ["ply", "obj", "off", "stl", "glb"] {
        folder.mesh(&format!("a.{format}"), &sphere());
    }
    folder
}

#[test]
fn every_format_is_told_by_its_content() {
    let folder = spheres();
    folder.succeed("convert a.ply text.ply --ascii".split_whitespace());
    folder.succeed("convert a.ply text.stl --ascii".split_whitespace());
    for file in ["a.ply", "a.obj", "a.off", "a.stl", "a.glb", "text.ply", "text.stl"] {
        let ran = folder.shell(&format!("ribbonmesh -q info - --report r.json < {file}"));
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{file}: {ran:?}");
        assert!(ran.out.contains("faces                 320\n"), "{file}: {ran:?}");
        let report = folder.json("r.json");
        assert_eq!(report["input"]["file"], "-");
        assert_eq!(report["input"]["format"], file.rsplit('.').next().expect("an extension"));
    }
}

#[test]
fn every_command_reads_and_writes_streams() {
    let folder = spheres();
    for command in [
        "normals - -o -",
        "denoise - -o -",
        "denoise - -o - --reference a.ply",
        "smooth - -o -",
        "curvature - -o -",
        "geodesic - -o - --source 0",
        "geodesic - -o - --source 0 --exact",
        "delaunay - -o -",
        "remesh - -o - --iterations 1",
        "simplify - -o - --ratio 0.5",
        "repair - -o -",
        "convert - -",
    ] {
        let line = format!("cat a.obj | ribbonmesh --device cpu {command} --format ply > out.ply");
        let ran = folder.shell(&line);
        assert_eq!((ran.status, ran.out.as_str()), (0, ""), "{line}: {ran:?}");
        assert!(ran.err.contains("wrote standard output: "), "{line}: {ran:?}");
        assert!(folder.read("out.ply").faces.len() >= 159, "{line}");
    }
    for command in [
        "info -",
        "info - --json",
        "query - --op VV",
        "query - --op VV -o -",
        "distance - a.ply",
        "distance a.ply -",
        "repair - --check",
        "bench-query - --repetitions 1 --copy 1 --op VV -o -",
        "render - -o - --size 64x64",
    ] {
        let ran = folder.shell(&format!("cat a.obj | ribbonmesh --device cpu {command} | wc -c"));
        let bytes: u64 = ran.out.trim().parse().expect("a number");
        assert!(ran.err.is_empty() && bytes > 20, "{command}: {ran:?}");
    }
    let ran = folder.shell("ribbonmesh generate icosphere 2 -o - --format off | ribbonmesh convert - b.ply");
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(folder.read("b.ply"), sphere());
    assert!(!folder.path("-").exists());
}

#[test]
fn formats_that_are_named() {
    let folder = Folder::new();
    // OBJ, but nothing that every file of it has comes first
    folder.write("a.txt", "lod 1\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let refused = folder.shell("ribbonmesh info - < a.txt");
    assert_eq!(refused.status, 3, "{refused:?}");
    assert!(refused.err.contains("standard input: the content does not show its format"), "{refused:?}");
    for line in [
        "ribbonmesh info - --format obj < a.txt",
        "ribbonmesh info - --input-format obj < a.txt",
        "ribbonmesh info a.txt --format obj",
        "ribbonmesh repair a.txt --check --input-format obj",
        "ribbonmesh convert - b.txt --input-format obj --format off < a.txt && ribbonmesh info b.txt --format ply",
    ] {
        let ran = folder.shell(line);
        assert_eq!(ran.status, 0, "{line}: {ran:?}");
    }
    assert!(folder.text("b.txt").starts_with("OFF"));
}

#[test]
fn compressed_meshes() {
    let folder = spheres();
    for ending in ["gz", "zst"] {
        let line =
            format!("ribbonmesh convert a.ply b.obj.{ending} && ribbonmesh info --json - < b.obj.{ending}");
        let ran = folder.shell(&line);
        assert_eq!(ran.status, 0, "{ran:?}");
        folder.succeed(["normals", &format!("b.obj.{ending}"), "-o", &format!("n.off.{ending}")]);
        assert_eq!(folder.read(&format!("n.off.{ending}")).positions, sphere().positions);
        let bytes = std::fs::read(folder.path(&format!("n.off.{ending}"))).expect("a file");
        folder.write(&format!("cut.off.{ending}"), &bytes[..bytes.len() / 2]);
        let ran = folder.line(&format!("info cut.off.{ending}"));
        assert_eq!(ran.status, 3, "{ran:?}");
        assert!(ran.err.contains(&format!("cut.off.{ending}, byte ")), "{ran:?}");
        assert!(ran.err.contains("data end early"), "{ran:?}");
    }
    let line = "ribbonmesh query a.ply --op VV -o q.csv && ribbonmesh query a.ply --op VV -o q.csv.gz && gzip -dc q.csv.gz | cmp - q.csv";
    let ran = folder.shell(line);
    assert_eq!(ran.status, 0, "{ran:?}");
    let ran = folder.line("normals a.ply -o b.stl.gz");
    assert!(ran.status == 2 && ran.err.contains("STL cannot carry"), "{ran:?}");
    let ran = folder.line("convert a.ply b.gz");
    assert!(ran.status == 2 && ran.err.contains("unknown file format"), "{ran:?}");
}

#[test]
fn wrong_usage() {
    let folder = spheres();
    for (line, status, message) in [
        ("ribbonmesh convert a.ply -", 2, "standard output: --format says in which format"),
        ("ribbonmesh convert a.ply - --format glb --ascii", 2, "GLB has no text form"),
        ("ribbonmesh convert a.ply b.off --format obj", 2, "--format obj: the name of b.off says OFF"),
        ("ribbonmesh normals a.ply -o - --format stl", 2, "STL cannot carry normals"),
        ("ribbonmesh curvature a.ply -o - --format obj", 2, "only PLY carries"),
        ("ribbonmesh distance - - < a.ply", 2, "standard input is named twice"),
        ("ribbonmesh info a.ply --report -", 2, "a report is written to a file"),
        ("ribbonmesh info - < /dev/null", 3, "standard input: the file is empty"),
        ("printf 'v 0 0 0\nf 1 2 3\n' | ribbonmesh info -", 3, "standard input, line 2: "),
        ("printf 'v 0 0 0\nf 1 1 1\n' | ribbonmesh repair - --check", 3, "standard input: "),
    ] {
        let ran = folder.shell(line);
        assert_eq!(ran.status, status, "{line}: {ran:?}");
        assert!(ran.err.contains(message), "{line}: {ran:?}");
        assert_eq!(ran.out, "", "{line}");
    }
}

#[test]
fn a_closed_pipe_is_success_and_a_full_disk_is_not() {
    let folder = Folder::new();
    folder.mesh("a.ply", &mesh(shapes::icosphere(6).expect("small")));
    let ran = folder.shell("{ ribbonmesh -q convert a.ply - --format obj; echo $? >&2; } | head -1");
    assert_eq!((ran.out.lines().count(), ran.err.as_str()), (1, "0\n"), "{ran:?}");
    if cfg!(target_os = "linux") {
        let ran = folder.shell("ribbonmesh convert a.ply - --format obj > /dev/full");
        assert_eq!(ran.status, 1, "{ran:?}");
        assert!(ran.err.contains("standard output cannot be written"), "{ran:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn pipes_with_names_are_read_by_their_content() {
    let folder = spheres();
    let ran = folder.shell("cat a.obj | ribbonmesh info /dev/stdin --json");
    assert_eq!(ran.status, 0, "{ran:?}");
    let ran = folder.shell("cat a.obj | ribbonmesh convert /dev/stdin /dev/stdout --format off | head -1");
    assert_eq!(ran.out, "OFF\n", "{ran:?}");
}
