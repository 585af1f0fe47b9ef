//! Meshes of every kind.
use crate::oracle::{check, coordinates, twice};
use crate::{mesh, points};
use glam::DVec3;
use ribbonmesh::Device;
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_suite::{cases, meshes, suite};
use ribbonmesh_unwrap::{UnwrapOptions, UnwrapReport, unwrap};

fn unwrapped(device: &Device, name: &str, mesh: &mut TriangleMesh) -> UnwrapReport {
    let options = UnwrapOptions { padding: 1, ..UnwrapOptions::default() };
    let report = unwrap(device, mesh, &options).unwrap_or_else(|error| panic!("{name}: {error}"));
    check(name, mesh, 1024);
    assert_eq!(report.flipped, 0, "{name}");
    report
}

suite! {
    /// Meshes of every class, with vertices anywhere.
    fn classes(device) {
        for case in cases(meshes::all()) {
            if case.faces.len() > 3000 {
                continue;
            }
            let mut mesh = mesh(points(case.vertices, 7), case.faces);
            let report = unwrapped(device, &case.name, &mut mesh);
            let twice_a_vertex = mesh.faces.iter().filter(|[a, b, c]| a == b || b == c || c == a).count();
            assert_eq!(report.degenerate_faces, twice_a_vertex, "{}", case.name);
        }
    }
    fn nothing(device) {
        let mut nothing = mesh(vec![], vec![]);
        let report = unwrapped(device, "nothing", &mut nothing);
        assert_eq!((report.charts, report.used), (0, 0.0));
        let mut points = mesh(points(5, 1), vec![]);
        assert_eq!(unwrapped(device, "points", &mut points).charts, 0);
    }
    fn one_triangle(device) {
        let mut one = mesh(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]]);
        let report = unwrapped(device, "triangle", &mut one);
        assert_eq!(report.charts, 1);
        assert!((report.distortion.max_stretch - 1.0).abs() < 1e-6);
        assert!(report.used > 0.2, "{report:?}");
    }
    /// Triangles without area, by their positions, have some on the texture.
    fn without_area(device) {
        let line = (0..8).map(|i| DVec3::new(f64::from(i), 0.0, 0.0)).collect();
        let mut line = mesh(line, (0..6).map(|i| [i, i + 1, i + 2]).collect());
        unwrapped(device, "line", &mut line);
        let mut point = mesh(vec![DVec3::ONE; 4], vec![[0, 1, 2], [0, 2, 3]]);
        unwrapped(device, "point", &mut point);
        // a net in which every third triangle is a line
        let mut net = crate::sheet(12, |x, y| DVec3::new(x, y, 0.1 * (5.0 * x).sin()));
        for f in (0..net.faces.len()).step_by(3) {
            let [a, b, c] = net.faces[f];
            net.positions[a as usize] = 0.5 * (net.positions[b as usize] + net.positions[c as usize]);
        }
        unwrapped(device, "net", &mut net);
        assert!(coordinates(&net).iter().all(|face| twice(*face) > 0.0));
    }
    /// Three pages at an edge, and the same face twice.
    fn non_manifold(device) {
        let points = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z, -DVec3::Y];
        let mut book = mesh(points, vec![[0, 1, 2], [0, 1, 3], [0, 1, 4], [0, 1, 2], [2, 1, 0]]);
        assert_eq!(unwrapped(device, "book", &mut book).charts, 5);
    }
    /// Parts of very different size.
    fn sizes(device) {
        let mut positions = points(30, 3);
        let small: Vec<DVec3> = points(30, 4).into_iter().map(|p| p * 1e-6 + DVec3::X).collect();
        positions.extend(small);
        let faces = (0..20).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        unwrapped(device, "sizes", &mut mesh(positions, faces));
    }
    /// Coordinates near the limits of double precision.
    fn extremes(device) {
        for scale in [1e-150, 1e150] {
            let positions = points(40, 9).into_iter().map(|p| p * scale).collect();
            let faces = (0..30).map(|i| [i, i + 3, i + 7]).collect();
            unwrapped(device, "extremes", &mut mesh(positions, faces));
        }
    }
}
