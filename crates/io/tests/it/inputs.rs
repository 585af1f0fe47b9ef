//! Files as a whole: missing, misnamed, empty; and every kind of input that must be kept or refused.

use crate::common;

use std::{fs, path::Path};

use common::{accept, bits, tetrahedron, written};
use ribbonmesh_io::{
    Format, Place, PlyEncoding, ReadErrorKind, StlEncoding, TriangleMesh, WriteOptions, read, read_as,
    read_from, read_stream, write, write_as,
};
use ribbonmesh_mesh::Subject;

#[track_caller]
fn refuse(path: &Path) -> ReadErrorKind {
    let error = read(path).unwrap_err();
    assert_eq!((error.file.as_path(), error.place), (path, Place::File));
    assert!(error.to_string().starts_with(&format!("{}: ", path.display())), "{error}");
    error.kind
}

#[test]
fn missing_files_directories_and_unknown_extensions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none.obj");
    assert!(matches!(refuse(&path), ReadErrorKind::Missing));
    assert_eq!(read(&path).unwrap_err().kind.subject(), Subject::Source);
    assert!(matches!(refuse(folder.path()), ReadErrorKind::Directory));
    let named = folder.path().join("folder.obj");
    fs::create_dir(&named).unwrap();
    assert!(matches!(refuse(&named), ReadErrorKind::Directory));
    for name in ["mesh.xyz", "mesh", ".obj"] {
        let path = folder.path().join(name);
        fs::write(&path, "v 0 0 0").unwrap();
        assert!(matches!(refuse(&path), ReadErrorKind::UnknownFormat(_)));
        let text = read(&path).unwrap_err().to_string();
        assert!(text.contains("obj, ply, off, stl, glb"), "{text}");
    }
}

#[cfg(unix)]
#[test]
fn files_that_are_no_files_do_not_hang_or_crash() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("null.obj");
    std::os::unix::fs::symlink("/dev/null", &path).unwrap();
    assert!(matches!(refuse(&path), ReadErrorKind::Empty));
}

#[test]
fn empty_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for extension in ["obj", "ply", "off", "stl", "glb"] {
        let path = folder.path().join(format!("empty.{extension}"));
        for content in ["", " \r\n\t\n"] {
            fs::write(&path, content).unwrap();
            assert!(matches!(refuse(&path), ReadErrorKind::Empty));
        }
    }
}

#[test]
fn extensions_count_in_any_case() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.OBJ", "a.Ply", "a.oFF", "a.STL"] {
        let path = folder.path().join(name);
        write(&path, &tetrahedron(), &WriteOptions::default()).unwrap();
        assert_eq!(read(&path).unwrap().mesh.faces.len(), 4);
    }
}

#[test]
fn content_counts_more_than_the_extension() {
    let folder = tempfile::tempdir().unwrap();
    let ascii = WriteOptions { stl_encoding: StlEncoding::Ascii, ..Default::default() };
    let variants = [
        (Format::Obj, WriteOptions::default()),
        (Format::Ply, WriteOptions::default()),
        (Format::Ply, WriteOptions { ply_encoding: PlyEncoding::Ascii, ..Default::default() }),
        (Format::Off, WriteOptions::default()),
        (Format::Stl, ascii),
    ];
    for (format, options) in variants {
        for extension in ["obj", "ply", "off", "stl"] {
            if format == Format::Obj && extension != "obj" {
                continue; // OBJ has no beginning of its own.
            }
            let path = folder.path().join(format!("mesh.{extension}"));
            fs::write(&path, written(&tetrahedron(), format, &options)).unwrap();
            let loaded = read(&path).unwrap();
            assert_eq!((loaded.format, loaded.mesh.faces.len()), (format, 4));
        }
    }
    let path = folder.path().join("mesh.obj");
    fs::write(&path, written(&tetrahedron(), Format::Glb, &WriteOptions::default())).unwrap();
    assert_eq!(read(&path).unwrap().format, Format::Glb);
    let path = folder.path().join("mesh.stl");
    let mut bytes = written(&tetrahedron(), Format::Stl, &WriteOptions::default());
    bytes[..4].copy_from_slice(b"ply\n");
    fs::write(&path, bytes).unwrap();
    assert_eq!(read(&path).unwrap().format, Format::Stl, "an STL header may say anything");
}

