//! Draws a bent beam: the deformed surface, coloured by the von Mises stress.
//!
//! ```sh
//! cargo run --release -p ribbonmesh-fem --example picture -- [PICTURE.png]
//! ```
//! PICTURE.png: docs/figures/elasticity.png by default.
use ribbonmesh::{Device, glam::DVec3};
use ribbonmesh_fem::elasticity::{Load, Options, Problem, Support, solve};
use ribbonmesh_render::{Camera, Colormap, Colouring, Legend, Lens, Range, Scene, Style, Up, View};
use ribbonmesh_volume::{VolumeOptions, shapes};
use ribbonmesh_volume_io::VolumeData;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let usual = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/figures/elasticity.png");
    let file = std::env::args().nth(1).unwrap_or_else(|| usual.to_owned());
    let device = Device::auto();
    let (positions, cells) = shapes::kuhn_grid([24, 6, 6])?;
    let positions: Vec<_> = positions.iter().map(|x| *x / 3.0).collect();
    let mut beam = VolumeData::from_f32(&positions, cells);
    let problem = Problem {
        supports: vec![Support { at: "min-x".parse()?, values: [Some(0.0); 3] }],
        loads: vec![Load::Force { at: "max-x".parse()?, total: DVec3::new(0.0, 0.0, -1e-2) }],
        ..Problem::default()
    };
    let solution = solve(&device, &beam, &problem, &Options { order: 2, ..Options::default() })?;
    println!("{:?}", solution.report);
    solution.store(&mut beam);
    let mesh = beam.upload(&device, beam.local_origin(), &VolumeOptions::default())?;
    beam.positions.iter_mut().zip(&solution.displacement).for_each(|(x, u)| *x += *u);
    let (surface, _) = beam.surface(&mesh)?;
    let vertices = surface.vertices().get::<u32>("volume_vertex")?.to_vec();
    let stress: Vec<f32> = vertices.iter().map(|&v| solution.vertex_von_mises[v as usize] as f32).collect();
    let map = Colormap::Viridis;
    let range = Range::of(&stress, map).ok_or("no stress")?;
    let colouring = Colouring::Scalar { values: &stress, map, range };
    let scene = Scene::new(&surface.positions, &surface.faces).coloured(colouring).standing(Up::Z);
    let legend = Legend { name: "von_mises".into(), map, range };
    let style =
        Style { width: 1200 - legend.width(560), height: 560, edges: 1.0, smooth: false, ..Style::default() };
    let camera = Camera::fit(&scene, View { azimuth: 25.0, elevation: 20.0 }, Lens::Perspective, &style)?;
    let picture = legend.beside(&scene.render(&device, &camera, &style)?, style.background);
    picture.write_png(file.as_ref())?;
    println!("wrote {file}: {} triangles", surface.faces.len());
    Ok(())
}
