//! Tests of input that is refused.
use crate::tetrahedra::meshes;
use ribbonmesh::glam::DVec3;
use ribbonmesh::{Device, Error, TriangleMesh};
use ribbonmesh_mesh::shapes;
use ribbonmesh_suite::suite;
use ribbonmesh_volume::tetrahedra::{
    CellSize, InsideRule, TetrahedraError, TetrahedraOptions, tetrahedralize,
};

fn error(device: &Device, mesh: &TriangleMesh, size: CellSize) -> TetrahedraError {
    tetrahedralize(&meshes::surface(device, mesh), &TetrahedraOptions::new(size)).expect_err("an error")
}

suite! {
    /// Each error names its elements.
    fn what_is_wrong(device) {
        let mesh = shapes::icosphere(3).expect("a sphere");
        let size = CellSize::Length(0.2);
        let mut open = mesh.clone();
        let gone = open.faces.remove(17);
        let found = error(device, &open, size);
        let TetrahedraError::NotClosed { edges: 3, face, ends } = found else { panic!("{found}") };
        assert!(open.faces[face].contains(&ends[0]) && open.faces[face].contains(&ends[1]));
        assert!(gone.contains(&ends[0]) && gone.contains(&ends[1]));
        assert!(found.to_string().starts_with("the surface is not closed: 3 edges"), "{found}");
        // also for parity
        let options = TetrahedraOptions { inside: InsideRule::Parity, ..TetrahedraOptions::new(size) };
        let found = tetrahedralize(&meshes::surface(device, &open), &options).expect_err("an error");
        assert!(matches!(found, TetrahedraError::NotClosed { edges: 3, .. }), "{found}");

        let mut turned = mesh.clone();
        turned.faces[40].swap(0, 1);
        let found = error(device, &turned, size);
        assert!(matches!(found, TetrahedraError::NotOriented { edges: 3, .. }), "{found}");
        // parity accepts any orientation
        let whole = meshes::fill(device, &mesh, size);
        let found = tetrahedralize(&meshes::surface(device, &turned), &options).expect("tetrahedra");
        assert_eq!(found.cells().read().expect("memory"), whole.cells().read().expect("memory"));

        let found = error(device, &mesh, CellSize::Length(1e-7));
        let too_fine =
            matches!(found, TetrahedraError::Library(Error::WouldNotFit { .. } | Error::TooMany { .. }));
        assert!(too_fine, "{found}");
        let found = error(device, &mesh, CellSize::Length(1e30));
        assert!(matches!(found, TetrahedraError::TooCoarse { .. }), "{found}");
        for size in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-300].map(CellSize::Length) {
            let found = error(device, &mesh, size);
            assert!(matches!(found, TetrahedraError::Library(Error::Option { option: "size", .. })), "{found}");
        }
        let found = error(device, &mesh, CellSize::Cells(0));
        assert!(matches!(found, TetrahedraError::Library(Error::Option { option: "cells", .. })), "{found}");
        let found = error(device, &mesh, CellSize::Cells(u64::MAX));
        assert!(matches!(found, TetrahedraError::Library(_)), "{found}");

        let mut wrong = mesh.clone();
        wrong.positions[5].y = f64::NAN;
        let found = error(device, &wrong, size);
        assert!(matches!(found, TetrahedraError::Library(Error::NotFinite { vertex: 5 })), "{found}");
        let found = error(device, &TriangleMesh::new(vec![DVec3::ZERO; 3], vec![]), size);
        assert!(matches!(found, TetrahedraError::Library(Error::NoFaces { .. })), "{found}");
        // two faces on top of each other are closed, and enclose no volume
        let flat = TriangleMesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2], [0, 2, 1]]);
        assert!(matches!(error(device, &flat, CellSize::Cells(100)), TetrahedraError::NoVolume));
        assert!(matches!(error(device, &flat, size), TetrahedraError::TooCoarse { .. }));
    }
}
