//! Tests of filled surfaces: volumes, the surfaces around them, and the parts of space that are filled.
use crate::tetrahedra::meshes;
use ribbonmesh::bvh::{DistanceOptions, SampledSurface, distance};
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Device, TriangleMesh};
use ribbonmesh_mesh::shapes;
use ribbonmesh_suite::{cases, size, suite};
use ribbonmesh_volume::tetrahedra::{CellSize, InsideRule, Tetrahedra, TetrahedraOptions, tetrahedralize};

fn sampled(device: &Device, mesh: &TriangleMesh) -> SampledSurface {
    let x: Vec<Vec3> = mesh.positions.iter().map(|p| p.as_vec3()).collect();
    SampledSurface::new(device, &x, &mesh.faces).expect("a surface")
}
fn volume(found: &Tetrahedra) -> f64 {
    found.report().quality.volume
}
fn ball(radius: f64, at: DVec3) -> TriangleMesh {
    meshes::moved(&shapes::icosphere(4).expect("a sphere"), |p| p * radius + at)
}

suite! {
    /// The surface around each result is closed, manifold, of the same genus and number of parts, and near to
    /// the input.
    fn around_every_shape(device) {
        for (name, mesh, thickness) in cases(meshes::all()) {
            let found = meshes::fill(device, &mesh, CellSize::Length(thickness / 6.0));
            let volume = found.to_mesh().expect("a mesh");
            assert!(volume.defects().expect("memory").is_sound(), "{name}");
            assert_eq!((volume.vertices(), volume.cells()), (found.vertices(), found.len()), "{name}");
            let around = volume.surface().expect("memory");
            let topology = around.topology().expect("memory").topology().expect("memory");
            let given = meshes::topology(device, &mesh);
            assert_eq!((topology.boundary_edges, topology.nonmanifold_edges, topology.nonmanifold_vertices), (0, 0, 0), "{name}");
            assert_eq!((topology.components, topology.euler_characteristic), (given.components, given.euler_characteristic), "{name}");
            // vertices of the result are on the input's surface, to a part of the size
            let size = found.report().size;
            // both relative to the same origin
            let given = sampled(device, &meshes::moved(&mesh, |p| p - found.origin()));
            let mine = sampled(device, &around.download().expect("memory"));
            let apart = distance(&mine, &given, &DistanceOptions { samples: 1000, seed: 1 }).expect("memory");
            let on = given.bvh().closest(around.positions(), None).expect("memory").read().expect("memory");
            let most = on.iter().fold(0.0_f32, |most, on| most.max(on.distance));
            assert!(f64::from(most) < 1e-3 * size, "{name} {most} {size}");
            assert!(apart.symmetric.hausdorff < size, "{name}: {apart:?}");
        }
    }
    /// The volume converges to that of the surface, with the square of the size.
    fn volumes_converge(device) {
        for (name, mesh, thickness) in cases(meshes::all().into_iter().take(4).collect::<Vec<_>>()) {
            let errors: Vec<f64> = size(&[3.0, 6.0, 12.0][..], &[4.0])
                .iter()
                .map(|parts| {
                    let found = meshes::fill(device, &mesh, CellSize::Length(thickness / parts));
                    let given = found.report().enclosed_volume;
                    (volume(&found) - given).abs() / given
                })
                .collect();
            println!("{name} {errors:?}");
            for pair in errors.windows(2) {
                assert!(pair[1] < 0.5 * pair[0], "{name} {errors:?}");
            }
        }
    }
    /// Planes are reproduced to the last bit of a cut; edges and corners of a box are cut off.
    fn boxes(device) {
        let mesh = meshes::cuboid(DVec3::ZERO, DVec3::new(2.0, 1.0, 3.0));
        for length in [1.0, 0.5, 0.25] {
            let found = meshes::fill(device, &mesh, CellSize::Length(length));
            let low = found.positions().expect("memory").into_iter().reduce(DVec3::min).expect("vertices");
            assert!(low.abs().max_element() <= length / f64::from(1 << 16), "{low}");
            assert!(volume(&found) < 6.0 + 1e-3 * length && volume(&found) > 6.0 - 3.0 * length * length);
        }
    }
    /// Results have about the requested number of cells.
    fn numbers_of_cells(device) {
        for cells in [2_000_u64, 50_000] {
            let found = meshes::fill(device, &ball(3.0, DVec3::X), CellSize::Cells(cells));
            let share = found.len() as f64 / cells as f64;
            assert!((0.9..1.6).contains(&share), "{cells}: {share}");
        }
    }
    /// A cavity stays empty. Parts that overlap are one volume by winding numbers; by parity, their overlap
    /// is outside.
    fn which_parts_are_inside(device) {
        let by = |mesh: &TriangleMesh, inside: InsideRule| {
            let options = TetrahedraOptions { inside, ..TetrahedraOptions::new(CellSize::Length(0.1)) };
            tetrahedralize(&meshes::surface(device, mesh), &options).expect("tetrahedra")
        };
        let near = |found: &Tetrahedra, expected: f64| {
            let found = volume(found);
            assert!((found / expected - 1.0).abs() < 0.03, "{found} {expected}");
        };
        let (outer, inner) = (ball(1.0, DVec3::ZERO), ball(0.6, DVec3::ZERO));
        let mut cavity = inner.clone();
        cavity.faces.iter_mut().for_each(|face| face.swap(0, 1));
        let sphere = 4.0 / 3.0 * std::f64::consts::PI;
        let shell = sphere * (1.0 - 0.6_f64.powi(3));
        let hollow = meshes::together(&[outer.clone(), cavity]);
        for rule in InsideRule::ALL {
            let found = by(&hollow, rule);
            near(&found, shell);
            let around = found.to_mesh().expect("a mesh").surface().expect("memory");
            let topology = around.topology().expect("memory").topology().expect("memory");
            assert_eq!((topology.components, topology.euler_characteristic), (2, 4));
        }
        // both spheres oriented alike: filled by winding numbers, hollow by parity
        let twice = meshes::together(&[outer.clone(), inner]);
        near(&by(&twice, InsideRule::Winding), sphere);
        near(&by(&twice, InsideRule::Parity), shell);
        // two that overlap, which is reported
        let overlapping = meshes::together(&[outer.clone(), ball(1.0, DVec3::X)]);
        let lens = std::f64::consts::PI * 5.0 / 12.0;
        let union = by(&overlapping, InsideRule::Winding);
        near(&union, 2.0 * sphere - lens);
        assert!(union.report().self_intersections.is_some_and(|pairs| pairs > 0));
        near(&by(&overlapping, InsideRule::Parity), 2.0 * sphere - 2.0 * lens);
        // a surface that is inside out gives the same
        let mut turned = outer.clone();
        turned.faces.iter_mut().for_each(|face| face.swap(0, 1));
        let found = by(&turned, InsideRule::Winding);
        near(&found, sphere);
        assert!(found.report().enclosed_volume < 0.0);
        assert_eq!(found.report().self_intersections, Some(0));
    }
    /// Results for unwelded triangles, and for positions far from the origin.
    fn unwelded_and_far(device) {
        let mesh = ball(1.0, DVec3::ZERO);
        let corners = mesh.faces.as_flattened().iter().map(|&v| mesh.positions[v as usize]).collect();
        let faces = (0..mesh.faces.len() as u32).map(|f| [3 * f, 3 * f + 1, 3 * f + 2]).collect();
        let apart = TriangleMesh::new(corners, faces);
        let (one, other) = (meshes::fill(device, &mesh, CellSize::Length(0.2)), meshes::fill(device, &apart, CellSize::Length(0.2)));
        assert_eq!(one.positions().expect("memory"), other.positions().expect("memory"));
        assert_eq!(one.cells().read().expect("memory"), other.cells().read().expect("memory"));
        let mut far = meshes::moved(&mesh, |p| p + DVec3::new(4.0e7, -3.0e7, 1.0));
        far.precision = ribbonmesh_mesh::Precision::Double;
        let found = meshes::fill(device, &far, CellSize::Length(0.2));
        assert!((volume(&found) / volume(&one) - 1.0).abs() < 1e-3);
        let middle = found.positions().expect("memory").iter().sum::<DVec3>() / found.vertices() as f64;
        assert!(middle.distance(DVec3::new(4.0e7, -3.0e7, 1.0)) < 0.1);
        // and tiny, and huge
        for scale in [1e-20, 1e20] {
            let scaled = meshes::moved(&mesh, |p| p * scale);
            let found = meshes::fill(device, &scaled, CellSize::Length(0.2 * scale));
            assert_eq!(found.len(), one.len(), "{scale}");
        }
    }
    /// Triangles around the volume know the faces of the surface that they approximate.
    fn nearest_faces(device) {
        let mesh = meshes::cuboid(DVec3::ZERO, DVec3::new(1.0, 1.2, 1.4));
        let surface = meshes::surface(device, &mesh);
        let found = tetrahedralize(&surface, &TetrahedraOptions::new(CellSize::Length(0.2))).expect("tetrahedra");
        let around = found.to_mesh().expect("a mesh").surface().expect("memory");
        let nearest = found.nearest_faces(&around, &surface).expect("memory");
        let shown = around.download().expect("memory");
        assert_eq!(nearest.len(), shown.faces.len());
        let normal = |mesh: &TriangleMesh, f: usize| {
            let [a, b, c] = mesh.faces[f].map(|v| mesh.positions[v as usize]);
            (b - a).cross(c - a).normalize_or_zero()
        };
        let alike = (0..nearest.len()).filter(|&f| normal(&shown, f).dot(normal(&mesh, nearest[f] as usize)) > 0.99);
        assert!(alike.count() > nearest.len() * 3 / 4);
    }
}

/// Results have the same bits with one thread, with several, and on the GPU.
#[test]
fn same_bits_on_every_machine() {
    let mesh = shapes::bumpy_sphere(4, 3).expect("a sphere");
    let on = |device: &Device| {
        let found = meshes::fill(device, &mesh, CellSize::Length(0.11));
        let relative = found.relative_positions().expect("memory").read().expect("memory");
        (found.positions().expect("memory"), relative, found.cells().read().expect("memory"))
    };
    let one = on(&Device::cpu_with_threads(1).expect("a device"));
    assert!(one == on(&Device::cpu_with_threads(3).expect("a device")));
    if let Some(gpu) = ribbonmesh_suite::cuda() {
        assert!(one == on(&gpu));
    }
}
