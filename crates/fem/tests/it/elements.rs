//! Matrices of elements: masses sum to the volume, rigid-body modes are in the null space, uniform strain has
//! its energy.
use crate::common;
use crate::meshes;
use ribbonmesh::glam::{DMat3, DVec3};
use ribbonmesh_fem::{Assembler, Blocks, Form, Lame, Space};

const MATERIAL: Lame = Lame { lambda: 1.3, mu: 0.7 };

/// u = A x at all nodes.
fn affine(points: &[DVec3], a: DMat3) -> Vec<f64> {
    points.iter().flat_map(|x| (a * *x).to_array()).collect()
}
fn energy(blocks: &Blocks, u: &[f64]) -> f64 {
    u.iter().zip(blocks.times(u)).map(|(u, f)| u * f).sum()
}
fn check(space: &Space<'_>, volume: f64, name: &str) {
    let assembler = Assembler::new(space).expect("a pattern");
    let points = space.points().expect("memory");
    let stiffness =
        assembler.assemble::<f64>(Form::Elasticity(MATERIAL)).expect("a matrix").download().expect("memory");
    let scale = stiffness.rows.iter().flatten().flat_map(|(_, b)| b).fold(0.0_f64, |m, v| m.max(v.abs()));
    // rigid-body modes: three translations, three rotations
    for k in 0..3 {
        let axis = DVec3::AXES[k];
        let translation: Vec<f64> = points.iter().flat_map(|_| axis.to_array()).collect();
        let rotation: Vec<f64> = points.iter().flat_map(|x| axis.cross(*x).to_array()).collect();
        for mode in [translation, rotation] {
            let worst = stiffness.times(&mode).into_iter().fold(0.0_f64, |m, f| m.max(f.abs()));
            assert!(worst < 1e-12 * scale.max(1.0), "{name}: {worst}");
        }
    }
    // energies of uniform strains: 2 μ ε:ε + λ tr² by volume
    for a in [
        DMat3::from_cols(DVec3::X, DVec3::ZERO, DVec3::ZERO),
        DMat3::from_cols(DVec3::ZERO, DVec3::X, DVec3::ZERO),
        DMat3::from_cols(DVec3::new(1.0, 0.5, -0.25), DVec3::new(0.75, 2.0, 1.5), DVec3::new(-1.0, 0.0, 0.5)),
    ] {
        let strain = (a + a.transpose()) * 0.5;
        let squares: f64 = strain.to_cols_array().iter().map(|e| e * e).sum();
        let trace = strain.x_axis.x + strain.y_axis.y + strain.z_axis.z;
        let expected = volume * (2.0 * MATERIAL.mu * squares + MATERIAL.lambda * trace * trace);
        let found = energy(&stiffness, &affine(&points, a));
        assert!((found - expected).abs() < 1e-5 * expected, "{name}: {found} instead of {expected}");
        // and their gradients are found
        let field = space.device().upload(&affine(&points, a)).expect("memory");
        let gradients = space.gradients(3, &field).expect("memory").read().expect("memory");
        for own in gradients.chunks_exact(9) {
            for (r, g) in own.chunks_exact(3).enumerate() {
                assert!((DVec3::from_slice(g) - a.row(r)).length() < 1e-9, "{name}");
            }
        }
    }
    let mass =
        assembler.assemble::<f64>(Form::Mass { density: 2.0 }).expect("a matrix").download().expect("memory");
    let ones = vec![1.0; space.nodes()];
    assert!((energy(&mass, &ones) - 2.0 * volume).abs() < 1e-5 * volume, "{name}");
    // rows of masses are integrals of functions
    let integrals = space.integrals().expect("memory").read().expect("memory");
    for (a, b) in mass.times(&ones).iter().zip(&integrals) {
        assert!((a - 2.0 * b).abs() < 1e-12, "{name}");
    }
    // ∫ (c · x)² against the mass matrix, exact for order 2; and ∫ c · x for all
    let c = DVec3::new(0.3, -0.2, 0.9);
    let linear: Vec<f64> = points.iter().map(|x| c.dot(*x)).collect();
    let laplacian = assembler
        .assemble::<f64>(Form::Laplacian { conductivity: 0.5 })
        .expect("a matrix")
        .download()
        .expect("memory");
    assert!((energy(&laplacian, &linear) - 0.5 * volume * c.dot(c)).abs() < 1e-5 * volume, "{name}");
    assert!(laplacian.times(&ones).iter().all(|f| f.abs() < 1e-12 * scale.max(1.0)), "{name}");
}

suite! {
    fn tetrahedra(device) {
        for (tets, volume) in [(meshes::two(), 1.0 / 3.0), (meshes::kuhn([2, 2, 1]), 1.0), (meshes::jittered([3, 4, 3]), 1.0)] {
            let mesh = tets.mesh(device);
            for order in 1..=3 {
                check(&Space::tetrahedra(&mesh, order).expect("a space"), volume, &format!("{}, order {order}", tets.name));
            }
        }
    }
    fn hexahedra(device) {
        check(&meshes::hexes(device, [2, 3, 2], false), 1.0, "cubes");
        check(&meshes::hexes(device, [3, 3, 3], true), 1.0, "bent cubes");
    }
    /// Stiffness of one element of order 1 in the well-known form.
    fn first_order(device) {
        let tets = meshes::two();
        let one = meshes::Tets { cells: vec![[0, 1, 2, 3]], ..tets };
        let mesh = one.mesh(device);
        let space = Space::tetrahedra(&mesh, 1).expect("a space");
        let blocks = Assembler::new(&space)
            .expect("a pattern")
            .assemble::<f64>(Form::Elasticity(MATERIAL))
            .expect("a matrix")
            .download()
            .expect("memory");
        let b = [-DVec3::ONE, DVec3::X, DVec3::Y, DVec3::Z];
        for (i, own) in blocks.rows.iter().enumerate().take(4) {
            for (j, block) in own {
                let (p, q) = (b[i], b[*j as usize]);
                for r in 0..3 {
                    for c in 0..3 {
                        let unit = if r == c { p.dot(q) } else { 0.0 };
                        let k = MATERIAL.lambda * p[r] * q[c] + MATERIAL.mu * (q[r] * p[c] + unit);
                        assert!((block[3 * r + c] - k / 6.0).abs() < 1e-14);
                    }
                }
            }
        }
    }
}
