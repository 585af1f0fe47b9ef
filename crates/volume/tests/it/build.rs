//! Sizes, memory, orientation, determinism.
use crate::common::{self, sanitized};
use crate::{meshes, oracle::Oracle};
use ribbonmesh::Device;
use ribbonmesh::glam::Vec3;
use ribbonmesh_volume::{CellKind, CellList, Orientation, Relation, VolumeMesh, VolumeOptions, shapes};

fn build(device: &Device, (x, cells): &(Vec<Vec3>, CellList)) -> VolumeMesh {
    VolumeMesh::new(device, x, cells, &VolumeOptions::default()).expect("a mesh")
}

suite! {
    /// Closed formulas of grids, and Mueller-Roemer's of memory.
    fn sizes_and_bytes_of_grids(device) {
        for n in [1_usize, 2, 5] {
            let kuhn = build(device, &shapes::kuhn_grid([n as u32; 3]).expect("a size"));
            let sizes = (kuhn.vertices(), kuhn.edges(), kuhn.faces(), kuhn.cells());
            let (n2, n3) = (n * n, n * n * n);
            assert_eq!(sizes, ((n + 1).pow(3), 7 * n3 + 9 * n2 + 3 * n, 12 * n3 + 6 * n2, 6 * n3));
            let cubes = build(device, &shapes::hexahedral_grid([n as u32; 3]).expect("a size"));
            let sizes = (cubes.vertices(), cubes.edges(), cubes.faces(), cubes.cells());
            assert_eq!(sizes, ((n + 1).pow(3), 3 * n * (n + 1).pow(2), 3 * n2 * (n + 1), n3));
            for (mesh, cell_faces, face_edges) in [(&kuhn, 4, 3), (&cubes, 6, 4)] {
                let (e, f, c) = (mesh.edges(), mesh.faces(), mesh.cells());
                let words = cell_faces * c + c + 1 + face_edges * f + f + 1 + 2 * e;
                assert_eq!(mesh.bytes(), 4 * words + 12 * mesh.vertices());
            }
        }
    }
    /// Cells in VTK's order have a positive volume, whatever their kind, and fill the grid.
    fn volumes(device) {
        for (shape, expected) in [
            (shapes::kuhn_grid([4, 3, 2]), 24.0),
            (shapes::hexahedral_grid([2, 5, 3]), 30.0),
            // the pyramid below, and the tetrahedron next to it
            (shapes::mixed_grid([4, 4, 2]), 32.0 + 1.0 / 3.0 + 1.25 / 6.0),
        ] {
            let mesh = build(device, &shape.expect("a size"));
            let volumes = mesh.volumes().expect("memory").read().expect("memory");
            assert!(volumes.iter().all(|&volume| volume > 0.1), "{volumes:?}");
            assert!((volumes.iter().sum::<f64>() - expected).abs() < 1e-9, "{}", volumes.iter().sum::<f64>());
        }
    }
    /// Inverted cells are turned on request: the mesh is that of cells that are not.
    fn inverted_cells_are_turned(device) {
        let (x, cells) = shapes::mixed_grid([5, 3, 2]).expect("a size");
        let mut given = CellList::new();
        for cell in 0..cells.len() {
            let (kind, words) = cells.cell(cell);
            let swap: &[usize] = match kind {
                CellKind::Tetrahedron => &[1, 0, 2, 3],
                CellKind::Pyramid => &[0, 3, 2, 1, 4],
                CellKind::Wedge => &[0, 2, 1, 3, 5, 4],
                CellKind::Hexahedron => &[0, 3, 2, 1, 4, 7, 6, 5],
                CellKind::Polyhedron => &[],
            };
            match swap {
                [] => given.push(kind, words),
                _ if cell % 3 == 0 => given.push(kind, words),
                _ => given.push(kind, &swap.iter().map(|&i| words[i]).collect::<Vec<_>>()),
            }
        }
        let wanted = build(device, &(x.clone(), cells));
        let as_given = build(device, &(x.clone(), given.clone()));
        assert!(as_given.defects().expect("memory").inverted_cells.count > 10);
        let turned = VolumeOptions { orientation: Orientation::ByVolume };
        let turned = VolumeMesh::new(device, &x, &given, &turned).expect("a mesh");
        assert!(turned.defects().expect("memory").is_sound());
        for relation in [Relation::EV, Relation::FE, Relation::FC, Relation::VC] {
            let rows = |mesh: &VolumeMesh| mesh.relation(relation).expect("memory").download().expect("memory");
            assert_eq!(rows(&turned), rows(&wanted), "{relation}");
        }
    }
    /// A mesh of operators is the mesh they were taken from.
    fn from_operators(device) {
        let mesh = build(device, &shapes::mixed_grid([3, 2, 2]).expect("a size"));
        let copy = |r| mesh.relation(r).expect("memory").try_clone().expect("memory");
        let x = mesh.positions().try_clone().expect("memory");
        let ends = copy(Relation::EV).download().expect("memory");
        let ends = ribbonmesh_volume::Tcsr::new(device, mesh.vertices(), &ends.starts, &ends.entries).expect("rows");
        let again = VolumeMesh::from_operators(x, ends, copy(Relation::FE), copy(Relation::CF)).expect("a mesh");
        for relation in Relation::ALL {
            let rows = |mesh: &VolumeMesh| mesh.relation(relation).expect("memory").download().expect("memory");
            assert_eq!(rows(&again), rows(&mesh), "{relation}");
        }
        assert_eq!(again.bytes(), mesh.bytes());
    }
    /// The number of vertices is so large that three of them do not fit a key of 64 bits.
    fn large_numbers_of_vertices(device) {
        let (x, cells) = meshes::around_an_edge(40);
        let far = if sanitized() { 1 << 10 } else { (1 << 22) + 5 };
        let mut list = CellList::new();
        for cell in 0..cells.len() {
            let words = cells.cell(cell).1;
            // spread over the whole range, in another order
            let spread = words.iter().map(|&v| far - 1 - v * (far / 64)).collect::<Vec<_>>();
            list.push(CellKind::Tetrahedron, &[spread[1], spread[0], spread[2], spread[3]]);
        }
        let mut moved = vec![Vec3::ZERO; far as usize];
        (0..).zip(&x).for_each(|(v, x): (u32, _)| moved[(far - 1 - v * (far / 64)) as usize] = *x);
        let mesh = build(device, &(moved, list.clone()));
        let oracle = Oracle::new(far as usize, &list);
        for relation in [Relation::EV, Relation::FV, Relation::CV, Relation::FC] {
            let found = mesh.relation(relation).expect("memory").download().expect("memory");
            let mut rows: Vec<Vec<(u32, i32)>> = (0..found.len()).map(|i| found.signed(i).collect()).collect();
            rows.iter_mut().for_each(|row| row.sort_unstable());
            assert_eq!(rows, oracle.relation(relation), "{relation}");
        }
    }
}

/// The same bits with one thread and with several.
#[test]
fn threads_do_not_matter() {
    for case in meshes::all() {
        let all = [1, 3].map(|threads| {
            let device = Device::cpu_with_threads(threads).expect("threads");
            let mesh = build(&device, &(case.x.clone(), case.cells.clone()));
            Relation::ALL.map(|r| mesh.relation(r).expect("memory").download().expect("memory"))
        });
        assert_eq!(all[0], all[1], "{}", case.name);
    }
}

/// A shape without extent, or with too many elements, is refused.
#[test]
fn shapes_have_sizes() {
    for size in [[0, 1, 1], [1, 1, 0], [4000, 4000, 4000], [u32::MAX, 1, 1]] {
        for shape in [shapes::kuhn_grid, shapes::hexahedral_grid, shapes::mixed_grid] {
            let error = shape(size).expect_err("a size");
            assert!(
                matches!(error, ribbonmesh_volume::VolumeError::Shape { size: s } if s == size),
                "{error}"
            );
        }
    }
}
