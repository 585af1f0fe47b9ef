//! What is written reads back bit for bit, in every format and encoding.

use crate::common;

use common::{accept, bits, written};
use proptest::prelude::*;
use ribbonmesh_io::{Format, PlyEncoding, Property, PropertyValues, StlEncoding, TriangleMesh, WriteOptions};

fn coordinate() -> impl Strategy<Value = f32> {
    any::<u32>().prop_map(f32::from_bits).prop_filter("finite", |value| value.is_finite())
}

fn mesh() -> impl Strategy<Value = TriangleMesh> {
    prop::collection::vec(prop::array::uniform3(coordinate()), 1..30).prop_flat_map(|positions| {
        let corner = 0..positions.len() as u32;
        prop::collection::vec(prop::array::uniform3(corner), 1..40)
            .prop_map(move |faces| TriangleMesh { positions: positions.clone(), faces })
    })
}

fn options() -> impl Strategy<Value = WriteOptions> {
    let ply = prop_oneof![Just(PlyEncoding::Ascii), Just(PlyEncoding::Little), Just(PlyEncoding::Big)];
    let stl = prop_oneof![Just(StlEncoding::Ascii), Just(StlEncoding::Binary)];
    (ply, stl, prop::collection::vec("[ -~äöü\\n\\r\\t]{0,20}", 0..3)).prop_map(
        |(ply_encoding, stl_encoding, comments)| WriteOptions {
            ply_encoding,
            stl_encoding,
            comments,
            ..Default::default()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn indexed_formats(mesh in mesh(), options in options(), normals in any::<bool>()) {
        let normals = normals.then(|| mesh.positions.clone());
        let options = WriteOptions { normals, ..options };
        for format in [Format::Obj, Format::Ply, Format::Off] {
            let read = accept(format, written(&mesh, format, &options)).mesh;
            prop_assert_eq!(bits(&read), bits(&mesh));
            prop_assert_eq!(&read.faces, &mesh.faces);
        }
    }

    #[test]
    fn properties_do_not_disturb(mesh in mesh(), options in options(), values in any::<[u32; 4]>()) {
        let (vertices, faces) = (mesh.positions.len(), mesh.faces.len());
        let float = f32::from_bits(values[0]);
        let options = WriteOptions {
            vertex_properties: vec![
                Property::new("a", PropertyValues::F32(vec![float; vertices])),
                Property::new("b", PropertyValues::Vec3(vec![[float; 3]; vertices])),
            ],
            face_properties: vec![
                Property::new("c", PropertyValues::U32(vec![values[1]; faces])),
                Property::new("d", PropertyValues::I32(vec![values[2] as i32; faces])),
            ],
            ..options
        };
        let read = accept(Format::Ply, written(&mesh, Format::Ply, &options)).mesh;
        prop_assert_eq!(bits(&read), bits(&mesh));
        prop_assert_eq!(&read.faces, &mesh.faces);
    }

    #[test]
    fn triangles_of_stl(mesh in mesh(), options in options()) {
        let triangles = |mesh: &TriangleMesh| -> Vec<[[f32; 3]; 3]> {
            mesh.faces.iter().map(|face| face.map(|corner| mesh.positions[corner as usize])).collect()
        };
        let read = accept(Format::Stl, written(&mesh, Format::Stl, &options)).mesh;
        prop_assert_eq!(triangles(&read), triangles(&mesh));
        let again = accept(Format::Stl, written(&read, Format::Stl, &options)).mesh;
        prop_assert_eq!(bits(&again), bits(&read));
        prop_assert_eq!(again.faces, read.faces);
    }
}
