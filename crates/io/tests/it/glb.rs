//! GLB in and out; another crate also reads the files that are written.

use crate::common;

use common::{accept, again, losses, refuse, tetrahedron, with_normals, written};
use ribbonmesh_io::{Format, Loss, ReadErrorKind, WriteOptions};
use ribbonmesh_mesh::{ColourSpace, Column, Material, Precision, Role};

#[test]
fn another_reader_finds_the_mesh() {
    for normals in [None, Some(vec![[0.0, 0.6, 0.8]; 4])] {
        let mesh = if normals.is_some() { with_normals([0.0, 0.6, 0.8]) } else { tetrahedron() };
        let bytes = written(&mesh, Format::Glb, &WriteOptions::default());
        let gltf = gltf::Gltf::from_slice(&bytes).unwrap();
        let blob = gltf.blob.as_deref().unwrap();
        let found = gltf.meshes().next().unwrap();
        let primitive = found.primitives().next().unwrap();
        assert_eq!(primitive.mode(), gltf::mesh::Mode::Triangles);
        let bounds = primitive.bounding_box();
        assert_eq!((bounds.min, bounds.max), ([0.0; 3], [1.0; 3]));
        let bytes_of = |accessor: gltf::Accessor<'_>| {
            let view = accessor.view().unwrap();
            assert_eq!(view.offset() % 4, 0);
            blob[view.offset()..view.offset() + view.length()].to_vec()
        };
        let words = |bytes: Vec<u8>| -> Vec<u32> {
            bytes.as_chunks().0.iter().map(|b| u32::from_le_bytes(*b)).collect()
        };
        let floats =
            |rows: &[[f32; 3]]| -> Vec<u32> { rows.as_flattened().iter().map(|v| v.to_bits()).collect() };
        let positions = primitive.get(&gltf::Semantic::Positions).unwrap();
        assert_eq!(positions.count(), 4);
        assert_eq!(words(bytes_of(positions)), floats(&mesh.points_as_arrays()));
        let indices = primitive.indices().unwrap();
        assert_eq!((indices.count(), indices.data_type()), (12, gltf::accessor::DataType::U32));
        assert_eq!(words(bytes_of(indices)), mesh.faces.as_flattened());
        let found = primitive.get(&gltf::Semantic::Normals).map(|normals| words(bytes_of(normals)));
        assert_eq!(found, normals.map(|normals| floats(&normals)));
    }
}

#[test]
fn lengths_add_up() {
    let bytes = written(&tetrahedron(), Format::Glb, &WriteOptions::default());
    let word =
        |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]) as usize;
    assert_eq!((&bytes[..4], word(4), word(8)), (&b"glTF"[..], 2, bytes.len()));
    let json = word(12);
    assert_eq!((json % 4, &bytes[16..20]), (0, &b"JSON"[..]));
    assert_eq!((word(20 + json), &bytes[24 + json..28 + json]), (4 * 12 + 4 * 12, &b"BIN\0"[..]));
    assert_eq!(bytes.len(), 28 + json + 96);
}

fn corpus(name: &str) -> Vec<u8> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/glb");
    std::fs::read(folder.join(name)).unwrap()
}

#[test]
fn strips_transformations_and_normalised_colours() {
    let mesh = accept(Format::Glb, corpus("strip.glb")).mesh;
    // a strip of two triangles, mirrored by its node, so that they are turned back
    assert_eq!(mesh.faces, [[0, 2, 1], [2, 3, 1]]);
    assert_eq!(mesh.precision, Precision::Double);
    // a half turn of a right angle after mirroring: x becomes −2 y
    let expected = [[0.0, 0.0], [0.0, -2.0], [-1.0, 0.0], [0.0, 0.0]];
    for (position, [x, y]) in mesh.positions.iter().zip(expected) {
        assert!((position.x - 500_000.125 - x).abs() < 1e-6 && (position.y - y).abs() < 1e-6, "{position}");
    }
    let colours = mesh.vertices().column("colour").unwrap();
    assert_eq!(colours.role(), Role::Colour(ColourSpace::Linear));
    assert_eq!(colours.values::<[u8; 3]>().unwrap()[1], [0, 255, 0]);
    assert_eq!(mesh.vertices().get::<u16>("TAG").unwrap(), [7, 8, 9, 10]);
    assert_eq!(
        (&mesh.tables.objects[..], mesh.faces_of().get::<u32>("object").unwrap()),
        (&["strip".to_owned()][..], &[0, 0][..])
    );
}

