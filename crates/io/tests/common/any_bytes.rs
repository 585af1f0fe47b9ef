//! What must hold whatever the bytes of a file are.

use ribbonmesh_io::{Format, WriteOptions, read_from, read_properties_from, write_to};

/// Reads any bytes: no panic, no runaway memory, and what is accepted is a mesh that can be written and read
/// back.
pub fn check(bytes: &[u8], format: Format) {
    let Ok(loaded) = read_from(bytes, format, "any") else { return };
    let mesh = loaded.mesh;
    assert!(!mesh.positions.is_empty() && !mesh.faces.is_empty());
    assert!(mesh.positions.len() <= bytes.len() && mesh.faces.len() <= bytes.len());
    assert!(mesh.positions.as_flattened().iter().all(|value| value.is_finite()));
    assert!(mesh.faces.as_flattened().iter().all(|&corner| (corner as usize) < mesh.positions.len()));
    if format == Format::Ply {
        let (_, columns) = read_properties_from(bytes, format, &["z"], "any").expect("vertices have a z");
        assert_eq!(columns[0].len(), mesh.positions.len());
    }
    let mut again = Vec::new();
    write_to(&mut again, format, &mesh, &WriteOptions::default()).expect("what was read can be written");
    let read = read_from(&again, format, "again").expect("what was written can be read");
    if format == Format::Stl {
        assert_eq!(read.mesh.faces.len(), mesh.faces.len());
    } else {
        assert_eq!(read.mesh, mesh);
    }
}
