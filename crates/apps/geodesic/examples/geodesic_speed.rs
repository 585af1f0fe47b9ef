//! Times of the parts of a run: `geodesic_speed MESH [SOURCE] [REPETITIONS] [cpu|cuda]
//! [distance|hops]`; `-` is a sphere of 327,680 faces.
use ribbonmesh::{Attribute, Device, MeshOptions, StaticMesh, Vertex, glam::Vec3};
use ribbonmesh_geodesic::{Geodesic, GeodesicOptions};
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |i: usize, otherwise: &str| arguments.get(i).map_or(otherwise, |a| a).to_owned();
    let (positions, faces) = match argument(0, "-").as_str() {
        "-" => {
            let shape = ribbonmesh_mesh::shapes::icosphere(7)?;
            (shape.points(), shape.faces)
        }
        file => {
            let mesh = ribbonmesh_io::read(Path::new(file))?.mesh;
            (mesh.points(), mesh.faces)
        }
    };
    let (source, repetitions) = (argument(1, "0").parse()?, argument(2, "5").parse::<usize>()?);
    let device = if argument(3, "cpu") == "cuda" { Device::cuda(0)? } else { Device::cpu() };
    let order = argument(4, "distance").parse()?;
    let mesh = StaticMesh::new(&device, positions.len(), &faces, &MeshOptions::default())?;
    let positions = Attribute::<Vertex, Vec3>::from_input(&mesh, &positions)?;
    println!("{}: {} faces", device.name(), mesh.faces());
    for _ in 0..repetitions {
        let mut made = None;
        let ring = device.time(|| {
            made = Some(Geodesic::new(&mesh, &positions)?);
            Ok(())
        })?;
        let Some(mut geodesic) = made else { continue };
        let levels = device.time(|| geodesic.level_sets(&[source]))?;
        let [ring, levels] = [ring, levels].map(|s| 1e3 * s);
        println!("ring {ring:.3} ms, level sets {levels:.3} ms");
        let mut report = None;
        let options = GeodesicOptions { order, ..GeodesicOptions::default() };
        let propagation = device.time(|| {
            report = Some(geodesic.propagate(&options)?);
            Ok(())
        })?;
        let mut rounds = 0;
        let paths = device.time(|| {
            rounds = geodesic.trace()?;
            Ok(())
        })?;
        println!("    propagation {:.3} ms: {report:?}", 1e3 * propagation);
        println!("    paths {:.3} ms: {rounds} rounds", 1e3 * paths);
    }
    Ok(())
}
