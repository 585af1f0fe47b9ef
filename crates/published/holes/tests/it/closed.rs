//! Large holes, and many of them: closed manifolds.
use crate::shapes::{Mesh, assert_closed};
use ribbonmesh::glam::Vec3;
use ribbonmesh_holes::HoleOptions;
use ribbonmesh_suite::{size, suite};

suite! {
    fn one_huge_loop(device) {
        let n = size(5000, 300);
        let found = Mesh::cone(n).filled(device, &HoleOptions::of_edges(7.0 / n as f32)).expect("filled");
        assert_eq!((found.holes, found.open, found.faces.len()), (1, 0, 2 * n as usize - 2));
        assert_closed(&found.faces, "a cone");
    }
    fn two_huge_loops_become_one(device) {
        let n = size(2000, 200);
        let two = Mesh::cone(n).and({
            let mut other = Mesh::cone(n).moved(Vec3::Z * 0.01);
            // seen from the other side
            other.x.iter_mut().for_each(|p| *p = Vec3::new(p.x, -p.y, -p.z));
            other
        });
        let found = two.filled(device, &HoleOptions::of_edges(7.0 / n as f32)).expect("filled");
        assert_eq!((found.holes, found.joined, found.open), (2, 1, 0));
        assert_eq!(found.faces.len(), 4 * n as usize);
        assert_closed(&found.faces, "two cones");
    }
    fn a_thousand_holes(device) {
        let ball = Mesh::ball(size(6, 4), 3);
        let n = ball.x.len();
        let holed = ball.without_stars(|v| v.is_multiple_of(17));
        // two of these touch at times; pairs near each other are joined
        let found = holed.filled(device, &HoleOptions { pair_share: 1.0, ..HoleOptions::of_edges(0.05) }).expect("filled");
        assert!(found.holes as usize > n / 60 && found.open == 0, "{} holes, {} open", found.holes, found.open);
        assert_closed(&found.faces, "a ball");
    }
}
