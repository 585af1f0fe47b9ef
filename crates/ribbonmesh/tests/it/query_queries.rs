//! The ten queries and the boundary, on every class of mesh and several sizes of patches.
use ribbonmesh_suite::{cases, check, ids::Pair, meshes, suite};

suite! {
    fn every_class(device) {
        for case in meshes::all() {
            for size in cases([16, 64, 512, 2048]) {
                check::all(&Pair::new(device, &case, size));
            }
        }
    }
    fn real_meshes(device) {
        for case in meshes::real() {
            check::all(&Pair::new(device, &case, 512));
        }
    }
    fn subsets(device) {
        for case in meshes::all() {
            check::active(&Pair::new(device, &case, 64), 5);
        }
    }
}
