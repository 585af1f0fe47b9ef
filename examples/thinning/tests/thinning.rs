//! The operator on both machines: what it leaves of flat surfaces and of others, by loops over the faces.
use ribbonmesh::device::Vec3;
use ribbonmesh::{Device, Error};
use std::collections::BTreeSet;
use thinning::{Thinned, thin};

/// The GPU, or none: then the test counts as skipped, and fails where `RIBBONMESH_REQUIRE_CUDA` is 1.
fn cuda() -> Option<Device> {
    match Device::cuda(0) {
        Ok(device) => Some(device),
        Err(e) => {
            assert!(std::env::var_os("RIBBONMESH_REQUIRE_CUDA").is_none_or(|v| v != "1"), "no GPU: {e}");
            println!("skipped: {e}");
            None
        }
    }
}

type Mesh = (Vec<Vec3>, Vec<[u32; 3]>);

/// `n` by `n` vertices of a sheet that is folded along a line at `fold`, on either side of which it is flat.
/// Vertices inside of the flat parts stand unevenly, and have numbers without order.
fn folded(n: u32, fold: u32) -> Mesh {
    let id = |i: u32, j: u32| (i * n + j) * 7919 % (n * n);
    let mut positions = vec![Vec3::ZERO; (n * n) as usize];
    for k in 0..n * n {
        let (i, j) = (k / n, k % n);
        let inner = ![0, fold, n - 1].contains(&i) && ![0, n - 1].contains(&j);
        let jitter = |s: u32| if inner { (k * s % 101) as f32 / 101.0 - 0.5 } else { 0.0 };
        let (x, y) = (i as f32 + 0.5 * jitter(37), j as f32 + 0.5 * jitter(53));
        positions[id(i, j) as usize] = Vec3::new(x, y, (x - fold as f32).max(0.0));
    }
    let faces = (0..(n - 1) * (n - 1)).map(|k| (k / (n - 1), k % (n - 1))).flat_map(|(i, j)| {
        let [a, b, c, d] = [id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)];
        [[a, b, c], [a, c, d]]
    });
    (positions, faces.collect())
}

fn area(positions: &[Vec3], face: &[u32; 3]) -> f64 {
    let [a, b, c] = face.map(|v| positions[v as usize].as_dvec3());
    0.5 * (b - a).cross(c - a).length()
}
fn place(p: &Vec3) -> [u32; 3] {
    p.to_array().map(f32::to_bits)
}

fn check(device: &Device) {
    let (n, fold) = (41, 17);
    let (positions, faces) = folded(n, fold);
    // amounts in proportion to the areas: so they stay
    let amounts: Vec<f32> = faces.iter().map(|f| (3.0 * area(&positions, f)) as f32).collect();
    let Thinned { positions: left, faces: new, amounts: held, report } =
        thin(device, &positions, &faces, &amounts, 1.0).expect("a surface");
    assert!(report.finished, "{report:?}");
    assert_eq!(positions.len() - left.len(), report.executed as usize);
    assert_eq!(faces.len() - new.len(), 2 * report.executed as usize, "two faces less each time");

    // vertices stay where they are: all on the boundary and on the fold, few others
    let before: BTreeSet<_> = positions.iter().map(place).collect();
    let after: BTreeSet<_> = left.iter().map(place).collect();
    assert!(after.is_subset(&before) && after.len() == left.len());
    let end = (n - 1) as f32;
    let feature = |p: &&Vec3| [0.0, fold as f32, end].contains(&p.x) || [0.0, end].contains(&p.y);
    assert!(positions.iter().filter(feature).all(|p| after.contains(&place(p))));
    let others = left.iter().filter(|p| !feature(p)).count();
    assert!(others < positions.len() / 20, "{others} are left");

    // one surface, that lies on the first, each side of a face once in each direction, with all that faces
    // held
    let sides: BTreeSet<_> = new.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]).collect();
    assert_eq!(sides.len(), 3 * new.len());
    assert_eq!(sides.iter().filter(|(a, b)| !sides.contains(&(*b, *a))).count(), 4 * (n as usize - 1));
    for face in &new {
        let [a, b, c] = face.map(|v| left[v as usize]);
        assert!((b - a).cross(c - a).z > 0.0, "{face:?} is turned over");
        let (low, high) = (a.x.min(b.x).min(c.x), a.x.max(b.x).max(c.x));
        assert!(high <= fold as f32 || low >= fold as f32, "{face:?} crosses the fold");
    }
    for (face, held) in new.iter().zip(&held) {
        let expected = 3.0 * area(&left, face);
        assert!((*held as f64 - expected).abs() < 1e-4 * expected, "{face:?} holds {held}, not {expected}");
    }
}

/// Nothing is flat, or no vertex may be removed.
fn leave(device: &Device) {
    let octahedron: Mesh = (
        vec![Vec3::X, Vec3::Y, Vec3::NEG_X, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z],
        vec![[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4], [1, 0, 5], [2, 1, 5], [3, 2, 5], [0, 3, 5]],
    );
    let thinned = thin(device, &octahedron.0, &octahedron.1, &[1.0; 8], 30.0).expect("a surface");
    assert_eq!((thinned.report.executed, thinned.faces.len()), (0, 8));
    // a vertex of valence 3 leaves one face
    let points = [[0.0, 0.0], [4.0, 0.0], [0.0, 4.0], [1.0, 1.0]].map(|[x, y]| Vec3::new(x, y, 0.0));
    let thinned = thin(device, &points, &[[0, 1, 3], [1, 2, 3], [2, 0, 3]], &[1.0, 2.0, 4.0], 1.0);
    let thinned = thinned.expect("a surface");
    assert_eq!((thinned.faces.len(), &thinned.amounts[..]), (1, &[7.0][..]));

    let error = thin(device, &points, &[[0, 1, 3], [0, 1, 3]], &[1.0; 2], 1.0).expect_err("no surface");
    assert!(matches!(error, Error::NotManifold(_)), "{error}");
    let error = thin(device, &points, &[[0, 1, 3]], &[], 1.0).expect_err("no amounts");
    assert!(matches!(error, Error::Length { .. }), "{error}");
}

/// Four blades around a square with a vertex in it: from no vertex of the loop are all others seen.
fn refuse(device: &Device) {
    let quarter = |p: [f32; 2], k: u32| (0..k).fold(p, |[x, y], _| [-y, x]);
    let corners = (0..4).flat_map(|k| [quarter([5.0, 0.9], k), quarter([1.0, 0.8], k)]);
    let mut points: Vec<Vec3> = corners.map(|[x, y]| Vec3::new(x, y, 0.0)).collect();
    points.push(Vec3::ZERO);
    let faces: Vec<[u32; 3]> = (0..8).map(|i| [8, i, (i + 1) % 8]).collect();
    let report = thin(device, &points, &faces, &[1.0; 8], 1.0).expect("a surface").report;
    assert_eq!((report.executed, report.blocked_by(thinning::operator::HIDDEN)), (0, 1), "{report:?}");
}

#[test]
fn cpu() {
    check(&Device::cpu());
    leave(&Device::cpu());
    refuse(&Device::cpu());
}
#[test]
fn cuda_does_the_same() {
    if let Some(device) = cuda() {
        check(&device);
        leave(&device);
        refuse(&device);
    }
}
