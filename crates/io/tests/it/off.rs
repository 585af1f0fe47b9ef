//! OFF in and out.

use crate::common;

use common::{accept, refuse, refuse_line, refuse_strictly, tetrahedron, with_normals, written};
use ribbonmesh_io::{Format, Place, ReadErrorKind, WriteOptions};

const BODY: &str = "0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n";

#[test]
fn headers_of_all_forms() {
    for head in [
        "OFF\n4 4 6\n",
        "OFF 4 4 6\n",
        "OFF\n4 4\n",
        "4 4 6\n",
        "# c\n\nOFF # c\n# c\n4 4 0 # c\n\n",
        "COFF\n4 4 0\n",
        "NOFF\n4 4 0\n",
        "CNOFF\n4 4 0\n",
        "STOFF\n4 4 0\n",
    ] {
        assert_eq!(accept(Format::Off, format!("{head}{BODY}")).mesh, tetrahedron(), "{head}");
        let carried = format!("{head}{BODY}").replace('\n', "\r\n");
        assert_eq!(accept(Format::Off, carried).mesh, tetrahedron(), "{head}");
    }
    // text where numbers are announced
    refuse(Format::Off, format!("OFF BINARY\n4 4 0\n{BODY}"));
    for head in ["4OFF\n4 4 0\n", "nOFF 3\n4 4 0\n"] {
        let (_, kind) = refuse_line(Format::Off, format!("{head}{BODY}"));
        assert!(matches!(kind, ReadErrorKind::Unsupported { .. }), "{kind}");
    }
    for head in ["PLY\n", "OFF\n4 4 6 7\n", "-1 4 0\n", "OFF x\n"] {
        refuse_line(Format::Off, format!("{head}{BODY}"));
    }
}

#[test]
fn colours_are_kept() {
    let text = "COFF\n3 1 0\n0 0 0 255 0 0 255\n1 0 0 0.5 0.5 0.5 1\n0 1 0 1 2 3\n3 0 1 2 255 0 0\n";
    let mesh = accept(Format::Off, text).mesh;
    let colours = mesh.vertices().get::<[f32; 4]>("colour").unwrap();
    assert_eq!(colours, [[255.0, 0.0, 0.0, 255.0], [0.5, 0.5, 0.5, 1.0], [1.0, 2.0, 3.0, 1.0]]);
    assert_eq!(mesh.faces_of().get::<[u8; 3]>("colour").unwrap(), [[255, 0, 0]]);
    assert_eq!((mesh.positions, mesh.faces), (tetrahedron().positions[..3].to_vec(), vec![[0, 1, 2]]));
}

#[test]
fn convex_polygons_become_fans() {
    let loaded = accept(Format::Off, "OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n3 0 1 2\n");
    assert_eq!(loaded.mesh.faces, [[0, 1, 2], [0, 2, 3], [0, 1, 2]]);
    assert_eq!((loaded.notes.polygons_triangulated, loaded.notes.triangles_from_polygons), (1, 2));
    let (line, kind) = refuse_line(Format::Off, "OFF\n3 1 0\n0 0 0\n1 0 0\n1 1 0\n2 0 1  \n");
    assert!(line == 6 && matches!(kind, ReadErrorKind::TooFewCorners { corners: 2 }), "{kind}");
}

