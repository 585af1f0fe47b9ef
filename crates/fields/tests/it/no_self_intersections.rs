//! Smoothing and denoising that make no self-intersections, checked by a search of its own.
use ribbonmesh::{Device, MeshOptions, Surface};
use ribbonmesh_fields::denoise::{DenoiseOptions, Method, denoise};
use ribbonmesh_fields::smooth::{SmoothOptions, TimeStep, smooth};
use ribbonmesh_mesh::{TriangleMesh, shapes};
use ribbonmesh_solid::intersections::{IntersectionOptions, intersections};
use ribbonmesh_suite::{
    forms::{cube, joined, moved, sheet},
    size, suite,
};

fn surface(device: &Device, mesh: &TriangleMesh) -> Surface {
    Surface::new(device, mesh, &MeshOptions::default()).expect("triangles")
}
/// Number of pairs of faces that intersect.
fn pairs(device: &Device, mesh: &TriangleMesh) -> u64 {
    intersections(&mut surface(device, mesh), &IntersectionOptions::default()).expect("finite").report.pairs
}
/// The smoothed shape, and the number of vertices that were held back.
fn smoothed(device: &Device, shape: &TriangleMesh, options: &SmoothOptions) -> (TriangleMesh, u64) {
    let mut surface = surface(device, shape);
    let report = smooth(&mut surface, options).expect("a surface");
    (surface.download().expect("memory"), report.held())
}
/// The same for denoising.
fn denoised(device: &Device, shape: &TriangleMesh, options: &DenoiseOptions) -> (TriangleMesh, u64) {
    let mut surface = surface(device, shape);
    let report = denoise(&mut surface, options).expect("a surface");
    (surface.download().expect("memory"), report.held)
}

/// Two sheets of waves, the upper one of higher waves, which nearly touch the lower one.
fn waves(n: u32) -> TriangleMesh {
    let wave =
        |height: f64, z: f64| move |x: f64, y: f64| [x, y, height * (20.0 * x).sin() * (20.0 * y).sin() + z];
    joined(&[sheet(n, wave(0.0, 0.0)), sheet(n, wave(0.1, 0.101))])
}
/// A sphere with bumps that reach nearly to a smooth one around it.
fn shells(k: u32) -> TriangleMesh {
    let bumpy = shapes::bumpy_sphere(k, 3).expect("small");
    let most = bumpy.positions.iter().map(|p| p.length()).fold(0.0, f64::max) as f32;
    joined(&[moved(shapes::icosphere(k).expect("small"), 1.03 * most, [0.0; 3]), bumpy])
}
/// A bent box with two sides near each other.
fn plate(n: u32) -> TriangleMesh {
    let mut plate = cube(n);
    for p in &mut plate.positions {
        p.z = 0.02 * p.z + 0.2 * (7.0 * p.x).sin() * (5.0 * p.y).cos();
    }
    plate
}
fn near() -> [(&'static str, TriangleMesh); 3] {
    let (level, n) = (size(4, 2), size(24, 12));
    [("waves", waves(n)), ("shells", shells(level)), ("plate", plate(n / 3))]
}

suite! {
    fn smoothing(device) {
        for (name, shape) in near() {
            assert_eq!(pairs(device, &shape), 0, "{name}");
            for t in [1.0, 10.0] {
                let time_step = TimeStep::Edges(t);
                let free = SmoothOptions { time_step, steps: 2, ..SmoothOptions::default() };
                let checked = SmoothOptions { no_self_intersections: true, ..free.clone() };
                let [(without, none), (with, held)] = [&free, &checked].map(|o| smoothed(device, &shape, o));
                let [without_pairs, with_pairs] = [&without, &with].map(|mesh| pairs(device, mesh));
                assert_eq!((with_pairs, none), (0, 0), "{name}");
                assert!(held > 0 || without_pairs == 0 && with.positions == without.positions, "{name}");
            }
        }
    }
    fn denoising(device) {
        for (name, mut shape) in near() {
            shapes::add_noise(&mut shape, 0.04, 4);
            let before = pairs(device, &shape);
            for method in [Method::Normals, Method::Taubin, Method::Bilateral] {
                let (iterations, noise) = (Some(5), Some(0.5));
                let free = DenoiseOptions { method, iterations, noise, ..DenoiseOptions::default() };
                let checked = DenoiseOptions { no_self_intersections: true, ..free };
                let [(without, none), (with, held)] = [&free, &checked].map(|o| denoised(device, &shape, o));
                assert!(pairs(device, &with) <= before && none == 0, "{name}");
                assert!(held > 0 || with.positions == without.positions, "{name}");
            }
        }
    }
}
