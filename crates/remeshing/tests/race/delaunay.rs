//! Test that shared memory has no races. With `--features race-check`, on the CPU.
// The tests of results have the model, in another program.
#[path = "../it/delaunay/flipped.rs"]
mod flipped;
use flipped::delaunay_faces;
use ribbonmesh::Device;
use ribbonmesh::device::race::assert_none;
use ribbonmesh::glam::Vec3;
use ribbonmesh_mesh::shapes;
use ribbonmesh_remeshing::Order;
use ribbonmesh_remeshing::delaunay::DelaunayOptions;

pub fn no_race() {
    for shape in [shapes::torus(40, 1).expect("small"), shapes::grid(40, 1).expect("small")] {
        let points: Vec<Vec3> = shape.points();
        for max_normal_deviation in [None, Some(5.0)] {
            let order = Order::Rounds;
            let options = DelaunayOptions { max_normal_deviation, order, ..DelaunayOptions::default() };
            for cards in [1, 3] {
                let (device, mut flips) = (Device::cpu_as_cards(cards), 0);
                let report = assert_none(format!("{max_normal_deviation:?}, {cards} cards"), || {
                    let done = delaunay_faces(&device, &points, &shape.faces, &options);
                    flips = done.expect("a manifold").1.flips;
                });
                assert!(report.barriers > 0 && flips > 0);
            }
        }
    }
}
