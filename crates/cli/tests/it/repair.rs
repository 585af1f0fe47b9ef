//! `ribbonmesh repair`.
use crate::common;
use common::{Folder, every_kind, mesh, soup, triangles};
use ribbonmesh_io::{Property, PropertyValues, WriteOptions, read_attributes};
use ribbonmesh_shapes as shapes;

#[test]
fn every_kind_becomes_an_oriented_manifold() {
    let folder = Folder::new();
    for (kind, mesh) in every_kind() {
        folder.mesh("a.ply", &mesh);
        let clean = ["sphere", "torus", "grid", "one face"].contains(&kind);
        let ran = folder.run(["repair", "a.ply", "--check"]);
        assert_eq!(ran.status, if clean { 0 } else { 3 }, "{kind}: {ran:?}");
        let ran = folder.succeed(["repair", "a.ply", "-o", "b.ply"]);
        assert_eq!(ran.err.contains("nothing to repair"), clean, "{kind}: {ran:?}");
        assert_eq!(folder.read("b.ply") == mesh, clean, "{kind}");
        let ran = folder.succeed(["repair", "b.ply", "--check"]);
        assert_eq!(ran.out, "b.ply: an oriented manifold\n", "{kind}");
        let info: serde_json::Value =
            serde_json::from_str(&folder.succeed(["info", "b.ply", "--json"]).out).expect("JSON");
        for none in [
            "nonmanifold_edges",
            "nonmanifold_vertices",
            "degenerate_faces",
            "duplicate_faces",
            "inconsistent_edges",
        ] {
            assert_eq!(info[none], 0, "{none} of {kind}");
        }
    }
}

#[test]
fn the_report_lists_every_change() {
    let folder = Folder::new();
    folder.mesh("a.ply", &soup());
    let words = "repair a.ply -o b.ply --remove-isolated --report r.json";
    let ran = folder.succeed(words.split_whitespace());
    let results = &folder.json("r.json")["results"];
    assert_eq!(results["degenerate_faces_dropped"], serde_json::json!([5, 6]), "{results}");
    assert_eq!(results["duplicate_faces_dropped"], serde_json::json!([[4, 3]]), "{results}");
    assert!(ran.err.contains("repaired: 2 degenerate faces dropped, "), "{ran:?}");
    let repaired = folder.read("b.ply");
    assert_eq!(results["vertices"], repaired.positions.len());
    assert_eq!(results["faces"], repaired.faces.len());
    let removed = results["isolated_vertices_removed"].as_array().expect("a list");
    assert_eq!(removed.iter().map(|v| v.as_u64()).collect::<Vec<_>>(), [Some(8), Some(9), Some(12)]);
    assert_eq!(results["isolated_vertices"], 0);
    let ran = folder.succeed("repair a.ply -o c.ply --report r.json".split_whitespace());
    assert_eq!(folder.json("r.json")["results"]["isolated_vertices"], 3);
    assert!(ran.err.contains("; 3 vertices without a face kept (--remove-isolated removes them)"), "{ran:?}");
}

#[test]
fn attributes_follow_vertices() {
    let folder = Folder::new();
    let mesh = soup();
    let numbers = 0..mesh.positions.len();
    let options = WriteOptions {
        vertex_properties: vec![
            Property::new("red", PropertyValues::U8(numbers.clone().map(|i| i as u8).collect())),
            Property::new("heat", PropertyValues::F32(numbers.map(|i| i as f32 / 3.0).collect())),
        ],
        ..Default::default()
    };
    ribbonmesh_io::write(&folder.path("a.ply"), &mesh, &options).expect("a mesh");
    folder.succeed(["repair", "a.ply", "-o", "b.ply"]);
    let (loaded, properties) = read_attributes(&folder.path("b.ply")).expect("a mesh");
    let [red, heat] = &properties[..] else { panic!("{properties:?}") };
    let (PropertyValues::U8(red), PropertyValues::F32(heat)) = (&red.values, &heat.values) else {
        panic!("{properties:?}")
    };
    assert!(red.len() > mesh.positions.len());
    for (v, &input) in red.iter().enumerate() {
        assert_eq!(loaded.mesh.positions[v], mesh.positions[input as usize]);
        assert_eq!(heat[v], f32::from(input) / 3.0);
    }
    let ran = folder.succeed(["repair", "a.ply", "-o", "b.obj"]);
    assert!(ran.err.contains("warning: b.obj: properties not kept: red, heat"), "{ran:?}");
}

#[test]
fn refusals() {
    let folder = Folder::new();
    folder.mesh("flat.ply", &triangles(3, &[[0, 1, 1], [2, 2, 2]]));
    let ran = folder.run(["repair", "flat.ply", "-o", "b.ply"]);
    assert_eq!((ran.status, ran.err.contains("flat.ply: all faces are degenerate")), (3, true), "{ran:?}");
    assert!(!folder.path("b.ply").exists());
    folder.mesh("book.ply", &triangles(5, &[[0, 1, 2], [1, 0, 3], [0, 1, 4]]));
    let ran = folder.run(["repair", "book.ply", "--check"]);
    assert_eq!(ran.err, "error: book.ply: edge 0-1 has 3 faces (0, 1, 2)\n");
    folder.mesh("strip.ply", &mesh(shapes::mobius(20, 4).expect("small")));
    let ran = folder.run(["repair", "strip.ply", "--check"]);
    assert!(ran.err.contains("have opposite orientations at edge"), "{ran:?}");
}
