//! PLY in and out.

use crate::common;

use common::{
    accept, places, refuse, refuse_byte, refuse_line, refuse_strictly, tetrahedron, with_normals, written,
};
use ribbonmesh_io::{Format, Place, PlyEncoding, ReadErrorKind, WriteOptions};
use ribbonmesh_mesh::{Column, Precision, Role};

const HEAD: &str = "element vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\n\
                    property list uchar int vertex_indices\nend_header\n";
const BODY: &str = "0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n";

fn ascii() -> String {
    format!("ply\nformat ascii 1.0\n{HEAD}{BODY}")
}

fn encoded(ply_encoding: PlyEncoding) -> Vec<u8> {
    written(&tetrahedron(), Format::Ply, &WriteOptions { ply_encoding, ..Default::default() })
}

/// Binary bodies, number by number.
struct Body(Vec<u8>, bool);

impl Body {
    fn new(header: &str, big: bool) -> Self {
        let order = if big { "big" } else { "little" };
        Self(format!("ply\nformat binary_{order}_endian 1.0\n{header}end_header\n").into_bytes(), big)
    }

    fn put<const N: usize>(&mut self, little: [u8; N]) -> &mut Self {
        let mut bytes = little;
        if self.1 {
            bytes.reverse();
        }
        self.0.extend(bytes);
        self
    }
}

#[test]
fn all_encodings_read_alike() {
    for encoding in [PlyEncoding::Ascii, PlyEncoding::Little, PlyEncoding::Big] {
        assert_eq!(accept(Format::Ply, encoded(encoding)).mesh, tetrahedron());
    }
    assert_eq!(accept(Format::Ply, ascii()).mesh, tetrahedron());
    assert_eq!(accept(Format::Ply, ascii().replace('\n', "\r\n")).mesh, tetrahedron());
    assert_eq!(accept(Format::Ply, ascii().replace('\n', "\r")).mesh, tetrahedron());
    assert_eq!(accept(Format::Ply, ascii().replace("indices", "index")).mesh, tetrahedron());
    assert_eq!(accept(Format::Ply, ascii().trim_end()).mesh, tetrahedron());
    let text = ascii().replace("element vertex", "comment x y\nobj_info z\n\nelement vertex");
    let mesh = accept(Format::Ply, text).mesh;
    let remarks: Vec<_> = mesh.tables.remarks.iter().map(|r| (r.key.as_str(), &r.text[..])).collect();
    assert_eq!(remarks, [("comment", &b"x y"[..]), ("obj_info", b"z")]);
    assert_eq!((&mesh.positions, &mesh.faces), (&tetrahedron().positions, &tetrahedron().faces));
}

#[test]
fn binary_bodies_may_begin_with_a_line_feed() {
    for end in ["\n", "\r\n", "\r"] {
        let header = HEAD.replace("vertex 4", "vertex 3").replace("face 4", "face 1");
        let mut bytes =
            format!("ply\nformat binary_little_endian 1.0\n{header}").replace('\n', end).into_bytes();
        let first = f32::from_le_bytes([b'\n', 0, 0, 0x40]);
        for value in [first, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0] {
            bytes.extend(value.to_le_bytes());
        }
        bytes.push(3);
        (0..3_i32).for_each(|index| bytes.extend(index.to_le_bytes()));
        assert_eq!(accept(Format::Ply, bytes).mesh.positions[0][0], f64::from(first));
    }
}

