//! Catmull-Clark subdivision.
use crate::common::{self, Random, size};
use crate::meshes;
use ribbonmesh::Device;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh_volume::{CellKind, CellList, Relation, TcsrRows, VolumeMesh, VolumeOptions, shapes};
use std::collections::BTreeMap;

fn build(device: &Device, (x, cells): &(Vec<Vec3>, CellList)) -> VolumeMesh {
    VolumeMesh::new(device, x, cells, &VolumeOptions::default()).expect("a mesh")
}
fn sizes(mesh: &VolumeMesh) -> [usize; 4] {
    [mesh.vertices(), mesh.edges(), mesh.faces(), mesh.cells()]
}
fn rows(mesh: &VolumeMesh, relation: Relation) -> TcsrRows {
    mesh.relation(relation).expect("memory").download().expect("memory")
}
fn one(kind: CellKind, x: &[[f32; 3]]) -> (Vec<Vec3>, CellList) {
    let mut cells = CellList::new();
    cells.push(kind, &(0..x.len() as u32).collect::<Vec<_>>());
    (x.iter().map(|&x| x.into()).collect(), cells)
}
fn pyramid() -> (Vec<Vec3>, CellList) {
    let x = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.5, 1.0]];
    one(CellKind::Pyramid, &x)
}
fn perturbed((x, cells): (Vec<Vec3>, CellList), by: f32) -> (Vec<Vec3>, CellList) {
    let mut random = Random(9);
    let mut shift = || by * (random.below(1 << 20) as f32 / (1 << 19) as f32 - 1.0);
    (x.iter().map(|x| *x + Vec3::new(shift(), shift(), shift())).collect(), cells)
}

