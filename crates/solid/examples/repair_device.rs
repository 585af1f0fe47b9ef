//! Times of repair of a mesh without the faces around every 500th vertex, with every seventh face turned and
//! every eleventh doubled, on its device.
//!
//! `cargo run --release -p ribbonmesh-solid --example repair_device -- [SUBDIVISIONS OR MESH]`
use ribbonmesh::{Device, MeshOptions, Surface};
use ribbonmesh_mesh::{TriangleMesh, shapes};
use ribbonmesh_solid::repair::{RepairOptions, STITCH, repair_and_stitch_surface, repair_surface};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let which = std::env::args().nth(1).unwrap_or_else(|| "8".into());
    let mut mesh = match which.parse() {
        Ok(fineness) => shapes::bumpy_sphere(fineness, 1)?,
        Err(_) => ribbonmesh_io::read(&which)?.mesh,
    };
    spoil(&mut mesh);
    let device = Device::auto();
    let whole = Surface::new(&device, &mesh, &MeshOptions::default())?;
    println!("{}: {} faces", device.name(), mesh.faces.len());
    let distance = STITCH * whole.extent("the mesh")?.diagonal;
    let options = RepairOptions {
        weld: Some(0.0),
        remove_isolated: true,
        keep_touching: true,
        ..RepairOptions::default()
    };
    measure("repair", &whole, |surface| Ok(repair_surface(surface, &options).map(drop)?))?;
    measure("repair and stitching", &whole, |surface| {
        Ok(repair_and_stitch_surface(surface, &options, Some(distance)).map(drop)?)
    })
}

fn spoil(mesh: &mut TriangleMesh) {
    let faces = &mut mesh.faces;
    faces.retain(|face| face.iter().all(|v| v % 500 != 0));
    faces.iter_mut().step_by(7).for_each(|face| face.swap(0, 2));
    let doubled: Vec<[u32; 3]> = faces.iter().copied().step_by(11).collect();
    faces.extend(doubled);
}

type Done = Result<(), Box<dyn std::error::Error>>;

fn measure(what: &str, whole: &Surface, run: impl Fn(&mut Surface) -> Done) -> Done {
    let mut seconds = f64::INFINITY;
    for _ in 0..5 {
        let mut surface = whole.try_clone()?;
        whole.device().synchronize()?;
        let start = Instant::now();
        run(&mut surface)?;
        whole.device().synchronize()?;
        seconds = seconds.min(start.elapsed().as_secs_f64());
    }
    println!("{what}: {:.2} ms", 1e3 * seconds);
    Ok(())
}
