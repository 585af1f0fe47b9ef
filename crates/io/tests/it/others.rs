//! Files of other programs.

use crate::common;

use common::accept;
use ribbonmesh_io::{Format, Notes, ReadOptions, TriangleMesh, read_stream_with};
use ribbonmesh_mesh::Role;

/// Refused where reading is strict.
fn strict(format: Format, bytes: &[u8]) {
    let options = ReadOptions { format: Some(format), strict: true, ..ReadOptions::default() };
    let error = read_stream_with(&mut &bytes[..], &options, "strict").expect_err("strict");
    assert!(error.is_refusal(), "{error}");
}

fn read(format: Format, bytes: impl AsRef<[u8]>) -> (TriangleMesh, Notes) {
    let loaded = accept(format, bytes.as_ref());
    (loaded.mesh, loaded.notes)
}

const SQUARE: &str = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n";

#[test]
fn triangle_strips_of_ply() {
    let head = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n\
                element tristrips 1\nproperty list int int vertex_indices\nend_header\n";
    let (mesh, _) = read(Format::Ply, format!("{head}{SQUARE}7 0 1 3 2 -1 0 1\n"));
    assert_eq!(mesh.faces, [[0, 1, 3], [3, 1, 2]]);
    let binary = head.replace("ascii", "binary_big_endian");
    let mut bytes = binary.into_bytes();
    let places = SQUARE.split_whitespace().map(|word| word.parse::<f32>().expect("a number"));
    bytes.extend(places.flat_map(f32::to_be_bytes));
    bytes.extend([7_i32, 0, 1, 3, 2, -1, 0, 1].iter().flat_map(|value| value.to_be_bytes()));
    assert_eq!(read(Format::Ply, &bytes).0.faces, mesh.faces);
}

#[test]
fn wide_integers_of_ply() {
    let text = format!(
        "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n\
         property int64 id\nelement face 1\nproperty list uint8 uint64 vertex_indices\nend_header\n{}3 0 1 2\n",
        SQUARE.replace("0\n", "0 9007199254740993\n")
    );
    let (mesh, _) = read(Format::Ply, text);
    assert_eq!(mesh.vertices().get::<i64>("id").expect("numbers")[0], 9_007_199_254_740_993);
    assert_eq!(mesh.faces, [[0, 1, 2]]);
}

#[test]
fn colours_of_other_types_in_ply() {
    let of = |kind: &str, colours: [&str; 3]| {
        let [a, b, c] = colours;
        let (mesh, notes) = read(
            Format::Ply,
            format!(
                "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
                 property {kind} red\nproperty {kind} green\nproperty {kind} blue\nelement face 1\n\
                 property list uchar int vertex_indices\nend_header\n0 0 0 {a}\n1 0 0 {b}\n0 1 0 {c}\n3 0 1 2\n"
            ),
        );
        (
            mesh.vertices().with_role(Role::Colour(ribbonmesh_mesh::ColourSpace::Srgb)).cloned(),
            notes.colours_of_bytes,
        )
    };
    let (colours, changed) = of("int", ["128 0 255", "1 2 3", "0 0 0"]);
    assert_eq!(colours.expect("colours").values::<[u8; 3]>().expect("bytes")[0], [128, 0, 255]);
    assert_eq!(changed, 3);
    let (colours, changed) = of("float", ["51 0 255", "1 2 3", "0 0 0"]);
    assert_eq!(colours.expect("colours").values::<[f32; 3]>().expect("fractions")[0], [0.2, 0.0, 1.0]);
    assert_eq!(changed, 3);
    for fractions in [["0.5 0 1", "0 0 1", "1 1 1"], ["0.5 0 1.5", "0 0 1", "1 1 1"]] {
        assert_eq!(of("float", fractions).1, 0, "{fractions:?}");
    }
}

