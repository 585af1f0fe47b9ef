//! Triangles: the Laplacian of surfaces, masses, gradients.
use crate::common;
use crate::meshes;
use ribbonmesh::Device;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh_fem::{
    Assembler, ConjugateGradients, FemError, Form, Lame, Multigrid, MultigridOptions, RowLengths,
    SolveOptions, Space, Summation,
};
use ribbonmesh_mesh::{TriangleMesh, shapes};
use ribbonmesh_volume::SimplexMesh;
use std::collections::BTreeMap;

const LAPLACIAN: Form = Form::Laplacian { conductivity: 3.0 };

/// Cotangents of angles that face edges, by edge; three triangles at an edge make no difference.
fn by_hand(mesh: &TriangleMesh) -> BTreeMap<(u32, u32), f64> {
    let x: Vec<DVec3> = mesh.positions.iter().map(|x| x.as_vec3().as_dvec3()).collect();
    let mut sums = BTreeMap::new();
    for face in &mesh.faces {
        for k in 0..3 {
            let [apex, a, b] = [face[k], face[(k + 1) % 3], face[(k + 2) % 3]];
            let (u, v) = (x[a as usize] - x[apex as usize], x[b as usize] - x[apex as usize]);
            let half = 0.5 * 3.0 * u.dot(v) / u.cross(v).length();
            for (row, column, value) in [(a, b, -half), (b, a, -half), (a, a, half), (b, b, half)] {
                *sums.entry((row, column)).or_insert(0.0) += value;
            }
        }
    }
    sums
}
/// The same on a device, in single precision.
fn surface(device: &Device, shape: &TriangleMesh) -> SimplexMesh {
    let x: Vec<Vec3> = shape.positions.iter().map(|x| x.as_vec3()).collect();
    SimplexMesh::triangles(device, &x, &shape.faces).expect("a mesh")
}
/// A fan of three triangles at one edge, and a part of its own.
fn not_manifold() -> TriangleMesh {
    let positions =
        [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, -1, 1], [0, -1, -1], [5, 5, 5], [6, 5, 5], [5, 6, 5]];
    let positions = positions.map(|x| DVec3::from_array(x.map(f64::from))).to_vec();
    TriangleMesh::new(positions, vec![[0, 1, 2], [1, 0, 3], [0, 1, 4], [5, 6, 7]])
}

