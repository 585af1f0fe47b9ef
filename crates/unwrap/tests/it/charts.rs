//! Charts of whole meshes.
use crate::oracle::{self, are_apart, charts, check, coordinates, drawn, twice};
use crate::{mesh, sheet};
use glam::DVec3;
use ribbonmesh::Device;
use ribbonmesh_mesh::{Role, TriangleMesh, shapes};
use ribbonmesh_suite::{size, suite};
use ribbonmesh_unwrap::{UnwrapOptions, UnwrapReport, unwrap};

fn unwrapped(device: &Device, mesh: &mut TriangleMesh, options: &UnwrapOptions) -> UnwrapReport {
    unwrap(device, mesh, options).expect("texture coordinates")
}
fn noisy() -> TriangleMesh {
    let mut shape = shapes::bumpy_sphere(size(4, 3), 3).expect("small");
    shapes::add_noise(&mut shape, 0.2, 5);
    shape
}

suite! {
    /// The report says what plain code finds.
    fn reports(device) {
        let mut mesh = noisy();
        let report = unwrapped(device, &mut mesh, &UnwrapOptions::default());
        check("noisy", &mesh, 1024);
        let flat = coordinates(&mesh);
        let mut all = charts(&flat);
        let drawn = drawn("noisy", 1024, &flat, &all);
        assert!(are_apart(1024, &drawn, UnwrapOptions::default().padding as usize));
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), report.charts);
        assert_eq!((report.flipped, report.collapsed, report.resolution), (0, 0, 1024));
        let used: f64 = flat.iter().map(|face| 0.5 * twice(*face)).sum();
        assert!((used - report.used).abs() < 1e-9);
        assert!(used > 0.3, "{used}");
        let covered = drawn.iter().flatten().count() as f64 / (1024.0 * 1024.0);
        assert!((covered - used).abs() < 0.02, "{covered}, {used}");
        let scale = report.density / 1024.0;
        let (mut area, mut squares, mut angles, mut lengths) = (0.0, 0.0, 0.0, 0.0);
        for (face, flat) in mesh.faces.iter().zip(&flat) {
            let corners = face.map(|v| mesh.positions[v as usize]);
            let [s, t] = oracle::singular_values(corners, *flat).map(|s| s / scale);
            let of_face = (corners[1] - corners[0]).cross(corners[2] - corners[0]).length();
            area += of_face;
            angles += of_face * s / t;
            lengths += of_face * s.max(1.0 / t);
            squares += of_face * 0.5 * (1.0 / (s * s) + 1.0 / (t * t));
        }
        assert!((lengths / area - report.distortion.lengths).abs() < 1e-3, "{report:?}");
        assert!((angles / area - report.distortion.angle).abs() < 1e-3);
        // the report takes the scale by areas
        let stretch = (squares / area).sqrt();
        assert!((stretch / report.distortion.stretch - 1.0).abs() < 0.02, "{stretch} {report:?}");
        assert!(report.distortion.lengths < UnwrapOptions::default().max_stretch);
    }
    /// Positions and faces stay, and old texture coordinates go.
    fn replaces(device) {
        let mut mesh = sheet(4, |x, y| DVec3::new(x, y, 0.0));
        let before = mesh.clone();
        for _ in 0..2 {
            unwrapped(device, &mut mesh, &UnwrapOptions::default());
        }
        assert_eq!((&mesh.positions, &mesh.faces), (&before.positions, &before.faces));
        let texture = mesh.corners().iter().filter(|c| matches!(c.role(), Role::TextureCoordinate(_))).count();
        assert_eq!(texture, 1);
    }
    /// Surfaces that can be flattened are, without distortion, in one chart where the cone allows it.
    fn developable(device) {
        let options = UnwrapOptions { cone: 80.0, ..UnwrapOptions::default() };
        let half_pipe = |x: f64, y: f64| DVec3::new(x.cos(), x.sin(), 2.0 * y);
        let cone = |x: f64, y: f64| (1.0 + y) * DVec3::new((1.5 * x).cos(), (1.5 * x).sin(), 0.7);
        for (name, mut mesh) in [
            ("plane", sheet(16, |x, y| DVec3::new(x, 2.0 * y, x - y))),
            ("cylinder", sheet(16, half_pipe)),
            ("cone", sheet(16, cone)),
        ] {
            let report = unwrapped(device, &mut mesh, &options);
            assert_eq!(report.charts, 1, "{name}");
            let flat = coordinates(&mesh);
            let scale = report.density / f64::from(report.resolution);
            for (face, flat) in mesh.faces.iter().zip(&flat) {
                let corners = face.map(|v| mesh.positions[v as usize]);
                for value in oracle::singular_values(corners, *flat) {
                    // faces of a net on a cone are not those of its net in the plane
                    assert!((value / scale - 1.0).abs() < 2e-3, "{name}: {value} {scale}");
                }
            }
        }
    }
    /// A box has six charts.
    fn cube(device) {
        let mut mesh = ribbonmesh_suite::forms::cube(6);
        let report = unwrapped(device, &mut mesh, &UnwrapOptions::default());
        assert_eq!(report.charts, 6);
        assert!((report.distortion.max_stretch - 1.0).abs() < 1e-5);
        check("cube", &mesh, 512);
    }
    /// Moved, and scaled by a power of two, the mesh has the same charts.
    fn moved(device) {
        let mut one = noisy();
        let mut other = mesh(one.positions.iter().map(|p| *p * 4.0).collect(), one.faces.clone());
        let a = unwrapped(device, &mut one, &UnwrapOptions::default());
        let b = unwrapped(device, &mut other, &UnwrapOptions::default());
        assert_eq!(UnwrapReport { density: 4.0 * b.density, ..b }, a);
        assert_eq!(coordinates(&one), coordinates(&other));
        let turn = glam::DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 1.0);
        let turned = one.positions.iter().map(|p| turn * *p + DVec3::new(5.0, 1.0, -3.0)).collect();
        let mut turned = mesh(turned, one.faces.clone());
        let c = unwrapped(device, &mut turned, &UnwrapOptions::default());
        assert!((c.distortion.stretch - a.distortion.stretch).abs() < 0.01, "{a:?} {c:?}");
        assert!((c.charts as f64 / a.charts as f64 - 1.0).abs() < 0.5, "{a:?} {c:?}");
    }
    /// The texture is as large as the density makes it.
    fn density(device) {
        let mut mesh = sheet(8, |x, y| DVec3::new(x, y, 0.0));
        let options = UnwrapOptions { density: Some(100.0), padding: 2, ..UnwrapOptions::default() };
        let report = unwrapped(device, &mut mesh, &options);
        assert!((report.density - 100.0).abs() < 1e-9);
        assert!((100..115).contains(&report.resolution), "{report:?}");
        check("square", &mesh, report.resolution as usize);
    }
    /// A smaller stretch is more charts.
    fn max_stretch(device) {
        let mut mesh = shapes::icosphere(4).expect("small");
        let wide = UnwrapOptions { cone: 80.0, max_stretch: 3.0, ..UnwrapOptions::default() };
        let few = unwrapped(device, &mut mesh, &wide);
        let many = unwrapped(device, &mut mesh, &UnwrapOptions { max_stretch: 1.04, ..wide });
        assert!(many.charts > few.charts, "{few:?} {many:?}");
        assert!(many.distortion.lengths < 1.04);
        check("sphere", &mesh, 1024);
    }
    /// The same coordinates in every run.
    fn repeats(device) {
        let (mut one, mut other) = (noisy(), noisy());
        unwrapped(device, &mut one, &UnwrapOptions::default());
        unwrapped(device, &mut other, &UnwrapOptions::default());
        assert_eq!(coordinates(&one), coordinates(&other));
    }
}