#[test]
fn every_type_order_and_extra_is_read_or_passed_over() {
    for big in [false, true] {
        let mut body = Body::new(
            "element camera 2\nproperty double fov\nproperty list short double weights\n\
             element face 2\nproperty uchar flags\nproperty list int ushort vertex_indices\nproperty list uint8 \
             int8 extra\nelement strip 3\nproperty int16 a\nproperty float32 b\n\
             element vertex 4\nproperty short z\nproperty uint8 red\nproperty double x\nproperty list uchar uint16 \
             rings\nproperty float64 y\n",
            big,
        );
        for weights in [0_i16, 2] {
            body.put(1.5_f64.to_le_bytes()).put(weights.to_le_bytes());
            (0..weights).for_each(|_| {
                body.put(f64::NAN.to_le_bytes());
            });
        }
        for face in [&[0_u16, 1, 2][..], &[3, 2, 1, 0]] {
            body.put([9]).put((face.len() as i32).to_le_bytes());
            face.iter().for_each(|index| {
                body.put(index.to_le_bytes());
            });
            body.put([1]).put([255]);
        }
        (0..3_i16).for_each(|a| {
            body.put(a.to_le_bytes()).put(f32::INFINITY.to_le_bytes());
        });
        for vertex in 0..4_i16 {
            body.put((-vertex).to_le_bytes()).put([200]).put(0.1_f64.to_le_bytes()).put([1]);
            body.put([0, 0]).put(f64::from(vertex).to_le_bytes());
        }
        let loaded = accept(Format::Ply, &body.0);
        assert_eq!(loaded.mesh.faces, [[0, 1, 2], [3, 2, 1], [3, 1, 0]]);
        assert_eq!(places(&loaded.mesh)[2], [0.1, 2.0, -2.0]);
        assert_eq!(loaded.mesh.precision, Precision::Double);
        assert_eq!(loaded.mesh.faces_of().get::<u8>("flags").unwrap(), [9; 3]);
        assert_eq!(loaded.mesh.vertices().get::<u8>("red").unwrap(), [200; 4]);
        assert_eq!(loaded.notes.polygons_triangulated, 1);
        assert_eq!(loaded.notes.elements_skipped, ["camera", "strip"]);
        let skipped = ["face.extra", "vertex.rings"];
        assert_eq!(loaded.notes.properties_skipped, skipped);
        for end in body.0.len() - 90..body.0.len() {
            refuse(Format::Ply, &body.0[..end]);
        }
    }
}

#[test]
fn ascii_extras_are_passed_over() {
    let text = "ply\nformat ascii 1.0\nelement a 1\nproperty list uchar int b\nelement face 1\nproperty float \
                q\nproperty list uchar uint vertex_index\nproperty uchar red\nelement vertex 3\nproperty uchar \
                red\nproperty double z\nproperty double x\nproperty double y\nend_header\n0\nnan 3 0 1 2 7\n1 0 1 \
                2\n\n1 0 3 4\n1 0 5 6.25\n";
    let mesh = accept(Format::Ply, text).mesh;
    assert_eq!(places(&mesh), [[1.0, 2.0, 0.0], [3.0, 4.0, 0.0], [5.0, 6.25, 0.0]]);
    assert_eq!(mesh.faces_of().get::<u8>("red").unwrap(), [7]);
    assert!(mesh.faces_of().get::<f32>("q").unwrap()[0].is_nan());
    assert_eq!(mesh.faces, [[0, 1, 2]]);
}

#[test]
fn triangles_and_polygons_may_alternate() {
    let mut body = Body::new(
        "element vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 5\nproperty list \
         uchar uint vertex_indices\n",
        false,
    );
    (0..12).for_each(|_| {
        body.put(1_f32.to_le_bytes());
    });
    for corners in [3_u8, 4, 3, 3, 5] {
        body.put([corners]);
        (0..u32::from(corners)).for_each(|index| {
            body.put((index % 4).to_le_bytes());
        });
    }
    let loaded = accept(Format::Ply, &body.0);
    assert_eq!(loaded.mesh.faces.len(), 8);
    assert_eq!((loaded.notes.polygons_triangulated, loaded.notes.triangles_from_polygons), (2, 5));
    body.put([1, 2]);
    assert_eq!(accept(Format::Ply, &body.0).notes.trailing_bytes, 2);
}

