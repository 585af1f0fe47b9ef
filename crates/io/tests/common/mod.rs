//! What the tests of several formats share.
#![allow(dead_code, reason = "each test binary uses some of these")]

use ribbonmesh_io::{
    Format, Loaded, Place, ReadError, ReadErrorKind, TriangleMesh, WriteOptions, read_from, write_to,
};

/// A tetrahedron.
pub fn tetrahedron() -> TriangleMesh {
    TriangleMesh {
        positions: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        faces: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]],
    }
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

/// Reads a text that must be refused, and gives the line and what is wrong there.
#[track_caller]
pub fn refuse_line(format: Format, text: impl AsRef<[u8]>) -> (u64, ReadErrorKind) {
    let error = refuse(format, text);
    match error.place {
        Place::Line(line) => (line, error.kind),
        _ => panic!("no line: {error}"),
    }
}

/// Reads bytes that must be refused, and gives the byte and what is wrong there.
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

/// Coordinates bit by bit.
pub fn bits(mesh: &TriangleMesh) -> Vec<[u32; 3]> {
    mesh.positions.iter().map(|position| position.map(f32::to_bits)).collect()
}