#[test]
fn streams_are_told_by_their_content() {
    let read = |bytes: &[u8]| read_stream(&mut &bytes[..], None, "a stream");
    for format in Format::ALL {
        let loaded = read(&written(&tetrahedron(), format, &WriteOptions::default())).unwrap();
        assert_eq!((loaded.format, loaded.mesh.faces.len()), (format, 4));
    }
    let text = "\u{feff}# a comment\r\n\r\n  mtllib a.mtl\r\nv 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3\r\n";
    let loaded = read(text.as_bytes()).unwrap();
    assert_eq!((loaded.format, loaded.notes.libraries_missing), (Format::Obj, vec!["a.mtl".to_owned()]));
    for unknown in ["0 0 0\n", "vertex 0 0 0\n", "# v 0 0 0\n"] {
        let error = read(unknown.as_bytes()).unwrap_err();
        assert!(matches!(error.kind, ReadErrorKind::UnknownContent), "{error}");
        assert!(error.to_string().starts_with("a stream: "), "{error}");
    }
    assert!(matches!(read(b" \n").unwrap_err().kind, ReadErrorKind::Empty));
    let named = read_stream(&mut &b"# nothing\nlod 1\nv 0 0 0\nf 1 1 1\n"[..], Some(Format::Obj), "a stream");
    assert_eq!(named.unwrap().mesh.faces, [[0; 3]]);
}

#[test]
fn a_stream_that_fails_is_no_refusal() {
    struct Broken;
    impl std::io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("broken"))
        }
    }
    let error = read_stream(&mut Broken, None, "a stream").unwrap_err();
    assert!(error.kind.subject() == Subject::Source && error.to_string().contains("broken"), "{error}");
}

#[test]
fn a_format_is_for_files_whose_extension_names_none() {
    let folder = tempfile::tempdir().unwrap();
    for (name, format) in [("mesh", Format::Obj), ("mesh.ply", Format::Ply)] {
        let path = folder.path().join(name);
        write_as(&path, format, &tetrahedron(), &WriteOptions::default()).unwrap();
        assert_eq!(read_as(&path, Some(Format::Obj)).unwrap().format, format);
    }
}

#[test]
fn a_byte_order_mark_is_passed_over() {
    let options = WriteOptions { stl_encoding: StlEncoding::Ascii, ..Default::default() };
    for format in [Format::Obj, Format::Off, Format::Stl] {
        let text = String::from_utf8(written(&tetrahedron(), format, &options)).unwrap();
        assert_eq!(accept(format, format!("\u{feff}{text}")).mesh.faces.len(), 4);
    }
    let mut bytes = written(&tetrahedron(), Format::Stl, &WriteOptions::default());
    bytes[..3].copy_from_slice("\u{feff}".as_bytes());
    assert_eq!(accept(Format::Stl, bytes).mesh.faces.len(), 4, "binary files have no mark");
}

#[test]
fn isolated_degenerate_and_duplicate_are_kept() {
    let mut mesh = tetrahedron();
    mesh.positions.splice(1..1, [[9.0; 3].into(), [9.0; 3].into()]);
    mesh.faces = vec![[0, 3, 4], [0, 3, 4], [4, 3, 0], [0, 0, 5], [5, 5, 5]];
    for format in [Format::Obj, Format::Ply, Format::Off, Format::Glb] {
        let loaded = accept(format, written(&mesh, format, &WriteOptions::default()));
        assert_eq!(loaded.mesh, mesh);
        assert_eq!(loaded.notes, ribbonmesh_io::Notes::default());
    }
}

