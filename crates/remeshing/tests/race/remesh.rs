//! Test that shared memory has no races. With `--features race-check`, on the CPU.
use ribbonmesh::device::race::assert_none;
use ribbonmesh::{Device, MeshOptions, Surface};
use ribbonmesh_mesh::shapes;
use ribbonmesh_remeshing::remesh::{
    Adaptive, ClusterOptions, Density, Length, RemeshOptions, remesh, remesh_by_clusters,
};

pub fn no_race_of_clusters() {
    for shape in [shapes::bumpy_sphere(3, 1).expect("small"), shapes::grid(20, 1).expect("small")] {
        let mut surface = Surface::new(&Device::cpu(), &shape, &MeshOptions::default()).expect("a mesh");
        let options = ClusterOptions { density: Density::Vertices(40), ..ClusterOptions::default() };
        let report =
            assert_none("clusters", || remesh_by_clusters(&mut surface, &options).expect("a manifold"));
        assert!(report.barriers > 0);
    }
}
pub fn no_race() {
    for shape in [shapes::bumpy_sphere(3, 1).expect("small"), shapes::grid(20, 1).expect("small")] {
        for adaptive in [None, Some(Adaptive::default())] {
            let options = RemeshOptions {
                length: Length::Mean(0.7),
                feature_angle: Some(50.0),
                project: true,
                adaptive,
                ..RemeshOptions::default()
            };
            for cards in [1, 3] {
                let device = Device::cpu_as_cards(cards);
                let report = assert_none(format!("{adaptive:?}, {cards} cards"), || {
                    let mut surface = Surface::new(&device, &shape, &MeshOptions::default());
                    remesh(surface.as_mut().expect("a mesh"), &options).expect("a manifold");
                });
                assert!(report.barriers > 0);
            }
        }
    }
}
