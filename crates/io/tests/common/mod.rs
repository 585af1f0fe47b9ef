//! Shared parts of the tests of several formats.
#![allow(dead_code, reason = "each test binary uses some of these")]

use ribbonmesh_io::{
    Format, Loaded, Loss, Place, ReadError, ReadErrorKind, ReadOptions, TriangleMesh, WriteOptions,
    read_from, read_stream_with, write_to,
};
use ribbonmesh_mesh::{Column, Role};

/// A tetrahedron.
pub fn tetrahedron() -> TriangleMesh {
    let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    TriangleMesh::from_f32(positions, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
}

/// Reads bytes that must be accepted.
#[track_caller]
pub fn accept(format: Format, bytes: impl AsRef<[u8]>) -> Loaded {
    match read_from(bytes.as_ref(), format, "file") {
        Ok(loaded) => loaded,
        Err(error) => panic!("{error}"),
    }
}

/// Reads bytes that must be refused.
#[track_caller]
pub fn refuse(format: Format, bytes: impl AsRef<[u8]>) -> ReadError {
    match read_from(bytes.as_ref(), format, "file") {
        Ok(loaded) => panic!("accepted: {loaded:?}"),
        Err(error) => {
            assert_eq!(error.file.to_str(), Some("file"));
            assert!(error.is_refusal());
            error
        }
    }
}

/// Reads a text that must be refused; returns the line and the error there.
#[track_caller]
pub fn refuse_line(format: Format, text: impl AsRef<[u8]>) -> (u64, ReadErrorKind) {
    let error = refuse(format, text);
    match error.place {
        Place::Line(line) => (line, error.kind),
        _ => panic!("no line: {error}"),
    }
}

/// Reads bytes that must be refused where reading is strict, and only there.
#[track_caller]
pub fn refuse_strictly(format: Format, bytes: impl AsRef<[u8]>) -> (Place, ReadErrorKind) {
    let mut bytes = bytes.as_ref();
    let options = ReadOptions { format: Some(format), strict: true, ..ReadOptions::default() };
    match read_stream_with(&mut bytes, &options, "file") {
        Ok(loaded) => panic!("accepted: {loaded:?}"),
        Err(error) => (error.place, error.kind),
    }
}

/// Reads bytes that must be refused; returns the byte and the error there.
#[track_caller]
pub fn refuse_byte(format: Format, bytes: impl AsRef<[u8]>) -> (u64, ReadErrorKind) {
    let error = refuse(format, bytes);
    match error.place {
        Place::Byte(byte) => (byte, error.kind),
        _ => panic!("no byte: {error}"),
    }
}

/// A mesh as the bytes of a file.
#[track_caller]
pub fn written(mesh: &TriangleMesh, format: Format, options: &WriteOptions) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_to(&mut bytes, format, mesh, options).unwrap();
    bytes
}

/// Writes and reads a mesh.
#[track_caller]
pub fn again(mesh: &TriangleMesh, format: Format) -> TriangleMesh {
    accept(format, written(mesh, format, &WriteOptions::default())).mesh
}

/// Data that are lost when a mesh is written.
#[track_caller]
pub fn losses(mesh: &TriangleMesh, format: Format) -> Vec<Loss> {
    write_to(&mut Vec::new(), format, mesh, &WriteOptions::default()).unwrap()
}

/// Coordinates bit by bit.
pub fn bits(mesh: &TriangleMesh) -> Vec<[u64; 3]> {
    mesh.positions.iter().map(|position| position.to_array().map(f64::to_bits)).collect()
}

/// Coordinates as arrays.
pub fn places(mesh: &TriangleMesh) -> Vec<[f64; 3]> {
    mesh.positions.iter().map(|position| position.to_array()).collect()
}

/// The tetrahedron with normals of its vertices, in the file's first place for them.
pub fn with_normals(normal: [f32; 3]) -> TriangleMesh {
    let mut mesh = tetrahedron();
    let column = Column::with_role("normal", Role::Normal, vec![normal; 4]);
    mesh.vertices_mut().insert_column(column).unwrap();
    mesh
}
