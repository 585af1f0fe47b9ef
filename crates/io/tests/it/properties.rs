//! Scalar properties of vertices out of PLY files.

use crate::common;

use common::{tetrahedron, written};
use ribbonmesh_io::{
    Format, Place, PlyEncoding, Property, PropertyValues, ReadErrorKind, WriteOptions, read_attributes,
    read_from, read_properties, read_properties_from,
};

fn options(ply_encoding: PlyEncoding) -> WriteOptions {
    WriteOptions {
        vertex_properties: vec![
            Property::new("label", PropertyValues::U32(vec![7, 0, 65_536, 3])),
            Property::new("distance", PropertyValues::F32(vec![0.5, f32::INFINITY, f32::NAN, -0.25])),
            Property::new("force", PropertyValues::Vec3(vec![[1.0, 2.0, 3.0]; 4])),
        ],
        face_properties: vec![Property::new("area", PropertyValues::F32(vec![9.0; 4]))],
        ply_encoding,
        ..Default::default()
    }
}

#[test]
fn every_encoding() {
    for encoding in [PlyEncoding::Ascii, PlyEncoding::Little, PlyEncoding::Big] {
        let bytes = written(&tetrahedron(), Format::Ply, &options(encoding));
        let names = ["distance", "y", "label", "force_z", "distance"];
        let (loaded, columns) = read_properties_from(&bytes, Format::Ply, &names, "file").unwrap();
        assert_eq!(loaded.mesh, tetrahedron());
        assert_eq!(loaded.notes.properties_skipped, ["vertex.force_x", "vertex.force_y", "face.area"]);
        let distance = &columns[0];
        assert_eq!((distance[0], distance[1], distance[3]), (0.5, f32::INFINITY, -0.25));
        assert!(distance[2].is_nan());
        assert_eq!(columns[1..4], [vec![0.0, 0.0, 1.0, 0.0], vec![7.0, 0.0, 65_536.0, 3.0], vec![3.0; 4]]);
        assert_eq!(columns[4][3], -0.25);
        let plain = read_from(&bytes, Format::Ply, "file").unwrap();
        assert_eq!(plain.notes.properties_skipped.len(), 6);
    }
}

#[test]
fn beside_lists_and_after_other_elements() {
    let head = "element a 2\nproperty list uchar short b\nelement c 1\nproperty double d\nelement vertex 3\nproperty \
                list uchar uchar rings\nproperty float x\nproperty double heat\nproperty float y\nproperty list uchar \
                short more\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n";
    let text = format!(
        "ply\nformat ascii 1.0\n{head}1 5\n0\n1e300\n2 8 8 0 1e39 0 0 1\n0 1 -4.5 0 1 6 0\n0 0 nan 1 0 0\n3 0 1 2\n"
    );
    let mut binary = format!("ply\nformat binary_big_endian 1.0\n{head}").into_bytes();
    binary.extend([1, 0, 5, 0]);
    binary.extend(1e300_f64.to_be_bytes());
    for (rings, [x, y, z], heat) in
        [(2, [0_f32, 0.0, 1.0], 1e39_f64), (0, [1.0, 0.0, 0.0], -4.5), (1, [0.0, 1.0, 0.0], f64::NAN)]
    {
        binary.push(rings);
        binary.resize(binary.len() + usize::from(rings), 8);
        binary.extend(x.to_be_bytes());
        binary.extend(heat.to_be_bytes());
        binary.extend(y.to_be_bytes());
        binary.extend([1, 0, 6]);
        binary.extend(z.to_be_bytes());
    }
    binary.push(3);
    (0..3_i32).for_each(|index| binary.extend(index.to_be_bytes()));
    for bytes in [text.as_bytes(), &binary] {
        let (_, columns) = read_properties_from(bytes, Format::Ply, &["heat", "z"], "file").unwrap();
        assert!(columns[0][0] == f32::INFINITY && columns[0][1] == -4.5 && columns[0][2].is_nan());
        assert_eq!(columns[1], [1.0, 0.0, 0.0]);
    }
}

#[test]
fn what_is_not_there_is_refused_by_name() {
    let bytes = written(&tetrahedron(), Format::Ply, &options(PlyEncoding::Little));
    for name in ["area", "force", "", "Distance"] {
        let error = read_properties_from(&bytes, Format::Ply, &["label", name], "file").unwrap_err();
        assert!(error.is_refusal() && error.place == Place::File, "{error}");
        let ReadErrorKind::NoProperty { name: refused, known } = &error.kind else { panic!("{error}") };
        assert_eq!(refused, name);
        assert_eq!(known[..5], ["x", "y", "z", "label", "distance"], "{error}");
    }
    let obj = written(&tetrahedron(), Format::Obj, &WriteOptions::default());
    let error = read_properties_from(&obj, Format::Obj, &["distance"], "file").unwrap_err();
    assert!(matches!(error.kind, ReadErrorKind::NoProperty { .. }), "{error}");
    assert!(read_properties_from(&obj, Format::Obj, &[], "file").is_ok());
}

#[test]
fn from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mesh.ply");
    std::fs::write(&path, written(&tetrahedron(), Format::Ply, &options(PlyEncoding::Big))).unwrap();
    let (_, columns) = read_properties(&path, &["label"]).unwrap();
    assert_eq!(columns, [[7.0, 0.0, 65_536.0, 3.0]]);
}

#[test]
fn truncated_files_are_refused() {
    for encoding in [PlyEncoding::Ascii, PlyEncoding::Little] {
        let bytes = written(&tetrahedron(), Format::Ply, &options(encoding));
        for end in 0..bytes.len() - 2 {
            assert!(read_properties_from(&bytes[..end], Format::Ply, &["label"], "file").is_err(), "{end}");
        }
    }
}

#[test]
fn all_attributes_keep_their_types() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mesh.ply");
    for encoding in [PlyEncoding::Ascii, PlyEncoding::Little, PlyEncoding::Big] {
        let mut options = options(encoding);
        options.vertex_properties.push(Property::new("red", PropertyValues::U8(vec![0, 255, 7, 8])));
        let large = vec![16_777_217, i32::MIN, i32::MAX, -1];
        options.vertex_properties.push(Property::new("id", PropertyValues::I32(large)));
        options.vertex_properties[0].values = PropertyValues::U32(vec![u32::MAX, 16_777_217, 0, 3]);
        options.vertex_properties[1].values =
            PropertyValues::F32(vec![0.1, f32::INFINITY, f32::MIN_POSITIVE, -0.25]);
        std::fs::write(&path, written(&tetrahedron(), Format::Ply, &options)).unwrap();
        let (loaded, properties) = read_attributes(&path).unwrap();
        assert_eq!((loaded.mesh, loaded.notes.properties_skipped), (tetrahedron(), vec!["face.area".into()]));
        let names: Vec<&str> = properties.iter().map(|property| property.name.as_str()).collect();
        assert_eq!(names, ["label", "distance", "force_x", "force_y", "force_z", "red", "id"]);
        assert_eq!(properties[2].values, PropertyValues::F32(vec![1.0; 4]));
        for (read, write) in [(0, 0), (1, 1), (5, 3), (6, 4)] {
            assert_eq!(properties[read], options.vertex_properties[write], "{encoding:?}");
        }
    }
    let path = folder.path().join("mesh.obj");
    ribbonmesh_io::write(&path, &tetrahedron(), &WriteOptions::default()).unwrap();
    assert_eq!(read_attributes(&path).unwrap().1, []);
}
