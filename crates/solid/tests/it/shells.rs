//! Tests of shells beside measures and components of the host.
use glam::DVec3;
use ribbonmesh::{Device, MeshOptions, Surface, TriangleMesh};
use ribbonmesh_mesh::{UnionFind, shapes};
use ribbonmesh_solid::shells::{Shells, drop_shells, turn_shells};
use ribbonmesh_suite::{Random, suite};

/// Balls of many sizes in random order of their faces, some inside out; and vertices without a face.
fn balls(count: usize, seed: u64) -> TriangleMesh {
    let mut random = Random(seed);
    let mut all = TriangleMesh::new(vec![DVec3::ZERO; 3], vec![]);
    for i in 0..count {
        let mut ball = shapes::icosphere(random.state() as u32 % 3).expect("small");
        let (size, at) = (0.1 + i as f64, DVec3::new(3.0 * i as f64, 0.0, 0.0));
        ball.positions.iter_mut().for_each(|p| *p = *p * size + at);
        if random.state().is_multiple_of(3) {
            ball.faces.iter_mut().for_each(|face| face.swap(1, 2));
        }
        all.append(&ball).expect("no columns");
    }
    for i in (1..all.faces.len()).rev() {
        all.faces.swap(i, random.state() as usize % (i + 1));
    }
    all
}

/// Volumes and areas of the shells in the order of their first vertices, and the shell of each face.
fn oracle(mesh: &TriangleMesh) -> (Vec<[f64; 2]>, Vec<usize>) {
    let mut sets = UnionFind::new(mesh.positions.len());
    sets.join_faces(&mesh.faces);
    let mut roots: Vec<u32> = mesh.faces.iter().map(|face| sets.root(face[0])).collect();
    let first = |root: u32, sets: &mut UnionFind| {
        (0..mesh.positions.len() as u32).find(|&v| sets.root(v) == root).expect("a vertex")
    };
    let mut order: Vec<(u32, u32)> = {
        let mut distinct = roots.clone();
        distinct.sort_unstable();
        distinct.dedup();
        distinct.into_iter().map(|root| (first(root, &mut sets), root)).collect()
    };
    order.sort_unstable();
    let mut measures = vec![[0.0; 2]; order.len()];
    let of: Vec<usize> = roots
        .drain(..)
        .map(|root| order.iter().position(|(_, other)| *other == root).expect("a root"))
        .collect();
    for (face, &shell) in mesh.faces.iter().zip(&of) {
        let [a, b, c] = face.map(|v| mesh.positions[v as usize].as_vec3().as_dvec3());
        measures[shell][0] += a.dot(b.cross(c)) / 6.0;
        measures[shell][1] += 0.5 * (b - a).cross(c - a).length();
    }
    (measures, of)
}

fn surface(device: &Device, mesh: &TriangleMesh) -> Surface {
    Surface::new(device, mesh, &MeshOptions::default()).expect("memory")
}

suite! {
    fn measures_are_those_of_the_host(device) {
        for (count, seed) in [(0, 1), (1, 2), (2, 3), (3, 4), (40, 5)] {
            let mesh = balls(count, seed);
            let (expected, of) = oracle(&mesh);
            let shells = Shells::of(&mut surface(device, &mesh)).expect("memory");
            assert_eq!(shells.volumes.len(), count);
            assert_eq!(shells.is_closed, count > 0);
            for (i, [volume, area]) in expected.into_iter().enumerate() {
                assert!((shells.volumes[i] - volume).abs() <= 1e-3 * volume.abs(), "{i}: {volume}");
                assert!((shells.areas[i] - area).abs() <= 1e-3 * area, "{i}: {area}");
            }
            let odd: Vec<bool> = (0..count).map(|i| i % 2 == 1).collect();
            for (face, shell) in shells.some_faces(&odd, 7).expect("choices") {
                assert_eq!((of[face as usize], shell % 2), (shell, 1));
            }
            let all = shells.some_faces(&odd, u32::MAX).expect("choices");
            assert_eq!(all.len(), of.iter().filter(|shell| **shell % 2 == 1).count());
            shells.some_faces(&vec![true; count + 1], 1).expect_err("too many choices");
        }
    }

    fn one_face_less_is_open(device) {
        let mut ball = shapes::icosphere(4).expect("small");
        assert!(Shells::of(&mut surface(device, &ball)).expect("memory").is_closed);
        ball.faces[77].swap(0, 1);
        assert!(!Shells::of(&mut surface(device, &ball)).expect("memory").is_closed);
        ball.faces.remove(77);
        assert!(!Shells::of(&mut surface(device, &ball)).expect("memory").is_closed);
    }

    fn shells_go_and_turn(device) {
        for count in [1, 12] {
            let mesh = balls(count, 9);
            let (expected, of) = oracle(&mesh);
            let inward: Vec<bool> = expected.iter().map(|[volume, _]| *volume < 0.0).collect();
            let mut turned = surface(device, &mesh);
            let mut shells = Shells::of(&mut turned).expect("memory");
            turn_shells(&mut turned, &mut shells, &inward).expect("memory");
            assert!(shells.volumes.iter().all(|volume| *volume > 0.0));
            let again = Shells::of(&mut turned).expect("memory");
            assert!(again.is_closed && again.volumes == shells.volumes);

            let mut fewer = surface(device, &mesh);
            let shells = Shells::of(&mut fewer).expect("memory");
            drop_shells(&mut fewer, &shells, &inward).expect("memory");
            let fewer = fewer.download().expect("memory");
            let kept: Vec<_> = mesh.faces.iter().zip(&of).filter(|(_, of)| !inward[**of]).collect();
            assert_eq!(fewer.faces.len(), kept.len());
            for (face, (old, _)) in fewer.faces.iter().zip(kept) {
                let [new, old] = [(&fewer, face), (&mesh, old)]
                    .map(|(mesh, face)| face.map(|v| mesh.positions[v as usize].as_vec3()));
                assert_eq!(new, old);
            }
        }
    }
}
