//! Times of Delaunay flips in a store, on the first GPU or the CPU.
//!
//! `cargo run --release -p ribbonmesh-dynamic --example flips -- [SIDE PATCH_SIZE]...`
use ribbonmesh::mesh::shapes;
use ribbonmesh::{Device, MeshOptions};
use ribbonmesh_dynamic::{PatchAttribute, PatchStore, StoreOptions};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let numbers: Vec<u32> = std::env::args().skip(1).map(|n| n.parse()).collect::<Result<_, _>>()?;
    let numbers =
        if numbers.is_empty() { vec![100, 64, 100, 256, 1000, 128, 1000, 256, 1000, 512] } else { numbers };
    let device = Device::auto();
    println!("{}", device.name());
    // Figure 5.7
    for side in [20, 50, 100, 200, 500, 1000] {
        let torus = shapes::torus(side, 1)?;
        let patches = MeshOptions { patch_size: 256, ..MeshOptions::default() };
        let options = StoreOptions::still();
        let store = PatchStore::new(&device, torus.positions.len(), &torus.faces, &patches, &options)?;
        let [scheduled, discarded] = store.contention()?;
        println!(
            "{} faces, {} patches that lock all around: {discarded} of {scheduled} discarded, {:.1} %",
            torus.faces.len(),
            store.patches(),
            100.0 * f64::from(discarded) / f64::from(scheduled)
        );
    }
    for case in numbers.as_chunks::<2>().0 {
        let torus = shapes::torus(case[0], 1)?;
        let patches = MeshOptions { patch_size: case[1], ..MeshOptions::default() };
        for run in 0..3 {
            let (n, options) = (torus.positions.len(), StoreOptions::default());
            let mut store = PatchStore::new(&device, n, &torus.faces, &patches, &options)?;
            let mut x = PatchAttribute::from_input(&store, &torus.points())?;
            device.synchronize()?;
            let start = Instant::now();
            let report = store.flip_delaunay(&mut x);
            let seconds = start.elapsed().as_secs_f64();
            println!(
                "{} faces, {} patches of {}, run {run}: {:.2} ms, {report:?}",
                torus.faces.len(),
                store.patches(),
                case[1],
                1e3 * seconds
            );
            store.validate()?;
        }
    }
    Ok(())
}
