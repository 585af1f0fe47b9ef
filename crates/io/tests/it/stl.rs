//! STL in and out.

use crate::common;

use common::{accept, refuse, refuse_byte, refuse_line, refuse_strictly, tetrahedron, written};
use ribbonmesh_io::{Format, Place, ReadErrorKind, StlEncoding, WriteOptions};

const ASCII: WriteOptions = WriteOptions {
    points: false,
    ply_encoding: ribbonmesh_io::PlyEncoding::Little,
    stl_encoding: StlEncoding::Ascii,
    comments: Vec::new(),
};

fn binary() -> Vec<u8> {
    written(&tetrahedron(), Format::Stl, &WriteOptions::default())
}

fn ascii() -> String {
    String::from_utf8(written(&tetrahedron(), Format::Stl, &ASCII)).unwrap()
}

/// The tetrahedron with its vertices in the order in which its faces name them.
fn renumbered() -> (Vec<glam::DVec3>, Vec<[u32; 3]>) {
    let p = tetrahedron().positions;
    (vec![p[0], p[2], p[1], p[3]], vec![[0, 1, 2], [0, 2, 3], [2, 1, 3], [0, 3, 1]])
}

#[test]
fn corners_are_welded_in_order_of_appearance() {
    for bytes in [binary(), ascii().into_bytes()] {
        let loaded = accept(Format::Stl, bytes);
        assert_eq!((loaded.mesh.positions, loaded.mesh.faces), renumbered());
        assert_eq!(loaded.notes.corners_welded, 8);
    }
}

#[test]
fn zeros_of_both_signs_are_the_same() {
    let loaded = accept(Format::Stl, ascii().replace("vertex 0 0 0", "vertex -0 0 -0.0"));
    assert_eq!(loaded.mesh.positions.len(), 4);
}

#[test]
fn degenerate_and_duplicate_faces_are_kept() {
    let mut mesh = tetrahedron();
    mesh.faces.extend([[0, 0, 1], [0, 2, 1]]);
    let loaded = accept(Format::Stl, written(&mesh, Format::Stl, &WriteOptions::default()));
    assert_eq!(loaded.mesh.faces[4..], [[0, 0, 2], [0, 1, 2]]);
}

#[test]
fn ascii_is_told_from_binary_by_content() {
    let mut bytes = binary();
    bytes[..11].copy_from_slice(b"solid thing");
    assert_eq!(accept(Format::Stl, &bytes).mesh.faces.len(), 4);
    bytes[75..80].copy_from_slice(b"\0\0\0\0\0");
    bytes.push(7);
    assert_eq!(accept(Format::Stl, &bytes).notes.trailing_bytes, 1);
    assert_eq!(accept(Format::Stl, format!("\n  {}", ascii().to_uppercase())).mesh.faces.len(), 4);
}

#[test]
fn several_solids_and_carriage_returns() {
    let text = format!("{}{}", ascii(), ascii().replace("solid ", "solid")).replace('\n', "\r\n");
    let loaded = accept(Format::Stl, text);
    assert_eq!((loaded.mesh.positions.len(), loaded.mesh.faces.len()), (4, 8));
}

#[test]
fn truncated_files_are_refused_wherever_they_end() {
    let bytes = binary();
    for end in 84..bytes.len() {
        let (byte, kind) = refuse_byte(Format::Stl, &bytes[..end]);
        assert!(byte == 80 && matches!(kind, ReadErrorKind::CountTooLarge { count: 4, .. }), "{kind}");
    }
    for end in 0..84 {
        refuse(Format::Stl, &bytes[..end]);
    }
    let text = ascii();
    for end in 0..text.len() - "\n".len() - 2 {
        if !text[..end].trim_ascii_end().ends_with("endfacet") {
            refuse(Format::Stl, &text[..end]);
        }
    }
}