#[test]
fn indices_out_of_range_are_refused_where_they_stand() {
    for index in [4, -1, i32::MIN] {
        for (encoding, swap) in [(PlyEncoding::Little, false), (PlyEncoding::Big, true)] {
            let mut bytes = encoded(encoding);
            let at = bytes.len() - 4;
            let value = if swap { index.to_be_bytes() } else { index.to_le_bytes() };
            bytes[at..].copy_from_slice(&value);
            let (byte, kind) = refuse_byte(Format::Ply, &bytes);
            assert_eq!(byte, at as u64);
            let ReadErrorKind::IndexOutOfRange { index: got, vertices: 4, .. } = kind else {
                panic!("{kind}")
            };
            assert_eq!(got, i64::from(index));
        }
        let (line, kind) = refuse_line(Format::Ply, ascii().replace("3 1 2 3", &format!("3 1 2 {index}")));
        assert!(line == 16 && matches!(kind, ReadErrorKind::IndexOutOfRange { vertices: 4, .. }), "{kind}");
    }
}

#[test]
fn coordinates_that_are_not_finite_are_refused_where_they_stand() {
    for encoding in [PlyEncoding::Little, PlyEncoding::Big] {
        let mut bytes = encoded(encoding);
        let at = bytes.len() - 4 * 13 - 12 * 2 + 4;
        bytes[at..at + 4].copy_from_slice(&[0xff; 4]);
        let notes = accept(Format::Ply, &bytes).notes;
        assert_eq!((notes.vertices_left_out, notes.faces_left_out), (1, 3));
        let (place, kind) = refuse_strictly(Format::Ply, &bytes);
        assert!(place == Place::Byte(at as u64) && matches!(kind, ReadErrorKind::NotFinite { .. }), "{kind}");
    }
    for value in ["nan", "inf", "1e39"] {
        let (place, kind) = refuse_strictly(Format::Ply, ascii().replace("1 0 0", &format!("1 {value} 0")));
        assert!(place == Place::Line(11) && matches!(kind, ReadErrorKind::NotFinite { .. }), "{kind}");
    }
    let mut body = Body::new(
        "element vertex 3\nproperty double x\nproperty double y\nproperty double z\nelement face 1\nproperty list \
         uchar int vertex_indices\n",
        false,
    );
    (0..9).for_each(|_| {
        body.put(1e39_f64.to_le_bytes());
    });
    body.put([3]).put(0_i32.to_le_bytes()).put(1_i32.to_le_bytes()).put(2_i32.to_le_bytes());
    assert!(matches!(refuse_byte(Format::Ply, &body.0).1, ReadErrorKind::NotFinite { .. }), "beyond 32 bits");
}

#[test]
fn bad_numbers_and_lines_of_the_wrong_length() {
    let fault = |from: &str, to: &str| refuse_line(Format::Ply, ascii().replace(from, to));
    let (line, kind) = fault("1 0 0", "1 x 0");
    assert!(line == 11 && matches!(kind, ReadErrorKind::NotANumber { .. }), "{kind}");
    let (line, kind) = fault("1 0 0", "1 0  ");
    assert!(line == 11 && matches!(kind, ReadErrorKind::LineTooShort { .. }), "{kind}");
    let (line, kind) = fault("1 0 0", "1 0 0 0");
    assert!(line == 11 && matches!(kind, ReadErrorKind::Unexpected { .. }), "{kind}");
    let (line, kind) = fault("3 1 2 3", "3 1 2 1.5");
    assert!(line == 16 && matches!(kind, ReadErrorKind::NotANumber { .. }), "{kind}");
    let (place, kind) = refuse_strictly(Format::Ply, ascii().replace("3 1 2 3", "2 1 2"));
    assert!(
        place == Place::Line(16) && matches!(kind, ReadErrorKind::TooFewCorners { corners: 2 }),
        "{kind}"
    );
    let (line, kind) = fault("3 1 2 3", "-3 1 2 3");
    assert!(line == 16 && matches!(kind, ReadErrorKind::NotANumber { .. }), "{kind}");
}

