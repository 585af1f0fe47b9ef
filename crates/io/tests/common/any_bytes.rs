//! Properties that hold for any bytes of a file.

use ribbonmesh_io::{Format, WriteErrorKind, WriteOptions, read_from, write_to};

/// Vertices and faces to which a byte of a file may decode, at most.
const PER_BYTE: usize = 16;

/// Reads any bytes: no panic, no runaway memory, and an accepted file is a mesh that can be written and read
/// back.
pub fn check(bytes: &[u8], format: Format) {
    let Ok(loaded) = read_from(bytes, format, "any") else { return };
    let mesh = loaded.mesh;
    assert!(!mesh.positions.is_empty() && !mesh.faces.is_empty());
    let most = if format == Format::Glb { PER_BYTE * bytes.len() } else { bytes.len() };
    assert!(mesh.positions.len() <= most && mesh.faces.len() <= most);
    assert!(mesh.positions.iter().all(|position| position.as_vec3().is_finite()));
    mesh.check().expect("what was read is whole");
    let mut again = Vec::new();
    match write_to(&mut again, format, &mesh, &WriteOptions::default()) {
        Ok(_) => {}
        // names that only a hostile file has
        Err(WriteErrorKind::PropertyName { .. }) => return,
        Err(error) => panic!("what was read can be written: {error}"),
    }
    let read = read_from(&again, format, "again").expect("what was written can be read").mesh;
    if matches!(format, Format::Stl | Format::Glb) {
        assert_eq!(read.faces.len(), mesh.faces.len());
        return;
    }
    assert_eq!((&read.positions, &read.faces, &read.edges), (&mesh.positions, &mesh.faces, &mesh.edges));
    let mut third = Vec::new();
    write_to(&mut third, format, &read, &WriteOptions::default()).expect("written before");
    let text = String::from_utf8_lossy;
    assert!(third == again, "the second time, the file is another:\n{}\n{}", text(&again), text(&third));
}
