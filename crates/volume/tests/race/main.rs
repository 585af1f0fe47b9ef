//! Races in shared memory: none. With `--features race-check`, on the CPU.
//!
//! The crate's own kernels have no shared memory and no barriers; the library's sorts and sums, which they
//! are used with, do.
#![cfg(feature = "race-check")]
mod tetrahedra;
use ribbonmesh::Device;
use ribbonmesh::device::race::assert_none;
use ribbonmesh_volume::{Relation, SimplexMesh, VolumeMesh, VolumeOptions, shapes};

#[test]
fn no_race() {
    let report = assert_none("volume meshes", || {
        let device = Device::cpu();
        for shape in [shapes::kuhn_grid([4, 3, 5]), shapes::mixed_grid([5, 4, 3])] {
            let (x, cells) = shape.expect("a size");
            let mut mesh = VolumeMesh::new(&device, &x, &cells, &VolumeOptions::default()).expect("a mesh");
            for relation in Relation::ALL {
                mesh.relation(relation).expect("memory");
            }
            mesh.defects().expect("memory");
            mesh.surface().expect("memory");
            mesh.smooth(2).expect("memory");
            mesh.subdivide().expect("memory");
        }
        let x = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Into::into);
        let simplices = SimplexMesh::tetrahedra(&device, &x, &[[0, 1, 2, 3]]).expect("a mesh");
        for relation in Relation::ALL {
            simplices.relation(relation).expect("memory");
        }
    });
    assert!(report.barriers > 0);
    tetrahedra::no_race();
}
