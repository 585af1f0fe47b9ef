//! OBJ in and out.

use crate::common;

use common::{accept, places, refuse, refuse_line, refuse_strictly, tetrahedron, with_normals, written};
use ribbonmesh_io::{Format, Place, ReadErrorKind, WriteOptions};

const CORNERS: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";

#[track_caller]
fn faces(text: &str) -> Vec<[u32; 3]> {
    accept(Format::Obj, format!("{CORNERS}{text}")).mesh.faces
}

#[track_caller]
fn fault(text: &str) -> (u64, ReadErrorKind) {
    refuse_line(Format::Obj, format!("{CORNERS}{text}"))
}

#[test]
fn corners_of_all_forms() {
    assert_eq!(faces("f 1 2 3"), [[0, 1, 2]]);
    assert_eq!(faces("f 1/7 2/8 3/9\n"), [[0, 1, 2]]);
    assert_eq!(faces("f 1//7 2//8 3//9\n"), [[0, 1, 2]]);
    assert_eq!(faces("f 1/7/7 2/8/8 3/-9/-9\n"), [[0, 1, 2]]);
    assert_eq!(faces("f 1/ 2// 3/4/\n"), [[0, 1, 2]]);
    assert_eq!(faces("fo 1 2 3\n"), [[0, 1, 2]]);
    assert_eq!(faces("f\t+1\t2 \t 3   \n"), [[0, 1, 2]]);
}

#[test]
fn relative_indices_count_back_from_the_face() {
    assert_eq!(faces("f -4 -3 -1\nv 5 5 5\nf -4 -3 -1\n"), [[0, 1, 3], [1, 2, 4]]);
    assert_eq!(faces("f -4//-4 2//1 -1//-1\n"), [[0, 1, 3]]);
}

#[test]
fn faces_may_come_before_their_vertices() {
    let mesh = accept(Format::Obj, format!("f 1 2 3\n{CORNERS}f 1 2 5\nv 2 2 2\n")).mesh;
    assert_eq!(mesh.faces, [[0, 1, 2], [0, 1, 4]]);
}

#[test]
fn indices_out_of_range_are_refused_where_they_stand() {
    let (line, kind) = fault("f 1 2 3\nf 1 2 5\n");
    assert_eq!(line, 6);
    assert!(
        matches!(kind, ReadErrorKind::IndexOutOfRange { index: 5, vertices: 4, relative: false }),
        "{kind}"
    );
    let (line, kind) = fault("\n\nf 0 1 2\n");
    assert_eq!(line, 7);
    assert!(
        matches!(kind, ReadErrorKind::IndexOutOfRange { index: 0, vertices: 4, relative: false }),
        "{kind}"
    );
    let (line, kind) = fault("f 1 2 -5\nv 1 1 1\n");
    assert_eq!(line, 5);
    assert!(
        matches!(kind, ReadErrorKind::IndexOutOfRange { index: -5, vertices: 4, relative: true }),
        "{kind}"
    );
    for index in ["4294967296", "4294967297", "9223372036854775807", "-9223372036854775808"] {
        let (line, kind) = fault(&format!("f 1 2 {index}\n"));
        assert!(line == 5 && matches!(kind, ReadErrorKind::IndexOutOfRange { .. }), "{kind}");
    }
    let (line, kind) = fault("f 1 2 9223372036854775808\n");
    assert!(line == 5 && matches!(kind, ReadErrorKind::NotANumber { .. }), "{kind}");
}

#[test]
fn what_is_no_corner_is_refused() {
    for corner in ["x", "1.5", "2e3", "1/x", "1/2/3/4", "1/2/x", "1x", "/1", "--1", "1#"] {
        let (line, kind) = fault(&format!("# comment\nf 1 2 {corner}\n"));
        assert_eq!(line, 6, "{corner}");
        let quoted = matches!(kind, ReadErrorKind::NotANumber { .. } | ReadErrorKind::Unexpected { .. });
        assert!(quoted, "{corner}: {kind}");
    }
}

#[test]
fn coordinates_that_are_no_numbers_are_refused() {
    for coordinate in ["x", "1,5", "0x10", "1.2.3", "1e", "--1", "1_000", ".", "1.#Q", "1#"] {
        let (line, kind) = refuse_line(Format::Obj, format!("{CORNERS}v 1 {coordinate} 2\nf 1 2 3\n"));
        assert!(
            line == 5 && matches!(&kind, ReadErrorKind::NotANumber { text, .. } if text == coordinate),
            "{kind}"
        );
    }
    let (line, kind) = fault("v 1 2\nf 1 2 3\n");
    assert!(line == 5 && matches!(kind, ReadErrorKind::LineTooShort { .. }), "{kind}");
    let (line, kind) = fault("f 1 2 3\nv 1 2");
    assert!(line == 6 && matches!(kind, ReadErrorKind::Truncated { .. }), "{kind}");
    let (line, kind) = fault("f 1 2 3\nv 1 2 3 red\n");
    assert!(line == 6 && matches!(kind, ReadErrorKind::NotANumber { .. }), "{kind}");
}

#[test]
fn coordinates_that_are_not_finite_are_refused_strictly() {
    for coordinate in ["nan", "NaN", "inf", "-inf", "Infinity", "1e39", "-1e400"] {
        let text = format!("{CORNERS}v 1 2 {coordinate}\nf 1 2 3\n");
        assert_eq!(accept(Format::Obj, &text).notes.vertices_left_out, 1);
        let (place, kind) = refuse_strictly(Format::Obj, text);
        assert!(
            place == Place::Line(5)
                && matches!(&kind, ReadErrorKind::NotFinite { text } if text == coordinate),
            "{kind}"
        );
    }
}

