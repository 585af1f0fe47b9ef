//! `volume`: its commands on blocks of cells, and on files that are wrong.
use crate::common;
use common::Folder;

fn block(folder: &Folder) {
    folder.succeed(["volume", "generate", "mixed", "4", "3", "2", "-o", "block.vtu"]);
}

#[test]
fn blocks_and_what_they_are_like() {
    let folder = Folder::new();
    for (kind, size, expected) in [
        (
            "tetrahedra",
            "2 3 1",
            "vertices              24\nedges                 81\nfaces                 94\ncells                 36\n  tetrahedra          36\n",
        ),
        (
            "hexahedra",
            "2",
            "vertices              27\nedges                 54\nfaces                 36\ncells                 8\n  hexahedra           8\n",
        ),
    ] {
        let arguments = format!("volume generate {kind} {size} -o block.msh");
        let ran = folder.line(&arguments);
        assert_eq!(ran.status, 0, "{ran:?}");
        let info = folder.succeed(["volume", "info", "block.msh"]);
        assert!(info.out.starts_with(expected), "{}", info.out);
    }
    let ran = folder.succeed(["volume", "info", "block.msh", "--json", "--report", "report.json"]);
    let figures: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!((&figures["total_volume"], &figures["sound"]), (&8.0.into(), &true.into()));
    assert_eq!(figures["bounding_box"]["max"][2], 2.0);
    let words = folder.succeed(["volume", "info", "block.msh"]).out;
    assert!(words.contains("bounding box          from 0 0 0 to 2 2 2\n"), "{words}");
    let report = folder.json("report.json");
    assert_eq!((&report["input"]["cells"], &report["input"]["format"]), (&8.into(), &"msh".into()));
    assert_eq!(report["results"]["hexahedra"], 8);
    // every kind in turn
    block(&folder);
    let info = folder.succeed(["volume", "info", "block.vtu"]).out;
    for kind in ["tetrahedra", "pyramids", "wedges", "hexahedra", "polyhedra"] {
        assert!(info.contains(kind), "{info}");
    }
}

#[test]
fn formats_one_after_the_other() {
    let folder = Folder::new();
    folder.succeed(["volume", "generate", "tetrahedra", "3", "-o", "a.vtu"]);
    let steps = [
        vec!["a.vtu", "b.vtk", "--old", "--ascii"],
        vec!["b.vtk", "c.msh.gz", "--old"],
        vec!["c.msh.gz", "d.mesh"],
        vec!["d.mesh", "f.ovm"],
        vec!["f.ovm", "e.vtu.zst"],
    ];
    for step in steps {
        folder.succeed([&["volume", "convert"][..], &step].concat());
    }
    let whole = |file: &str| {
        let mut figures: serde_json::Value =
            serde_json::from_str(&folder.succeed(["volume", "info", file, "--json"]).out).expect("JSON");
        for passing in ["cell_data", "face_data", "title"] {
            figures[passing] = "".into();
        }
        figures
    };
    assert_eq!(whole("a.vtu"), whole("e.vtu.zst"));
    // through standard input and output
    let ran = folder.shell("ribbonmesh --device cpu volume convert a.vtu - --format msh --quiet | ribbonmesh --device cpu volume info - --quiet | head -1");
    assert_eq!(ran.out, "vertices              64\n", "{ran:?}");
}

#[test]
fn surfaces_are_meshes_with_data() {
    let folder = Folder::new();
    block(&folder);
    folder.succeed(["volume", "surface", "block.vtu", "-o", "block.ply"]);
    let surface = folder.read("block.ply");
    let cells = surface.faces_of().get::<u32>("volume_cell").expect("an attribute");
    assert_eq!(cells.len(), surface.faces.len());
    assert!(surface.vertices().get::<u32>("volume_vertex").is_ok());
    let info = folder.succeed(["info", "block.ply"]).out;
    assert!(info.contains("boundary edges        0"), "{info}");
    // its data: a VTK file with numbers of vertices and cells, and of a face
    folder.write("one.vtk", ONE);
    let ran = folder.succeed(["volume", "surface", "one.vtk", "-o", "one.ply"]);
    assert!(ran.err.contains("note: point data \"tensor\" not written"), "{ran:?}");
    let surface = folder.read("one.ply");
    assert_eq!(surface.vertices().get::<f64>("heat").expect("an attribute"), [1.5, 2.5, 3.5, 4.5]);
    assert_eq!(surface.faces_of().get::<i32>("part").expect("an attribute"), [9; 4]);
    let mut marks = surface.faces_of().get::<i32>("face_part").expect("an attribute").to_vec();
    marks.sort_unstable();
    assert_eq!(marks, [0, 0, 0, 4]);
}