#[test]
fn binary_off() {
    let mut bytes = b"COFF BINARY\n".to_vec();
    bytes.extend([4_i32, 2, 0].iter().flat_map(|value| value.to_be_bytes()));
    for place in SQUARE.lines() {
        let numbers = place.split(' ').map(|word| word.parse::<f32>().expect("a number"));
        bytes.extend(numbers.chain([0.5, 0.25, 1.0, 1.0]).flat_map(f32::to_be_bytes));
    }
    bytes.extend([4_i32, 0, 1, 2, 3, 0, 3, 0, 1, 3, 0].iter().flat_map(|value| value.to_be_bytes()));
    let (mesh, notes) = read(Format::Off, &bytes);
    assert_eq!(mesh.faces, [[0, 1, 2], [0, 2, 3], [0, 1, 3]]);
    assert_eq!((notes.polygons_triangulated, notes.trailing_bytes), (1, 0));
    assert_eq!(mesh.vertices().get::<[f32; 4]>("colour").expect("colours")[3], [0.5, 0.25, 1.0, 1.0]);
    for end in 12..bytes.len() {
        ribbonmesh_io::read_from(&bytes[..end], Format::Off, "cut").expect_err("cut off");
    }
}

#[test]
fn off_whose_lines_end_anywhere() {
    for text in [
        "OFF 4 2 0 0 0 0 1 0 0 1 1 0 0 1 0 3 0 1 2 3 0 2 3",
        "OFF\n4 2 0\n0 0\n0 1 0 0\n1 1 0 0 1\n0\n3 0 1 2 3 0 2 3\n",
        "OFF # a comment\n4 2\n0\n0 0 0 1 0 0\n1 1 0 0 1 0\n3 0 1 2\n3 0 2 3\n",
    ] {
        let (mesh, _) = read(Format::Off, text);
        assert_eq!((mesh.positions.len(), mesh.faces), (4, vec![[0, 1, 2], [0, 2, 3]]), "{text}");
    }
    // one number too few, or too many, makes no sense
    for text in [
        "OFF 4 2 0 0 0 0 1 0 0 1 1 0 0 1 0 3 0 1 2 3 0 2",
        "OFF\n4 1 0\n0 0 0 1 0 0\n1 1 0 0 1 0\n3 0 1 2 7\n",
    ] {
        ribbonmesh_io::read_from(text.as_bytes(), Format::Off, "damaged").expect_err(text);
    }
}

#[test]
fn words_of_others_in_stl() {
    let text = "solid a\nmaterial steel\nfacet normal 0 0 1 7\n outer loop\n  vertex 0 0 0 white\n  vertex 1 0 0\n  \
                vertex 1 1 0\n end loop\n colour 1\nend facet\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n\
                vertex 1 1 0\nvertex nan 1 0\nendloop\nendfacet\nendsolid\nsolid b\nfacet normal 0 0 1\nouter loop\n\
                vertex 0 0 1\nvertex 1 0 1\nvertex 1 1 1\nendloop\nendfacet\n";
    let (mesh, notes) = read(Format::Stl, text);
    assert_eq!((mesh.positions.len(), mesh.faces.len()), (6, 2));
    assert_eq!((notes.unknown_skipped, notes.faces_left_out, notes.vertices_left_out), (3, 1, 1));
    assert_eq!(notes.left_out_first.as_deref(), Some("line 15"));
    strict(Format::Stl, text.as_bytes());
}

#[test]
fn text_in_utf_16() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    for big in [true, false] {
        let unit = |unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
        let bytes: Vec<u8> = [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(unit).collect();
        let options = ReadOptions { format: Some(Format::Obj), ..ReadOptions::default() };
        let loaded = read_stream_with(&mut &bytes[..], &options, "wide").expect("a mesh");
        assert_eq!(loaded.mesh.faces, [[0, 1, 2]]);
    }
}

#[test]
fn a_polygon_with_a_corner_that_is_not_finite_is_left_out_whole() {
    let text =
        "v 0 0 0\nv 1 0 0\nv inf 1 0\nv 0 1 0\nv 0 2 0\nvn 0 0 1\nf 1//1 2//1 3//1 4//1\nf 1//1 2//1 4//1\n";
    let (mesh, notes) = read(Format::Obj, text);
    assert_eq!((mesh.positions.len(), &mesh.faces[..]), (4, &[[0, 1, 2]][..]));
    assert_eq!((notes.vertices_left_out, notes.faces_left_out), (1, 2));
    strict(Format::Obj, text.as_bytes());
}

