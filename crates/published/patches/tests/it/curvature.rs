//! Curvatures.
use crate::model::{Model, each, random_positions};
use ribbonmesh::{Device, Error};
use ribbonmesh_fields::curvature::{Area, curvatures_of_triangles};
use ribbonmesh_patches::{Curvatures, curvature_floor_bytes, curvatures_into, curvatures_of};
use ribbonmesh_suite::{meshes, suite};

/// Defect, area, gaussian, mean, geodesic, each in the order of the input.
fn values(found: &Curvatures) -> [Vec<f32>; 5] {
    [&found.defect, &found.area, &found.gaussian, &found.mean, &found.geodesic]
        .map(|a| a.download().expect("values"))
}
fn check(model: &Model) {
    for area in Area::ALL {
        let once = || values(&curvatures_of(&model.mesh, &model.positions, area).expect("curvatures"));
        let found = once();
        assert_eq!(found, once(), "{}", model.name);
        let flat = curvatures_of_triangles(&model.topology, &model.by_input, area).expect("curvatures");
        let flat = [&flat.defect, &flat.area, &flat.gaussian, &flat.mean, &flat.geodesic]
            .map(|a| a.read().expect("values"));
        for (what, (a, b)) in
            ["defect", "area", "gaussian", "mean", "geodesic"].iter().zip(found.iter().zip(&flat))
        {
            for v in 0..model.x.len() {
                let (a, b) = (a[v], b[v]);
                // what is divided by an area has the rounding of the angles divided by it
                let small =
                    if ["gaussian", "mean"].contains(what) { 1e-5 / flat[1][v].max(1e-6) } else { 1e-5 };
                let sign = if *what == "mean" { a.abs() - b.abs() } else { a - b };
                assert!(
                    sign.abs() <= 1e-4 * b.abs() + small,
                    "{what} of vertex {v} of {}, {area}: {a}, {b}",
                    model.name
                );
            }
        }
    }
}

suite! {
    fn as_without_patches(device) {
        each(device, check);
    }
    fn memory_used_again(device) {
        let case = meshes::grid(9);
        let model =
            Model::new(device, "grid and three points", random_positions(case.vertices + 3, 1), &case.faces, 16);
        let mut found = Curvatures::zeros(&model.mesh).expect("memory");
        for part in [&mut found.defect, &mut found.area, &mut found.gaussian, &mut found.mean, &mut found.geodesic] {
            part.fill(f32::NAN).expect("filled");
        }
        curvatures_into(&model.mesh, &model.positions, Area::Mixed, &mut found).expect("curvatures");
        let fresh = curvatures_of(&model.mesh, &model.positions, Area::Mixed).expect("curvatures");
        assert_eq!(values(&found), values(&fresh));
    }
    fn refusals(device) {
        let model = |device: &Device| Model::new(device, "grid", random_positions(81, 1), &meshes::grid(9).faces, 64);
        let (a, b) = (model(device), model(device));
        let elsewhere = model(&Device::cpu_with_threads(1).expect("a thread"));
        let found = |x: &Model| curvatures_of(&a.mesh, &x.positions, Area::Mixed).map(drop);
        assert!(matches!(found(&b), Err(Error::OtherMesh { .. })));
        assert!(matches!(found(&elsewhere), Err(Error::OtherDevice { .. })));
        let mut other = Curvatures::zeros(&b.mesh).expect("memory");
        let into = curvatures_into(&a.mesh, &a.positions, Area::Mixed, &mut other);
        assert!(matches!(into, Err(Error::OtherMesh { .. })));
        assert!(curvature_floor_bytes(&a.mesh) > 20 * 81);
    }
}