#[test]
fn numbers_of_all_forms() {
    let text = "v +1 1. .5\nv -.5 1E2 1e+2\nv 1e-60 0.1 -0\nf 1 2 3\n";
    let positions = places(&accept(Format::Obj, text).mesh);
    assert_eq!(positions, [[1.0, 1.0, 0.5], [-0.5, 100.0, 100.0], [0.0, f64::from(0.1_f32), 0.0]]);
    assert!(positions[2][2].is_sign_negative());
}

#[test]
fn weights_are_passed_over_and_colours_kept() {
    let text = "v 0 0 0 1\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0 1 0 0 1 # red\nf 1 2 3 # a face\n";
    let loaded = accept(Format::Obj, text);
    assert_eq!(loaded.mesh.positions, tetrahedron().positions[..3]);
    let colours = loaded.mesh.vertices().get::<[f32; 3]>("colour").unwrap();
    assert_eq!(colours, [[1.0; 3], [0.5; 3], [1.0, 0.0, 0.0]]);
    assert_eq!((loaded.notes.weights_skipped, loaded.notes.uncoloured), (2, 1));
}

#[test]
fn carriage_returns_and_missing_line_ends() {
    let text = format!("# c\n{CORNERS}\ng a\nf 1 2 3\nf 2 3 4");
    let expected = accept(Format::Obj, &text).mesh;
    for end in ["\r\n", "\r"] {
        assert_eq!(accept(Format::Obj, text.replace('\n', end)).mesh, expected);
        let (line, _) = refuse_line(Format::Obj, text.replace("3 4", "3 9").replace('\n', end));
        assert_eq!(line, 9);
    }
}

#[test]
fn backslashes_continue_lines() {
    assert_eq!(faces("f 1 \\\n 2 \\\r\n 3\n"), [[0, 1, 2]]);
    assert_eq!(faces("f 1\\\n 2 3\nvn 0 0 \\\n1\n"), [[0, 1, 2]]);
    assert_eq!(faces("g a \\\nf f f\nf 1 2 3\n"), [[0, 1, 2]]);
    assert_eq!(faces("# C:\\meshes\\\nf 1 2 3\n"), [[0, 1, 2]], "comments end with their line");
    let (line, _) = fault("f 1 \\\n 2 \\\n x\n");
    assert_eq!(line, 7);
}

#[test]
fn other_statements_are_passed_over() {
    let text = format!(
        "mtllib a b.mtl\no thing\ng one two\n{CORNERS}vt 0 0\nvn 0 0 1\nvp 1 2\ns off\nusemtl red\nf 1 2 3\np 1\n\
         l 1 2 3\ncstype bezier\ndeg 3\ncurv 0 1 1 2\nparm u 0 1\nend\n"
    );
    let loaded = accept(Format::Obj, text);
    assert_eq!(loaded.mesh.faces, [[0, 1, 2]]);
    assert_eq!(loaded.notes.points_and_lines_skipped, 2);
    assert_eq!(loaded.notes.curves_and_surfaces_skipped, 1);
}

#[test]
fn what_is_no_statement_is_refused() {
    let text = format!("{CORNERS}f 1 2 3\n<html>\n");
    let notes = accept(Format::Obj, &text).notes;
    assert_eq!((notes.unknown_skipped, &notes.statements_skipped[..]), (1, &["<html>".to_owned()][..]));
    let (place, kind) = refuse_strictly(Format::Obj, text);
    assert!(place == Place::Line(6) && matches!(kind, ReadErrorKind::Unexpected { .. }), "{kind}");
    let (line, kind) = fault("call other.obj\nf 1 2 3\n");
    assert!(line == 5 && matches!(kind, ReadErrorKind::Unsupported { .. }), "{kind}");
}

#[test]
fn convex_polygons_become_fans() {
    let loaded = accept(Format::Obj, format!("{CORNERS}f 1 2 3 4\nf 1 2 3\nf 1/1 2/2 3/3 4/4 1/1\n"));
    assert_eq!(loaded.mesh.faces, [[0, 1, 2], [0, 2, 3], [0, 1, 2], [0, 1, 2], [0, 2, 3], [0, 3, 0]]);
    assert_eq!((loaded.notes.polygons_triangulated, loaded.notes.triangles_from_polygons), (2, 5));
    for (corners, text) in [(0, "f\n"), (1, "f 1\n"), (2, "f 1 2")] {
        let (line, kind) = fault(text);
        assert_eq!(line, 5);
        assert!(matches!(kind, ReadErrorKind::TooFewCorners { corners: got } if got == corners), "{kind}");
    }
}

#[test]
fn nothing_or_points_alone_are_refused() {
    let error = refuse(Format::Obj, "# nothing\n");
    assert!(matches!((error.place, error.kind), (Place::File, ReadErrorKind::NoVertices)));
    let error = refuse(Format::Obj, CORNERS);
    assert!(matches!((error.place, error.kind), (Place::File, ReadErrorKind::NoFaces { vertices: 4 })));
}

#[test]
fn what_is_written() {
    let mut mesh = tetrahedron();
    mesh.positions[1][0] = f64::from(0.1_f32);
    mesh.faces.truncate(1);
    let comments = vec!["one\ntwo".into()];
    let text = written(&mesh, Format::Obj, &WriteOptions { comments, ..Default::default() });
    let expected = "# one\n# two\nv 0 0 0\nv 0.1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\n";
    assert_eq!(String::from_utf8(text).unwrap(), expected);
    let mut mesh = with_normals([0.0, 0.0, 1.0]);
    mesh.faces.truncate(1);
    let text = written(&mesh, Format::Obj, &WriteOptions::default());
    assert!(String::from_utf8(text).unwrap().ends_with("vn 0 0 1\nf 1//1 3//3 2//2\n"));
}
