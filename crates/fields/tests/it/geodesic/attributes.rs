//! Signed distances and logarithmic maps as attributes of a surface.
use ribbonmesh::{Device, MeshOptions, Surface};
use ribbonmesh_application::{Application, Failure, Need, Run, Work};
use ribbonmesh_fields::geodesic::{GeodesicChoice, Geodesics};
use ribbonmesh_mesh::{TriangleMesh, shapes};
use ribbonmesh_suite::suite;
use serde_json::Value;

/// A sphere with the attributes that a run gives it, and the report.
fn run(device: &Device, choice: &GeodesicChoice) -> Result<(TriangleMesh, Value), Failure> {
    let mut sphere = shapes::icosphere(3).expect("small");
    shapes::shuffle(&mut sphere, 5);
    let stale = vec![0_i32; sphere.positions.len()];
    sphere.vertices_mut().insert("nearest_source", stale).expect("a column");
    let mut surface = Surface::new(device, &sphere, &MeshOptions::default()).expect("a surface");
    // patches number vertices anew
    surface.patches().expect("patches");
    assert!(Geodesics::need(choice) == Need::Triangles && !Geodesics::long(choice));
    let (mut work, mut nobody) = (Work::Surface(surface), ());
    let report = Geodesics.run(&mut work, choice, &mut Run::new(0, &mut nobody))?;
    let Work::Surface(surface) = work else { panic!("another subject") };
    Ok((surface.download().expect("memory"), serde_json::to_value(report).expect("a report")))
}

suite! {
    fn logarithmic_maps(device) {
        let choice = GeodesicChoice { source: vec![7], log_map: true, ..GeodesicChoice::default() };
        let (sphere, report) = run(device, &choice).expect("a map");
        let column = |name: &str| sphere.vertices().get::<f64>(name).expect("a column").to_vec();
        let (x, y, distances) = (column("log_x"), column("log_y"), column("distance"));
        for (v, position) in sphere.positions.iter().enumerate() {
            let expected = position.angle_between(sphere.positions[7]);
            let (length, found) = (x[v].hypot(y[v]), distances[v]);
            assert!((length - found).abs() < 1e-9, "{v}: {length} {found}");
            assert!(expected > 2.5 || (found - expected).abs() < 0.2, "{v}: {found} {expected}");
        }
        assert!(sphere.vertices().get::<i32>("nearest_source").is_err());
        assert_eq!((report["sources"].as_u64(), report["reached"].as_u64()), (Some(1), Some(642)));
        assert!(report["solver"].is_string() && report["reason"].is_string() && report.get("closed").is_none());
        let two = GeodesicChoice { source: vec![7, 8], ..choice };
        assert!(run(device, &two).is_err());
    }
    fn signed_distances(device) {
        let sphere = shapes::icosphere(3).expect("small");
        let mut shuffled = sphere.clone();
        shapes::shuffle(&mut shuffled, 5);
        let source = shuffled.faces[0].to_vec();
        let choice = GeodesicChoice { source: source.clone(), signed: true, ..GeodesicChoice::default() };
        let (found, report) = run(device, &choice).expect("distances");
        let distances = found.vertices().get::<f64>("distance").expect("a column").to_vec();
        assert!(source.iter().all(|&v| distances[v as usize].abs() < 0.1), "{:?}", &distances[..9]);
        // all other vertices are outside of a triangle, by up to π
        let farthest = distances.iter().copied().fold(0.0, f64::max);
        assert!((2.8..3.3).contains(&farthest) && distances.iter().all(|x| *x > -0.1), "{farthest}");
        assert!(report["closed"] == true && report["farthest"].as_f64() == Some(farthest), "{report}");
        assert!(report["residual"].as_f64().is_some_and(|x| x <= 1e-8), "{report}");
    }
}
