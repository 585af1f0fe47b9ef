//! Bytes a face of a store, and times of its queries beside those of a static mesh, on the first GPU or the CPU.
//!
//! `cargo run --release -p ribbonmesh-dynamic --example store -- [VERTICES] [REPETITIONS]`
use ribbonmesh::mesh::shapes;
use ribbonmesh::{Device, MeshOptions, Op, StaticMesh};
use ribbonmesh_dynamic::{PatchStore, StoreOp, StoreOptions};
use std::cell::RefCell;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let side: u32 = arguments.next().map_or(Ok(1000), |side| side.parse())?;
    let repetitions: usize = arguments.next().map_or(Ok(20), |n| n.parse())?;
    let device = Device::auto();
    let torus = shapes::torus(side, 1)?;
    println!("{}: torus of {} faces", device.name(), torus.faces.len());
    for patch_size in [256, 384, 512, 768, 1024, 1536] {
        let patches = MeshOptions { patch_size, ..MeshOptions::default() };
        let mesh = StaticMesh::new(&device, torus.positions.len(), &torus.faces, &patches)?;
        for options in [StoreOptions::still(), StoreOptions::default()] {
            let store = PatchStore::from_mesh(&mesh, &options)?;
            println!("patches of {patch_size}, room {}: {}", options.room, store.memory());
        }
    }
    for patch_size in [256, 512, 768] {
        let patches = MeshOptions { patch_size, ..MeshOptions::default() };
        let mesh = StaticMesh::new(&device, torus.positions.len(), &torus.faces, &patches)?;
        let store = PatchStore::from_mesh(&mesh, &StoreOptions::still())?;
        let validated = device.time_repeated(repetitions, || {
            store.validate().expect("a whole store");
            Ok(())
        })?;
        println!("patches of {patch_size}: validation {:.3} ms", 1e3 * validated.median);
        for (op, of_mesh) in
            StoreOp::ALL.into_iter().zip([Op::VV, Op::VE, Op::VF, Op::EV, Op::EF, Op::FV, Op::FE, Op::FF])
        {
            let rows = RefCell::new(store.query(op)?);
            let again = device.time_repeated(repetitions, || store.query_again(&mut rows.borrow_mut()))?;
            let of_static = device.time_repeated(repetitions, || mesh.query(of_mesh).map(drop))?;
            let (store, of_static) = (1e3 * again.mean, 1e3 * of_static.mean);
            println!("{}: store {store:.3} ms, static mesh with its allocation {of_static:.3} ms", op.name());
        }
    }
    Ok(())
}