/// A tetrahedron and one of its faces.
const ONE: &str = "# vtk DataFile Version 3.0
one
ASCII
DATASET UNSTRUCTURED_GRID
POINTS 4 double
0 0 0 1 0 0 0 1 0 0 0 1
CELLS 2 9
4 0 1 2 3
3 0 2 1
CELL_TYPES 2
10 5
POINT_DATA 4
FIELD data 2
heat 1 4 double
1.5 2.5 3.5 4.5
tensor 9 4 double
1 2 3 4 5 6 7 8 9
1 2 3 4 5 6 7 8 9
1 2 3 4 5 6 7 8 9
1 2 3 4 5 6 7 8 9
CELL_DATA 2
FIELD data 1
part 1 2 int
9 4
";

#[test]
fn smoothing_keeps_the_surface_and_the_data() {
    let folder = Folder::new();
    folder.write("one.vtk", ONE);
    folder.succeed(["volume", "smooth", "one.vtk", "-o", "same.vtk", "--ascii", "--old", "--steps", "3"]);
    assert!(folder.text("same.vtk").contains("heat"));
    folder.succeed(["volume", "generate", "hexahedra", "4", "-o", "block.vtu"]);
    let ran = folder.succeed(["volume", "smooth", "block.vtu", "-o", "smooth.vtu", "--report", "r.json"]);
    assert!(ran.err.contains("wrote smooth.vtu: 125 vertices, 64 cells"), "{ran:?}");
    let results = &folder.json("r.json")["results"];
    // a block of cubes is smooth already
    assert_eq!((&results["inverted_cells_after"], &results["steps"]), (&0.into(), &10.into()));
    assert!(results["greatest_displacement"].as_f64().expect("a number") < 1e-5);
}

#[test]
fn subdivision_says_what_it_leaves_out() {
    let folder = Folder::new();
    folder.write("one.vtk", ONE);
    let ran = folder.succeed(["volume", "subdivide", "one.vtk", "-o", "fine.vtu", "--levels", "2"]);
    assert!(ran.err.contains("note: face data \"part\" not written"), "{ran:?}");
    let info = folder.succeed(["volume", "info", "fine.vtu"]).out;
    assert!(info.contains("  hexahedra           32\n"), "{info}");
    for kept in [
        "vertex data           heat: f64\n",
        "vertex data           tensor: f64 × 9\n",
        "cell data             part: i32\n",
    ] {
        assert!(info.contains(kept), "{info}");
    }
    assert!(info.contains("inverted cells        0\n"), "{info}");
}

#[test]
fn inverted_cells_are_found_and_turned() {
    let folder = Folder::new();
    folder.write("one.vtk", ONE.replace("4 0 1 2 3", "4 1 0 2 3"));
    let info = folder.succeed(["volume", "info", "one.vtk"]).out;
    assert!(info.contains("inverted cells        1, the first is 0\n"), "{info}");
    folder.succeed(["volume", "convert", "one.vtk", "turned.vtk", "--turn-inverted"]);
    let info = folder.succeed(["volume", "info", "turned.vtk"]).out;
    assert!(info.contains("inverted cells        0\n"), "{info}");
    // the face and its data are there still
    assert!(info.contains("face data             part: i32\n"), "{info}");
}

