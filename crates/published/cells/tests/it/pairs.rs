//! Intersecting faces, against the search by a tree.
use crate::shapes::{Uploaded, icosphere, scaled, together, torus};
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Device, Error};
use ribbonmesh_cells::{intersections_between, self_intersections, table_of};
use ribbonmesh_solid::intersections::{Intersections, Triangles};
use ribbonmesh_suite::{Random, size, suite};

/// Triangles of few points of a grid: with common vertices, with equal positions of different vertices,
/// without area, in common planes.
fn on_grid(device: &Device, seed: u64, grid: u32, points: u32, faces: usize, scales: [f32; 4]) -> Uploaded {
    let mut random = Random(seed);
    let positions: Vec<Vec3> = (0..points as usize)
        .map(|i| Vec3::from([(); 3].map(|()| random.below(grid) as f32)) * scales[i % 4])
        .collect();
    let faces: Vec<[u32; 3]> = (0..faces).map(|_| [(); 3].map(|()| random.below(points))).collect();
    Uploaded::new(device, &positions, &faces)
}
fn same(found: &Intersections, expected: &Intersections) -> usize {
    let read = |x: &Intersections| {
        let marks = [&x.marks, &x.marks_of_second].map(|marks| marks.read().expect("memory"));
        (x.pairs.read().expect("memory"), marks)
    };
    let found = read(found);
    assert_eq!(found, read(expected));
    found.0.len()
}
fn check_own(mesh: Triangles<'_>) -> usize {
    let expected = ribbonmesh_solid::intersections::self_intersections(mesh).expect("pairs");
    same(&self_intersections(mesh).expect("pairs"), &expected)
}
fn check_between(a: Triangles<'_>, b: Triangles<'_>) -> usize {
    let [first, second] = [(a, b), (b, a)].map(|(a, b)| {
        let expected = ribbonmesh_solid::intersections::intersections_between(a, b).expect("pairs");
        same(&intersections_between(a, b).expect("pairs"), &expected)
    });
    assert_eq!(first, second);
    first
}

suite! {
    fn soups_of_all_kinds(device) {
        let plain = [1.0; 4];
        for seed in 0..size(6, 1) {
            for (grid, points, faces) in [(2, 12, 60), (3, 30, 120), (5, 80, 200), (40, 400, 400)] {
                let [a, b] = [0, 1].map(|i| on_grid(device, 2 * seed + i, grid, points, faces, plain));
                assert!(check_own(a.triangles()) > 0);
                assert!(check_between(a.triangles(), b.triangles()) > 0);
            }
        }
    }
    fn coordinates_of_all_sizes(device) {
        let scales = [1e-42, 1e-20, 1.0, 1e38];
        let [a, b] = [3, 4].map(|seed| on_grid(device, seed, 4, 60, 150, scales));
        assert!(check_own(a.triangles()) > 100);
        check_between(a.triangles(), b.triangles());
    }
    fn sizes_that_differ_by_far(device) {
        // a fine torus within few huge triangles, and slivers through it
        let torus = torus(24, 1).expect("small");
        let (mut positions, mut faces) = (torus.points(), torus.faces.clone());
        let mut random = Random(11);
        for (spread, n) in [(1.0, 60), (1e3, 20), (1e-3, 80), (1e-6, 40), (1e6, 4)] {
            for _ in 0..n {
                let first = positions.len() as u32;
                let mut number = || spread * (random.next() as f32 / (1_u32 << 30) as f32 - 1.0);
                positions.extend([(); 3].map(|()| Vec3::new(number(), number(), number())));
                faces.push([first, first + 1, first + 2]);
            }
        }
        assert!(check_own(Uploaded::new(device, &positions, &faces).triangles()) > 100);
        let own = torus.faces.len();
        let [a, b] = [&faces[..own], &faces[own..]].map(|faces| Uploaded::new(device, &positions, faces));
        assert!(check_between(a.triangles(), b.triangles()) > 0);
    }
    fn crowds(device) {
        // more faces in one place than a first table takes, and more pairs than there is room for
        let n = 3000;
        let mut positions: Vec<Vec3> = vec![];
        for i in 0..n {
            let x = i as f32 / 64.0;
            positions.extend([Vec3::new(x, 0.0, 0.0), Vec3::new(x, 1.0, 0.0), Vec3::new(x, 0.0, 1.0)]);
        }
        let faces: Vec<[u32; 3]> = (0..n).map(|f| [3 * f, 3 * f + 1, 3 * f + 2]).collect();
        assert_eq!(check_own(Uploaded::new(device, &positions, &faces).triangles()), 0);
        // the same face again and again: all pairs
        let same = Uploaded::new(device, &[Vec3::ZERO, Vec3::X, Vec3::Y], &vec![[0, 1, 2]; 700]);
        assert_eq!(check_own(same.triangles()), 700 * 699 / 2);
    }
    fn spheres(device) {
        let ball = icosphere(3).expect("small");
        let moved = scaled(&ball, 1.0, DVec3::new(0.7, 0.31, -0.2));
        let [a, b, both] = [&ball, &moved, &together(&[ball.clone(), moved.clone()])].map(|mesh| Uploaded::of(device, mesh));
        assert_eq!(check_own(both.triangles()), check_between(a.triangles(), b.triangles()));
        assert!(table_of(a.triangles()).expect("a table").bytes() > 0);
    }
    fn few_faces_and_bad_input(device) {
        let points = [Vec3::ZERO, Vec3::X, Vec3::Y];
        let [none, one] = [&[][..], &[[0, 1, 2]]].map(|faces| Uploaded::new(device, &points, faces));
        assert_eq!((check_own(none.triangles()), check_own(one.triangles())), (0, 0));
        assert_eq!(check_between(none.triangles(), one.triangles()), 0);
        assert_eq!(check_between(one.triangles(), one.triangles()), 1);
        let wrong = Uploaded::new(device, &points, &[[0, 1, 2], [0, 2, 7]]);
        let not_finite = Uploaded::new(device, &[Vec3::ZERO, Vec3::X, Vec3::NAN], &[[0, 1, 2]; 2]);
        let error = |found: ribbonmesh::Result<Intersections>| found.err().expect("an error");
        for (mesh, is_right) in [
            (&wrong, (|e| matches!(e, Error::IndexOutOfRange { face: 1, vertex: 7, vertices: 3 })) as fn(&Error) -> bool),
            (&not_finite, |e| matches!(e, Error::NotFinite { vertex: 2 })),
        ] {
            let (mesh, one) = (mesh.triangles(), one.triangles());
            for found in [self_intersections(mesh), intersections_between(mesh, one), intersections_between(one, mesh)] {
                let error = error(found);
                assert!(is_right(&error), "{error}");
            }
        }
        let elsewhere = Uploaded::new(&Device::cpu_with_threads(1).expect("a thread"), &points, &[[0, 1, 2]]);
        let error = error(intersections_between(one.triangles(), elsewhere.triangles()));
        assert!(matches!(error, Error::OtherDevice { .. }), "{error}");
    }
}
