//! Tests of triangles in buffers, against the oracle.
use crate::intersections::{expected, expected_of_one, marked};
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Buffer, Device, Error};
use ribbonmesh_mesh::shapes;
use ribbonmesh_solid::intersections::{
    Intersections, Triangles, intersections_between, intersections_of_few, marks_with, self_intersections,
};
use ribbonmesh_suite::{Random, size, suite};

struct Soup {
    positions: Vec<Vec3>,
    faces: Vec<[u32; 3]>,
}
impl Soup {
    /// Triangles between few points of a grid: with common vertices, with equal positions of different
    /// vertices, without area, in common planes.
    fn on_grid(seed: u64, grid: u32, points: u32, faces: usize) -> Self {
        let mut random = Random(seed);
        let mut below = |n: u32| random.below(n);
        let positions = (0..points).map(|_| {
            let [x, y, z] = [(); 3].map(|()| below(grid) as f32);
            Vec3::new(x, y, z)
        });
        let positions = positions.collect();
        Self { positions, faces: (0..faces).map(|_| [(); 3].map(|()| below(points))).collect() }
    }
    fn slices(&self) -> (&[Vec3], &[[u32; 3]]) {
        (&self.positions, &self.faces)
    }
    fn upload(&self, device: &Device) -> (Buffer<Vec3>, Buffer<u32>) {
        let positions = device.upload(&self.positions).expect("memory");
        (positions, device.upload(self.faces.as_flattened()).expect("memory"))
    }
}
fn of((positions, faces): &(Buffer<Vec3>, Buffer<u32>)) -> Triangles<'_> {
    Triangles { positions, faces }
}
/// The search of a mesh.
fn check_own(mesh: Triangles<'_>, pairs: &[[u32; 2]], n: usize) {
    check(&self_intersections(mesh).expect("pairs"), pairs, n, None);
}
/// The search of two meshes, both ways.
fn check_between([a, b]: [Triangles<'_>; 2], pairs: &[[u32; 2]], [first, second]: [usize; 2]) {
    let mut turned: Vec<[u32; 2]> = pairs.iter().map(|[i, j]| [*j, *i]).collect();
    turned.sort_unstable();
    check(&intersections_between(a, b).expect("pairs"), pairs, first, Some(second));
    check(&intersections_between(b, a).expect("pairs"), &turned, second, Some(first));
}
fn check(found: &Intersections, pairs: &[[u32; 2]], first: usize, second: Option<usize>) {
    assert_eq!(found.pairs.read().expect("pairs"), pairs);
    let all = pairs.iter().map(|pair| pair[0]);
    let marks = found.marks.read().expect("marks");
    let marks_of_second = found.marks_of_second.read().expect("marks");
    match second {
        None => {
            assert_eq!(marks, marked(first, all.chain(pairs.iter().map(|pair| pair[1]))));
            assert!(marks_of_second.is_empty());
        }
        Some(second) => {
            assert_eq!(marks, marked(first, all));
            assert_eq!(marks_of_second, marked(second, pairs.iter().map(|pair| pair[1])));
        }
    }
}

suite! {
    fn soups_of_all_kinds(device) {
        for seed in 0..size(6, 1) {
            for (grid, points, faces) in [(2, 12, 60), (3, 30, 120), (5, 80, 200), (40, 400, 400)] {
                let soup = Soup::on_grid(seed, grid, points, faces);
                let pairs = expected_of_one(soup.slices());
                assert!(!pairs.is_empty());
                check_own(of(&soup.upload(device)), &pairs, faces);
            }
        }
    }

    fn marks_of_some_faces(device) {
        for seed in 0..size(2, 1) {
            for (grid, points, faces) in [(3, 30, 120), (40, 400, 400)] {
                let soup = Soup::on_grid(seed, grid, points, faces);
                let pairs = expected_of_one(soup.slices());
                for every in [1, 3, 1000] {
                    let flag = |f: u32| u32::from(f.is_multiple_of(every) && every < 1000);
                    let flags: Vec<u32> = (0..faces as u32).map(flag).collect();
                    let some = pairs.iter().filter(|[a, b]| flag(*a) + flag(*b) > 0);
                    let list: Vec<[u32; 2]> = some.copied().collect();
                    let buffers = soup.upload(device);
                    let marks = marks_with(of(&buffers), &device.upload(&flags).expect("memory"));
                    match marks.expect("marks") {
                        None => assert!(list.is_empty()),
                        Some(marks) => {
                            assert!(!list.is_empty());
                            let all = list.into_iter().flatten();
                            assert_eq!(marks.read().expect("memory"), marked(faces, all));
                        }
                    }
                }
            }
        }
    }

    fn two_soups(device) {
        for seed in 0..size(4, 1) {
            for (grid, sizes) in [(3, [20, 90]), (6, [150, 60]), (30, [300, 300])] {
                let [a, b] = [0, 1].map(|i| Soup::on_grid(2 * seed + i, grid, 60, sizes[i as usize]));
                let pairs = expected(a.slices(), b.slices());
                assert!(!pairs.is_empty());
                let (x, y) = (a.upload(device), b.upload(device));
                check_between([of(&x), of(&y)], &pairs, sizes);
            }
        }
    }

    fn coordinates_of_all_sizes(device) {
        // the tree rounds the small ones to 0
        let mut soup = Soup::on_grid(3, 4, 60, 150);
        for (i, p) in soup.positions.iter_mut().enumerate() {
            *p *= [1e-42, 1e-20, 1.0, 1e38][i % 4];
        }
        let pairs = expected_of_one(soup.slices());
        assert!(pairs.len() > 100);
        check_own(of(&soup.upload(device)), &pairs, 150);
        let small = Soup { positions: soup.positions.iter().map(|&p| p * 1e-30).collect(), faces: soup.faces[..70].to_vec() };
        let (x, y) = (soup.upload(device), small.upload(device));
        check_between([of(&x), of(&y)], &expected(soup.slices(), small.slices()), [150, 70]);
    }

    fn spheres(device) {
        let sphere = shapes::icosphere(3).expect("small");
        let a = Soup { positions: sphere.points(), faces: sphere.faces.clone() };
        let way = Vec3::new(0.7, 0.31, -0.2);
        let b = Soup { positions: a.positions.iter().map(|&p| p + way).collect(), faces: a.faces.clone() };
        let pairs = expected(a.slices(), b.slices());
        let (x, y) = (a.upload(device), b.upload(device));
        check_between([of(&x), of(&y)], &pairs, [1280, 1280]);
        // as one mesh
        let mut both = Soup { positions: a.positions.clone(), faces: a.faces.clone() };
        let n = both.positions.len() as u32;
        both.positions.extend(&b.positions);
        both.faces.extend(b.faces.iter().map(|face| face.map(|v| v + n)));
        let pairs: Vec<_> = pairs.iter().map(|&[i, j]| [i, j + 1280]).collect();
        check_own(of(&both.upload(device)), &pairs, 2560);
    }

    fn none_in_embedded_meshes(device) {
        let shapes = [
            shapes::icosphere(4).expect("small"),
            shapes::torus(30, 1).expect("small"),
            shapes::grid(30, 1).expect("small"),
            shapes::torus_knot(2, 3, 9, 150).expect("small"),
        ];
        for shape in shapes {
            let positions = shape.points();
            let welded = Soup { positions, faces: shape.faces };
            // three vertices for each face, as in STL
            let positions = welded.faces.iter().flatten().map(|&v| welded.positions[v as usize]).collect();
            let n = welded.faces.len() as u32;
            let loose = Soup { positions, faces: (0..n).map(|f| [3 * f, 3 * f + 1, 3 * f + 2]).collect() };
            for soup in [welded, loose] {
                check_own(of(&soup.upload(device)), &[], n as usize);
            }
        }
    }

    fn sizes_that_differ_by_far(device) {
        // a fine torus within few huge triangles, slivers through it, all at once and as two meshes
        let torus = shapes::torus(24, 1).expect("small");
        let mut soup = Soup { positions: torus.points(), faces: torus.faces.clone() };
        let mut random = Random(11);
        for (spread, n) in [(1.0, 60), (1e3, 20), (1e-3, 80), (1e-6, 40), (1e6, 4)] {
            for _ in 0..n {
                let first = soup.positions.len() as u32;
                let mut number = || spread * (random.next() as f32 / (1_u32 << 30) as f32 - 1.0);
                soup.positions.extend([(); 3].map(|()| Vec3::new(number(), number(), number())));
                soup.faces.push([first, first + 1, first + 2]);
            }
        }
        let pairs = expected_of_one(soup.slices());
        assert!(pairs.len() > 100, "{}", pairs.len());
        let n = soup.faces.len();
        check_own(of(&soup.upload(device)), &pairs, n);
        let own = torus.faces.len();
        let [a, b] = [&soup.faces[..own], &soup.faces[own..]].map(|faces| Soup { positions: soup.positions.clone(), faces: faces.to_vec() });
        let pairs = expected(a.slices(), b.slices());
        let (x, y) = (a.upload(device), b.upload(device));
        check_between([of(&x), of(&y)], &pairs, [own, n - own]);
    }

    fn crowds(device) {
        // more faces in one cell than a first table takes, and more pairs than there is room for
        let n = 3000;
        let mut positions: Vec<Vec3> = vec![];
        for i in 0..n {
            let x = i as f32 / 64.0;
            positions.extend([Vec3::new(x, 0.0, 0.0), Vec3::new(x, 1.0, 0.0), Vec3::new(x, 0.0, 1.0)]);
        }
        let crowd = Soup { positions, faces: (0..n).map(|f| [3 * f, 3 * f + 1, 3 * f + 2]).collect() };
        check_own(of(&crowd.upload(device)), &[], n as usize);
        // the same face again and again: all pairs
        let same = Soup { positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y], faces: vec![[0, 1, 2]; 700] };
        let pairs: Vec<[u32; 2]> = (0..700).flat_map(|i| (i + 1..700).map(move |j| [i, j])).collect();
        check_own(of(&same.upload(device)), &pairs, 700);
    }

    fn what_counts(device) {
        let positions: Vec<Vec3> = [
            [0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], // 0, 1, 2
            [1.0, 1.0, 0.0], [5.0, 5.0, 3.0], [5.0, 5.0, -3.0], // touches the first with a corner
            [4.0, 4.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 5.0], [-4.0, -1.0, 0.0],
            [2.0, 0.0, 0.0], [2.0, -2.0, 1.0],
        ].into_iter().map(Vec3::from).collect();
        for (pair, intersect) in [
            ([[0, 1, 2], [3, 4, 5]], true),
            ([[0, 1, 2], [6, 4, 5]], false),
            // two faces at an edge: side by side, folded onto each other, at an angle
            ([[0, 1, 2], [2, 1, 6]], false),
            ([[0, 1, 2], [1, 2, 7]], true),
            ([[0, 1, 2], [0, 1, 8]], false),
            // two faces at a vertex: side by side, overlapping, one through the other
            ([[0, 1, 2], [0, 9, 8]], false),
            ([[0, 1, 2], [0, 6, 8]], true),
            ([[0, 1, 2], [0, 6, 7]], true),
            // the same face twice, also with the opposite orientation
            ([[0, 1, 2], [0, 1, 2]], true),
            ([[0, 1, 2], [1, 0, 2]], true),
            // segments and points: an edge, a part of an edge, through the interior
            ([[0, 1, 2], [0, 1, 1]], false),
            ([[0, 1, 1], [0, 0, 1]], false),
            ([[0, 1, 2], [0, 10, 10]], true),
            ([[0, 1, 2], [10, 10, 10]], true),
            ([[0, 1, 2], [6, 6, 6]], false),
            ([[0, 1, 2], [2, 11, 11]], false),
            ([[0, 10, 1], [1, 10, 0]], true),
            ([[0, 1, 10], [0, 1, 2]], false),
            // a vertex in the middle of an edge
            ([[0, 1, 2], [0, 10, 11]], true),
        ] {
            let soup = Soup { positions: positions.clone(), faces: pair.to_vec() };
            let expected: &[[u32; 2]] = if intersect { &[[0, 1]] } else { &[] };
            assert_eq!(expected_of_one(soup.slices()), expected, "{pair:?}");
            check_own(of(&soup.upload(device)), expected, 2);
        }
    }

    fn few_faces_and_bad_input(device) {
        let soup = |positions: &[Vec3], faces: &[u32]| {
            (device.upload(positions).expect("memory"), device.upload(faces).expect("memory"))
        };
        let points = [Vec3::ZERO, Vec3::X, Vec3::Y];
        let (none, one) = (soup(&points, &[]), soup(&points, &[0, 1, 2]));
        check_own(of(&none), &[], 0);
        check_own(of(&one), &[], 1);
        check_between([of(&none), of(&one)], &[], [0, 1]);
        check_between([of(&one), of(&one)], &[[0, 0]], [1, 1]);

        let wrong = soup(&points, &[0, 1, 2, 0, 2, 7]);
        let not_finite = soup(&[Vec3::ZERO, Vec3::X, Vec3::NAN], &[0, 1, 2, 0, 1, 2]);
        let short = soup(&points, &[0, 1, 2, 0]);
        let error = |found: ribbonmesh::Result<Intersections>| found.err().expect("an error");
        for (mesh, is_right) in [
            (&wrong, (|e| matches!(e, Error::IndexOutOfRange { face: 1, vertex: 7, vertices: 3 })) as fn(&Error) -> bool),
            (&not_finite, |e| matches!(e, Error::NotFinite { vertex: 2 })),
            (&short, |e| matches!(e, Error::Length { expected: 6, found: 4, .. })),
        ] {
            let between = |a, b| intersections_between(of(a), of(b));
            for found in [self_intersections(of(mesh)), between(mesh, &one), between(&one, mesh)] {
                let error = error(found);
                assert!(is_right(&error), "{error}");
            }
        }
        let elsewhere = Device::cpu_with_threads(1).expect("a thread");
        let other = (elsewhere.upload(&points).expect("memory"), elsewhere.upload(&[0, 1, 2]).expect("memory"));
        let error = error(intersections_between(of(&one), of(&other)));
        assert!(matches!(error, Error::OtherDevice { .. }), "{error}");
    }
}

#[test]
fn few_faces_on_the_host_have_the_pairs_of_the_oracle() {
    let soups = [(3, 4, 12, 40), (5, 3, 20, 60), (9, 8, 90, 120)]
        .map(|(seed, grid, points, faces)| Soup::on_grid(seed, grid, points, faces));
    for soup in soups {
        let (positions, faces) = soup.slices();
        let expected = expected_of_one((positions, faces));
        assert!(!expected.is_empty());
        for from in [0, faces.len() / 2, faces.len()] {
            let some: Vec<[u32; 2]> =
                expected.iter().copied().filter(|pair| pair[1] as usize >= from).collect();
            assert_eq!(intersections_of_few(positions, faces, from), some);
        }
    }
    assert_eq!(intersections_of_few(&[Vec3::NAN; 3], &[[0, 1, 2]; 2], 0), [] as [[u32; 2]; 0]);
}