#[test]
fn bad_indices_numbers_and_coordinates() {
    let fault =
        |from: &str, to: &str| refuse_line(Format::Off, format!("OFF 4 4 0\n{BODY}").replace(from, to));
    for index in [4, -1, 4_294_967_296_i64] {
        let (line, kind) = fault("3 1 2 3", &format!("3 1 2 {index}"));
        let right = |got: i64, vertices: u64| got == index && vertices == 4;
        assert!(line == 8, "{line}");
        let ReadErrorKind::IndexOutOfRange { index, vertices, .. } = kind else { panic!("{kind}") };
        assert!(right(index, vertices));
    }
    let (place, kind) =
        refuse_strictly(Format::Off, format!("OFF 4 4 0\n{BODY}").replace("1 0 0", "1 0 nan"));
    assert!(place == Place::Line(3) && matches!(kind, ReadErrorKind::NotFinite { .. }), "{kind}");
    let (place, kind) =
        refuse_strictly(Format::Off, format!("OFF 4 4 0\n{BODY}").replace("1 0 0", "1 0 1e99"));
    assert!(place == Place::Line(3) && matches!(kind, ReadErrorKind::NotFinite { .. }), "{kind}");
    let (line, kind) = fault("1 0 0", "1 zero 0");
    assert!(line == 3 && matches!(kind, ReadErrorKind::NotANumber { .. }), "{kind}");
    let (line, kind) = fault("1 0 0", "1 0  ");
    assert!(line == 3 && matches!(kind, ReadErrorKind::LineTooShort { .. }), "{kind}");
    let (line, kind) = fault("3 1 2 3", "4 1 2 3");
    assert!(line == 8 && matches!(kind, ReadErrorKind::LineTooShort { .. }), "{kind}");
    let (line, kind) = fault("3 1 2 3", "3 1 2 x");
    assert!(line == 8 && matches!(kind, ReadErrorKind::NotANumber { .. }), "{kind}");
}

#[test]
fn counts_that_the_file_cannot_hold_are_refused_at_once() {
    for head in ["4000000000 4", "4 4000000000000", "4 9223372036854775807", "1000 4", "4 1000"] {
        let (line, kind) = refuse_line(Format::Off, format!("OFF\n{head} 0\n{BODY}"));
        assert!(line == 2 && matches!(kind, ReadErrorKind::CountTooLarge { .. }), "{kind}");
    }
    let (_, kind) = refuse_line(Format::Off, format!("OFF\n4294967296 4 0\n{BODY}"));
    assert!(matches!(kind, ReadErrorKind::TooMany { count: 4_294_967_296, .. }), "{kind}");
    let (_, kind) = refuse_line(Format::Off, format!("OFF\n18446744073709551616 4 0\n{BODY}"));
    assert!(matches!(kind, ReadErrorKind::NotANumber { .. }), "{kind}");
}

#[test]
fn truncated_files_are_refused_wherever_they_end() {
    let text = format!("OFF\n4 4 0\n{BODY}");
    for end in 0..text.len() - 2 {
        refuse(Format::Off, &text[..end]);
    }
    assert_eq!(accept(Format::Off, text.trim_end()).mesh, tetrahedron());
}

#[test]
fn nothing_or_points_alone_are_refused() {
    assert!(matches!(refuse(Format::Off, "OFF 0 0 0\n").kind, ReadErrorKind::NoVertices));
    assert!(matches!(refuse(Format::Off, "OFF 1 0 0\n0 0 0\n").kind, ReadErrorKind::NoFaces { vertices: 1 }));
}

#[test]
fn what_follows_is_noted() {
    assert_eq!(accept(Format::Off, format!("OFF 4 4 0\n{BODY}# end\n")).notes.trailing_bytes, 0);
    assert_eq!(accept(Format::Off, format!("OFF 4 4 0\n{BODY}3 0 1 2\n")).notes.trailing_bytes, 8);
}

#[test]
fn what_is_written() {
    let mut mesh = with_normals([0.0, 0.0, -1.0]);
    mesh.faces.truncate(1);
    let comments = vec!["c".into()];
    let text = written(&mesh, Format::Off, &WriteOptions { comments, ..Default::default() });
    let expected = "NOFF\n# c\n4 1 0\n0 0 0 0 0 -1\n1 0 0 0 0 -1\n0 1 0 0 0 -1\n0 0 1 0 0 -1\n3 0 2 1\n";
    assert_eq!(String::from_utf8(text).unwrap(), expected);
}
