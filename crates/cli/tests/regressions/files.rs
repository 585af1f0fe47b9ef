//! Readers and writers.
use crate::case;
use crate::common::Folder;
use ribbonmesh_io::TriangleMesh;
use ribbonmesh_mesh::{Element, Role};

/// Converts a file, which must succeed; returns the messages, and the mesh.
fn converted(folder: &Folder, from: &str, to: &str) -> (String, TriangleMesh) {
    let ran = folder.line(&format!("convert {from} {to}"));
    assert_eq!(ran.status, 0, "{from}: {ran:?}");
    (ran.err, folder.read(to))
}

/// `--strict` refuses a file.
fn refused(folder: &Folder, file: &str, what: &str) {
    let ran = folder.line(&format!("convert --strict {file} refused.ply"));
    assert_eq!(ran.status, 3, "{ran:?}");
    assert!(ran.err.contains(what), "{}", ran.err);
}

/// The JSON of a GLB file, and its binary part.
fn taken_apart(folder: &Folder, file: &str) -> (serde_json::Value, Vec<u8>) {
    let bytes = std::fs::read(folder.path(file)).expect("a file");
    let length = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let json = 20 + length(12) as usize;
    let document = serde_json::from_slice(&bytes[20..json]).expect("JSON");
    (document, bytes[json + 8..].to_vec())
}

/// The rows of an attribute of the first primitive, in single precision.
fn rows(folder: &Folder, file: &str, semantic: &str) -> Vec<Vec<f32>> {
    let (document, binary) = taken_apart(folder, file);
    let number =
        document["meshes"][0]["primitives"][0]["attributes"][semantic].as_u64().expect("an attribute");
    let accessor = &document["accessors"][number as usize];
    assert_eq!(accessor["componentType"], 5126);
    let width = match accessor["type"].as_str() {
        Some("VEC2") => 2,
        Some("VEC3") => 3,
        _ => 4,
    };
    let view = &document["bufferViews"][accessor["bufferView"].as_u64().expect("a view") as usize];
    let start = view["byteOffset"].as_u64().expect("a place") as usize;
    let count = accessor["count"].as_u64().expect("a count") as usize;
    let words = binary[start..start + 4 * width * count].as_chunks::<4>().0;
    let numbers: Vec<f32> = words.iter().map(|word| f32::from_le_bytes(*word)).collect();
    numbers.chunks(width).map(<[f32]>::to_vec).collect()
}

#[test]
fn case_17_glb_silent_losses() {
    let folder = case("17-glb-silent-losses");
    let (_, mesh) = converted(&folder, "instances.glb", "out.ply");
    assert_eq!((mesh.positions.len(), mesh.faces.len()), (24, 36));
    assert!((mesh.area() - 18.0).abs() < 1e-9, "{}", mesh.area());
}