suite! {
    fn cotangents(device) {
        let shapes = [shapes::icosphere(2).expect("small"), shapes::grid(7, 3).expect("small"), not_manifold()];
        for shape in shapes {
            let mesh = surface(device, &shape);
            let space = Space::triangles(&mesh).expect("a space");
            let expected = by_hand(&shape);
            for summation in [Summation::PerEntry, Summation::Inline, Summation::PerNode] {
                let assembler = Assembler::new(&space).expect("a pattern").with(summation);
                assert_eq!(assembler.pattern().blocks() as usize, expected.len());
                let matrix = assembler.assemble::<f64>(LAPLACIAN).expect("a matrix").download().expect("memory");
                let found: BTreeMap<(u32, u32), f64> = (0_u32..).zip(&matrix.rows)
                    .flat_map(|(row, own)| own.iter().map(move |(column, block)| ((row, *column), block[0])))
                    .collect();
                assert!(found.keys().eq(expected.keys()));
                for (at, value) in &expected {
                    assert!((found[at] - value).abs() < 1e-9 * (1.0 + value.abs()), "{at:?}: {} {value}", found[at]);
                }
            }
        }
    }
    /// Coordinates of a sphere are eigenfunctions: the Laplacian is twice the mass.
    fn spherical_harmonics(device) {
        let shape = shapes::icosphere(4).expect("small");
        let mesh = surface(device, &shape);
        let space = Space::triangles(&mesh).expect("a space");
        let assembler = Assembler::new(&space).expect("a pattern");
        let stiffness = assembler.assemble::<f64>(Form::Laplacian { conductivity: 1.0 }).expect("a matrix");
        let masses = assembler.assemble::<f64>(Form::Mass { density: 1.0 }).expect("a matrix");
        let z: Vec<f64> = shape.positions.iter().map(|x| x.z).collect();
        let z = device.upload(&z).expect("memory");
        let product = |matrix: &ribbonmesh_fem::Matrix<f64>| {
            let mut y = device.zeros::<f64>(z.len()).expect("memory");
            matrix.multiply(&z, &mut y).expect("a product");
            y.read().expect("memory")
        };
        let (k, m) = (product(&stiffness), product(&masses));
        let energy: f64 = k.iter().zip(z.read().expect("memory")).map(|(k, z)| k * z).sum();
        let mass: f64 = m.iter().zip(z.read().expect("memory")).map(|(m, z)| m * z).sum();
        assert!((energy / mass - 2.0).abs() < 0.01, "{}", energy / mass);
        let area: f64 = space.integrals().expect("memory").read().expect("memory").iter().sum();
        assert!((area / (4.0 * std::f64::consts::PI) - 1.0).abs() < 0.01, "{area}");
    }
    /// The gradient of an affine function is its part in the plane of each triangle.
    fn gradients_in_planes(device) {
        let shape = shapes::icosphere(2).expect("small");
        let mesh = surface(device, &shape);
        let space = Space::triangles(&mesh).expect("a space");
        let a = DVec3::new(0.3, -2.0, 1.0);
        let field: Vec<f64> = shape.positions.iter().flat_map(|x| [7.0, a.dot(x.as_vec3().as_dvec3())]).collect();
        let found = space.gradients(2, &device.upload(&field).expect("memory")).expect("memory").read().expect("memory");
        for (face, own) in shape.faces.iter().zip(found.chunks_exact(6)) {
            let [p, q, r] = face.map(|v| shape.positions[v as usize].as_vec3().as_dvec3());
            let n = (q - p).cross(r - p).normalize();
            assert!(DVec3::from_slice(&own[..3]).length() < 1e-9);
            assert!((DVec3::from_slice(&own[3..]) - (a - n * a.dot(n))).length() < 1e-6);
        }
    }
    /// Heat on a torus between a few vertices that are fixed, by both preconditioners.
    fn harmonic_functions(device) {
        let shape = shapes::torus(40, 5).expect("small");
        let mesh = surface(device, &shape);
        let space = Space::triangles(&mesh).expect("a space");
        let matrix = Assembler::new(&space).expect("a pattern").assemble::<f64>(LAPLACIAN).expect("a matrix");
        let n = space.nodes();
        let (mut fixed, mut start) = (vec![0_u32; n], vec![0.0; n]);
        for (v, value) in [(0, 1.0), (n / 3, -1.0), (n / 2, 0.5)] {
            (fixed[v], start[v]) = (1, value);
        }
        let (words, b) = (device.upload(&fixed).expect("memory"), device.zeros(n).expect("memory"));
        let solve = |mut solver: ConjugateGradients<'_, f64>| {
            let mut u = device.upload(&start).expect("memory");
            let options = SolveOptions { tolerance: 1e-10, ..SolveOptions::default() };
            let report = solver.solve(&b, &mut u, &options).expect("a solution");
            assert!(report.converged, "{report:?}");
            (report.iterations, u.read().expect("memory"))
        };
        let levels = Multigrid::new(&matrix, &space, &words, &MultigridOptions::default()).expect("levels");
        let (few, found) = solve(ConjugateGradients::with_multigrid(&matrix, &words, levels).expect("a solver"));
        let (many, expected) = solve(ConjugateGradients::new(&matrix, &words).expect("a solver"));
        assert!(few <= 30 && 3 * few < many, "{few}, {many}");
        for (a, b) in found.iter().zip(&expected) {
            assert!((a - b).abs() < 1e-7 && (-1.0..=1.0).contains(a), "{a}, {b}");
        }
    }
    fn wrong_input(device) {
        let x = [Vec3::ZERO, Vec3::X, 2.0 * Vec3::X, Vec3::Y];
        let flat = SimplexMesh::triangles(device, &x, &[[0, 1, 3], [0, 1, 2]]).expect("a mesh");
        let error = Space::triangles(&flat).expect_err("no area");
        assert!(matches!(error, FemError::Inverted { cell: 1 }), "{error}");
        let tetrahedra = meshes::two().mesh(device);
        assert!(matches!(Space::triangles(&tetrahedra), Err(FemError::Tetrahedra)));
        let one = SimplexMesh::triangles(device, &x, &[[0, 1, 3]]).expect("a mesh");
        let space = Space::triangles(&one).expect("a space");
        let form = Form::Elasticity(Lame::of(1.0, 0.3));
        let assembler = Assembler::new(&space).expect("a pattern");
        assert!(matches!(assembler.assemble::<f64>(form), Err(FemError::Triangles)));
        assert!(matches!(RowLengths::new(&one, 2), Err(FemError::Order { order: 2, most: 1 })));
    }
}
