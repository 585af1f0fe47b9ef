//! A manufactured solution: the error in the mean square falls with the order of the elements and one more.
use crate::meshes::{self, on_cube};
use crate::quadrature::{bernstein, each_point};
use ribbonmesh::Device;
use ribbonmesh::glam::DVec3;
use ribbonmesh_fem::{Assembler, ConjugateGradients, Form, Lame, SolveOptions, Space};
use ribbonmesh_suite::suite;
use std::collections::HashMap;
use std::f64::consts::PI;

/// For each cell the nodes in the order of its functions, found from their vertices and weights.
fn cell_nodes(space: &Space<'_>, cells: &[[u32; 4]]) -> Vec<Vec<usize>> {
    let order = space.shape().order();
    let find: HashMap<_, _> =
        space.supports().expect("memory").into_iter().enumerate().map(|(i, s)| (s, i)).collect();
    let powers_of = |k: u32| match order {
        1 => ribbonmesh_fem::powers::<1>(k),
        2 => ribbonmesh_fem::powers::<2>(k),
        _ => ribbonmesh_fem::powers::<3>(k),
    };
    let node = |cell: &[u32; 4], k: u32| {
        let mut own: Vec<(u32, u32)> = (0..4)
            .map(|i| (cell[i as usize], ribbonmesh_fem::power(powers_of(k), i)))
            .filter(|(_, p)| *p > 0)
            .collect();
        own.sort_unstable();
        find[&own]
    };
    cells.iter().map(|cell| (0..space.shape().nodes()).map(|k| node(cell, k)).collect()).collect()
}
/// u is 0 on the boundary of the cube.
fn bump(x: DVec3) -> f64 {
    (PI * x.x).sin() * (PI * x.y).sin() * (PI * x.z).sin()
}
/// The second derivatives of the bump.
fn hessian(x: DVec3) -> [[f64; 3]; 3] {
    let (s, c) = (x.to_array().map(|t| (PI * t).sin()), x.to_array().map(|t| (PI * t).cos()));
    let mut h = [[0.0; 3]; 3];
    for i in 0..3 {
        for j in 0..3 {
            let k = 3 - i - j.min(3 - i);
            h[i][j] = if i == j { -PI * PI * bump(x) } else { PI * PI * c[i] * c[j] * s[3 - i - j] };
            let _ = k;
        }
    }
    h
}
/// The error of a solution in the mean square, for a load of one or three numbers at a point.
fn error(
    device: &Device,
    n: u32,
    order: u32,
    form: Form,
    load: impl Fn(DVec3) -> Vec<f64>,
    exact: impl Fn(DVec3) -> Vec<f64>,
) -> f64 {
    let tets = meshes::kuhn([n; 3]);
    let mesh = tets.mesh(device);
    let space = Space::tetrahedra(&mesh, order).expect("a space");
    let size = form.size() as usize;
    let nodes = cell_nodes(&space, &tets.cells);
    let mut b = vec![0.0; size * space.nodes()];
    let corners = |cell: usize| tets.cells[cell].map(|v| tets.x[v as usize].as_dvec3());
    let point = |corners: [DVec3; 4], at: [f64; 4]| (0..4).map(|i| corners[i] * at[i]).sum::<DVec3>();
    for (cell, own) in nodes.iter().enumerate() {
        each_point(corners(cell), |at, weight| {
            let f = load(point(corners(cell), at));
            for (value, &node) in bernstein(order, at).iter().zip(own) {
                (0..size).for_each(|k| b[size * node + k] += weight * value * f[k]);
            }
        });
    }
    let supports = space.supports().expect("memory");
    let mean =
        |s: &Vec<(u32, u32)>| s.iter().map(|&(v, w)| tets.x[v as usize] * (w as f32 / order as f32)).sum();
    let fixed: Vec<u32> = supports.iter().map(|s| if on_cube(near(mean(s))) { 7 } else { 0 }).collect();
    let matrix = Assembler::new(&space).expect("a pattern").assemble::<f64>(form).expect("a matrix");
    let fixed = device.upload(&fixed).expect("memory");
    let (b, mut x) =
        (device.upload(&b).expect("memory"), device.zeros(size * space.nodes()).expect("memory"));
    let options = SolveOptions { tolerance: 1e-11, ..SolveOptions::default() };
    let report = ConjugateGradients::new(&matrix, &fixed)
        .expect("a solver")
        .solve(&b, &mut x, &options)
        .expect("a solution");
    assert!(report.converged);
    let x = x.read().expect("memory");
    let mut sum = 0.0;
    for (cell, own) in nodes.iter().enumerate() {
        each_point(corners(cell), |at, weight| {
            let (values, exact) = (bernstein(order, at), exact(point(corners(cell), at)));
            for k in 0..size {
                let u: f64 = values.iter().zip(own).map(|(b, &node)| b * x[size * node + k]).sum();
                sum += weight * (u - exact[k]).powi(2);
            }
        });
    }
    sum.sqrt()
}
/// Means of coordinates that are 1 are 1.
fn near(x: ribbonmesh::glam::Vec3) -> ribbonmesh::glam::Vec3 {
    let round = |x: f32| {
        if (x - 1.0).abs() < 1e-6 {
            1.0
        } else if x.abs() < 1e-6 {
            0.0
        } else {
            x
        }
    };
    ribbonmesh::glam::Vec3::new(round(x.x), round(x.y), round(x.z))
}

suite! {
    fn laplacian(device) {
        for (order, coarse, fine) in [(1, 6, 12), (2, 3, 6), (3, 3, 6)] {
            let of = |n| error(device, n, order, Form::Laplacian { conductivity: 1.0 }, |x| vec![3.0 * PI * PI * bump(x)], |x| vec![bump(x)]);
            let (a, b) = (of(coarse), of(fine));
            let rate = (a / b).log2();
            assert!(rate > f64::from(order) + 0.7, "order {order}: {a} to {b}, rate {rate}");
        }
    }
    /// u = bump (1, 2, -1): f = -(λ + μ) ∇ div u - μ Δ u.
    fn elasticity(device) {
        let (material, c) = (Lame::of(1.0, 0.3), DVec3::new(1.0, 2.0, -1.0));
        let load = |x: DVec3| {
            let h = hessian(x);
            let trace = h[0][0] + h[1][1] + h[2][2];
            (0..3)
                .map(|i| {
                    let divergence: f64 = (0..3).map(|j| h[i][j] * c[j]).sum();
                    -(material.lambda + material.mu) * divergence - material.mu * trace * c[i]
                })
                .collect()
        };
        for (order, coarse, fine) in [(1, 6, 12), (2, 3, 6)] {
            let of = |n| error(device, n, order, Form::Elasticity(material), load, |x| (bump(x) * c).to_array().to_vec());
            let (a, b) = (of(coarse), of(fine));
            let rate = (a / b).log2();
            assert!(rate > f64::from(order) + 0.6, "order {order}: {a} to {b}, rate {rate}");
        }
    }
}
