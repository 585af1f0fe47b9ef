//! Repair on devices gives what sequential repair on the host gives.
use crate::repair::host;
use crate::repair::oracle::{Face, wrongs};
use glam::DVec3;
use ribbonmesh::{Device, Error, MeshOptions, Surface};
use ribbonmesh_mesh::{TriangleMesh, shapes};
use ribbonmesh_solid::repair::{RepairOptions, boundary, boundary_of, repair, repair_mesh, repair_surface};
use ribbonmesh_suite::{Random, meshes, suite};
use std::collections::BTreeSet;

/// All kinds of options.
pub fn options() -> Vec<RepairOptions> {
    let one = |i: u32| RepairOptions {
        weld: [None, Some(0.0), None, Some(0.02)][i as usize % 4],
        remove_zero_area: i & 4 != 0,
        remove_components: [0, 5, 0, 2, 40][i as usize % 5],
        remove_isolated: i & 1 != 0,
        keep_touching: i & 2 != 0,
    };
    (0..20).map(one).collect()
}

pub fn same(device: &Device, name: &str, positions: &[DVec3], faces: &[Face], options: &RepairOptions) {
    let expected = host::run::repair(positions, faces, options).expect("repaired");
    let found = repair(device, positions, faces, options).expect("repaired");
    assert_eq!(found.report, expected.report, "{name}, {options:?}: {positions:?} {faces:?}");
    assert!(found == expected, "{name}, {options:?}: {positions:?} {faces:?}");
}

/// Places of a coarse grid, so that vertices coincide, faces have no area, and squares are flat.
pub fn places(n: usize, grid: u32, random: &mut Random) -> Vec<DVec3> {
    let mut at = || f64::from(random.below(grid)) / f64::from(grid);
    (0..n).map(|_| DVec3::new(at(), at(), at())).collect()
}

/// A shape of which some faces are turned, doubled, gone or have other vertices.
fn spoilt(shape: ribbonmesh_mesh::TriangleMesh, few: u32, random: &mut Random) -> (Vec<DVec3>, Vec<Face>) {
    let (mut positions, mut faces) = (shape.positions, shape.faces);
    let n = faces.len() as u32;
    for _ in 0..random.below(few) {
        let (f, g) = (random.below(n) as usize, random.below(n) as usize);
        match random.below(7) {
            0 => faces[f].swap(0, 1),
            1 => faces.push(faces[f]),
            2 => {
                let [a, b, c] = faces[f];
                faces.push([b, a, c]);
            }
            3 => faces[f][0] = faces[g][1],
            4 => faces.push([faces[f][0], faces[f][1], faces[g][0]]),
            5 => positions[faces[f][0] as usize] = positions[faces[g][0] as usize],
            _ => {
                // a corner of its own
                let place = positions[faces[g][0] as usize];
                faces[f][0] = positions.len() as u32;
                positions.push(place);
            }
        }
    }
    (positions, faces)
}

