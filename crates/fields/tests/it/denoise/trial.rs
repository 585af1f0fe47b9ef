//! Measures how near denoising comes to the truth, on meshes of machine parts, scans and curved surfaces with
//! noise of known size.
use crate::denoise::measured::{Measured, Noise};
use crate::denoise::parts;
use ribbonmesh::mesh::TriangleMesh;
use ribbonmesh_fields::denoise::{DenoiseOptions, Method};
use ribbonmesh_mesh::shapes;
use ribbonmesh_suite::{cases, suite};
use std::path::Path;

type Shapes = Vec<(String, TriangleMesh)>;

/// Parts, curved surfaces, the scan of the repository.
fn small() -> Shapes {
    let named = |name: &str, mesh| (name.to_owned(), mesh);
    let scan = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/scans/nefertiti.ply");
    vec![
        named("box", parts::block(12)),
        named("angle iron", parts::angle(8)),
        named("cylinder", parts::cylinder(48, 6, 10)),
        named("perforated plate", parts::plate(2, 12)),
        named("gear", parts::gear(12, 3, 6, 6)),
        named("torus", shapes::torus(40, 1).expect("small")),
        named("sphere", shapes::icosphere(4).expect("small")),
        named("scan", ribbonmesh_io::read(scan).expect("the scan").mesh),
    ]
}

suite! {
    /// The estimate is within a third of the noise, and small on meshes without noise.
    fn noise_is_estimated(device) {
        for (name, clean) in cases(small()) {
            let shape = Measured::new(device, &name, clean);
            let (_, report) = shape.denoised(&shape.clean(), &DenoiseOptions::default()).expect("denoised");
            let found = report.noise.expect("an estimate");
            assert!(found < 0.03, "{name} without noise: {found}");
            for (size, noise) in [0.05, 0.1, 0.2].map(|s| (s, Noise::Normal(s))) {
                let (_, report) = shape.denoised(&shape.noisy(noise), &DenoiseOptions::default()).expect("denoised");
                let found = report.noise.expect("an estimate");
                assert!((found / size - 1.0).abs() < 0.34, "{name}, noise {size}: {found}");
                assert!((report.mean_edge.expect("a length") / shape.edge - 1.0).abs() < 0.1, "{name}");
            }
        }
    }
    /// With its defaults, denoising brings positions and normals nearer to the truth.
    fn nearer_to_the_truth(device) {
        for (name, clean) in cases(small()) {
            let shape = Measured::new(device, &name, clean);
            for noise in [0.05, 0.1, 0.2].into_iter().flat_map(|s| [Noise::Normal(s), Noise::Any(s)]) {
                let x = shape.noisy(noise);
                let before = shape.error(&x);
                let (y, report) = shape.denoised(&x, &DenoiseOptions::default()).expect("denoised");
                let after = shape.error(&y);
                assert!(
                    after.distance < 0.8 * before.distance && after.angle < 0.95 * before.angle,
                    "{name}, {noise:?}: {before:?}, then {after:?}; {report:?}"
                );
            }
        }
    }
    /// Without noise no vertex moves, whatever the method.
    fn clean_meshes_stay(device) {
        let coarse = [("coarse gear", parts::gear(12, 1, 1, 1)), ("coarse cylinder", parts::cylinder(40, 1, 1))];
        for (name, clean) in cases(small().into_iter().chain(coarse.map(|(n, m)| (n.to_owned(), m)))) {
            let shape = Measured::new(device, &name, clean);
            for method in Method::ALL {
                let options = DenoiseOptions { method, ..DenoiseOptions::default() };
                let (y, report) = shape.denoised(&shape.clean(), &options).expect("denoised");
                assert!(y == shape.clean() && report.iterations == 0, "{name}: {report:?}");
            }
        }
    }
}