#[test]
fn a_third_texture_coordinate_of_zero_is_none() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0 0\nvt 1 0 0\nvt 0 1 0\nf 1/1 2/2 3/3\n";
    let (mesh, _) = read(Format::Obj, text);
    assert_eq!(mesh.vertices().column("texcoord").expect("a set").width(), 2);
    let (mesh, _) = read(Format::Obj, text.replace("vt 0 1 0", "vt 0 1 0.5"));
    assert_eq!(mesh.vertices().column("texcoord").expect("a set").width(), 3);
}

#[test]
fn a_warped_quad_is_cut_along_the_better_diagonal() {
    let cut = |quad: &str| read(Format::Obj, format!("{quad}f 1 2 3 4\n")).0.faces;
    // the third corner is lifted: the other two are the fold
    assert_eq!(cut("v 0 0 0\nv 1 0 0\nv 1 1 0.5\nv 0 1 0\n"), [[0, 1, 3], [1, 2, 3]]);
    assert_eq!(cut("v 0 0 0\nv 1 0 0.5\nv 1 1 0\nv 0 1 0\n"), [[0, 1, 2], [0, 2, 3]]);
    // two opposite corners lifted: alike except for the lengths
    assert_eq!(cut("v 0 0 0\nv 3 0 1\nv 4 1 0\nv 1 1 1\n"), [[0, 1, 3], [1, 2, 3]]);
    // a flat one stays a fan
    assert_eq!(cut("v 0 0 0\nv 3 0 0\nv 4 1 0\nv 1 1 0\n"), [[0, 1, 2], [0, 2, 3]]);
}

#[test]
fn lines_of_another_kind_of_file_are_no_mesh() {
    for text in ["once upon a time\nthere was a mesh\n", "$ one\n$ two\n"] {
        let error = ribbonmesh_io::read_from(text.as_bytes(), Format::Obj, "tale.obj").expect_err("a tale");
        assert!(error.to_string().starts_with("tale.obj, line 1: found"), "{error}");
    }
}

#[test]
fn lines_of_others_in_headers_of_ply() {
    let text = format!(
        "ply\nformat ascii 1.0\nCreated by hand\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n\
         element face 1\nproperty list uchar int vertex_indices\nend_header\n{SQUARE}3 0 1 2\n"
    );
    let (mesh, notes) = read(Format::Ply, &text);
    assert_eq!((mesh.faces.len(), &notes.statements_skipped[..]), (1, &["Created".to_owned()][..]));
    strict(Format::Ply, text.as_bytes());
}

#[test]
fn the_first_version_of_gltf_is_named() {
    let text = r#"{"accessors": {"a": {}}, "asset": {"version": "1.0"}}"#;
    let error = ribbonmesh_io::read_from(text.as_bytes(), Format::Gltf, "old.gltf").expect_err("old");
    assert_eq!(error.to_string(), "old.gltf: glTF of version 1 cannot be read");
}

/// The JSON of a mesh as glTF.
fn document(mesh: &TriangleMesh) -> serde_json::Value {
    serde_json::from_slice(&common::written(mesh, Format::Gltf, &Default::default())).expect("JSON")
}

