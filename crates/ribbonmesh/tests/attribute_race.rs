//! No races in shared memory in the reductions. With `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
use ribbonmesh::device::race::needed_barriers;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Attribute, Device, MeshOptions, Result, StaticMesh, Vertex};

/// One test: the checker's state is the process's.
#[test]
fn no_race_but_without_barriers() {
    let device = Device::cpu();
    let mesh = StaticMesh::new(&device, 3000, &[[0, 1, 2]], &MeshOptions::default()).expect("a mesh");
    let x = Attribute::<Vertex, Vec3>::filled(&mesh, Vec3::ONE).expect("an attribute");
    let works: [&dyn Fn() -> Result<()>; 3] =
        [&|| x.sum().map(drop), &|| x.dot(&x).map(drop), &|| x.max().map(drop)];
    for work in works {
        // the barrier after the lanes
        assert_eq!(needed_barriers("a reduction", work).first(), Some(&true));
    }
}
