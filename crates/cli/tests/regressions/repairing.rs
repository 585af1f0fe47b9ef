//! Holes, cracks, contacts and cleaning.
use crate::case;
use crate::common::{Folder, Ran};
use ribbonmesh_mesh::TriangleMesh;

/// The counts that `ribbonmesh info --intersections` reports.
fn counts(folder: &Folder, file: &str) -> serde_json::Value {
    let ran = folder.succeed(["info", file, "--intersections", "--json"]);
    serde_json::from_str(&ran.out).expect("JSON")
}

/// Runs a command, which has to succeed and to write a closed manifold without intersections.
fn closed(folder: &Folder, line: &str) -> (Ran, TriangleMesh) {
    let ran = folder.succeed(line.split_whitespace());
    let found = counts(folder, "out.ply");
    for none in ["boundary_edges", "nonmanifold_edges", "nonmanifold_vertices"] {
        assert_eq!(found[none], 0, "{line}: {none}: {found}");
    }
    assert_eq!(found["intersecting_pairs"], 0, "{line}: {found}");
    (ran, folder.read("out.ply"))
}

fn components(folder: &Folder) -> u64 {
    counts(folder, "out.ply")["components"].as_u64().expect("a number")
}

/// Expected: the height by the shape, and the volume between that of the lower tube and that of flat fillings
/// (pymeshlab); the other end of the tube, whose rim is flat, becomes round, with 1.7 more.
#[test]
fn case_05_fill_jagged_rim_balloons() {
    let folder = case("05-fill-jagged-rim-balloons");
    let (ran, mesh) = closed(&folder, "fill tube.obj -o out.ply --report r.json");
    let highest = mesh.positions.iter().map(|p| p.z).fold(0.0, f64::max);
    let volume = mesh.volume().expect("closed");
    assert!(highest <= 4.2 && (6.3..=11.7).contains(&volume), "{highest} {volume}");
    assert!(ran.err.contains("1 hole filled flat: smooth, new faces would bulge out"), "{ran:?}");
    let holes = &folder.json("r.json")["results"]["holes"];
    let because = |i: usize| holes[i]["filling"]["flat_because"].clone();
    assert_eq!((because(0), because(1)), (serde_json::Value::Null, "bulged".into()), "{holes}");
}

/// Expected: the result of filling alone, and of pymeshlab.
#[test]
fn case_07_clean_scattered_missing_faces() {
    let folder = case("07-clean-scattered-missing-faces");
    for line in [
        "fill scattered.ply -o out.ply",
        "repair scattered.ply -o out.ply --fill-holes 1000",
        "clean scattered.ply -o out.ply",
    ] {
        let (ran, mesh) = closed(&folder, line);
        let volume = mesh.volume().expect("closed");
        assert!((volume - 4.153).abs() < 0.01 && mesh.faces.len() < 1400, "{line}: {volume}: {ran:?}");
        assert_eq!(components(&folder), 1, "{line}");
    }
    // holes that touch and are left become several
    folder.succeed("repair scattered.ply -o out.ply --fill-holes 3".split_whitespace());
    folder.succeed(["repair", "out.ply", "--check"]);
}

/// Expected: the volume of manifold3d's union, 0.37944.
#[test]
fn case_09_resolve_struts() {
    let folder = case("09-resolve-struts");
    let (ran, mesh) = closed(&folder, "clean three.ply -o out.ply");
    let volume = mesh.volume().expect("closed");
    assert!((volume / 0.37944 - 1.0).abs() < 1e-4 && mesh.faces.len() <= 300, "{volume} {ran:?}");
    assert_eq!(components(&folder), 1);
    assert!(!ran.err.contains("wrapped"), "{ran:?}");
    let (_, mesh) = closed(&folder, "resolve three.ply -o out.ply");
    assert!((mesh.volume().expect("closed") / 0.37944 - 1.0).abs() < 1e-4);
}

/// Expected: the volume of manifold3d's union, 10.5, and no more than a hundred times the faces.
#[test]
fn case_10_clean_coplanar_blocks() {
    let folder = case("10-clean-coplanar-blocks");
    let (ran, mesh) = closed(&folder, "clean letter.stl -o out.ply");
    let volume = mesh.volume().expect("closed");
    assert!((volume / 10.5 - 1.0).abs() < 0.02 && mesh.faces.len() <= 4800, "{volume} {ran:?}");
    assert_eq!(components(&folder), 1);
}

