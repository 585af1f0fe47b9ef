//! k-rings, which extend beyond a patch.
use crate::common;
use crate::suite;
use common::{cases, check, ids::Pair, meshes, size};
use ribbonmesh::Error;

suite! {
    fn every_class(device) {
        for case in meshes::all() {
            // rings around the hub of a fan hold everything
            let most = if case.vertices > 900 { 2 } else { 4 };
            for k in (1..=most).step_by(size(1, 2)) {
                for size in cases([16, 64]) {
                    check::rings(&Pair::new(device, &case, size), k);
                }
            }
        }
    }
    fn many_patches(device) {
        // more than one window of the set of patches, except under a sanitizer
        check::rings(&Pair::new(device, &meshes::icosphere(size(6, 4)).shuffled(1), 16), 3);
    }
    fn other_k_are_refused(device) {
        let pair = Pair::new(device, &meshes::grid(4), 16);
        for k in [0, 5] {
            assert!(matches!(pair.mesh.k_ring(k), Err(Error::Option { .. })));
        }
    }
}