suite! {
    fn weld_at_any_distance(device) {
        let mut random = Random(12);
        for i in 0..100 {
            let n = 1 + random.below(60) as usize;
            let scale = [1.0, 1e-300, 1e300, 1e15, 1e-9][i % 5];
            let mut positions = places(n, [3, 20, 1000][i % 3], &mut random);
            positions.iter_mut().for_each(|p| *p *= scale);
            if i % 7 == 0 {
                positions[n / 2].y = [f64::NAN, f64::INFINITY, -0.0][i % 3];
            }
            let faces: Vec<Face> = (0..n as u32).map(|v| [v, (v + 1) % n as u32, (v + 2) % n as u32]).collect();
            for distance in [0.0, 1e-320, 1e-20, 0.01, 0.05, 0.3, 10.0, 1e10] {
                for distance in [distance, distance * scale].into_iter().filter(|d| d.is_finite()) {
                    let options = RepairOptions { weld: Some(distance), ..RepairOptions::default() };
                    same(device, "weld", &positions, &faces, &options);
                }
            }
        }
    }
    fn soups(device) {
        let mut random = Random(7);
        for (i, options) in (0..).zip(options().into_iter().cycle().take(600)) {
            let n = 3 + random.below(12);
            let faces: Vec<Face> =
                (0..random.below(40)).map(|_| std::array::from_fn(|_| random.below(n))).collect();
            let positions = places(n as usize, if i % 3 == 0 { 2 } else { 100 }, &mut random);
            same(device, "soup", &positions, &faces, &options);
        }
    }
    fn large_soups(device) {
        let mut random = Random(8);
        for (seed, options) in (0..).zip(options()) {
            let case = meshes::soup(1000, 3000, seed);
            let positions = places(case.vertices, 30, &mut random);
            same(device, "large soup", &positions, &case.faces, &options);
        }
    }
    fn spoilt_shapes(device) {
        let mut random = Random(9);
        for (i, options) in (0..).zip(options().into_iter().cycle().take(300)) {
            let n = 4 + random.below(6);
            let shape = match i % 4 {
                0 => shapes::torus(n, 1),
                1 => shapes::grid(n, 1),
                2 => shapes::mobius(2 * n, 3),
                _ => shapes::icosphere(2),
            };
            let (positions, faces) = spoilt(shape.expect("small"), 30, &mut random);
            same(device, "spoilt", &positions, &faces, &options);
        }
    }
    fn turned_at_random(device) {
        let mut random = Random(10);
        for (i, options) in (0..).zip(options()) {
            let shape = if i % 2 == 0 { shapes::torus(20, 1) } else { shapes::mobius(60, 9) };
            let mut shape = shape.expect("small");
            for face in &mut shape.faces {
                if random.below(3) == 0 {
                    face.swap(1, 2);
                }
            }
            same(device, "turned", &shape.positions, &shape.faces, &options);
        }
    }
    fn every_class(device) {
        let mut random = Random(11);
        for case in meshes::all().into_iter().chain(meshes::real()) {
            let positions = places(case.vertices, 1000, &mut random);
            for options in [RepairOptions::default(), options()[7]] {
                same(device, &case.name, &positions, &case.faces, &options);
            }
        }
    }    fn surfaces_with_attributes(device) {
        let mut random = Random(13);
        for (i, options) in (0..).zip(options()) {
            let shape = if i % 2 == 0 { shapes::torus(12, 1) } else { shapes::mobius(30, 5) };
            let (positions, faces) = spoilt(shape.expect("small"), 12, &mut random);
            let mut mesh = TriangleMesh::new(positions, faces);
            if i % 3 == 0 {
                mesh = TriangleMesh::from_f32(mesh.points_as_arrays(), mesh.faces);
            }
            let numbers = |n: usize| (0..n as u32).collect::<Vec<u32>>();
            let (n, f) = (mesh.positions.len(), mesh.faces.len());
            mesh.vertices_mut().insert("vertex", numbers(n)).expect("rows");
            mesh.vertices_mut().insert("byte", numbers(n).iter().map(|v| *v as u8).collect()).expect("rows");
            mesh.faces_of_mut().insert("face", numbers(f)).expect("rows");
            mesh.corners_mut().insert("corner", numbers(3 * f)).expect("rows");
            mesh.edges = mesh.sides();
            let edges = mesh.edges.len();
            mesh.edges_of_mut().insert("edge", numbers(edges)).expect("rows");
            let mut surface = Surface::new(device, &mesh, &MeshOptions::default()).expect("uploaded");
            let report = repair_surface(&mut surface, &options).expect("repaired");
            let expected = repair_mesh(&Device::cpu(), &mut mesh, &options).expect("repaired");
            assert_eq!(report, expected.report);
            assert!(surface.download().expect("downloaded") == mesh, "{i}");
        }
    }
    fn quick_looks(device) {
        // a vertex of many faces; vertices where holes touch; a face and its back
        let fan = |n: u32| (1..=n).map(move |i| [0, i, i % n + 1]).collect::<Vec<Face>>();
        let touching = vec![[0, 1, 2], [0, 3, 4]];
        let back = vec![[0, 1, 2], [0, 2, 1]];
        for faces in [fan(7), fan(8), fan(9), fan(16), fan(17), fan(128), fan(300), touching, back, vec![]] {
            let n = 2 + faces.iter().flatten().copied().max().unwrap_or(3) as usize;
            let found = boundary(device, n, &faces).expect("in range");
            let sides: BTreeSet<(u32, u32)> =
                faces.iter().flat_map(|face| [0, 1, 2].map(|i| (face[i], face[(i + 1) % 3]))).collect();
            let side = |side: u32| {
                let (face, i) = (faces[side as usize / 3], side as usize % 3);
                (face[i], face[(i + 1) % 3])
            };
            let open = (0..3 * faces.len() as u32).filter(|&c| !sides.contains(&(side(c).1, side(c).0)));
            assert_eq!(found.sides, open.collect::<Vec<u32>>());
            assert_eq!(found.violations.is_empty(), wrongs(&faces).is_empty(), "{faces:?}");
            let used: BTreeSet<u32> = faces.iter().flatten().copied().collect();
            assert_eq!(found.violations.isolated_vertices as usize, n - used.len());
        }
        let wrong = boundary_of(2, device.upload(&[0_u32, 1, 2]).expect("memory"));
        assert!(matches!(wrong, Err(Error::IndexOutOfRange { vertex: 2, .. })));
    }
}
