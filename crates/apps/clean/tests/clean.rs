//! Bad inputs become closed manifolds without intersections.
use glam::DVec3;
use ribbonmesh::{Device, Error};
use ribbonmesh_clean::{CleanError, CleanOptions, CleanReport, Wrapping, clean};
use ribbonmesh_mesh::{TriangleMesh, shapes};
use std::f64::consts::PI;

/// Cleans, and checks what has to hold for every result.
fn checked(mesh: &TriangleMesh) -> (TriangleMesh, CleanReport) {
    let mut options = CleanOptions::default();
    options.wrap.resolution = 24;
    let mut cleaned = mesh.clone();
    let report = clean(&Device::cpu(), &mut cleaned, &options).expect("cleaned");
    assert!(cleaned.is_closed() && cleaned.volume().expect("closed") > 0.0);
    assert_eq!(report.intersecting_pairs, 0);
    assert_eq!(report.after.faces, cleaned.faces.len());
    (cleaned, report)
}

#[test]
fn what_is_good_stays() {
    let ball = shapes::icosphere(3).expect("small");
    let (cleaned, report) = checked(&ball);
    assert_eq!(cleaned, ball);
    assert!(report.wrapped_because.is_none() && report.filling.is_none() && report.turned == 0);
}

#[test]
fn what_is_bad_is_repaired() {
    let ball = shapes::icosphere(3).expect("small");
    let whole = ball.volume().expect("closed");
    let mut turned = ball.clone();
    turned.faces.iter_mut().for_each(|face| face.swap(0, 1));
    let (cleaned, report) = checked(&turned);
    assert!((cleaned.volume().expect("closed") - whole).abs() < 1e-9 && report.turned == 1);
    let mut open = ball.clone();
    open.faces.truncate(1200);
    let (cleaned, report) = checked(&open);
    assert!((cleaned.volume().expect("closed") / whole - 1.0).abs() < 0.1);
    assert!(report.filling.is_some());
}

#[test]
fn what_is_flat_is_wrapped() {
    let one = TriangleMesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]]);
    let (_, report) = checked(&one);
    assert!(report.wrapped_because.is_some() && report.wrap.is_some());
    let options = CleanOptions { wrapping: Wrapping::Never, ..CleanOptions::default() };
    let mut same = one.clone();
    let error = clean(&Device::cpu(), &mut same, &options).expect_err("flat");
    assert!(matches!(error, CleanError::NotResolved(_)), "{error}");
    assert_eq!(same, one);
}

#[test]
fn what_is_refused() {
    let mut none = TriangleMesh::default();
    let options = CleanOptions::default();
    let error = clean(&Device::cpu(), &mut none, &options).expect_err("no faces");
    assert!(matches!(error, CleanError::Library(Error::NoFaces { .. })), "{error}");
    let mut wrong = shapes::icosphere(1).expect("small");
    wrong.positions[5].z = f64::NAN;
    let error = clean(&Device::cpu(), &mut wrong, &options).expect_err("no number");
    assert!(matches!(error, CleanError::Library(Error::NotFinite { vertex: 5 })), "{error}");
    let few = CleanOptions { faces: Some(3), ..options };
    let error = clean(&Device::cpu(), &mut shapes::icosphere(1).expect("small"), &few).expect_err("too few");
    assert!(matches!(error, CleanError::Library(Error::Option { option: "faces", .. })), "{error}");
}

#[test]
fn what_is_far_too_fine_is_coarsened_before_it_is_resolved() {
    let mut two = shapes::icosphere(5).expect("small");
    let mut other = two.clone();
    let apart = 1.2;
    other.positions.iter_mut().for_each(|p| p.x += apart);
    two.append(&other).expect("no columns");
    let options = CleanOptions { faces: Some(1000), ..CleanOptions::default() };
    let mut cleaned = two.clone();
    let report = clean(&Device::cpu(), &mut cleaned, &options).expect("cleaned");
    let (coarsened, resolved) = (report.coarsened.expect("40,960 faces"), report.resolve.expect("two balls"));
    assert!(coarsened.after.faces <= 8000 && resolved.joined == 1, "{coarsened:?} {resolved:?}");
    assert!(cleaned.is_closed() && cleaned.faces.len() == 1000 && report.intersecting_pairs == 0);
    // two balls less the lens that both have
    let (ball, height) = (4.0 / 3.0 * PI, 1.0 - apart / 2.0);
    let expected = 2.0 * ball - 2.0 * PI * height * height * (3.0 - height) / 3.0;
    let volume = cleaned.volume().expect("closed");
    assert!((volume / expected - 1.0).abs() < 0.02, "{volume} {expected}");
    // fewer than 16 times as many are resolved as they are
    let options = CleanOptions { faces: Some(4000), ..CleanOptions::default() };
    let report = clean(&Device::cpu(), &mut two, &options).expect("cleaned");
    assert!(report.coarsened.is_none() && two.faces.len() == 4000);
}
