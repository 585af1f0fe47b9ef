//! Methods that are compared in measurements compute the same.
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Attribute, Device, MeshOptions, StaticMesh, Vertex};
use ribbonmesh_baselines::{Pde, PdeDenoise, PdeFlow};
use ribbonmesh_fields::denoise::{DenoiseOptions, Denoiser, Method};
use ribbonmesh_fields::smooth::{Mass, Preconditioner, SmoothOptions, Smoother, Solver, TimeStep, Weights};
use ribbonmesh_mesh::shapes;
use ribbonmesh_suite::suite;

struct Both {
    x: Vec<Vec3>,
    mesh: StaticMesh,
    positions: Attribute<Vertex, Vec3>,
    pde: Pde,
}
fn sphere(device: &Device) -> Both {
    let mut shape = shapes::bumpy_sphere(4, 1).expect("small");
    shapes::add_noise(&mut shape, 0.2, 1);
    let x: Vec<Vec3> = shape.points();
    let options = MeshOptions { patch_size: 256, ..MeshOptions::default() };
    let mesh = StaticMesh::new(device, x.len(), &shape.faces, &options).expect("a mesh");
    let positions = Attribute::from_input(&mesh, &x).expect("positions");
    let pde = Pde::new(device, x.len(), &shape.faces).expect("directed edges");
    Both { x, mesh, positions, pde }
}
fn close(found: &[Vec3], expected: &[Vec3], tolerance: f32) {
    assert_eq!(found.len(), expected.len());
    for (v, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!((*a - *b).length() < tolerance, "vertex {v}: {a} {b}");
    }
}

suite! {
    fn bilateral_filtering(device) {
        let Both { x, mesh, positions, pde } = sphere(device);
        let options = DenoiseOptions { method: Method::Bilateral, iterations: Some(3), ..DenoiseOptions::default() };
        let mut denoised = Attribute::zeros(&mesh).expect("memory");
        let mut denoiser = Denoiser::new(&mesh, &options).expect("rings");
        denoiser.denoise(&positions, &mut denoised).expect("positions");
        let mut filter = PdeDenoise::new(&pde, &x).expect("memory");
        for _ in 0..3 {
            filter.filter().expect("an iteration");
            filter.advance();
        }
        let expected = denoised.download().expect("positions");
        assert!(expected.iter().zip(&x).any(|(a, b)| (*a - *b).length() > 1e-3));
        close(&filter.positions().expect("positions"), &expected, 1e-5);
    }
    fn mean_curvature_flow(device) {
        let Both { x, mesh, mut positions, pde } = sphere(device);
        let options = SmoothOptions {
            weights: Weights::Uniform,
            mass: Mass::Unit,
            time_step: TimeStep::Absolute(2.0),
            solver: Solver::MatrixFree,
            preconditioner: Preconditioner::None,
            tolerance: 1e-6,
            ..SmoothOptions::default()
        };
        let mut smoother = Smoother::new(&mesh, &options).expect("memory");
        let report = smoother.smooth(&mut positions).expect("positions");
        let mut flow = PdeFlow::new(&pde, &x, 2.0).expect("a step");
        for _ in 0..report.steps[0].iterations {
            flow.iterate().expect("an iteration");
        }
        let expected = positions.download().expect("positions");
        assert!(expected.iter().zip(&x).any(|(a, b)| (*a - *b).length() > 1e-2));
        close(&flow.positions().expect("positions"), &expected, 1e-5);
    }
}