#[test]
fn materials_textures_and_images_go_through() {
    let loaded = accept(Format::Glb, corpus("textured.glb"));
    let mesh = loaded.mesh;
    assert_eq!((mesh.positions.len(), loaded.notes.corners_welded), (4, 2));
    assert_eq!(mesh.faces, [[0, 1, 3], [1, 2, 3]]);
    // the texture coordinates of the edge between both materials are a seam
    let corners = mesh.corners().get::<[f32; 2]>("texcoord").unwrap();
    assert_eq!((corners[1], corners[3]), ([0.5, 0.0], [1.0, 0.0]));
    assert_eq!(mesh.faces_of().get::<u32>("material").unwrap(), [0, 1]);
    assert_eq!(mesh.tables.materials[1].name, "blue");
    let payload = mesh.tables.gltf.as_ref().unwrap();
    assert_eq!(payload.blobs, [b"\x89PNG fake"]);
    assert_eq!(again(&mesh, Format::Glb), mesh);
    assert!(losses(&mesh, Format::Glb).is_empty());
    let bytes = written(&mesh, Format::Glb, &WriteOptions::default());
    let gltf = gltf::Gltf::from_slice(&bytes).unwrap();
    let image = gltf.images().next().unwrap();
    let gltf::image::Source::View { view, mime_type } = image.source() else { panic!("no view") };
    let blob = gltf.blob.as_deref().unwrap();
    assert_eq!((&blob[view.offset()..][..view.length()], mime_type), (&b"\x89PNG fake"[..], "image/png"));
    let textured: Vec<bool> = gltf
        .materials()
        .map(|material| material.pbr_metallic_roughness().base_color_texture().is_some())
        .collect();
    assert_eq!(textured, [true, false]);
}

#[test]
fn every_use_of_a_mesh_is_read() {
    let mesh = accept(Format::Glb, corpus("instances.glb")).mesh;
    assert_eq!((mesh.positions.len(), mesh.faces.len()), (29 * 4, 29 * 2));
    assert_eq!(mesh.faces[..2], [[0, 1, 2], [0, 2, 3]]);
}

#[test]
fn vertices_at_one_place_stay_apart_in_our_own_files() {
    let mut mesh = tetrahedron();
    mesh.positions.extend(mesh.positions.clone());
    mesh.faces.push([4, 5, 6]);
    assert_eq!(again(&mesh, Format::Glb), mesh);
}

#[test]
fn what_contradicts_itself_is_refused() {
    let error = refuse(Format::Glb, corpus("cycle.glb"));
    assert_eq!(error.to_string(), "file: node 0 has more than one parent");
    let error = refuse(Format::Glb, corpus("count.glb"));
    let ReadErrorKind::OutOfBounds { what: "accessor", needed, available: 48, .. } = error.kind else {
        panic!("{error}")
    };
    assert_eq!(needed, 12 * u64::from(u32::MAX));
    let bytes = corpus("tetrahedron.glb");
    for end in 0..bytes.len() {
        refuse(Format::Glb, &bytes[..end]);
    }
    let change = |from: &str, to: &str| {
        let at = bytes.windows(from.len()).position(|w| w == from.as_bytes()).expect("there");
        let mut bytes = bytes.clone();
        bytes[at..at + from.len()].copy_from_slice(to.as_bytes());
        refuse(Format::Glb, bytes)
    };
    assert!(matches!(change("\"asset\"", "\"asset ").kind, ReadErrorKind::Json(_)));
    assert!(matches!(change("glTF\u{2}", "glTF\u{1}").kind, ReadErrorKind::Unsupported { .. }));
    assert!(matches!(change("\"indices\":1", "\"indices\":7").kind, ReadErrorKind::BadReference { .. }));
    assert!(matches!(change("\"mesh\":0", "\"mesh\":1").kind, ReadErrorKind::BadReference { .. }));
    assert!(matches!(change("\"POSITION\":0", "\"POSITION\":1").kind, ReadErrorKind::BadReference { .. }));
    assert!(matches!(
        change("\"byteLength\":48", "\"byteLength\":99").kind,
        ReadErrorKind::OutOfBounds { .. }
    ));
    let mut far = bytes.clone();
    let last = far.len() - 2;
    far[last] = 9;
    let error = refuse(Format::Glb, far);
    assert!(matches!(error.kind, ReadErrorKind::IndexOutOfRange { index: 9, vertices: 4, .. }), "{error}");
}

#[test]
fn objects_and_materials_sort_faces() {
    let mut mesh = tetrahedron();
    let column = Column::with_role("material", Role::Material, vec![1_u32, 0, 1, 0]);
    mesh.faces_of_mut().insert_column(column).unwrap();
    mesh.tables.materials = ["a", "b"].map(|name| Material { name: name.into(), gltf: None }).to_vec();
    assert_eq!(losses(&mesh, Format::Glb), [Loss::FaceOrder]);
    let found = again(&mesh, Format::Glb);
    assert_eq!(found.faces, [1, 3, 0, 2].map(|face: usize| mesh.faces[face]));
    assert_eq!(found.faces_of().get::<u32>("material").unwrap(), [0, 0, 1, 1]);
}

#[test]
fn objects_share_vertices() {
    let mut mesh = with_normals([0.0, 0.6, 0.8]);
    let column = Column::with_role("object", Role::Object, vec![0_u32, 0, 1, 1]);
    mesh.faces_of_mut().insert_column(column).unwrap();
    mesh.tables.objects = vec!["a".into(), "b c".into()];
    assert_eq!(again(&mesh, Format::Glb), mesh);
    assert!(losses(&mesh, Format::Glb).is_empty());
}