#[test]
fn truncated_files_are_refused_wherever_they_end() {
    for encoding in [PlyEncoding::Little, PlyEncoding::Big, PlyEncoding::Ascii] {
        let bytes = encoded(encoding);
        for end in 0..bytes.len() - 2 {
            refuse(Format::Ply, &bytes[..end]);
        }
    }
}

#[test]
fn counts_that_the_file_cannot_hold_are_refused_at_once() {
    for count in ["4294967295", "1000"] {
        let (line, kind) = refuse_line(Format::Ply, ascii().replace("vertex 4", &format!("vertex {count}")));
        assert!(line == 3 && matches!(kind, ReadErrorKind::CountTooLarge { .. }), "{kind}");
    }
    for count in ["18446744073709551615", "1000"] {
        let (line, kind) = refuse_line(Format::Ply, ascii().replace("face 4", &format!("face {count}")));
        assert!(line == 7 && matches!(kind, ReadErrorKind::CountTooLarge { .. }), "{kind}");
    }
    let (line, kind) = refuse_line(Format::Ply, ascii().replace("vertex 4", "vertex 4294967296"));
    assert!(line == 3 && matches!(kind, ReadErrorKind::TooMany { count: 4_294_967_296, .. }), "{kind}");
    let (line, kind) = refuse_line(Format::Ply, ascii().replace("vertex 4", "vertex -4"));
    assert!(line == 3 && matches!(kind, ReadErrorKind::NotANumber { .. }), "{kind}");
}

#[test]
fn lengths_of_lists_that_the_file_cannot_hold_are_refused_at_once() {
    for length in [u32::MAX, 1 << 30] {
        let mut body = Body::new(
            "element vertex 1\nproperty list uint double a\nproperty float x\nproperty float y\nproperty float z\n\
             element face 0\nproperty list uint uint vertex_indices\n",
            false,
        );
        let at = body.0.len() as u64;
        body.put(length.to_le_bytes());
        (0..9).for_each(|_| {
            body.put(0_u32.to_le_bytes());
        });
        let (byte, kind) = refuse_byte(Format::Ply, &body.0);
        assert!(byte == at && matches!(kind, ReadErrorKind::CountTooLarge { .. }), "{kind}");
    }
    let (_, kind) = refuse_line(Format::Ply, ascii().replace("3 1 2 3", "4000000000 1 2 3"));
    assert!(matches!(kind, ReadErrorKind::LineTooShort { .. }), "{kind}");
}

#[test]
fn headers_that_make_no_sense_are_refused() {
    let fault = |from: &str, to: &str| refuse(Format::Ply, ascii().replacen(from, to, 1));
    for (from, to) in [
        ("ply", "plx"),
        ("format ascii 1.0\n", ""),
        ("ascii", "binary"),
        ("1.0", "2.0"),
        ("property float x", "property half x"),
        ("property float x", "property float w"),
        ("property float x", "property list uchar float x"),
        ("property float x", "property x"),
        ("element vertex 4\n", ""),
        ("element vertex 4", "element vertex four"),
        ("element vertex 4", "element vertex"),
        ("vertex_indices", "corners"),
        ("list uchar int", "list float int"),
        ("list uchar int", "list uchar float"),
        ("property list uchar int", "property int"),
        ("end_header", "endheader"),
        ("element face", "element nothing 3\nelement face"),
    ] {
        let error = fault(from, to);
        assert!(matches!(error.place, Place::Line(_)), "{error}");
    }
    let twice =
        format!("{}element vertex 0\nproperty float x\nproperty float y\nproperty float z\nend_header\n", {
            &HEAD[..HEAD.len() - "end_header\n".len()]
        });
    let error = refuse(Format::Ply, format!("ply\nformat ascii 1.0\n{twice}{BODY}"));
    assert!(matches!(error.kind, ReadErrorKind::Malformed { .. }), "{error}");
}

#[test]
fn nothing_or_points_alone_are_refused() {
    let text = ascii().replace("vertex 4", "vertex 0").replace("face 4", "face 0");
    assert!(matches!(refuse(Format::Ply, text).kind, ReadErrorKind::NoVertices));
    let cloud = ascii().replace("element face 4\nproperty list uchar int vertex_indices\n", "");
    assert!(matches!(refuse(Format::Ply, cloud).kind, ReadErrorKind::NoFaces { vertices: 4 }));
}

