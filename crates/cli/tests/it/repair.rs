//! `ribbonmesh repair`.
use crate::common;
use common::{Folder, every_kind, mesh, soup, triangles};
use ribbonmesh_mesh::{TriangleMesh, shapes};

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
fn attributes_follow_their_elements() {
    let folder = Folder::new();
    let mut mesh = soup();
    let numbers = 0..mesh.positions.len();
    mesh.vertices_mut()
        .insert("tag", numbers.clone().map(|i| i as u8).collect::<Vec<u8>>())
        .expect("a row each");
    mesh.vertices_mut()
        .insert("heat", numbers.map(|i| i as f32 / 3.0).collect::<Vec<f32>>())
        .expect("a row each");
    let numbers: Vec<u16> = (0..mesh.faces.len() as u16).collect();
    mesh.faces_of_mut().insert("label", numbers).expect("a row each");
    let corners: Vec<u32> = mesh.faces.as_flattened().to_vec();
    mesh.corners_mut().insert("vertex", corners).expect("a row each");
    folder.mesh("a.ply", &mesh);
    folder.succeed(["repair", "a.ply", "-o", "b.ply", "--report", "r.json"]);
    let found = folder.read("b.ply");
    let tags = found.vertices().get::<u8>("tag").expect("tags");
    let heat = found.vertices().get::<f32>("heat").expect("heat");
    assert!(tags.len() > mesh.positions.len());
    for (v, &input) in tags.iter().enumerate() {
        assert_eq!(found.positions[v], mesh.positions[input as usize]);
        assert_eq!(heat[v], f32::from(input) / 3.0);
    }
    // corners still name the vertices that they had, those of turned faces included
    let corners = found.corners().get::<u32>("vertex").expect("corners");
    assert!(!folder.json("r.json")["results"]["faces_turned"].as_array().expect("a list").is_empty());
    for (corner, &v) in found.faces.as_flattened().iter().enumerate() {
        assert_eq!(corners[corner], u32::from(tags[v as usize]));
    }
    let labels = found.faces_of().get::<u16>("label").expect("labels");
    assert!(labels.len() < mesh.faces.len() && labels.is_sorted_by(|a, b| a < b));
    let ran = folder.succeed(["repair", "a.ply", "-o", "b.obj"]);
    for lost in ["vertex attribute \"tag\"", "face attribute \"label\"", "corner attribute \"vertex\""] {
        assert!(ran.err.contains(&format!("note: b.obj: {lost} not written")), "{lost}: {ran:?}");
    }
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

#[test]
fn options_of_repair() {
    let folder = Folder::new();
    // a sphere whose triangles do not share vertices, and one triangle far from it, without area
    let sphere = shapes::icosphere(1).expect("small");
    let soup = sphere.faces.iter().flatten().map(|&v| sphere.positions[v as usize].as_vec3().to_array());
    let flat = [[3.0, 0.0, 0.0], [4.0, 0.0, 0.0], [5.0, 0.0, 0.0]];
    let corners = 3 * sphere.faces.len() as u32 + 3;
    let faces = (0..corners / 3).map(|f| [3 * f, 3 * f + 1, 3 * f + 2]).collect();
    folder.mesh("a.ply", &TriangleMesh::from_f32(soup.chain(flat), faces));
    for distance in ["0", "0.01", "0.01x", "0.1%"] {
        let line = format!("repair a.ply -o b.ply --weld {distance} --report r.json");
        let ran = folder.succeed(line.split_whitespace());
        let welded = folder.json("r.json")["results"]["vertices_welded"].as_array().expect("a list").len();
        assert_eq!(welded, 3 * sphere.faces.len() - sphere.positions.len());
        assert!(ran.err.contains(&format!("{welded} vertices welded")), "{ran:?}");
        assert_eq!(folder.read("b.ply").positions.len(), sphere.positions.len() + 3);
    }
    let both =
        [("--remove-zero-area", "zero_area_faces_dropped"), ("--remove-components 2", "components_removed")];
    for (option, key) in both {
        let line = format!("repair a.ply -o b.ply --weld 0 --remove-isolated {option} --report r.json");
        folder.succeed(line.split_whitespace());
        assert_eq!(folder.json("r.json")["results"][key].as_array().expect("a list").len(), 1);
        let left = folder.read("b.ply");
        assert_eq!((left.positions.len(), left.faces.len()), (sphere.positions.len(), sphere.faces.len()));
    }
    for wrong in ["--weld -1", "--weld near", "--remove-components -1", "--check --weld 0"] {
        let ran = folder.line(&format!("repair a.ply -o b.ply {wrong}"));
        assert_eq!(ran.status, 2, "{ran:?}");
    }
    let ran = folder.line("repair a.ply -o b.ply --remove-components 1000");
    assert_eq!((ran.status, ran.err.contains("no face is left")), (3, true), "{ran:?}");
}