suite! {
    /// Sizes of levels, and that each is a mesh of quads without defects.
    fn levels(device) {
        let cube = shapes::hexahedral_grid([1, 1, 1]).expect("a size");
        for (shape, expected) in [
            (meshes::two_tetrahedra(), vec![[5, 9, 7, 2], [23, 47, 33, 8], [111, 274, 228, 64], [677, 1844, 1680, 512]]),
            (pyramid(), vec![[5, 8, 5, 1], [19, 37, 24, 5], [85, 202, 160, 42]]),
            (cube, vec![[8, 12, 6, 1], [27, 54, 36, 8], [125, 300, 240, 64]]),
        ] {
            let mut mesh = build(device, &shape);
            assert_eq!(sizes(&mesh), expected[0]);
            for expected in &expected[1..] {
                let volume: f64 = mesh.volumes().expect("memory").read().expect("memory").iter().sum();
                mesh = mesh.subdivide().expect("memory");
                mesh.validate().expect("a mesh");
                assert_eq!(sizes(&mesh), *expected);
                assert_eq!(mesh.relation(Relation::FE).expect("stored").stride(), Some(4));
                assert!(mesh.defects().expect("memory").is_sound());
                let after: f64 = mesh.volumes().expect("memory").read().expect("memory").iter().sum();
                assert!(after > 0.0 && after < volume, "{after} of {volume}");
            }
        }
        // the apex of a pyramid: a cell of eight faces and ten vertices
        let level = build(device, &pyramid()).subdivide().expect("memory");
        let mut cells: Vec<(usize, usize)> = {
            let (faces, vertices) = (rows(&level, Relation::CF), rows(&level, Relation::CV));
            (0..5).map(|c| (faces.row(c).len(), vertices.row(c).len())).collect()
        };
        cells.sort_unstable();
        assert_eq!(cells, [(6, 8), (6, 8), (6, 8), (6, 8), (8, 10)]);
    }
    /// Every class of meshes: the formulas of sizes; bytes; the result is a mesh, and finite.
    fn every_class(device) {
        for case in meshes::all() {
            let mesh = build(device, &(case.x, case.cells));
            let level = mesh.subdivide().expect("memory");
            level.validate().expect("a mesh");
            let len = |r| mesh.relation(r).expect("memory").len();
            let [v, e, f, c] = sizes(&mesh);
            let expected = [
                v + e + f + c,
                2 * e + len(Relation::FE) + len(Relation::CF),
                len(Relation::FV) + len(Relation::CE),
                len(Relation::CV),
            ];
            assert_eq!(sizes(&level), expected, "{}", case.name);
            let [v, e, f, c] = expected;
            let words = level.relation(Relation::CF).expect("stored").len() + c + 1 + 4 * f + 2 * e;
            assert_eq!(level.bytes(), 4 * words + 12 * v, "{}", case.name);
            assert!(level.positions().read().expect("memory").iter().all(|x| x.is_finite()), "{}", case.name);
        }
    }
    /// Inside of a grid of cubes, points are as of uniform tricubic B-splines: products of the masks 1 6 1 /
    /// 8 and 1 1 / 2.
    fn grids_are_b_splines(device) {
        let n = size(5, 4) as usize;
        let shape = perturbed(shapes::hexahedral_grid([n as u32; 3]).expect("a size"), 0.4);
        let mesh = build(device, &shape);
        let found = mesh.subdivide().expect("memory").positions().read().expect("memory");
        let at = |p: [usize; 3]| shape.0[(p[2] * (n + 1) + p[1]) * (n + 1) + p[0]].as_dvec3();
        // a point of the finer grid of half steps
        let spline = |p: [usize; 3]| {
            let taps = p.map(|i| if i % 2 == 0 { vec![(i / 2 - 1, 1.0 / 8.0), (i / 2, 6.0 / 8.0), (i / 2 + 1, 1.0 / 8.0)] } else { vec![(i / 2, 0.5), (i / 2 + 1, 0.5)] });
            let mut sum = DVec3::ZERO;
            for &(x, a) in &taps[0] {
                for &(y, b) in &taps[1] {
                    for &(z, c) in &taps[2] {
                        sum += a * b * c * at([x, y, z]);
                    }
                }
            }
            sum
        };
        let place = |v: u32| [v as usize % (n + 1), v as usize / (n + 1) % (n + 1), v as usize / (n + 1) / (n + 1)];
        let [v, e, f, _] = sizes(&mesh);
        // the half step of an element is the mean of the half steps of its vertices
        let half = |own: &[i32]| {
            let sum = own.iter().map(|&v| place(if v < 0 { !v } else { v } as u32)).fold([0; 3], |a, b| [0, 1, 2].map(|i| a[i] + b[i]));
            sum.map(|i| 2 * i / own.len())
        };
        let mut tested = [0; 4];
        let mut check = |kind: usize, id: usize, p: [usize; 3]| {
            if p.iter().all(|&i| i >= 2 && i <= 2 * n - 2) {
                assert!(found[id].as_dvec3().distance(spline(p)) < 2e-6, "{kind} {p:?}: {} {}", found[id], spline(p));
                tested[kind] += 1;
            }
        };
        (0..v).for_each(|id| check(0, id, place(id as u32).map(|i| 2 * i)));
        for (kind, relation, first) in [(1, Relation::EV, v), (2, Relation::FV, v + e), (3, Relation::CV, v + e + f)] {
            let own = rows(&mesh, relation);
            (0..own.len()).for_each(|i| check(kind, first + i, half(own.row(i))));
        }
        assert!(tested.iter().all(|&n| n > 0), "{tested:?}");
    }
    /// The boundary is the surface's own Catmull-Clark subdivision, in `f64` from the polygons of the
    /// boundary alone.
    fn boundaries_are_subdivided_surfaces(device) {
        for shape in [
            perturbed(shapes::hexahedral_grid([3, 2, 3]).expect("a size"), 0.2),
            perturbed(shapes::mixed_grid([4, 3, 2]).expect("a size"), 0.1),
            perturbed(shapes::kuhn_grid([2, 2, 2]).expect("a size"), 0.1),
        ] {
            let mesh = build(device, &shape);
            let found = mesh.subdivide().expect("memory").positions().read().expect("memory");
            let (fv, fe, ev, fc) = (rows(&mesh, Relation::FV), rows(&mesh, Relation::FE), rows(&mesh, Relation::EV), rows(&mesh, Relation::FC));
            let x = |v: u32| shape.0[v as usize].as_dvec3();
            let [v, e, ..] = sizes(&mesh);
            let (mut of_vertices, mut of_edges) = (BTreeMap::<u32, Vec<DVec3>>::new(), BTreeMap::<u32, Vec<DVec3>>::new());
            let mut edges_of_vertices = BTreeMap::<u32, BTreeMap<u32, DVec3>>::new();
            let near = |id: usize, expected: DVec3| {
                assert!(found[id].as_dvec3().distance(expected) < 2e-6, "{id}: {} {expected}", found[id]);
            };
            for face in (0..mesh.faces()).filter(|&face| fc.row(face).len() == 1) {
                let own: Vec<u32> = fv.signed(face).map(|entry| entry.0).collect();
                let middle = own.iter().map(|&v| x(v)).sum::<DVec3>() / own.len() as f64;
                near(v + e + face, middle);
                for (&vertex, (edge, _)) in own.iter().zip(fe.signed(face)) {
                    of_vertices.entry(vertex).or_default().push(middle);
                    of_edges.entry(edge).or_default().push(middle);
                }
            }
            for (&edge, faces) in &of_edges {
                let ends: Vec<u32> = ev.signed(edge as usize).map(|entry| entry.0).collect();
                assert_eq!(faces.len(), 2);
                near(v + edge as usize, (x(ends[0]) + x(ends[1]) + faces[0] + faces[1]) / 4.0);
                for &end in &ends {
                    edges_of_vertices.entry(end).or_default().insert(edge, (x(ends[0]) + x(ends[1])) / 2.0);
                }
            }
            assert!(!of_vertices.is_empty());
            for (&vertex, faces) in &of_vertices {
                let edges = &edges_of_vertices[&vertex];
                let n = faces.len() as f64;
                assert_eq!(edges.len(), faces.len());
                let (f, r) = (faces.iter().sum::<DVec3>() / n, edges.values().sum::<DVec3>() / n);
                near(vertex as usize, (f + 2.0 * r + (n - 3.0) * x(vertex)) / n);
            }
        }
    }
    /// The relations of a subdivided mesh are the same as of cells given by their faces, except for numbers.
    fn subdivided_meshes_have_relations(device) {
        let level = build(device, &shapes::mixed_grid([3, 2, 1]).expect("a size")).subdivide().expect("memory");
        let (cf, fv) = (rows(&level, Relation::CF), rows(&level, Relation::FV));
        let mut list = CellList::new();
        for cell in 0..cf.len() {
            let faces: Vec<Vec<u32>> = cf
                .signed(cell)
                .map(|(face, sign)| {
                    let mut own: Vec<u32> = fv.signed(face as usize).map(|entry| entry.0).collect();
                    // out of the cell
                    if sign > 0 {
                        own.reverse();
                    }
                    own
                })
                .collect();
            list.push_polyhedron(&faces);
        }
        let again = build(device, &(level.positions().read().expect("memory"), list));
        assert_eq!(sizes(&again), sizes(&level));
        for relation in [Relation::CV, Relation::VC, Relation::CC, Relation::VV] {
            let lengths = |mesh: &VolumeMesh| {
                let rows = rows(mesh, relation);
                (0..rows.len()).map(|i| rows.row(i).to_vec()).collect::<Vec<_>>()
            };
            assert_eq!(lengths(&again), lengths(&level), "{relation}");
        }
        let volumes = |mesh: &VolumeMesh| mesh.volumes().expect("memory").read().expect("memory");
        let pairs = volumes(&again).into_iter().zip(volumes(&level));
        assert!(pairs.into_iter().all(|(a, b)| a > 0.0 && b > 0.0 && (a - b).abs() < 0.2 * a));
    }
}