#[test]
fn non_manifold_and_disconnected_are_kept() {
    let positions = (0..9_u8).map(|i| [f32::from(i), f32::from(i * i), 1.0]);
    let faces = vec![[0, 1, 2], [0, 1, 3], [1, 0, 4], [0, 1, 5], [6, 7, 8]];
    let mesh = TriangleMesh::from_f32(positions, faces);
    for format in [Format::Obj, Format::Ply, Format::Off, Format::Glb] {
        assert_eq!(accept(format, written(&mesh, format, &WriteOptions::default())).mesh, mesh);
    }
    let mesh = ribbonmesh_mesh::shapes::mobius(9, 3).unwrap();
    assert_eq!(accept(Format::Off, written(&mesh, Format::Off, &WriteOptions::default())).mesh, mesh);
}

#[test]
fn extreme_numbers_survive_every_format() {
    let values = [f32::MIN_POSITIVE, f32::MAX, f32::MIN, 1e-45, -0.0, 16_777_217.0, 0.1, 1.0 / 3.0, 1e16];
    let positions = values.chunks(3).map(|row| [row[0], row[1], row[2]]);
    let mesh = TriangleMesh::from_f32(positions, vec![[0, 1, 2]]);
    for format in [Format::Obj, Format::Ply, Format::Off, Format::Stl] {
        for (ply_encoding, stl_encoding) in [
            (PlyEncoding::Ascii, StlEncoding::Ascii),
            (PlyEncoding::Little, StlEncoding::Binary),
            (PlyEncoding::Big, StlEncoding::Binary),
        ] {
            let options = WriteOptions { ply_encoding, stl_encoding, ..Default::default() };
            assert_eq!(bits(&accept(format, written(&mesh, format, &options)).mesh), bits(&mesh));
        }
    }
}

#[test]
fn messages_name_file_line_and_value() {
    let error = read_from(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n", Format::Obj, "bad.obj").unwrap_err();
    assert_eq!(error.to_string(), "bad.obj, line 4: vertex index 9 is out of range (of 3 vertices)");
    let error = read_from(b"v 0 nan 0\n", Format::Obj, "bad.obj").unwrap_err();
    assert_eq!(error.to_string(), "bad.obj, line 1: coordinate nan is not finite");
    let mut bytes = written(&tetrahedron(), Format::Stl, &WriteOptions::default());
    bytes.truncate(150);
    let error = read_from(&bytes, Format::Stl, "bad.stl").unwrap_err();
    let expected = "bad.stl, byte 80: 4 triangles need at least 200 bytes, and 66 are left in the file";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn formats_have_names() {
    for format in Format::ALL {
        assert_eq!(format.extension().parse(), Ok(format));
        assert_eq!(serde_json::to_value(format).unwrap(), format.extension());
    }
    assert_eq!(Format::Obj.to_string(), "OBJ");
    assert!("objx".parse::<Format>().is_err());
}

/// Points without faces: read where that is asked for, and written to PLY where that is allowed.
#[test]
fn points_alone() {
    let text = b"v 0 0 0\nv 1 2.5 -3\n";
    let mut source = &text[..];
    let points = ribbonmesh_io::read_points_stream(&mut source, Some(Format::Obj), "points").expect("points");
    assert_eq!((points.mesh.positions.len(), points.mesh.faces.len()), (2, 0));
    assert!(ribbonmesh_io::read_from(text, Format::Obj, "points").is_err());
    for ply_encoding in [PlyEncoding::default(), PlyEncoding::Ascii] {
        let options = WriteOptions { ply_encoding, points: true, ..Default::default() };
        let mut bytes = vec![];
        ribbonmesh_io::write_to(&mut bytes, Format::Ply, &points.mesh, &options).expect("written");
        let mut source = &bytes[..];
        let again = ribbonmesh_io::read_points_stream(&mut source, None, "points").expect("points");
        assert_eq!(again.mesh.positions, points.mesh.positions);
        assert!(ribbonmesh_io::read_from(&bytes, Format::Ply, "points").is_err());
        for format in [Format::Obj, Format::Stl, Format::Off, Format::Glb] {
            assert!(ribbonmesh_io::write_to(&mut vec![], format, &points.mesh, &options).is_err());
        }
        let options = WriteOptions { points: false, ..options };
        assert!(ribbonmesh_io::write_to(&mut vec![], Format::Ply, &points.mesh, &options).is_err());
    }
}
