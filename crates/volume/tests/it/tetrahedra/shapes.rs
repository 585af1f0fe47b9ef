//! Shapes of tetrahedra.
use crate::tetrahedra::meshes;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh_mesh::shapes;
use ribbonmesh_suite::{Random, cases, size, suite};
use ribbonmesh_volume::tetrahedra::{CellSize, quality};

/// The paper's bounds of dihedral angles.
const BOUNDS: [f64; 2] = [10.7, 164.8];

suite! {
    /// The bounds hold for every surface, at every size.
    fn bounds(device) {
        for (name, mesh, thickness) in cases(meshes::all()) {
            for parts in size(&[2.3_f64, 5.0, 7.1][..], &[4.0]) {
                let found = meshes::fill(device, &mesh, CellSize::Length(thickness / parts));
                let quality = found.report().quality;
                assert!(quality.least > BOUNDS[0] && quality.greatest < BOUNDS[1], "{name} {parts}: {quality:?}");
                assert_eq!(quality.inverted, 0, "{name} {parts}");
            }
        }
    }
    /// The bounds also hold for surfaces with finer detail than the cells: many small parts, which overlap,
    /// and noise.
    fn bounds_of_rough_surfaces(device) {
        let mut random = Random(7);
        let mut unit = || f64::from(random.below(1 << 20)) / f64::from(1 << 20);
        for round in 0..size(8, 1) {
            let ball = shapes::icosphere(2).expect("a sphere");
            let balls: Vec<_> = (0..120)
                .map(|_| {
                    let (radius, at) = (0.3 + 1.5 * unit(), DVec3::new(unit(), unit(), unit()) * 14.0);
                    let stretch = DVec3::new(0.4 + unit(), 0.4 + unit(), 0.4 + unit());
                    meshes::moved(&ball, |p| at + p * stretch * radius)
                })
                .collect();
            let mut mesh = meshes::together(&balls);
            if round % 2 == 1 {
                mesh = shapes::icosphere(5).expect("a sphere");
                shapes::add_noise(&mut mesh, 0.05, round);
                mesh = meshes::moved(&mesh, |p| p * 8.0);
            }
            let quality = meshes::fill(device, &mesh, CellSize::Length(1.0)).report().quality;
            assert!(quality.least > BOUNDS[0] && quality.greatest < BOUNDS[1], "{round}: {quality:?}");
            assert_eq!(quality.inverted, 0);
        }
    }
    /// Far from the surface all tetrahedra are those of the lattice: dihedral angles of 60 and 90 degrees, of
    /// the same volume.
    fn inside_is_the_lattice(device) {
        let mesh = meshes::cuboid(DVec3::splat(-1.0), DVec3::ONE);
        let found = meshes::fill(device, &mesh, CellSize::Length(0.25));
        let (x, cells) = (found.positions().expect("memory"), found.cells().read().expect("memory"));
        let mut deep = 0;
        for cell in cells {
            let corners = cell.map(|v| x[v as usize]);
            if corners.iter().all(|p| p.abs().max_element() < 0.7) {
                let [a, b, c, d] = corners;
                assert_eq!((b - a).cross(c - a).dot(d - a) / 6.0, 0.25_f64.powi(3) / 12.0);
                deep += 1;
            }
        }
        assert!(deep > 1000);
    }
    /// Figures of tetrahedra whose angles are known.
    fn known_angles(device) {
        let x = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(1.0, 1.0, 1.0)];
        let of = |cells: &[[u32; 4]]| {
            let (x, cells) = (device.upload(&x).expect("memory"), device.upload(cells).expect("memory"));
            quality(&x, &cells).expect("memory")
        };
        let corner = of(&[[0, 1, 2, 3]]);
        assert!((corner.least - 3.0_f64.sqrt().recip().acos().to_degrees()).abs() < 1e-4);
        assert!((corner.greatest - 90.0).abs() < 1e-4 && (corner.volume - 1.0 / 6.0).abs() < 1e-12);
        let regular = of(&[[1, 2, 3, 4]]);
        let angle = (1.0_f64 / 3.0).acos().to_degrees();
        assert!((regular.least - angle).abs() < 1e-4 && (regular.greatest - angle).abs() < 1e-4);
        assert_eq!((regular.smallest[7], regular.largest[7], regular.inverted), (1, 1, 0));
        let both = of(&[[0, 1, 2, 3], [0, 2, 1, 3], [0, 1, 2, 2]]);
        assert_eq!((both.tetrahedra, both.inverted), (3, 2));
        assert_eq!(of(&[]).tetrahedra, 0);
    }
}
