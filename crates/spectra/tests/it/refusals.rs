//! Refusals, with their reasons.
use ribbonmesh::{Device, MeshOptions, Surface, TriangleMesh};
use ribbonmesh_intrinsic::LaplacianOptions;
use ribbonmesh_mesh::shapes;
use ribbonmesh_spectra::{Distance, Spectrum, SpectrumOptions, spectrum};

fn run(mesh: &TriangleMesh, options: &SpectrumOptions) -> ribbonmesh::Result<Spectrum> {
    spectrum(&Surface::new(&Device::cpu(), mesh, &MeshOptions::default())?, options)
}
fn refused(result: ribbonmesh::Result<impl Sized>, words: &str) {
    let text = result.err().expect("an error").to_string();
    assert!(text.contains(words), "{text}");
}

#[test]
fn options() {
    let mesh = shapes::torus(8, 1).expect("small");
    let with = |count, tolerance| SpectrumOptions { count, tolerance, ..SpectrumOptions::default() };
    refused(run(&mesh, &with(0, 1e-6)), "count");
    refused(run(&mesh, &with(1000, 1e-6)), "at most the number of vertices");
    refused(run(&mesh, &with(5, 0.0)), "tolerance");
    refused(run(&mesh, &with(5, f64::NAN)), "tolerance");
    let found = run(&mesh, &with(5, 1e-6)).expect("a spectrum");
    refused(found.distances(1 << 20, Distance::Commute), "index of a vertex");
    refused(found.heat_kernel(&[1.0, -1.0]), "times");
    refused(found.wave_kernel(0), "count");
    refused(run(&mesh, &with(1, 1e-6)).expect("a constant").heat_times(3), "all eigenvalues are 0");
}
#[test]
fn surfaces() {
    let none = TriangleMesh::from_f32([[0.0; 3], [1.0, 0.0, 0.0]], vec![]);
    let options = SpectrumOptions { count: 1, ..SpectrumOptions::default() };
    refused(run(&none, &options), "without area");
    // three vertices on a line
    let flat = TriangleMesh::from_f32([[0.0; 3], [1.0, 0.0, 0.0], [3.0, 0.0, 0.0]], vec![[0, 1, 2]]);
    let extrinsic = LaplacianOptions { extrinsic: true, ..LaplacianOptions::default() };
    refused(run(&flat, &SpectrumOptions { laplacian: extrinsic, ..options }), "area");
}
#[test]
fn too_few_iterations() {
    let mesh = shapes::icosphere(4).expect("small");
    let options = SpectrumOptions { count: 20, iterations: 2, ..SpectrumOptions::default() };
    let found = run(&mesh, &options).expect("a spectrum");
    assert!(found.report().converged < 20 && found.report().residual > 1e-6);
    assert_eq!(found.report().iterations, 2);
}
