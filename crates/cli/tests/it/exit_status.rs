//! Exit statuses and messages: 0 success, 1 the work failed, 2 wrong usage, 3 the input was refused.
use crate::common;
use common::{Folder, Ran, mesh, triangles};
use ribbonmesh_mesh::shapes;

fn fails(ran: &Ran, status: i32, message: &str) {
    assert_eq!(ran.status, status, "{ran:?}");
    assert!(ran.err.contains(message), "{message:?} is not in {ran:?}");
    assert_eq!(ran.out, "", "{ran:?}");
    assert!(!ran.err.contains("panicked"), "{ran:?}");
}

#[test]
fn input_refused() {
    let folder = Folder::new();
    folder.write("range.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n");
    folder.write("nan.obj", "v 0 0 0\nv 1 nan 0\nv 0 1 0\nf 1 2 3\n");
    folder.write("word.off", "OFF\n3 1 0\n0 0 0\n1 0 zero\n0 1 0\n3 0 1 2\n");
    folder.write("points.obj", "v 0 0 0\nv 1 0 0\n");
    folder.write("empty.ply", "");
    folder.write("none.off", "OFF\n0 0 0\n");
    folder.write("mesh.xyz", "0 0 0\n");
    folder.write("mesh.glb", "glTF");
    folder.mesh("grid.ply", &mesh(shapes::grid(5, 1).expect("small")));
    folder.mesh("grid.obj", &mesh(shapes::grid(5, 1).expect("small")));
    let bytes = std::fs::read(folder.path("grid.ply")).expect("a file");
    folder.write("cut.ply", &bytes[..bytes.len() - 20]);
    let header = String::from_utf8_lossy(&bytes).replacen("element vertex 25", "element vertex 250000000", 1);
    folder.write("count.ply", header.as_bytes());
    for (file, message) in [
        ("range.obj", "range.obj, line 4: vertex index 4 is out of range"),
        ("nan.obj", "nan.obj, line 2: coordinate nan is not finite"),
        ("word.off", "word.off, line 4: \"zero\" is not a number"),
        ("points.obj", "2 vertices but no faces"),
        ("empty.ply", "the file is empty"),
        ("none.off", "no vertices"),
        ("mesh.xyz", "unknown file format \"xyz\""),
        ("mesh.glb", "the file ends where the version is expected"),
        ("cut.ply", "cut.ply, byte "),
        ("count.ply", "count.ply, line 3: 250000000 elements"),
    ] {
        for words in [
            "info FILE",
            "query FILE --op VV",
            "normals FILE -o out.ply",
            "render FILE -o out.png",
            "repair FILE -o out.ply",
            "repair FILE --check",
            "convert FILE out.ply",
            "bench-query FILE",
        ] {
            fails(&folder.line(&words.replace("FILE", file)), 3, message);
        }
    }
    fails(
        &folder.line("render grid.ply -o out.png --scalar heat"),
        3,
        "no scalar property \"heat\"; they have x, y, z",
    );
    fails(&folder.line("render grid.obj -o out.png --scalar nx"), 3, "they have x, y, z");
    assert!(!folder.path("out.ply").exists() && !folder.path("out.png").exists());
}

