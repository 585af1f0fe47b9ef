//! Surfaces of volumes.
use crate::meshes;
use crate::oracle::Oracle;
use ribbonmesh::device::NONE;
use ribbonmesh::{Device, MeshOptions};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_suite::{cases, suite};
use ribbonmesh_volume::{CellKind, Relation, VolumeMesh, VolumeOptions, shapes};
use std::collections::BTreeMap;

fn build(device: &Device, case: &meshes::Case) -> VolumeMesh {
    VolumeMesh::new(device, &case.x, &case.cells, &VolumeOptions::default()).expect("a mesh")
}
/// Six times the volume inside of triangles.
fn enclosed(mesh: &TriangleMesh) -> f64 {
    let x = |v: u32| mesh.positions[v as usize];
    mesh.faces.iter().map(|&[a, b, c]| x(a).dot(x(b).cross(x(c)))).sum()
}
/// Whether each side of a triangle has another one in the opposite direction.
fn closed(mesh: &TriangleMesh) -> bool {
    let mut sides = BTreeMap::<[u32; 2], i32>::new();
    for face in &mesh.faces {
        for (a, b) in [(face[0], face[1]), (face[1], face[2]), (face[2], face[0])] {
            *sides.entry([a.min(b), a.max(b)]).or_default() += if a < b { 1 } else { -1 };
        }
    }
    sides.values().all(|&sum| sum == 0)
}

suite! {
    /// Closed, oriented, of the right size and volume; and the surface of a ball.
    fn surfaces_of_grids(device) {
        for n in [1, 2, 4] {
            for (shape, triangles) in [
                (shapes::kuhn_grid([n; 3]), 12 * n * n),
                (shapes::hexahedral_grid([n; 3]), 12 * n * n),
                (shapes::mixed_grid([n; 3]), 12 * n * n + 4),
            ] {
                let (x, cells) = shape.expect("a size");
                let mesh = VolumeMesh::new(device, &x, &cells, &VolumeOptions::default()).expect("a mesh");
                let surface = mesh.surface().expect("memory");
                assert_eq!(surface.triangles() as u32, triangles);
                let shown = surface.download().expect("memory");
                let volume: f64 = mesh.volumes().expect("memory").read().expect("memory").iter().sum();
                assert!(closed(&shown) && (enclosed(&shown) / 6.0 - volume).abs() < 1e-9);
                let patches = surface.to_static_mesh(&MeshOptions::default()).expect("a surface");
                patches.validate().expect("a mesh");
                let topology = patches.topology().expect("memory");
                assert_eq!(topology.euler_characteristic, 2);
                assert_eq!(topology.boundary_edges, 0);
            }
        }
    }
    /// Triangles and their maps against half-faces without a counterpart.
    fn maps_of_every_class(device) {
        for case in cases(meshes::all()) {
            let (mesh, oracle) = (build(device, &case), Oracle::new(case.x.len(), &case.cells));
            let surface = mesh.surface().expect("memory");
            let shown = surface.download().expect("memory");
            let vertices = surface.volume_vertices().read().expect("memory");
            let faces = surface.volume_faces().read().expect("memory");
            let cells = surface.volume_cells().read().expect("memory");
            let of_faces = oracle.relation(Relation::FC);
            let mut expected = Vec::new();
            for (face, cycle) in oracle.faces.iter().enumerate() {
                let on = |sign| of_faces[face].iter().any(|entry| entry.1 == sign);
                let cell = of_faces[face].first().map_or(NONE, |entry| entry.0);
                // seen from a cell into which the normal points, the outside is against it
                let (against, along) = (!on(-1), !on(1));
                for (side, reversed) in [(against, true), (along, false)] {
                    for k in 1..cycle.len() - 1 {
                        if side {
                            let (b, c) = if reversed { (k + 1, k) } else { (k, k + 1) };
                            expected.push(([cycle[0], cycle[b], cycle[c]], face as u32, cell));
                        }
                    }
                }
            }
            let of_volume = |face: &[u32; 3]| face.map(|v| vertices[v as usize]);
            let found: Vec<_> =
                shown.faces.iter().zip(&faces).zip(&cells).map(|((f, &face), &cell)| (of_volume(f), face, cell)).collect();
            assert_eq!(found, expected, "{}", case.name);
            // all vertices of triangles and no others, ascending
            let mut used: Vec<u32> = expected.iter().flat_map(|entry| entry.0).collect();
            used.sort_unstable();
            used.dedup();
            assert_eq!(vertices, used, "{}", case.name);
            let x: Vec<_> = vertices.iter().map(|&v| case.x[v as usize]).collect();
            assert_eq!(surface.positions().read().expect("memory"), x, "{}", case.name);
            assert_eq!(shown.vertices().get::<u32>("volume_vertex").expect("a column"), vertices);
            assert_eq!(shown.faces_of().get::<u32>("volume_face").expect("a column"), faces);
            assert_eq!(shown.faces_of().get::<u32>("volume_cell").expect("a column"), cells);
            // flags of vertices are the same set
            let flags = mesh.boundary_vertices().expect("memory").read().expect("memory");
            let flagged: Vec<u32> = (0..).zip(flags).filter_map(|(v, flag)| (flag != 0).then_some(v)).collect();
            assert_eq!(flagged, used, "{}", case.name);
        }
    }
    /// A hole in a volume, and cells that meet in an edge.
    fn holes(device) {
        let (x, cells) = shapes::hexahedral_grid([3, 3, 3]).expect("a size");
        let mut list = ribbonmesh_volume::CellList::new();
        for cell in (0..27).filter(|&cell| cell != 13) {
            list.push(CellKind::Hexahedron, cells.cell(cell).1);
        }
        let mesh = VolumeMesh::new(device, &x, &list, &VolumeOptions::default()).expect("a mesh");
        let surface = mesh.surface().expect("memory");
        let topology = surface.to_static_mesh(&MeshOptions::default()).expect("a surface").topology().expect("memory");
        assert_eq!((surface.triangles(), topology.euler_characteristic), (108 + 12, 4));
        assert_eq!(enclosed(&surface.download().expect("memory")) / 6.0, 26.0);
    }
}
