//! From operators back to lists of cells.
use crate::meshes;
use ribbonmesh::Device;
use ribbonmesh::glam::Vec3;
use ribbonmesh_suite::{cases, suite};
use ribbonmesh_volume::{CellKind, CellList, Relation, VolumeMesh, VolumeOptions, shapes};
use std::collections::BTreeMap;

fn build(device: &Device, x: &[Vec3], cells: &CellList) -> VolumeMesh {
    VolumeMesh::new(device, x, cells, &VolumeOptions::default()).expect("a mesh")
}
fn kinds(cells: &CellList) -> BTreeMap<u32, usize> {
    let mut counts = BTreeMap::new();
    (0..cells.len()).for_each(|cell| *counts.entry(cells.cell(cell).0.vtk()).or_default() += 1);
    counts
}
fn sorted(words: &[u32]) -> Vec<u32> {
    let mut own = words.to_vec();
    own.sort_unstable();
    own
}

suite! {
    /// Every class of meshes: the list gives the same mesh again, and every cell of a known kind is of that
    /// kind.
    fn the_list_gives_the_same_mesh(device) {
        for case in cases(meshes::all()) {
            let mesh = build(device, &case.x, &case.cells);
            let list = mesh.to_cells().expect("memory");
            assert_eq!(list.len(), case.cells.len(), "{}", case.name);
            for cell in 0..list.len() {
                let ((kind, words), (given, own)) = (list.cell(cell), case.cells.cell(cell));
                if given != CellKind::Polyhedron {
                    assert_eq!((kind, sorted(words)), (given, sorted(own)), "{}, cell {cell}", case.name);
                }
            }
            let again = build(device, &case.x, &list);
            for relation in [Relation::EV, Relation::FV, Relation::FC, Relation::CV] {
                let rows = |mesh: &VolumeMesh| mesh.relation(relation).expect("memory").download().expect("memory");
                assert_eq!(rows(&again), rows(&mesh), "{}, {relation}", case.name);
            }
            let volumes = |mesh: &VolumeMesh| mesh.volumes().expect("memory").read().expect("memory");
            let same = volumes(&again).iter().zip(&volumes(&mesh)).all(|(a, b)| (a - b).abs() < 1e-9);
            assert!(same, "{}", case.name);
        }
    }
    /// Subdivided tetrahedra and hexahedra are hexahedra; of a pyramid, one cell is not.
    fn subdivided_cells(device) {
        let hexahedra = CellKind::Hexahedron.vtk();
        for shape in [shapes::kuhn_grid([2, 3, 1]), shapes::hexahedral_grid([3, 2, 2])] {
            let (x, cells) = shape.expect("a size");
            let level = build(device, &x, &cells).subdivide().expect("memory");
            let list = level.to_cells().expect("memory");
            assert_eq!(kinds(&list), BTreeMap::from([(hexahedra, level.cells())]));
            let again = build(device, &level.positions().read().expect("memory"), &list);
            assert!(again.defects().expect("memory").is_sound());
        }
        let (x, cells) = shapes::mixed_grid([4, 4, 2]).expect("a size");
        let level = build(device, &x, &cells).subdivide().expect("memory");
        let list = level.to_cells().expect("memory");
        let found = kinds(&list);
        let pyramids = kinds(&cells)[&CellKind::Pyramid.vtk()];
        assert!(found[&CellKind::Polyhedron.vtk()] >= pyramids);
        assert_eq!(found.values().sum::<usize>(), level.cells());
        assert!(build(device, &level.positions().read().expect("memory"), &list).defects().expect("memory").is_sound());
    }
    /// Faces without cells come back, and so does what no list of a kind can say.
    fn faces_and_odd_polyhedra(device) {
        let (mut x, mut cells) = meshes::two_tetrahedra();
        x.extend([Vec3::new(5.0, 0.0, 0.0), Vec3::new(5.0, 1.0, 0.0), Vec3::new(5.0, 0.0, 1.0)]);
        cells.push_face(&[5, 6, 7]);
        // a polyhedron that is a tetrahedron
        x.extend([0, 1, 2, 3].map(|i| x[i] + Vec3::new(9.0, 0.0, 0.0)));
        cells.push_polyhedron(&[[8, 10, 9], [8, 9, 11], [9, 10, 11], [8, 11, 10]]);
        let list = build(device, &x, &cells).to_cells().expect("memory");
        assert_eq!((list.len(), list.faces()), (3, 1));
        assert_eq!(list.face(0), [5, 6, 7]);
        assert_eq!(list.cell(2), (CellKind::Tetrahedron, &[8, 9, 10, 11][..]));
    }
}
