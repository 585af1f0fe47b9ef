//! Defects that are reported, and do not keep a mesh from being built.
use crate::common;
use crate::meshes;
use ribbonmesh::glam::Vec3;
use ribbonmesh_volume::{CellKind, CellList, Found, VolumeDefects, VolumeMesh, VolumeOptions, shapes};

fn found(count: usize, first: u32) -> Found {
    Found { count, first: Some(first) }
}

suite! {
    fn grids_are_sound(device) {
        for (shape, boundary) in [
            (shapes::kuhn_grid([3, 3, 3]), 108),
            (shapes::hexahedral_grid([3, 3, 3]), 54),
            // 68 sides of cubes, of which the sides above and below of wedges and polyhedra count twice;
            // pyramid and tetrahedron
            (shapes::mixed_grid([4, 4, 1]), 48 + 16 - 1 + 3 + 3),
        ] {
            let (x, cells) = shape.expect("a size");
            let mesh = VolumeMesh::new(device, &x, &cells, &VolumeOptions::default()).expect("a mesh");
            let defects = mesh.defects().expect("memory");
            assert!(defects.is_sound(), "{defects:?}");
            assert_eq!(defects.boundary_faces.count, boundary);
        }
    }
    fn every_defect_is_found(device) {
        let (mut x, mut cells) = meshes::two_tetrahedra();
        x.extend([Vec3::new(0.3, 0.3, 3.0), Vec3::new(9.0, 9.0, 9.0), Vec3::X * 5.0, Vec3::X * 6.0, Vec3::X * 7.0]);
        // on the same side of face 0, the three first vertices, as cell 0
        cells.push(CellKind::Tetrahedron, &[0, 1, 2, 5]);
        cells.push(CellKind::Tetrahedron, &[1, 2, 0, 3]);
        // inside out
        cells.push(CellKind::Tetrahedron, &[1, 3, 2, 5]);
        // in a line
        cells.push(CellKind::Tetrahedron, &[0, 7, 8, 9]);
        cells.push_face(&[1, 2, 3]);
        cells.push_face(&[4, 7, 8]);
        let mesh = VolumeMesh::new(device, &x, &cells, &VolumeOptions::default()).expect("a mesh");
        let defects = mesh.defects().expect("memory");
        assert_eq!(defects.crowded_faces, found(2, 0), "{defects:?}");
        assert_eq!(defects.duplicate_cells, found(1, 3));
        assert_eq!(defects.flat_cells, found(1, 5));
        assert_eq!(defects.isolated_vertices, found(1, 6));
        assert_eq!(defects.dangling_faces.count, 1);
        let inverted: Vec<u32> = (0..)
            .zip(mesh.volumes().expect("memory").read().expect("memory"))
            .filter_map(|(cell, volume)| (volume < 0.0).then_some(cell))
            .collect();
        assert_eq!(defects.inverted_cells, Found { count: inverted.len(), first: inverted.first().copied() });
        assert!(defects.inverted_cells.count > 0 && defects.same_side_faces.count >= 3);
        assert!(!defects.is_sound());
    }
    fn nothing_has_no_defects(device) {
        let mesh = VolumeMesh::new(device, &[], &CellList::new(), &VolumeOptions::default()).expect("a mesh");
        assert_eq!(mesh.defects().expect("memory"), VolumeDefects::default());
    }
}
