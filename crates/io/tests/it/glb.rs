//! GLB out, read back by another crate.

use crate::common;

use common::{tetrahedron, written};
use ribbonmesh_io::{Format, WriteOptions};

#[test]
fn another_reader_finds_the_mesh() {
    for normals in [None, Some(vec![[0.0, 0.6, 0.8]; 4])] {
        let mesh = tetrahedron();
        let options = WriteOptions { normals: normals.clone(), ..Default::default() };
        let bytes = written(&mesh, Format::Glb, &options);
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
        assert_eq!(words(bytes_of(positions)), floats(&mesh.positions));
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
