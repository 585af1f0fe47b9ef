//! Tests of closed surfaces.
use crate::inside::shapes::{
    by, cube, icosphere, inverted, oracle, random_points, scaled, shuffle, surface, together, torus,
};
use ribbonmesh::TriangleMesh;
use ribbonmesh::glam::DVec3;
use ribbonmesh_solid::inside::{InsideOptions, InsideTest, Method, inside};
use ribbonmesh_suite::suite;

/// Bound of the error with the default beta, for one surface.
const NEAR: f32 = 0.01;

/// The largest difference from whole numbers.
fn from_whole(numbers: &[f32]) -> f32 {
    numbers.iter().map(|w| (w - w.round()).abs()).fold(0.0, f32::max)
}

suite! {
    fn a_sphere(device) {
        for level in [0, 1, 4] {
            let mut mesh = icosphere(level).expect("small");
            shuffle(&mut mesh, 1);
            let sphere = surface(device, &mesh);
            let points = random_points(3000, 1.5, 5);
            let near = by(&sphere, &points, Method::Winding, false);
            let exact = by(&sphere, &points, Method::Winding, true);
            let rays = by(&sphere, &points, Method::Rays, false);
            assert!(near.report.closed && near.report.points == 3000);
            assert!(from_whole(&exact.winding) < 1e-6, "{}", from_whole(&exact.winding));
            assert!(from_whole(&near.winding) < NEAR, "{}", from_whole(&near.winding));
            assert_eq!((&near.inside, &exact.inside), (&rays.inside, &rays.inside));
            for ((p, inside), w) in points.iter().zip(&rays.inside).zip(&rays.winding) {
                assert_eq!(f32::from(u8::from(*inside)), *w);
                // the flattened icosahedron holds a sphere of 0.79
                assert!(if p.length() < 0.79 { *inside } else { p.length() < 1.0 || !inside }, "{p}");
            }
            let count = rays.inside.iter().filter(|inside| **inside).count();
            assert!(rays.report.inside == count as u64 && (200..2000).contains(&count));
        }
    }

    fn whole_winding_numbers(device) {
        let is = |mesh: &TriangleMesh| {
            let surface = surface(device, mesh);
            let test = InsideTest::of_surface(&surface).expect("a tree");
            [test.is_closed().expect("sums"), test.is_cycle().expect("sums")]
        };
        let ball = icosphere(2).expect("small");
        assert_eq!(is(&ball), [true, true]);
        let mut turned = ball.clone();
        turned.faces[7].swap(0, 1);
        assert_eq!(is(&turned), [true, false]);
        let mut open = ball.clone();
        open.faces.pop();
        assert_eq!(is(&open), [false, false]);
        // three corners for each face; and a face between the others, in both orientations
        let mut loose = ball.clone();
        loose.positions = ball.faces.iter().flatten().map(|&v| ball.positions[v as usize]).collect();
        let n = ball.faces.len() as u32;
        loose.faces = (0..n).map(|f| [3 * f, 3 * f + 1, 3 * f + 2]).collect();
        assert_eq!(is(&loose), [true, true]);
        loose.faces.extend([[0, 30, 60], [60, 30, 0], [4, 4, 9]]);
        assert_eq!(is(&loose), [true, true]);
        loose.faces.extend([[0, 30, 60]; 2]);
        assert_eq!(is(&loose), [true, false]);
    }

    fn rays_are_winding_numbers(device) {
        // several closed surfaces, in any order, of both orientations, through each other
        let ring = torus(30, 1).expect("small");
        let ball = icosphere(3).expect("small");
        let mut mesh = together(&[
            ring.clone(),
            scaled(&ball, 0.6, DVec3::new(0.8, 0.1, 0.0)),
            inverted(&scaled(&ball, 0.9, DVec3::new(-0.3, 0.4, 0.2))),
            inverted(&scaled(&ring, 0.7, DVec3::new(0.2, 0.1, 0.3))),
        ]);
        shuffle(&mut mesh, 7);
        let both = surface(device, &mesh);
        let points = random_points(4000, 1.2, 3);
        let [near, exact] = [false, true].map(|exact| by(&both, &points, Method::Winding, exact).winding);
        let rays = by(&both, &points, Method::Rays, false);
        assert!(from_whole(&exact) < 1e-6);
        for (i, w) in rays.winding.iter().enumerate() {
            assert_eq!(exact[i].round(), *w, "{}", points[i]);
            assert!((near[i] - w).abs() < 4.0 * NEAR, "{} {w} at {}", near[i], points[i]);
            assert_eq!(rays.inside[i], w.rem_euclid(2.0) == 1.0);
        }
        for number in [-1.0, 0.0, 1.0, 2.0] {
            assert!(rays.winding.contains(&number), "{number}");
        }
    }

    fn grids(device) {
        // each point of a grid, many of them on faces, edges and vertices: cubes are half open
        let n = 4;
        let box_ = surface(device, &cube(n));
        let mut points = vec![];
        for i in -1..=i32::try_from(2 * n).expect("small") + 1 {
            for j in -1..=9 {
                for k in -1..=9 {
                    points.push(DVec3::new(f64::from(i), f64::from(j), f64::from(k)) * 0.5);
                }
            }
        }
        let rays = by(&box_, &points, Method::Rays, false);
        for (p, inside) in points.iter().zip(&rays.inside) {
            let expected = p.cmpge(DVec3::ZERO).all() && p.cmplt(DVec3::splat(f64::from(n))).all();
            assert_eq!(*inside, expected, "{p}");
        }
        let [near, exact] = [false, true].map(|exact| by(&box_, &points, Method::Winding, exact));
        for (i, p) in points.iter().enumerate() {
            let low = p.cmpgt(DVec3::ZERO).all() && p.cmplt(DVec3::splat(f64::from(n))).all();
            let out = !(p.cmpge(DVec3::ZERO).all() && p.cmple(DVec3::splat(f64::from(n))).all());
            if low || out {
                assert_eq!((near.inside[i], exact.inside[i]), (low, low), "{p}");
            } else {
                // on the surface, the number is between those of both sides
                assert!((-1e-6..=1.0 + 1e-6).contains(&exact.winding[i]), "{p}: {}", exact.winding[i]);
            }
        }
    }

    fn neighbouring_boxes_share_no_point(device) {
        // two cubes with a common side: each point of the grid is in one of them or in none
        let one = cube(2);
        let [a, b] = [DVec3::ZERO, DVec3::new(0.0, 2.0, 0.0)].map(|way| surface(device, &scaled(&one, 1.0, way)));
        let mut points = vec![];
        for i in 0..=4 {
            for j in 0..=8 {
                for k in 0..=4 {
                    points.push(DVec3::new(f64::from(i), f64::from(j), f64::from(k)) * 0.5);
                }
            }
        }
        let [a, b] = [a, b].map(|surface| by(&surface, &points, Method::Rays, false).inside);
        for (i, p) in points.iter().enumerate() {
            let expected = p.x < 2.0 && p.y < 4.0 && p.z < 2.0;
            assert_eq!(u8::from(a[i]) + u8::from(b[i]), u8::from(expected), "{p}");
        }
    }

    fn nested_shells(device) {
        let ball = icosphere(3).expect("small");
        let shells = [1.0, 0.7, 0.4].map(|r| scaled(&ball, r, DVec3::ZERO));
        let at = [0.2, 0.55, 0.85, 1.2].map(|x| DVec3::new(x, 0.01, 0.02));
        // all outward: 3, 2, 1, 0
        let outward = surface(device, &together(&shells));
        let winding = by(&outward, &at, Method::Winding, false);
        let rounded: Vec<f32> = winding.winding.iter().map(|w| w.round()).collect();
        assert_eq!((rounded, winding.inside), (vec![3.0, 2.0, 1.0, 0.0], vec![true, true, true, false]));
        assert_eq!(by(&outward, &at, Method::Rays, false).inside, [true, false, true, false]);
        // orientations in turns
        let [a, b, c] = shells;
        let turns = surface(device, &together(&[a, inverted(&b), c]));
        for method in Method::ALL {
            assert_eq!(by(&turns, &at, method, false).inside, [true, false, true, false], "{method}");
        }
    }

    fn closer_with_a_larger_beta(device) {
        let mut mesh = torus(60, 2).expect("small");
        shuffle(&mut mesh, 2);
        let ring = surface(device, &mesh);
        let mut points = random_points(1500, 1.5, 9);
        // points near the surface
        points.extend(mesh.positions.iter().take(500).map(|p| (*p * 1.001).as_vec3().as_dvec3()));
        let exact = by(&ring, &points, Method::Winding, true).winding;
        for (p, w) in points.iter().zip(&exact) {
            assert!((oracle(&mesh, *p) - f64::from(*w)).abs() < 1e-6, "{p}");
        }
        let betas = [1.0, 2.0, 4.0, 8.0];
        let errors = betas.map(|beta| {
            let options = InsideOptions { beta, ..InsideOptions::default() };
            let near = inside(&ring, &points, &options).expect("numbers").winding;
            near.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
        });
        println!("{errors:?}");
        for (error, bound) in errors.into_iter().zip([0.25, 0.01, 1e-3, 1e-4]) {
            assert!(error < bound, "{errors:?}");
        }
        assert!(errors.windows(2).all(|two| two[1] < 0.3 * two[0]), "{errors:?}");
    }

    fn of_any_size_and_place(device) {
        let mut mesh = icosphere(3).expect("small");
        shuffle(&mut mesh, 4);
        let at = random_points(500, 1.5, 8);
        for (by_factor, way) in [(1e-30, 0.0), (1e30, 0.0), (1.0, 1e6)] {
            let moved = surface(device, &scaled(&mesh, by_factor, DVec3::splat(way)));
            let points: Vec<DVec3> = at.iter().map(|p| *p * by_factor + way).collect();
            let rays = by(&moved, &points, Method::Rays, false);
            let winding = by(&moved, &points, Method::Winding, false);
            for (i, p) in at.iter().enumerate() {
                let w = winding.winding[i];
                assert_eq!(rays.inside[i], winding.inside[i], "{by_factor:e} {way}: {w} at {p}");
            }
            assert!(from_whole(&winding.winding) < NEAR, "{by_factor:e}");
            assert!((50..450).contains(&rays.report.inside));
        }
    }
}