#[test]
fn attributes_are_written() {
    let mut mesh = with_normals([0.0, 1.0, 0.0]);
    mesh.faces.truncate(1);
    let mut vertices = mesh.vertices_mut();
    vertices.insert("distance", vec![0.5, f32::INFINITY, f32::NAN, -0.0]).unwrap();
    vertices.insert("force", vec![[1.0_f32, 2.0, 3.0]; 4]).unwrap();
    let mut faces = mesh.faces_of_mut();
    faces.insert("patch", vec![u32::MAX]).unwrap();
    faces.insert("sign", vec![-7_i32]).unwrap();
    faces.insert_column(Column::with_role("normal", Role::Normal, vec![[0.0_f32, 0.0, -1.0]])).unwrap();
    mesh.corners_mut().insert("texcoord", vec![[0.25_f32, 1.0]; 3]).unwrap();
    let comments = vec!["made here".into()];
    let options = WriteOptions { ply_encoding: PlyEncoding::Ascii, comments, ..Default::default() };
    let text = String::from_utf8(written(&mesh, Format::Ply, &options)).unwrap();
    let expected = "ply\nformat ascii 1.0\ncomment made here\nelement vertex 4\nproperty float x\nproperty float y\n\
                    property float z\nproperty float nx\nproperty float ny\nproperty float nz\nproperty float \
                    distance\nproperty float force_x\nproperty float force_y\nproperty float force_z\nelement face 1\n\
                    property list uchar int vertex_indices\nproperty uint patch\nproperty int sign\nproperty float \
                    nx\nproperty float ny\nproperty float nz\nproperty list uchar float texcoord\nend_header\n0 0 0 0 \
                    1 0 0.5 1 2 3\n1 0 0 0 1 0 inf 1 2 3\n0 1 0 0 1 0 nan 1 2 3\n0 0 1 0 1 0 -0 1 2 3\n3 0 2 1 \
                    4294967295 -7 0 0 -1 6 0.25 1 0.25 1 0.25 1\n";
    assert_eq!(text, expected);
}

#[test]
fn attributes_follow_polygons_into_triangles() {
    let head = "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\nelement \
                face 2\nproperty list uchar float texcoord\nproperty list uchar int vertex_indices\nproperty ushort \
                label\nend_header\n";
    let body = "0 0 0\n1 0 0\n2 1 0\n1 2 0\n0 1 0\n10 0 10 1 11 2 12 3 13 4 14 5 0 1 2 3 4 7\n6 5 6 7 8 9 10 3 4 2 0 8\n";
    let mesh = accept(Format::Ply, format!("{head}{body}")).mesh;
    assert_eq!(mesh.faces, [[0, 1, 2], [0, 2, 3], [0, 3, 4], [4, 2, 0]]);
    let corners = mesh.corners().get::<[f32; 2]>("texcoord").unwrap();
    let of_vertex = |v: u32| [v as f32, 10.0 + v as f32];
    let expected: Vec<[f32; 2]> = mesh.faces[..3].as_flattened().iter().map(|&v| of_vertex(v)).collect();
    assert_eq!(corners[..9], expected);
    assert_eq!(corners[9..], [[5.0, 6.0], [7.0, 8.0], [9.0, 10.0]]);
    assert_eq!(mesh.faces_of().get::<u16>("label").unwrap(), [7, 7, 7, 8]);
    assert_eq!(mesh.corners().column("texcoord").unwrap().role(), Role::TextureCoordinate(0));
    let odd = body.replace("6 5 6 7 8 9 10", "5 5 6 7 8 9");
    let loaded = accept(Format::Ply, format!("{head}{odd}"));
    assert_eq!(loaded.notes.properties_skipped, ["face.texcoord"]);
    assert!(loaded.mesh.corners().is_empty());
}