#[test]
fn work_failed() {
    let folder = Folder::new();
    folder.mesh("a.ply", &triangles(3, &[[0, 1, 2]]));
    std::fs::create_dir(folder.path("folder.ply")).expect("a folder");
    fails(&folder.line("info missing.ply"), 1, "missing.ply: no such file");
    fails(&folder.line("info folder.ply"), 1, "is a directory");
    fails(&folder.line("convert a.ply nowhere/b.ply"), 1, "nowhere/b.ply: cannot be written");
    fails(&folder.line("render a.ply -o nowhere/b.png"), 1, "nowhere/b.png: cannot be written");
    fails(&folder.line("convert a.ply folder.ply"), 1, "is a directory");
    fails(&folder.line("generate grid 5 -o nowhere/b.ply"), 1, "nowhere/b.ply: cannot be written");
    fails(&folder.line("query a.ply --op VV -q -o nowhere/b.txt"), 1, "nowhere/b.txt: cannot be written");
    // before the input is read
    for words in [
        "convert missing.ply nowhere/b.ply",
        "normals missing.ply -o nowhere/b.ply",
        "simplify missing.ply --ratio 0.5 -o nowhere/b.ply",
        "geodesic missing.ply --source 0 -o c.ply --exact --path-to 1 --paths nowhere/b.obj",
        "query missing.ply --op VV -o nowhere/b.txt",
        "bench-query missing.ply -o nowhere/b.json",
        "render missing.ply -o nowhere/b.png",
        "render missing.ply --html nowhere/b.html",
        "info missing.ply --report nowhere/b.json",
    ] {
        let ran = folder.line(words);
        fails(&ran, 1, "cannot be written: there is no folder nowhere");
        assert_eq!(ran.err.lines().count(), 1, "{ran:?}");
    }
    let left: Vec<_> = std::fs::read_dir(folder.path("")).expect("a folder").collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[test]
fn wrong_usage() {
    let folder = Folder::new();
    folder.mesh("a.ply", &triangles(3, &[[0, 1, 2]]));
    for (words, message) in [
        ("", "Usage"),
        ("inform a.ply", "unrecognized subcommand"),
        ("info", "MESH"),
        ("info a.ply --patch-size 15", "15"),
        ("info a.ply --patch-size 4097", "4097"),
        ("info a.ply --threads 0", "0"),
        ("info a.ply --device gpu", "cuda:1"),
        ("info a.ply --device cuda:x", "cuda:x"),
        ("info a.ply -q -v", "--quiet"),
        ("query a.ply --op VX", "VV, VE, VF"),
        ("query a.ply --op EF --oriented", "--oriented is for VV, VE or VF"),
        ("query a.ply --op VV -o a.ply", "would be overwritten"),
        ("query a.ply --op VV -o b.txt --report b.txt", "would be overwritten"),
        ("info a.ply --report a.ply", "would be overwritten"),
        ("info a.ply --report ./a.ply", "would be overwritten"),
        ("convert a.ply b.obj --report b.obj", "would be overwritten"),
        ("convert a.ply b.xyz", "unknown file format \"xyz\""),
        ("convert a.ply b", "no file extension"),
        ("convert a.ply b.glb --ascii", "GLB has no text form"),
        ("normals a.ply -o b.stl", "STL"),
        ("normals a.ply -o b.ply --weight heavy", "heavy"),
        ("render a.ply", "--output"),
        ("render a.ply -o b.jpg", "end in .png"),
        ("render a.ply --html b.xml", "end in .html"),
        ("render a.ply --html b.html --report b.html", "would be overwritten"),
        ("render a.ply -o b.png --size 10", "1200x900"),
        ("render a.ply -o b.png --size 0x10", "1 to 16384"),
        ("render a.ply -o b.png --size 16384x16384 --report c.json", "samples in all"),
        ("render a.ply -o b.png --size 40x40 --scalar x", "the legend alone"),
        ("render a.ply -o b.png --view side", "AZIMUTH,ELEVATION"),
        ("render a.ply -o b.png --view 0,91", "-90 to 90"),
        ("render a.ply -o b.png --scalar x --patches", "--patches"),
        ("render a.ply -o b.png --normals --patches", "--patches"),
        ("render a.ply -o b.png --ribbons", "--patches"),
        ("render a.ply -o b.png --range 0,1", "--scalar"),
        ("render a.ply -o b.png --scalar x --range 1,0", "1,0"),
        ("render a.ply -o b.png --scalar x --range 98%,2%", "2%,98%"),
        ("render a.ply -o b.png --scalar x --range 0%,101%", "2%,98%"),
        ("render a.ply -o b.png --up w", "x, y, z, -x, -y, -z"),
        ("render a.ply -o b.png --scalar x --colormap jet", "viridis, magma, coolwarm"),
        ("render a.ply -o b.png --report b.png", "would be overwritten"),
        ("repair a.ply", "--output"),
        ("repair a.ply -o b.ply --check", "--check"),
        ("repair a.ply -o b.xyz", "unknown file format"),
        ("repair a.ply -o b.ply --report b.ply", "would be overwritten"),
        ("generate cube -o b.ply", "cube"),
        ("generate torus 3 -o b.ply", "must be at least 4"),
        ("generate icosphere 14 -o b.ply", "32-bit"),
        ("generate torus-knot 2 4 -o b.ply", "no common divisor"),
        ("generate torus", "--output"),
        ("bench-query a.ply --repetitions 0", "0"),
        ("completions cmd", "cmd"),
    ] {
        fails(&folder.line(words), 2, message);
    }
    assert_eq!(folder.read("a.ply"), triangles(3, &[[0, 1, 2]]));
    assert!(!folder.path("b.png").exists() && !folder.path("c.json").exists());
    assert!(
        !folder.path("b.ply").exists() && !folder.path("b.txt").exists() && !folder.path("b.obj").exists()
    );
}

#[test]
fn absent_machine() {
    let folder = Folder::new();
    folder.mesh("a.ply", &triangles(3, &[[0, 1, 2]]));
    let ran = folder.line("info a.ply --device cuda:63");
    assert!(ran.err.contains("no CUDA"), "{ran:?}");
    fails(&ran, 1, "error: ");
}

#[test]
fn machine_is_said() {
    let folder = Folder::new();
    folder.mesh("a.ply", &triangles(3, &[[0, 1, 2]]));
    let auto = folder.line("info a.ply");
    assert!(auto.status == 0 && auto.err.starts_with("machine: C"), "{auto:?}");
    assert_eq!(folder.line("info a.ply --quiet").err, "");
    assert_eq!(folder.line("info a.ply --device cpu").err, "");
    let verbose = folder.line("info a.ply --device cpu --threads 3 -v").err;
    assert!(verbose.contains("machine: CPU, 3 threads") && verbose.contains("build: "), "{verbose}");
    assert!(verbose.contains("  ribbons: "), "{verbose}");
}

#[test]
fn closed_pipe_is_success() {
    let folder = Folder::new();
    folder.mesh("a.ply", &mesh(shapes::icosphere(6).expect("small")));
    let line = "{ ribbonmesh query a.ply --op EE --device cpu; echo $? >&2; } | head -1";
    let ran = folder.shell(line);
    assert_eq!((ran.out.lines().count(), ran.err.as_str()), (1, "0\n"), "{ran:?}");
    let ran = folder.shell("ribbonmesh completions bash | head -1; ribbonmesh --help | head -1");
    assert_eq!((ran.out.lines().count(), ran.err.as_str()), (2, ""), "{ran:?}");
    let ran = folder.shell(
        "ribbonmesh info missing.ply 2>&1 >/dev/null | true; ribbonmesh info a.ply -v 2>&- >/dev/null",
    );
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{ran:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn full_output_is_failure() {
    let folder = Folder::new();
    folder.mesh("a.ply", &mesh(shapes::icosphere(2).expect("small")));
    let ran = folder.shell("ribbonmesh info a.ply --device cpu > /dev/full");
    fails(&ran, 1, "standard output cannot be written");
    fails(
        &folder.shell("ribbonmesh query a.ply --device cpu --op VV -o /dev/full"),
        1,
        "/dev/full: cannot be written",
    );
}
