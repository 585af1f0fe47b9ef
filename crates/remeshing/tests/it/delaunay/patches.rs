//! Patches after Delaunay flips.
use ribbonmesh::dynamic::PatchOptions;
use ribbonmesh_mesh::shapes::{self, shuffle};
use ribbonmesh_remeshing::delaunay::{DelaunayOptions, flip};
use ribbonmesh_suite::{
    dynamic::{
        Subject, manifolds,
        patches::{contents, queries, refresh},
    },
    suite,
};

suite! {
    fn as_if_built_of_the_flipped_triangles(device) {
        let mut all = manifolds();
        for (name, mut shape) in
            [("shuffled torus", shapes::torus(40, 1)), ("shuffled grid", shapes::grid(50, 1))].map(|s| (s.0, s.1.expect("small")))
        {
            shuffle(&mut shape, 3);
            all.push((name, shape));
        }
        for (name, shape) in all.into_iter().step_by(ribbonmesh_suite::size(1, 4)) {
            let [mut once, mut twice] = [0, 1].map(|_| Subject::new(device, &shape, 0.0));
            refresh(&mut twice.mesh, &PatchOptions::NEVER, name);
            let flips = [&mut once, &mut twice].map(|subject| {
                let report = flip(&mut subject.mesh, &subject.x, None, &DelaunayOptions::default()).expect("flips");
                refresh(&mut subject.mesh, &PatchOptions::NEVER, name);
                report.flips
            });
            assert_eq!(flips[0], flips[1], "{name}");
            let [a, b] = [&once, &twice].map(|s| contents(s.mesh.patches().expect("fresh")));
            assert_eq!(a, b, "{name}: all at once, and only what has changed");
            queries(&twice.mesh, name);
        }
    }
}
