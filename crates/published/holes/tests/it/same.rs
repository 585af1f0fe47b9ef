//! The same results as plain code.
use crate::oracle::fill;
use crate::shapes::{Mesh, assert_closed, torus};
use ribbonmesh::glam::Vec3;
use ribbonmesh_holes::HoleOptions;
use ribbonmesh_suite::{Device, cases, size, suite};
use std::collections::HashSet;

/// Fills a mesh with several options, and compares; the results of the last options.
fn compare(device: &Device, mesh: &Mesh, longest: f32, what: &str) -> crate::oracle::Plain {
    let usual = HoleOptions::of_edges(longest);
    let mut last = None;
    for options in [
        HoleOptions { exact: 0, ..usual },
        HoleOptions { exact: 0, candidates: 4, near_distance: 2.0 * longest, ..usual },
        HoleOptions { exact: 9, candidates: 1, pair_share: 2.0, ..usual },
        usual,
    ] {
        let expected = fill(&mesh.x, &mesh.faces, &options);
        let found = mesh.filled(device, &options).expect("filled");
        assert!(found == expected, "{what}, {options:?}:\n{found:?}\n{expected:?}");
        if found.open == 0 {
            assert_closed(&found.faces, what);
        }
        last = Some(found);
    }
    last.expect("options")
}

