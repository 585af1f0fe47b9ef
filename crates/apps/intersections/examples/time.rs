use ribbonmesh::{Device, MeshOptions, Surface};
use std::time::Instant;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let mesh = ribbonmesh_io::read(std::path::Path::new(&path)).unwrap().mesh;
    let device = Device::auto();
    for _ in 0..3 {
        let mut s = Surface::new(&device, &mesh, &MeshOptions::default()).unwrap();
        device.synchronize().unwrap();
        let t = Instant::now();
        let tri = s.triangles().unwrap();
        let bvh = ribbonmesh::bvh::Bvh::from_buffers(tri.positions(), tri.faces()).unwrap();
        device.synchronize().unwrap();
        let tree = t.elapsed();
        drop((bvh, tri));
        let t = Instant::now();
        let f = ribbonmesh_intersections::intersections(&mut s, &Default::default()).unwrap();
        println!("{} faces: tree {tree:?} all {:?} {:?}", mesh.faces.len(), t.elapsed(), f.report);
    }
}