#[test]
fn the_end_of_the_file_ends_a_solid() {
    let text = ascii();
    assert!(!accept(Format::Stl, &text).notes.end_missing);
    let open = text.strip_suffix("endsolid \n").unwrap();
    for ending in ["", "\n", " \r\n\n"] {
        let loaded = accept(Format::Stl, format!("{}{ending}", open.trim_ascii_end()));
        assert_eq!((loaded.mesh.faces.len(), loaded.notes.end_missing), (4, true));
    }
    let (line, kind) = refuse_line(Format::Stl, format!("{open}facet normal 0 0 1\n"));
    assert!(matches!(kind, ReadErrorKind::Truncated { .. }), "{line}: {kind}");
    assert!(matches!(refuse(Format::Stl, "solid\n").kind, ReadErrorKind::NoVertices));
}

#[test]
fn counts_that_the_file_cannot_hold_are_refused_at_once() {
    let mut bytes = binary();
    bytes[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
    let (byte, kind) = refuse_byte(Format::Stl, &bytes);
    assert_eq!(byte, 80);
    assert!(
        matches!(kind, ReadErrorKind::CountTooLarge { count: 4_294_967_295, available: 200, .. }),
        "{kind}"
    );
}

#[test]
fn coordinates_that_are_not_finite_are_refused() {
    let mut bytes = binary();
    let at = 84 + 50 + 12 + 4;
    bytes[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    let (place, kind) = refuse_strictly(Format::Stl, &bytes);
    assert!(place == Place::Byte(at as u64) && matches!(kind, ReadErrorKind::NotFinite { .. }), "{kind}");
    let text = ascii().replacen("vertex 0 1 0", "vertex 0 inf 0", 1);
    assert_eq!(accept(Format::Stl, &text).notes.faces_left_out, 1);
    let (place, kind) = refuse_strictly(Format::Stl, text);
    assert!(place == Place::Line(5) && matches!(kind, ReadErrorKind::NotFinite { .. }), "{kind}");
    let text = ascii().replace("facet normal 0 0 -1", "facet normal nan nan nan");
    assert_eq!(accept(Format::Stl, text).mesh.faces.len(), 4, "normals do not matter");
}

#[test]
fn malformed_text_is_refused_where_it_stands() {
    let fault = |from: &str, to: &str| refuse_line(Format::Stl, ascii().replacen(from, to, 1));
    assert_eq!(fault("outer loop", "outer").0, 4);
    assert_eq!(fault("vertex 0 0 0", "vertex 0 0").0, 4);
    assert_eq!(fault("vertex 0 0 0", "vertex 0 0 x").0, 4);
    assert_eq!(fault("endloop", "end").0, 8, "of a loop");
    let (place, kind) = refuse_strictly(Format::Stl, ascii().replacen("vertex 0 0 0\n", "", 1));
    assert!(place == Place::Line(3) && matches!(kind, ReadErrorKind::TooFewCorners { corners: 2 }), "{kind}");
}

#[test]
fn larger_loops_become_triangles() {
    let loaded = accept(Format::Stl, ascii().replacen("vertex 0 0 0", "vertex 0 0 0\nvertex 9 9 9", 1));
    assert_eq!((loaded.notes.polygons_triangulated, loaded.notes.triangles_from_polygons), (1, 2));
}

#[test]
fn nothing_is_refused() {
    assert!(matches!(refuse(Format::Stl, "solid\nendsolid\n").kind, ReadErrorKind::NoVertices));
    assert!(matches!(refuse(Format::Stl, [0; 84]).kind, ReadErrorKind::NoVertices));
}

#[test]
fn normals_are_those_of_the_faces() {
    let bytes = binary();
    let normal: Vec<f32> =
        bytes[84..96].chunks(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    assert_eq!(normal, [0.0, 0.0, -1.0]);
    assert!(ascii().starts_with("solid \nfacet normal 0 0 -1\nouter loop\nvertex 0 0 0\n"));
}