suite! {
    fn many_holes_at_once(device) {
        // stars of single vertices, some of which touch; single faces; caps
        let ball = Mesh::ball(size(4, 3), 1);
        let many = ball.clone().without_stars(|v| v.is_multiple_of(41));
        let found = compare(device, &many, 0.16, "stars");
        assert!(found.holes > size(20, 2) && found.open == 0, "{} holes, {} open", found.holes, found.open);
        let single = ball.clone().without(|i, _| i.is_multiple_of(50));
        let found = compare(device, &single, 0.16, "single faces");
        assert!(found.faces.len() > found.kept as usize);
        for seed in cases(0..12) {
            let torn = Mesh::ball(3, seed).without_some_faces([5, 40, 150, 400][seed as usize % 4], seed);
            compare(device, &torn, 0.32, &format!("torn ball {seed}"));
        }
    }
    fn holes_that_face_each_other_are_joined(device) {
        let cap = |z: f32| move |_: usize, face: [Vec3; 3]| face.iter().all(|p| p.z * z > 0.75);
        let [lower, upper] = [1.0, -1.0].map(|z| Mesh::ball(3, 5).without(cap(z)));
        let two = lower.clone().and(upper.clone().moved(Vec3::new(0.03, 0.01, 1.7)));
        let found = compare(device, &two, 0.32, "two balls");
        assert_eq!((found.holes, found.joined, found.open), (2, 1, 0));
        // too far apart
        let two = lower.and(upper.moved(Vec3::new(0.0, 0.0, 9.0)));
        let found = compare(device, &two, 0.32, "two balls, apart");
        assert_eq!((found.holes, found.joined, found.open), (2, 0, 0));
        // a row of balls, of which each has a hole at both ends: more pairs than can be joined
        let both = |i: usize, face: [Vec3; 3]| cap(1.0)(i, face) || cap(-1.0)(i, face);
        let row = (0..9).map(|i| Mesh::ball(2, i).without(both).moved(Vec3::new(0.0, 0.0, 1.9 * i as f32)));
        let row = row.reduce(Mesh::and).expect("balls");
        let found = compare(device, &row, 0.6, "a row of balls");
        assert!(found.joined >= 8 && found.open == 0, "{} joined, {} open", found.joined, found.open);
    }
    fn loops_that_share_vertices(device) {
        // stars that touch, and a chain of faces: the faces at their common vertices are deleted
        let ball = Mesh::ball(3, 2);
        let around = |v: u32| -> HashSet<u32> {
            ball.faces.iter().filter(|face| face.contains(&v)).flatten().copied().collect()
        };
        let a = ball.faces[17][0];
        let touches = |&v: &u32| around(a).intersection(&around(v)).count() == 1;
        let second = (0..ball.x.len() as u32).find(touches).expect("a vertex beyond a neighbour");
        let found = compare(device, &ball.clone().without_stars(|v| v == a || v == second), 0.32, "touching stars");
        assert!(found.open == 0 && found.kept < ball.faces.len() as u32 - 12);
        let touching = |i: usize, _: [Vec3; 3]| ball.faces[i].contains(&a) && i.is_multiple_of(2);
        compare(device, &ball.clone().without(touching), 0.32, "faces that touch");
    }
    fn few_faces(device) {
        let x = vec![Vec3::ZERO, Vec3::X, Vec3::ONE, Vec3::Y, Vec3::Z];
        let of = |faces: &[[u32; 3]]| Mesh { x: x.clone(), faces: faces.to_vec() };
        for (faces, what) in [
            (&[][..], "nothing"),
            (&[[0, 1, 2]], "a face alone"),
            (&[[0, 1, 2], [0, 2, 3]], "a square"),
            (&[[0, 1, 2], [0, 2, 3], [0, 3, 4]], "a fan"),
            (&[[0, 1, 2], [0, 2, 1]], "two sides"),
            (&[[0, 1, 2], [0, 2, 3], [0, 3, 1]], "a tetrahedron without a face"),
            (&[[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]], "a tetrahedron"),
            (&[[0, 1, 2], [2, 3, 4]], "faces that touch"),
        ] {
            compare(device, &of(faces), 2.0, what);
        }
        // all pairs of vertices have edges: nothing can be filled
        let seven = (0..7).flat_map(|i| [[i, i + 1, i + 3], [i, i + 3, i + 2]]).map(|face| face.map(|v| v % 7));
        let moment = (0..7).map(|i| Vec3::new(i as f32, (i * i) as f32, (i * i * i) as f32)).collect();
        let torus = Mesh { x: moment, faces: seven.collect() };
        assert_closed(&torus.faces, "a torus of seven vertices");
        let found = compare(device, &torus.without_stars(|v| v == 3), 400.0, "a torus without a star");
        assert_eq!((found.holes, found.open, found.faces.len()), (1, 1, 8));
    }
    fn coplanar(device) {
        // a flat sheet with square holes; its border is a hole, too, and is near the others
        let n = 14;
        let x = (0..n * n).map(|i| Vec3::new((i % n) as f32, (i / n) as f32, 0.0)).collect();
        let squares = (0..n * (n - 1)).filter(|i| i % n + 1 < n);
        let faces = squares.flat_map(|i| [[i, i + 1, i + n + 1], [i, i + n + 1, i + n]]).collect();
        let sheet = Mesh { x, faces };
        compare(device, &sheet, 1.5, "a sheet");
        let holed = sheet.without(|_, [a, ..]| a.x % 4.0 == 2.0 && a.y % 4.0 == 2.0);
        let found = compare(device, &holed, 1.5, "a sheet with holes");
        assert!(found.holes > 4);
        // all in one point
        let point = Mesh { x: vec![Vec3::ONE; holed.x.len()], ..holed };
        compare(device, &point, 1.5, "a point");
    }
    fn long_loops(device) {
        let n = size(400, 60);
        compare(device, &Mesh::cone(n), 3.0 / n as f32, "a cone");
        // all vertices are near each other
        compare(device, &Mesh::cone(n / 2), 3.0, "a cone, all near");
        // folds: the loop runs up and down
        let mut folded = Mesh::cone(n);
        folded.x.iter_mut().enumerate().for_each(|(i, p)| p.z += [0.0, 0.3, -0.2, 0.1][i % 4]);
        compare(device, &folded, 0.1, "a folded cone");
        let ring = Mesh::of(&torus(20, 3).expect("small"));
        let middle = ring.x.iter().sum::<Vec3>() / ring.x.len() as f32;
        let half = ring.without(|_, face| face.iter().all(|&p| p.x > middle.x));
        compare(device, &half, 0.2, "half of a torus");
    }
}