#[test]
fn what_is_written_as_gltf_is_valid() {
    let mut mesh = common::tetrahedron();
    mesh.tables.materials = vec![ribbonmesh_mesh::Material {
        name: "a".into(),
        gltf: Some(
            r#"{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}, "metallicFactor": 0.5},
                "extensions": {"KHR_materials_anisotropy": {}}}"#
                .into(),
        ),
    }];
    let column = ribbonmesh_mesh::Column::with_role("material", Role::Material, vec![0_u32; 4]);
    mesh.faces_of_mut().insert_column(column).expect("a row each");
    mesh.tables.gltf = Some(ribbonmesh_mesh::GltfPayload {
        json: r#"{"textures": [{"source": 0}], "images": [{"uri": "a.png"}]}"#.into(),
        blobs: vec![],
    });
    // no texture coordinates for the picture, and no tangents
    let written = document(&mesh);
    assert_eq!(written["materials"][0]["pbrMetallicRoughness"], serde_json::json!({ "metallicFactor": 0.5 }));
    assert!(written["materials"][0]["extensions"].is_null());
    let set = |set: u32| {
        let name = if set == 0 { "texcoord".into() } else { format!("texcoord_{set}") };
        ribbonmesh_mesh::Column::with_role(name, Role::TextureCoordinate(set), vec![[0.25_f32, 0.5]; 4])
    };
    // a second set without a first
    mesh.vertices_mut().insert_column(set(1)).expect("a row each");
    let attributes = &document(&mesh)["meshes"][0]["primitives"][0]["attributes"];
    assert!(attributes["TEXCOORD_1"].is_null() && attributes["_texcoord_1"].is_u64(), "{attributes}");
    assert!(common::again(&mesh, Format::Glb).vertices().with_role(Role::TextureCoordinate(1)).is_some());
    mesh.vertices_mut().insert_column(set(0)).expect("a row each");
    let written = document(&mesh);
    assert!(written["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"].is_object());
    assert!(written["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_1"].is_u64());
    // directions of no length or a wrong one, and numbers that are none
    let normals = vec![[0.0_f32; 3], [0.0, 0.0, 2.0], [f32::NAN, 0.0, 0.0], [0.0, 1.0, 0.0]];
    mesh.vertices_mut()
        .insert_column(ribbonmesh_mesh::Column::with_role("normal", Role::Normal, normals))
        .expect("rows");
    mesh.vertices_mut().insert("tangent", vec![[0.0_f32, 0.0, 0.0, 0.3]; 4]).expect("rows");
    mesh.vertices_mut().insert("heat", vec![f32::INFINITY; 4]).expect("rows");
    let mesh = common::again(&mesh, Format::Glb);
    for normal in mesh.vertices().get::<[f32; 3]>("normal").expect("normals") {
        let length = normal.iter().map(|x| x * x).sum::<f32>();
        assert!((length - 1.0).abs() < 1e-5, "{normal:?}");
    }
    for tangent in mesh.vertices().get::<[f32; 4]>("tangent").expect("tangents") {
        let length = tangent[..3].iter().map(|x| x * x).sum::<f32>();
        assert!((length - 1.0).abs() < 1e-5 && tangent[3] == 1.0, "{tangent:?}");
    }
    assert_eq!(mesh.vertices().get::<f32>("heat").expect("numbers"), [0.0; 4]);
}

#[test]
fn linear_colours_become_bytes_in_the_other_formats() {
    let mut mesh = common::tetrahedron();
    let linear = |value: f32| ((value / 255.0 + 0.055) / 1.055).powf(2.4);
    let colours = vec![[linear(128.0), 0.0, 1.0], [1.0, linear(17.0), 0.0], [0.0; 3], [1.0; 3]];
    let role = Role::Colour(ribbonmesh_mesh::ColourSpace::Linear);
    mesh.vertices_mut()
        .insert_column(ribbonmesh_mesh::Column::with_role("colour", role, colours))
        .expect("rows");
    for format in [Format::Ply, Format::Off] {
        assert!(common::losses(&mesh, format).is_empty(), "{format}");
        let again = common::again(&mesh, format);
        let colours = again.vertices().get::<[u8; 3]>("colour").expect("bytes");
        assert_eq!(colours[..2], [[128, 0, 255], [255, 17, 0]]);
    }
    let again = common::again(&mesh, Format::Obj);
    assert_eq!(again.vertices().get::<[f32; 3]>("colour").expect("fractions")[0], [128.0 / 255.0, 0.0, 1.0]);
    mesh.vertices_mut().get_mut::<[f32; 3]>("colour").expect("colours")[0][0] = 0.2;
    assert_eq!(common::losses(&mesh, Format::Ply).len(), 1, "between two bytes");
}
