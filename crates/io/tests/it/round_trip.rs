//! Meshes are read back as they were written, bit for bit, in every format and encoding.

use crate::common;

use common::{accept, bits, written};
use proptest::prelude::*;
use ribbonmesh_io::{Format, PlyEncoding, StlEncoding, TriangleMesh, WriteOptions};
use ribbonmesh_mesh::{Column, Precision, Role};

fn coordinate() -> impl Strategy<Value = f32> {
    any::<u32>().prop_map(f32::from_bits).prop_filter("finite", |value| value.is_finite())
}

fn mesh() -> impl Strategy<Value = TriangleMesh> {
    prop::collection::vec(prop::array::uniform3(coordinate()), 1..30).prop_flat_map(|positions| {
        let corner = 0..positions.len() as u32;
        prop::collection::vec(prop::array::uniform3(corner), 1..40)
            .prop_map(move |faces| TriangleMesh::from_f32(positions.clone(), faces))
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
            points: false,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn indexed_formats(mesh in mesh(), options in options(), normals in any::<bool>()) {
        let mut mesh = mesh;
        if normals {
            let column = Column::with_role("normal", Role::Normal, mesh.points());
            mesh.vertices_mut().insert_column(column).unwrap();
        }
        for format in [Format::Obj, Format::Ply, Format::Off] {
            let read = accept(format, written(&mesh, format, &options)).mesh;
            prop_assert_eq!(bits(&read), bits(&mesh));
            prop_assert_eq!(&read.faces, &mesh.faces);
        }
    }

    #[test]
    fn properties_do_not_disturb(mesh in mesh(), options in options(), values in any::<[u32; 4]>()) {
        let mut mesh = mesh;
        let (vertices, faces) = (mesh.positions.len(), mesh.faces.len());
        let float = f32::from_bits(values[0]);
        mesh.vertices_mut().insert("a", vec![float; vertices]).unwrap();
        mesh.vertices_mut().insert("b", vec![[float; 3]; vertices]).unwrap();
        mesh.faces_of_mut().insert("c", vec![values[1]; faces]).unwrap();
        mesh.faces_of_mut().insert("d", vec![values[2] as i32; faces]).unwrap();
        let read = accept(Format::Ply, written(&mesh, Format::Ply, &options)).mesh;
        prop_assert_eq!(bits(&read), bits(&mesh));
        prop_assert_eq!(&read.faces, &mesh.faces);
    }

    #[test]
    fn double_precision(mesh in mesh(), options in options(), digits in 1_u32..12) {
        let mut mesh = mesh;
        mesh.precision = Precision::Double;
        let scale = 10_f64.powi(digits as i32);
        for (i, position) in mesh.positions.iter_mut().enumerate() {
            *position = (position.signum() * (i as f64 + 1.0 / 3.0) * scale).round() / scale + 4e5;
        }
        for format in [Format::Obj, Format::Ply, Format::Off] {
            let read = accept(format, written(&mesh, format, &options)).mesh;
            prop_assert_eq!(bits(&read), bits(&mesh));
        }
    }

    #[test]
    fn triangles_of_stl(mesh in mesh(), options in options()) {
        let triangles = |mesh: &TriangleMesh| -> Vec<[glam::DVec3; 3]> {
            mesh.faces.iter().map(|face| face.map(|corner| mesh.positions[corner as usize])).collect()
        };
        let read = accept(Format::Stl, written(&mesh, Format::Stl, &options)).mesh;
        prop_assert_eq!(triangles(&read), triangles(&mesh));
        let again = accept(Format::Stl, written(&read, Format::Stl, &options)).mesh;
        prop_assert_eq!(bits(&again), bits(&read));
        prop_assert_eq!(again.faces, read.faces);
    }
}