#[test]
fn what_a_gltf_file_has_beside_its_mesh_is_noted() {
    let folder = case("17-glb-silent-losses");
    let (mut document, binary) = taken_apart(&folder, "instances.glb");
    document["scenes"] = serde_json::json!([{ "nodes": [0] }, { "nodes": [1] }]);
    document["nodes"].as_array_mut().expect("nodes").push(serde_json::json!({ "mesh": 0 }));
    document["nodes"][0]["extras"] = serde_json::json!({ "age": 7 });
    document["extensions"] = serde_json::json!({ "KHR_lights_punctual": { "lights": [] } });
    document["extensionsRequired"] = serde_json::json!(["KHR_lights_punctual", "EXT_mesh_gpu_instancing"]);
    document["extensionsUsed"] = document["extensionsRequired"].clone();
    document["buffers"][0]["uri"] = serde_json::json!("some%20bytes.bin");
    folder.write("scene.gltf", document.to_string());
    folder.write("some bytes.bin", binary);
    let (said, mesh) = converted(&folder, "scene.gltf", "out.ply");
    assert_eq!(mesh.faces.len(), 36);
    for part in ["1 other scene", "KHR_lights_punctual", "extras"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    document["extensionsRequired"] = serde_json::json!(["ACME_folded_space"]);
    folder.write("other.gltf", document.to_string());
    let ran = folder.line("convert other.gltf out.ply");
    assert_eq!(ran.status, 3, "{ran:?}");
    assert!(ran.err.contains("ACME_folded_space"), "{}", ran.err);
}

#[test]
fn case_19_glb_sparse_and_zero_accessors() {
    let folder = case("19-glb-sparse-and-zero-accessors");
    let (_, mesh) = converted(&folder, "sparse.glb", "out.ply");
    assert_eq!(mesh.faces.len(), 12);
    assert_eq!(mesh.bounding_box().expect("faces").low.to_array(), [-2.0; 3]);
    let (_, mesh) = converted(&folder, "zeros.glb", "zeros.ply");
    assert_eq!(mesh.faces.len(), 12);
    assert!(mesh.vertices().get::<[u8; 4]>("colour").expect("colours").iter().all(|row| *row == [0; 4]));
}

#[test]
fn case_20_glb_meshopt_draco() {
    let folder = case("20-glb-meshopt-draco");
    let (_, mesh) = converted(&folder, "meshopt.glb", "out.ply");
    assert_eq!((mesh.positions.len(), mesh.faces.len()), (8, 12));
    assert!((mesh.volume().expect("closed") - 1.0).abs() < 1e-3, "{:?}", mesh.volume());
    assert!((mesh.bounding_box().expect("faces").high.x - 0.5).abs() < 1e-4);
    // the same cube as the reference encoder of Draco 1.5.7 makes it
    let (_, mesh) = converted(&folder, "draco.glb", "out.ply");
    assert_eq!((mesh.positions.len(), mesh.faces.len()), (8, 12));
    assert!((mesh.volume().expect("closed") - 1.0).abs() < 1e-3, "{:?}", mesh.volume());
    let normals = mesh.corners().get::<[f32; 3]>("normal").expect("normals");
    let axis = |normal: &[f32; 3]| normal.iter().filter(|x| x.abs() > 0.99).count() == 1;
    assert!(normals.iter().all(axis), "{normals:?}");
}

#[test]
fn case_21_glb_invalid_tangents() {
    let folder = case("21-glb-invalid-tangents");
    let (_, mesh) = converted(&folder, "one.glb", "out.glb");
    assert_eq!(mesh.faces.len(), 320);
    let ran = folder.succeed(["simplify", "one.glb", "-o", "fewer.glb", "--ratio", "0.5"]);
    assert!(ran.err.contains("wrote fewer.glb"), "{}", ran.err);
    let (document, _) = taken_apart(&folder, "fewer.glb");
    let attributes = &document["meshes"][0]["primitives"][0]["attributes"];
    // tangents need normals
    assert!(attributes["NORMAL"].is_u64() || attributes["TANGENT"].is_null(), "{attributes}");
    for file in ["out.glb", "fewer.glb"] {
        let (document, _) = taken_apart(&folder, file);
        let attributes = &document["meshes"][0]["primitives"][0]["attributes"];
        for semantic in ["NORMAL", "TANGENT"] {
            if attributes[semantic].is_null() {
                continue;
            }
            for row in rows(&folder, file, semantic) {
                let length = row.iter().take(3).map(|x| x * x).sum::<f32>().sqrt();
                assert!((length - 1.0).abs() < 1e-3, "{file} {semantic}: {row:?}");
                assert!(row.len() == 3 || row[3].abs() == 1.0, "{file}: {row:?}");
            }
        }
    }
}

#[test]
fn case_22_colours() {
    let folder = case("22-colours");
    let (said, _) = converted(&folder, "scan.ply", "out.obj");
    assert!(!said.contains("colour"), "{said}");
    assert!(folder.text("out.obj").starts_with("v 0 0 0 0.5019608 0 1\n"), "{}", folder.text("out.obj"));
    converted(&folder, "scan.ply", "out.glb");
    let linear = &rows(&folder, "out.glb", "COLOR_0")[0];
    assert!((linear[0] - 0.215_860_5).abs() < 1e-6 && linear[1..] == [0.0, 1.0], "{linear:?}");
    let (said, mesh) = converted(&folder, "out.glb", "again.ply");
    assert!(!said.contains("colour"), "{said}");
    let colours = mesh.vertices().get::<[u8; 3]>("colour").expect("bytes");
    assert_eq!(colours[0], [128, 0, 255]);
    assert_eq!(colours.len(), 3);
    let (said, mesh) = converted(&folder, "c255.obj", "bytes.ply");
    assert!(said.contains("3 colours from 0 to 255 divided by 255"), "{said}");
    assert_eq!(mesh.vertices().get::<[f32; 3]>("colour").expect("fractions")[0], [1.0, 0.0, 0.0]);
    converted(&folder, "c255.obj", "bytes.glb");
    let linear = rows(&folder, "bytes.glb", "COLOR_0");
    assert_eq!(linear[..2], [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]);
}

#[test]
fn case_25_nan_vertices() {
    let folder = case("25-nan-vertices");
    for file in ["isolated.ply", "used.ply"] {
        let (said, mesh) = converted(&folder, file, "out.ply");
        assert_eq!((mesh.positions.len(), mesh.faces.len(), mesh.area()), (4, 2, 1.0), "{file}");
        assert!(said.contains("1 vertex left out (not finite), the first at line 14"), "{said}");
        assert_eq!(said.contains("1 face left out"), file == "used.ply", "{said}");
        refused(&folder, file, "line 14: coordinate nan is not finite");
    }
    let (said, mesh) = converted(&folder, "normals.ply", "out.ply");
    assert!(said.contains("2 normals not finite"), "{said}");
    let normals = mesh.vertices().get::<[f32; 3]>("normal").expect("normals");
    assert_eq!(normals, [[0.0; 3], [0.0; 3], [0.0, 0.0, 1.0], [0.0, 0.0, 1.0]]);
    refused(&folder, "normals.ply", "not finite");
}

#[test]
fn case_26_faces_of_two_corners() {
    let folder = case("26-faces-of-two-corners");
    for (file, faces, line) in [("a.ply", 2, 15), ("a.obj", 1, 5), ("a.off", 2, 8)] {
        let (said, mesh) = converted(&folder, file, "out.ply");
        assert_eq!(mesh.faces.len(), faces, "{file}");
        assert!(said.contains("1 face left out"), "{said}");
        assert!(said.contains(&format!("the first at line {line}")), "{said}");
        refused(&folder, file, &format!("line {line}: a face has 2 corners"));
    }
}

#[test]
fn case_27_obj_lines_of_others() {
    let folder = case("27-obj-lines-of-others");
    for (file, word) in [("dollar.obj", "$"), ("tags.obj", "t")] {
        let (said, mesh) = converted(&folder, file, "out.ply");
        assert_eq!(mesh.faces.len(), 1, "{file}");
        assert!(said.contains("1 line of no known kind passed over"), "{said}");
        refused(&folder, file, &format!("found {word:?} where an OBJ statement is expected"));
    }
}

#[test]
fn case_29_off_layouts() {
    let folder = case("29-off-layouts");
    for file in ["free.off", "counts.off"] {
        let (_, mesh) = converted(&folder, file, "out.ply");
        assert_eq!((mesh.positions.len(), mesh.faces.len(), mesh.area()), (4, 2, 1.0), "{file}");
    }
}

#[test]
fn case_30_stl_tokens() {
    let folder = case("30-stl-tokens");
    let (said, mesh) = converted(&folder, "color.stl", "out.ply");
    assert_eq!((mesh.positions.len(), mesh.faces.len(), mesh.area()), (4, 2, 1.0));
    assert!(said.contains("passed over: color"), "{said}");
    refused(&folder, "color.stl", "line 2: found \"color\"");
}

#[test]
fn case_32_refusal_without_a_way_out() {
    let folder = case("32-refusal-without-a-way-out");
    for command in ["simplify bowtie.obj -o out.ply --ratio 0.5", "remesh bowtie.obj -o out.ply"] {
        let ran = folder.line(&format!("--device cpu {command}"));
        assert_eq!(ran.status, 3, "{ran:?}");
        assert!(ran.err.contains("--repair") && ran.err.contains("clean"), "{}", ran.err);
    }
    let ran = folder.line("--device cpu resolve bowtie.obj -o out.ply");
    assert_eq!(ran.status, 3, "{ran:?}");
    assert!(ran.err.contains("ribbonmesh clean"), "{}", ran.err);
}

#[test]
fn materials_and_their_pictures_go_between_obj_and_glb() {
    let folder = Folder::new();
    let picture = [&[0x89][..], b"PNG\r\n\x1a\n", &[0; 8]].concat();
    folder.write("wood.png", &picture);
    folder.write(
        "desk.mtl",
        "newmtl top\nKd 0.5 1 0\nd 0.25\nmap_Kd -clamp on wood.png\nnewmtl unused\nKd 1 0 0\n",
    );
    folder.write(
        "desk.obj",
        "mtllib desk.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0.25\nvt 1 0.25\nvt 0 1\nusemtl top\nf 1/1 2/2 3/3\n",
    );
    let (_, mesh) = converted(&folder, "desk.obj", "desk.glb");
    let (document, _) = taken_apart(&folder, "desk.glb");
    let material = &document["materials"][0];
    let surface = &material["pbrMetallicRoughness"];
    assert_eq!((material["name"].as_str(), &surface["baseColorTexture"]["index"]), (Some("top"), &0.into()));
    let factor: Vec<f64> =
        surface["baseColorFactor"].as_array().expect("a colour").iter().flat_map(|x| x.as_f64()).collect();
    assert!((factor[0] - 0.214_041).abs() < 1e-5 && factor[1..] == [1.0, 0.0, 0.25], "{factor:?}");
    assert_eq!(document["images"][0]["mimeType"], "image/png");
    assert_eq!(mesh.tables.gltf.as_ref().expect("pictures").blobs, std::slice::from_ref(&picture));
    // glTF counts from the top
    assert_eq!(rows(&folder, "desk.glb", "TEXCOORD_0")[0], [0.0, 0.75]);

    let folder_of_obj = Folder::new();
    std::fs::copy(folder.path("desk.glb"), folder_of_obj.path("desk.glb")).expect("a copy");
    let (said, mesh) = converted(&folder_of_obj, "desk.glb", "again.obj");
    assert!(!said.contains("materials"), "{said}");
    let text = folder_of_obj.text("again.mtl");
    assert!(text.contains("newmtl top\nKd 0.5 1 0\nd 0.25\nmap_Kd wood.png\n"), "{text}");
    assert_eq!(std::fs::read(folder_of_obj.path("wood.png")).expect("a picture"), picture);
    let coordinates = mesh.attributes(Element::Vertex).with_role(Role::TextureCoordinate(0)).expect("a set");
    assert_eq!(coordinates.values::<[f32; 2]>().expect("pairs")[0], [0.0, 0.25]);
    assert_eq!(coordinates.name(), "texcoord");
}

#[test]
fn what_is_no_mesh_is_named() {
    let folder = Folder::new();
    folder.write("page.obj", "\n<!DOCTYPE html><html><body>404</body></html>");
    folder.write("packed.stl", b"PK\x03\x04rest");
    for (file, what) in [("page.obj", "a page of HTML"), ("packed.stl", "a ZIP archive")] {
        let ran = folder.line(&format!("info {file}"));
        assert_eq!(ran.status, 3, "{ran:?}");
        assert!(ran.err.contains(what), "{}", ran.err);
    }
}