#[test]
fn wrong_use_and_wrong_files() {
    let folder = Folder::new();
    block(&folder);
    folder.write("one.vtk", ONE);
    folder.write("index.vtk", ONE.replace("4 0 1 2 3", "4 0 1 2 7"));
    folder.write("short.vtk", &ONE[..150]);
    folder.write("empty.vtu", "");
    folder.mesh("surface.ply", &common::mesh(ribbonmesh_mesh::shapes::icosphere(1).expect("small")));
    let cases: [(&str, i32, &str); 12] = [
        ("volume info none.vtk", 1, "none.vtk: "),
        ("volume info index.vtk", 3, "cell 0 has vertex 7, which is not among the 4 of the file"),
        ("volume info short.vtk", 3, "short.vtk, line "),
        ("volume info empty.vtu", 3, "the file is empty"),
        ("volume info surface.ply", 3, "unknown volume format \"ply\""),
        ("volume convert one.vtk one.obj", 2, "unknown volume format \"obj\""),
        ("volume convert one.vtk one.vtu --old", 2, "--old: there is one version of vtu only"),
        ("volume convert one.vtk one.mesh --ascii", 2, "--ascii: MEDIT files are text always"),
        ("volume convert one.vtk -", 2, "--format says in which format"),
        ("volume convert block.vtu block.mesh", 1, "cell "),
        ("volume generate tetrahedra 0 -o x.vtu", 2, "0"),
        ("volume generate hexahedra 100000 -o x.vtu", 2, "100000"),
    ];
    for (line, status, message) in cases {
        folder.refuses(line, status, message);
    }
    // nothing was written
    for file in ["one.obj", "one.vtu", "one.mesh", "block.mesh", "x.vtu"] {
        assert!(!folder.path(file).exists(), "{file}");
    }
}

#[test]
fn surfaces_are_filled_with_tetrahedra() {
    let folder = Folder::new();
    folder.mesh("ball.ply", &common::mesh(ribbonmesh_mesh::shapes::icosphere(4).expect("small")));
    let ran =
        folder.line("volume tetrahedralize ball.ply -o ball.vtu --size 0.2 --faces --report report.json");
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(
        ran.err.contains("dihedral angles: ") && ran.err.contains("distance from the surface: at most "),
        "{ran:?}"
    );
    let results = &folder.json("report.json")["results"];
    let number = |name: &str| results[name].as_f64().expect("a number");
    assert!(number("least_angle") > 10.7 && number("greatest_angle") < 164.8, "{results}");
    assert!((number("volume") / number("surface_volume") - 1.0).abs() < 0.02, "{results}");
    assert_eq!(
        (&results["self_intersections"], &results["surface"]["euler_characteristic"]),
        (&0.into(), &2.into())
    );
    assert!(results["distance"]["hausdorff"].as_f64().expect("a number") < 0.2);
    let info = folder.succeed(["volume", "info", "ball.vtu", "--json"]).out;
    let figures: serde_json::Value = serde_json::from_str(&info).expect("JSON");
    assert_eq!((&figures["tetrahedra"], &figures["sound"]), (&results["tetrahedra"], &true.into()));
    // the surface knows the nearest faces, and a half has its cut
    folder.succeed(["volume", "surface", "ball.vtu", "-o", "around.ply"]);
    let around = folder.read("around.ply");
    let nearest = around.faces_of().get::<i32>("face_surface_face").expect("a column");
    assert!(nearest.iter().any(|&face| face > 0) && nearest.iter().all(|&face| (0..5120).contains(&face)));
    folder.succeed(["volume", "surface", "ball.vtu", "-o", "half.ply", "--cut", "z=0"]);
    let highest = folder.read("half.ply").positions.iter().fold(f64::MIN, |most, p| most.max(p.z));
    assert!((0.0..0.2).contains(&highest), "{highest}");

    let mut open = common::mesh(ribbonmesh_mesh::shapes::icosphere(2).expect("small"));
    open.faces.pop();
    folder.mesh("open.ply", &open);
    for (arguments, status, part) in [
        ("open.ply -o o.vtu --size 0.2", 3, "open.ply: the surface is not closed: 3 edges"),
        ("ball.ply -o o.vtu", 2, "--size <LENGTH>|--cells <N>"),
        ("ball.ply -o o.vtu --size 0", 2, "size"),
        ("ball.ply -o o.vtu --size 100", 3, "too large"),
        ("ball.ply -o o.vtu --size 1e-9", 3, "points of the lattice"),
        ("ball.ply -o o.vtu --size 1 --inside perhaps", 2, "winding or parity"),
    ] {
        folder.refuses(&format!("volume tetrahedralize {arguments}"), status, part);
    }
}
