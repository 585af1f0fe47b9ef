//! Input that is refused, with the element's name.
use crate::common;
use crate::meshes;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Device, Error};
use ribbonmesh_volume::{
    CellKind, CellList, Relation, SimplexMesh, Tcsr, VolumeError, VolumeMesh, VolumeOptions, encode, shapes,
};

/// The error of a grid to which cells are appended.
fn error(device: &Device, append: impl Fn(&mut CellList)) -> VolumeError {
    let (x, mut cells) = shapes::hexahedral_grid([2, 2, 2]).expect("a size");
    append(&mut cells);
    VolumeMesh::new(device, &x, &cells, &VolumeOptions::default()).expect_err("a wrong cell")
}

suite! {
    fn wrong_cells(device) {
        use CellKind::{Hexahedron, Polyhedron, Pyramid, Tetrahedron, Wedge};
        let e = error(device, |cells| cells.push(Tetrahedron, &[0, 1, 2, 27]));
        assert!(matches!(e, VolumeError::VertexOutOfRange { cell: 8, vertex: 27, vertices: 27 }), "{e}");
        assert_eq!(e.to_string(), "cell 8 has vertex index 27, out of range (of 27 vertices)");
        let e = error(device, |cells| cells.push(Pyramid, &[0, 1, 2, u32::MAX, 4]));
        assert!(matches!(e, VolumeError::VertexOutOfRange { cell: 8, vertex: u32::MAX, .. }), "{e}");
        for kind in [Tetrahedron, Pyramid, Wedge, Hexahedron] {
            let n = kind.vertices().expect("a number");
            let all: Vec<u32> = (0..n as u32).collect();
            let mut twice = all.clone();
            twice[n - 1] = 2;
            let e = error(device, |cells| cells.push(kind, &twice));
            assert!(matches!(e, VolumeError::RepeatedVertex { cell: 8, vertex: 2 }), "{e}");
            let e = error(device, |cells| cells.push(kind, &all[1..]));
            assert!(matches!(e, VolumeError::CellLength { cell: 8, found, .. } if found == n - 1), "{e}");
        }
        // the first one is named
        let e = error(device, |cells| {
            cells.push(Tetrahedron, &[0, 1, 2, 3]);
            cells.push(Tetrahedron, &[0, 1, 1, 3]);
            cells.push(Tetrahedron, &[0, 1, 2, 99]);
        });
        assert!(matches!(e, VolumeError::RepeatedVertex { cell: 9, vertex: 1 }), "{e}");
        // polyhedra
        let tetrahedron = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
        let mut open = tetrahedron.to_vec();
        open.pop();
        let e = error(device, |cells| cells.push_polyhedron(&open));
        assert!(matches!(e, VolumeError::NotClosed { cell: 8, .. }), "{e}");
        let mut turned = tetrahedron;
        turned[2] = [1, 3, 2];
        let e = error(device, |cells| cells.push_polyhedron(&turned));
        assert!(matches!(e, VolumeError::NotClosed { cell: 8, .. }), "{e}");
        let e = error(device, |cells| cells.push_polyhedron(&[vec![0, 1, 2], vec![2, 1]]));
        assert!(matches!(e, VolumeError::PolyhedronFace { cell: 8, face: 1 }), "{e}");
        let e = error(device, |cells| cells.push_polyhedron(&[vec![0, 1, 2, 1]]));
        assert!(matches!(e, VolumeError::RepeatedVertex { cell: 8, vertex: 1 }), "{e}");
        let mut both = tetrahedron.to_vec();
        both.extend([[5, 6, 7], [5, 7, 6]]);
        let e = error(device, |cells| cells.push_polyhedron(&both));
        assert!(matches!(e, VolumeError::RepeatedFace { cell: 8, faces: [4, 5] }), "{e}");
        // streams that end early, continue, or have no data
        for (words, face) in [(&[][..], 0), (&[0], 0), (&[1, 3, 0, 1], 0), (&[2, 3, 0, 1, 2, 3, 0], 1), (&[1, 3, 0, 1, 2, 7], 1), (&[u32::MAX, u32::MAX, 1], 0)] {
            let e = error(device, |cells| cells.push(Polyhedron, words));
            assert!(matches!(e, VolumeError::PolyhedronFace { cell: 8, face: f } if f == face), "{e} {words:?}");
        }
        // faces
        let e = error(device, |cells| cells.push_face(&[0, 1, 30]));
        assert!(matches!(e, VolumeError::FaceVertexOutOfRange { face: 0, vertex: 30, vertices: 27 }), "{e}");
        for bad in [&[0, 1][..], &[0, 1, 2, 0], &[]] {
            let e = error(device, |cells| {
                cells.push_face(&[0, 1, 2]);
                cells.push_face(bad);
            });
            assert!(matches!(e, VolumeError::BadFace { face: 1 }), "{e}");
        }
    }
    fn wrong_positions(device) {
        let (mut x, cells) = meshes::two_tetrahedra();
        x[3].y = f32::NAN;
        let e = VolumeMesh::new(device, &x, &cells, &VolumeOptions::default()).expect_err("not a number");
        assert!(matches!(e, VolumeError::Device(Error::NotFinite { vertex: 3 })), "{e}");
        x[3].y = 0.0;
        let mut mesh = VolumeMesh::new(device, &x, &cells, &VolumeOptions::default()).expect("a mesh");
        let e = mesh.set_positions(&x[1..]).expect_err("too few");
        assert!(matches!(e, VolumeError::Device(Error::Length { expected: 5, found: 4, .. })), "{e}");
        x[0].z = f32::INFINITY;
        assert!(mesh.set_positions(&x).is_err());
        assert_eq!(mesh.positions().read().expect("memory")[0], Vec3::ZERO);
    }
    fn wrong_operators(device) {
        let (x, cells) = meshes::two_tetrahedra();
        let mut mesh = VolumeMesh::new(device, &x, &cells, &VolumeOptions::default()).expect("a mesh");
        let rows = |mesh: &VolumeMesh, r| mesh.relation(r).expect("memory").download().expect("memory");
        let before = rows(&mesh, Relation::FE);
        let upload = |columns, rows: &ribbonmesh_volume::TcsrRows| {
            Tcsr::new(device, columns, &rows.starts, &rows.entries).expect("a matrix")
        };
        // too many columns
        let e = mesh.replace_operator(Relation::FE, upload(10, &before)).expect_err("ten edges");
        assert!(matches!(e, VolumeError::Device(Error::Length { expected: 9, found: 10, .. })), "{e}");
        // a side turned round
        let mut turned = before.clone();
        turned.entries[4] = !turned.entries[4];
        let e = mesh.replace_operator(Relation::FE, upload(9, &turned)).expect_err("no cycle");
        assert!(matches!(e, VolumeError::NotABoundary { relation: Relation::FE, row: 1 }), "{e}");
        // an edge with one end
        let mut ends = rows(&mesh, Relation::EV);
        ends.entries[5] = encode(0, false);
        let e = mesh.replace_operator(Relation::EV, upload(5, &ends)).expect_err("a loop");
        assert!(matches!(e, VolumeError::NotABoundary { relation: Relation::EV, row: 2 }), "{e}");
        // an edge with three ends, and one with one
        ends.entries[5] = encode(3, false);
        ends.starts[1] = 3;
        let e = mesh.replace_operator(Relation::EV, upload(5, &ends)).expect_err("three ends");
        assert!(matches!(e, VolumeError::NotABoundary { relation: Relation::EV, row: 0 }), "{e}");
        // a cell without one of its faces
        let faces = rows(&mesh, Relation::CF);
        let open = Tcsr::new(device, 7, &[0, 4, 7], &faces.entries[..7]).expect("a matrix");
        let e = mesh.replace_operator(Relation::CF, open).expect_err("an open cell");
        assert!(matches!(e, VolumeError::NotABoundary { relation: Relation::CF, row: 1 }), "{e}");
        let copy = upload(5, &rows(&mesh, Relation::EV));
        let e = mesh.replace_operator(Relation::VV, copy).expect_err("derived");
        assert!(matches!(e, VolumeError::Device(Error::Option { option: "relation", .. })), "{e}");
        // nothing has changed
        assert_eq!(rows(&mesh, Relation::FE), before);
        mesh.validate().expect("a mesh");
    }
    /// Random lists, most of them wrong: an error, or a mesh whose operators are right.
    fn garbage(device) {
        use CellKind::{Hexahedron, Polyhedron, Pyramid, Tetrahedron, Wedge};
        let (mut random, mut built) = (crate::common::Random(3), 0);
        for _ in 0..crate::common::size(2000, 50) {
            let vertices = 3 + random.below(6);
            let x: Vec<Vec3> = (0..vertices).map(|i| Vec3::new(i as f32, (i * i % 7) as f32, (i * 5 % 3) as f32)).collect();
            let mut cells = CellList::new();
            for _ in 0..random.below(4) {
                let kind = [Tetrahedron, Pyramid, Wedge, Hexahedron, Polyhedron][random.below(5) as usize];
                let len = kind.vertices().unwrap_or(1 + random.below(14) as usize) as u32;
                let len = if random.below(20) == 0 { random.below(9) } else { len };
                let mut words: Vec<u32> = (0..len).map(|i| if kind == Polyhedron { random.below(5) } else { i }).collect();
                for _ in 0..random.below(3) {
                    let (i, j) = (random.below(len.max(1)) as usize, random.below(len.max(1)) as usize);
                    if len > 0 {
                        words.swap(i, j);
                    }
                }
                if kind == Polyhedron && random.below(2) == 0 {
                    // a triangle from both sides, which closes; or a tetrahedron
                    words = vec![2, 3, 0, 1, 2, 3, 2, 1, 0];
                    if random.below(2) == 0 {
                        words = vec![4, 3, 0, 2, 1, 3, 0, 1, 3, 3, 1, 2, 3, 3, 0, 3, 2];
                    }
                }
                cells.push(kind, &words);
            }
            if random.below(3) == 0 {
                let face: Vec<u32> = (0..random.below(5)).map(|_| random.below(vertices + 1)).collect();
                cells.push_face(&face);
            }
            let Ok(mesh) = VolumeMesh::new(device, &x, &cells, &VolumeOptions::default()) else { continue };
            mesh.validate().expect("a mesh");
            for relation in Relation::ALL {
                mesh.relation(relation).expect("memory");
            }
            mesh.defects().expect("memory");
            mesh.surface().expect("memory");
            mesh.subdivide().expect("memory").validate().expect("a mesh");
            built += 1;
        }
        assert!(built > 5, "{built}");
    }
    fn wrong_simplices(device) {
        let x = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
        let e = SimplexMesh::tetrahedra(device, &x, &[[0, 1, 2, 3], [0, 1, 2, 4]]).expect_err("no vertex 4");
        assert!(matches!(e, VolumeError::VertexOutOfRange { cell: 1, vertex: 4, vertices: 4 }), "{e}");
        let e = SimplexMesh::triangles(device, &x, &[[0, 1, 2], [3, 1, 3]]).expect_err("a vertex twice");
        assert!(matches!(e, VolumeError::RepeatedVertex { cell: 1, vertex: 3 }), "{e}");
        let mesh = SimplexMesh::triangles(device, &x, &[[0, 1, 2]]).expect("a mesh");
        for relation in [Relation::CV, Relation::VC, Relation::CC, Relation::EC, Relation::FC, Relation::CE, Relation::CF] {
            let e = mesh.relation(relation).expect_err("no cells");
            assert!(matches!(e, VolumeError::NoCells { relation: r } if r == relation), "{e}");
        }
    }
}

/// Operators of two devices are not a mesh.
#[test]
fn devices_are_not_mixed() {
    let (one, other) = (Device::cpu(), common::cuda());
    let Some(other) = other else { return };
    let (x, cells) = meshes::two_tetrahedra();
    let mesh =
        |device: &Device| VolumeMesh::new(device, &x, &cells, &VolumeOptions::default()).expect("a mesh");
    let (mut here, there) = (mesh(&one), mesh(&other));
    let theirs = there.relation(Relation::FE).expect("memory").try_clone().expect("memory");
    let e = here.replace_operator(Relation::FE, theirs).expect_err("another device");
    assert!(matches!(e, VolumeError::Device(Error::OtherDevice { .. })), "{e}");
}
