//! Applications over directed edges against plain computations in double precision.
use crate::common;
use crate::suite;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Device, Error};
use ribbonmesh_baselines::{Pde, PdeDenoise, PdeFlow, PdeGeodesic};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_mesh::shapes;
use std::collections::BTreeSet;

struct Surface {
    x: Vec<Vec3>,
    faces: Vec<[u32; 3]>,
    neighbours: Vec<BTreeSet<u32>>,
    pde: Pde,
}
fn surface(device: &Device, shape: TriangleMesh) -> Surface {
    let x: Vec<Vec3> = shape.points();
    let mut neighbours = vec![BTreeSet::new(); x.len()];
    for f in &shape.faces {
        for i in 0..3 {
            neighbours[f[i] as usize].extend([f[(i + 1) % 3], f[(i + 2) % 3]]);
        }
    }
    let pde = Pde::new(device, x.len(), &shape.faces).expect("directed edges");
    Surface { x, faces: shape.faces, neighbours, pde }
}
fn surfaces(device: &Device) -> Vec<Surface> {
    let mut sphere = shapes::bumpy_sphere(4, 1).expect("small");
    shapes::shuffle(&mut sphere, 3);
    let grid = shapes::grid(30, 1).expect("small");
    vec![surface(device, sphere), surface(device, grid)]
}

/// The positions of the vertices after one iteration of bilateral filtering.
fn filtered(s: &Surface) -> Vec<DVec3> {
    let x: Vec<DVec3> = s.x.iter().map(|p| p.as_dvec3()).collect();
    let mut normals = vec![DVec3::ZERO; x.len()];
    for f in &s.faces {
        let [a, b, c] = f.map(|v| x[v as usize]);
        f.iter().for_each(|&v| normals[v as usize] += (b - a).cross(c - a));
    }
    let moved = |v: usize| {
        let (own, n) = (x[v], normals[v].normalize());
        let distance = |u: u32| (x[u as usize] - own).length();
        let sigma_c = s.neighbours[v].iter().map(|&u| distance(u)).fold(f64::INFINITY, f64::min);
        let mut seen = BTreeSet::from([v as u32]);
        let (mut ring, mut ball) = (s.neighbours[v].clone(), vec![]);
        loop {
            let inside: Vec<u32> = ring.iter().copied().filter(|&u| distance(u) < 2.0 * sigma_c).collect();
            if inside.is_empty() {
                break;
            }
            ball.extend(inside);
            seen.extend(&ring);
            let next = ring.iter().flat_map(|&u| &s.neighbours[u as usize]).copied();
            ring = next.filter(|u| !seen.contains(u)).collect();
        }
        let offsets: Vec<f64> = ball.iter().map(|&u| n.dot(x[u as usize] - own)).collect();
        let mean = offsets.iter().sum::<f64>() / offsets.len() as f64;
        let variance = offsets.iter().map(|h| (h - mean).powi(2)).sum::<f64>() / offsets.len() as f64;
        let variance = variance.max(1e-12 * sigma_c * sigma_c);
        let least = offsets.iter().map(|h| h * h).fold(f64::INFINITY, f64::min);
        let (mut sum, mut all) = (0.0, 0.0);
        for (&u, h) in ball.iter().zip(&offsets) {
            let near = (-0.5 * distance(u).powi(2) / (sigma_c * sigma_c)).exp();
            let weight = near * (-0.5 * (h * h - least) / variance).exp();
            sum += weight * h;
            all += weight;
        }
        own + n * (sum / all)
    };
    (0..x.len()).map(moved).collect()
}

