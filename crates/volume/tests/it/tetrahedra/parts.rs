//! Parts of the result.
use crate::tetrahedra::meshes;
use ribbonmesh::glam::DVec3;
use ribbonmesh_mesh::shapes;
use ribbonmesh_suite::suite;
use ribbonmesh_volume::tetrahedra::CellSize;

suite! {
    fn the_largest_of_two_balls(device) {
        let ball = shapes::icosphere(3).expect("a sphere");
        let both = meshes::together(&[ball.clone(), meshes::moved(&ball, |p| 0.5 * p + DVec3::splat(2.0))]);
        let found = meshes::fill(device, &both, CellSize::Length(0.2));
        let mesh = found.to_mesh().expect("a mesh");
        let parts = found.parts(&mesh).expect("memory");
        assert_eq!(parts.len(), 2);
        let ball = 4.0 / 3.0 * std::f64::consts::PI;
        assert!((parts[0].1 / ball - 1.0).abs() < 0.03 && (parts[1].1 / (ball / 8.0) - 1.0).abs() < 0.1, "{parts:?}");
        let largest = found.largest_part(&mesh).expect("memory");
        let (all, own) = (found.report(), largest.report());
        assert!((own.quality.volume - parts[0].1).abs() < 1e-4 * parts[0].1, "{own:?}");
        assert!((own.vertices, own.tetrahedra) < (all.vertices, all.tetrahedra));
        assert_eq!((own.vertices, own.tetrahedra), (largest.vertices() as u64, largest.len() as u64));
        let again = largest.to_mesh().expect("a mesh");
        assert_eq!(largest.parts(&again).expect("memory").len(), 1);
        assert_eq!(again.defects().expect("memory").isolated_vertices.count, 0);
        assert!(largest.positions().expect("memory").iter().all(|p| p.length() < 1.01));
    }
}