/// Expected: the 320 faces of the sphere, whose volume is 4.04729 (trimesh).
#[test]
fn case_12_stl_cracks_of_1e_7() {
    let folder = case("12-stl-cracks-of-1e-7");
    for line in [
        "clean crack.stl -o out.ply",
        "clean crack.stl -o out.ply --weld 0.001%",
        "repair crack.stl -o out.ply --fill-holes 100",
        "repair crack.stl -o out.ply --weld 0.001%",
    ] {
        let (ran, mesh) = closed(&folder, line);
        let volume = mesh.volume().expect("closed");
        assert!((volume - 4.04729).abs() < 1e-3, "{line}: {volume}: {ran:?}");
        assert_eq!((mesh.faces.len(), components(&folder)), (320, 1), "{line}");
    }
    let ran = folder.succeed("clean crack.stl -o out.ply".split_whitespace());
    assert!(ran.err.contains("cracks closed: "), "{ran:?}");
}

/// Expected: area, volume and faces by the shape.
#[test]
fn case_13_t_junctions() {
    let folder = case("13-t-junctions");
    for line in ["repair plate.stl -o out.ply --fill-holes 100", "clean plate.stl -o out.ply"] {
        let (ran, mesh) = closed(&folder, line);
        let (area, volume) = (mesh.area(), mesh.volume().expect("closed"));
        assert!((area - 240.0).abs() < 1e-3 && (volume - 100.0).abs() < 1e-3, "{line}: {area} {volume}");
        assert_eq!((mesh.faces.len(), components(&folder)), (76, 1), "{line}: {ran:?}");
    }
}

#[test]
fn case_32_refusal_without_a_way_out() {
    let folder = case("32-refusal-without-a-way-out");
    for line in [
        "simplify bowtie.obj -o out.ply --ratio 0.5",
        "remesh bowtie.obj -o out.ply",
        "delaunay bowtie.obj -o out.ply",
    ] {
        let ran = folder.run(line.split_whitespace());
        assert_eq!(ran.status, 3, "{line}: {ran:?}");
        assert!(ran.err.contains("vertex 0 has 2 fans of faces"), "{line}: {ran:?}");
        assert!(
            ran.err.contains("`ribbonmesh repair`") && ran.err.contains("`ribbonmesh clean`"),
            "{line}: {ran:?}"
        );
    }
}

/// Patches that own their storage work on it as it is.
#[cfg(feature = "patches")]
#[test]
fn case_32_a_bowtie_in_patches() {
    let folder = case("32-refusal-without-a-way-out");
    for line in
        ["simplify bowtie.obj --ratio 0.5", "remesh bowtie.obj --target-length 0.5x", "delaunay bowtie.obj"]
    {
        let line = format!("{line} -o out.ply --resolver patches --validate");
        let ran = folder.succeed(line.split_whitespace());
        let out = folder.read("out.ply");
        let more = line.starts_with("remesh");
        assert!(if more { out.faces.len() == 8 } else { out.faces.len() == 2 }, "{line}: {ran:?}");
    }
}

/// Expected: the inner hole alone.
#[test]
fn case_34_fill_closes_terrain_border() {
    let folder = case("34-fill-closes-terrain-border");
    let ran = folder.succeed("fill terrain.ply -o out.ply --report r.json".split_whitespace());
    let results = &folder.json("r.json")["results"];
    assert_eq!((&results["filled"], &results["left"]), (&1.into(), &1.into()), "{results}");
    let left: Vec<&serde_json::Value> =
        results["holes"].as_array().expect("a list").iter().map(|hole| &hole["left"]).collect();
    assert!(left.contains(&&"border".into()), "{left:?}");
    assert!(
        ran.err.contains("note: 1 outer border of open surfaces left") && ran.err.contains("--borders"),
        "{ran:?}"
    );
    folder.succeed("fill terrain.ply -o out.ply --borders".split_whitespace());
    assert!(folder.read("out.ply").is_closed());
}