suite! {
    fn flow_solves_its_system(device) {
        for s in surfaces(device) {
            let step = 2.0;
            let mut flow = PdeFlow::new(&s.pde, &s.x, step).expect("a step");
            let first = flow.residual().expect("a residual");
            let mut iterations = 0;
            while flow.residual().expect("a residual") > 1e-12 * first {
                flow.iterate().expect("an iteration");
                iterations += 1;
                assert!(iterations < 100);
            }
            let found = flow.positions().expect("positions");
            assert!(iterations > 3);
            let mut greatest: f64 = 0.0;
            for (v, neighbours) in s.neighbours.iter().enumerate() {
                let own = found[v].as_dvec3();
                let around: DVec3 = neighbours.iter().map(|&u| own - found[u as usize].as_dvec3()).sum();
                greatest = greatest.max((own + f64::from(step) * around - s.x[v].as_dvec3()).length());
                assert!((found[v] - s.x[v]).length() > 0.0);
            }
            assert!(greatest < 1e-4, "{greatest}");
        }
    }
    fn filter_moves_as_a_plain_loop(device) {
        for mut s in surfaces(device) {
            let mut denoise = PdeDenoise::new(&s.pde, &s.x).expect("memory");
            for _ in 0..2 {
                let expected = filtered(&s);
                denoise.filter().expect("an iteration");
                denoise.advance();
                let found = denoise.positions().expect("positions");
                let edge = (s.x[0] - s.x[*s.neighbours[0].first().expect("a neighbour") as usize]).length();
                for (v, (a, b)) in found.iter().zip(&expected).enumerate() {
                    assert!((a.as_dvec3() - *b).length() < 1e-4 * f64::from(edge), "vertex {v}: {a} {b}");
                }
                s.x = found;
            }
        }
    }
    fn neighbourhoods_that_are_too_large(device) {
        let fan = common::meshes::fan(2100, true);
        // all at the same distance except for one edge, so that the ball has them all
        let ring = |i: usize| Vec3::new((i as f32).cos(), (i as f32).sin(), 0.0);
        let x: Vec<Vec3> = (0..fan.vertices).map(|i| if i == 0 { Vec3::ZERO } else { ring(i) }).collect();
        let pde = Pde::new(device, fan.vertices, &fan.faces).expect("directed edges");
        let mut denoise = PdeDenoise::new(&pde, &x).expect("memory");
        let outcome = denoise.filter().and_then(|()| denoise.positions());
        assert!(matches!(outcome, Err(Error::Kernel { .. })), "{outcome:?}");
    }
    fn distances_on_a_plane_and_a_sphere(device) {
        // a flat square: straight lines
        let grid = surface(device, shapes::grid(40, 1).expect("small"));
        let mut geodesic = PdeGeodesic::new(&grid.pde, &grid.x, 0).expect("levels");
        let iterations = geodesic.run().expect("distances");
        assert!(iterations >= geodesic.levels() - 1, "{iterations}");
        let longest = grid.x.iter().map(|x| (*x - grid.x[0]).length()).fold(0.0, f32::max);
        for (v, d) in geodesic.distances().expect("distances").into_iter().enumerate() {
            let exact = (grid.x[v] - grid.x[0]).length();
            assert!(d > exact * 0.97 - 1e-6 && d < exact * 1.03 + 0.02 * longest, "vertex {v}: {d} {exact}");
        }
        // a sphere: great circles
        let mut shape = shapes::icosphere(5).expect("small");
        shapes::shuffle(&mut shape, 5);
        let sphere = surface(device, shape);
        let mut geodesic = PdeGeodesic::new(&sphere.pde, &sphere.x, 7).expect("levels");
        for _ in 0..2 {
            geodesic.run().expect("distances");
            for (v, d) in geodesic.distances().expect("distances").into_iter().enumerate() {
                let exact = sphere.x[7].dot(sphere.x[v]).clamp(-1.0, 1.0).acos();
                assert!((d - exact).abs() < 0.02 * exact + 0.01, "vertex {v}: {d} {exact}");
            }
        }
    }
    fn components_and_sources(device) {
        let faces = [[0, 1, 2], [3, 4, 5]];
        let x = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::ONE, Vec3::NEG_ONE];
        let pde = Pde::new(device, 6, &faces).expect("directed edges");
        let mut geodesic = PdeGeodesic::new(&pde, &x, 0).expect("levels");
        geodesic.run().expect("distances");
        let found = geodesic.distances().expect("distances");
        assert_eq!(found, [0.0, 1.0, 1.0, f32::INFINITY, f32::INFINITY, f32::INFINITY]);
        assert!(matches!(PdeGeodesic::new(&pde, &x, 6), Err(Error::Option { .. })));
        assert!(matches!(PdeGeodesic::new(&pde, &x[1..], 0), Err(Error::Length { .. })));
        assert!(matches!(PdeFlow::new(&pde, &x[1..], 1.0), Err(Error::Length { .. })));
        assert!(matches!(PdeDenoise::new(&pde, &x[1..]), Err(Error::Length { .. })));
    }
}
