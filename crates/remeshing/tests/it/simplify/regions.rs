//! Collapses in sequence of meshes that are large enough for regions.
use crate::simplify::support::{Simplified, run_once};
use ribbonmesh::Device;
use ribbonmesh::glam::Vec3;
use ribbonmesh_mesh::shapes;
use ribbonmesh_remeshing::simplify::{Order, SimplifyOptions, Target};
use ribbonmesh_suite::forms::sheet;

fn cpu(threads: usize) -> Device {
    Device::cpu_with_threads(threads).expect("threads")
}
fn to(n: u32, order: Order) -> SimplifyOptions {
    SimplifyOptions { target: Some(Target::Faces(n)), order, ..SimplifyOptions::default() }
}
fn bits(result: &Simplified) -> Vec<[u32; 3]> {
    result.positions.iter().map(|p| p.to_array().map(f32::to_bits)).collect()
}

#[test]
fn as_good_as_rounds_and_the_same_with_any_number_of_threads() {
    let mut shape = shapes::icosphere(6).expect("small");
    shapes::shuffle(&mut shape, 1);
    let of = |threads, order| run_once(&cpu(threads), &shape, &to(8192, order)).0;
    let (first, rounds) = (of(1, Order::Sequence), of(2, Order::Rounds));
    let [regions, rest] = &first.report.stages[..] else { panic!("{:?}", first.report.stages) };
    assert_eq!(regions.faces, 81_920);
    assert!(regions.collapsed > 4 * rest.collapsed, "{regions:?}, {rest:?}");
    let other = of(3, Order::Sequence);
    assert_eq!((bits(&first), &first.faces), (bits(&other), &other.faces));
    assert_eq!(first.report.stages, other.report.stages);
    // the distance of the middles of faces from the sphere
    let inside = |result: &Simplified| {
        let middle =
            |corners: &[u32; 3]| corners.map(|v| result.positions[v as usize]).iter().sum::<Vec3>() / 3.0;
        let depths = result.faces.iter().map(|corners| f64::from(1.0 - middle(corners).length()));
        (depths.map(|depth| depth * depth).sum::<f64>() / result.faces.len() as f64).sqrt()
    };
    let [mine, of_rounds] = [inside(&first), inside(&rounds)];
    assert!(mine < 1.05 * of_rounds, "{mine} {of_rounds}");
}

#[test]
fn open_with_features_to_few_faces() {
    // a roof of 80,000 faces: a ridge, and a boundary of four sides
    let shape = sheet(200, |x, y| [x, y, 0.3 * (x - 0.5).abs()]);
    let options = SimplifyOptions { feature_angle: Some(20.0), ..to(40, Order::Sequence) };
    let (result, checked) = run_once(&cpu(2), &shape, &options);
    assert!(result.report.stages.len() > 1, "{:?}", result.report.stages);
    assert!(checked.faces.len() <= 40);
    let height = |p: &Vec3| (f64::from(p.z) - 0.3 * (f64::from(p.x) - 0.5).abs()).abs();
    assert!(result.positions.iter().map(height).fold(0.0, f64::max) < 1e-6);
    let area = checked.area();
    let roof = 1.0_f64.hypot(0.3);
    assert!((area / roof - 1.0).abs() < 1e-5, "{area} {roof}");
}
