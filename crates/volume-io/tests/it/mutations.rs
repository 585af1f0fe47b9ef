//! Whatever the bytes of a file are: no panic, no runaway memory, and what is accepted can be written and
//! read.

use proptest::prelude::*;
use ribbonmesh_volume_io::{VolumeFormat, VolumeWriteOptions, read_from, write_to};

use crate::common::{grid, ways, written, zoo_with_data};

fn check(bytes: &[u8], format: VolumeFormat) {
    let Ok(loaded) = read_from(bytes, format, "any") else { return };
    let volume = loaded.volume;
    assert!(!volume.positions.is_empty() && volume.positions.len() <= bytes.len());
    assert!(!volume.cells.is_empty() && volume.cells.len() <= bytes.len());
    assert!(volume.positions.iter().all(|position| position.as_vec3().is_finite()));
    let mut again = Vec::new();
    // cells may have a vertex twice, and names may be empty
    if write_to(&mut again, format, &volume, &VolumeWriteOptions::default()).is_ok() {
        let read = read_from(&again, format, "again").expect("what was written can be read").volume;
        assert_eq!(read.positions, volume.positions);
        assert_eq!(read.cells.len(), volume.cells.len());
        // a face of a cell that occurs twice becomes one
        assert!(read.cells.faces() == volume.cells.faces() || format == VolumeFormat::Ovm);
    }
}

fn all_ways() -> Vec<(VolumeFormat, VolumeWriteOptions)> {
    let mut all = ways();
    all.push((VolumeFormat::Ovm, VolumeWriteOptions::default()));
    all
}

#[test]
fn every_beginning_of_a_file() {
    for (format, options) in all_ways() {
        let (bytes, _) = written(&zoo_with_data(), format, &options);
        for length in 0..bytes.len() {
            check(&bytes[..length], format);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn changed_bytes(
        way in 0..18_usize,
        polyhedra: bool,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        digit in any::<bool>(),
    ) {
        let ways = all_ways();
        let (format, options) = &ways[way % ways.len()];
        let any = matches!(format, VolumeFormat::Vtk | VolumeFormat::Vtu | VolumeFormat::Ovm);
        let volume = if polyhedra && any { grid() } else { zoo_with_data() };
        let (mut bytes, _) = written(&volume, *format, options);
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = if digit { b'0' + byte % 10 } else { byte };
        }
        check(&bytes, *format);
    }
}
