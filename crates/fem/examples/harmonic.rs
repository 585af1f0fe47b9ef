//! Harmonic weights of handles: each is 1 at its handle, 0 at the others, and harmonic between. Points move
//! by the weights of their handles.
//!
//! ```sh
//! cargo run --release -p ribbonmesh-fem --example harmonic -- [CUBES]
//! ```
//! CUBES: along a side, 12 by default (10,368 tetrahedra).
use ribbonmesh::Device;
use ribbonmesh::glam::Vec3;
use ribbonmesh_fem::{Assembler, ConjugateGradients, Form, SolveOptions, Space};
use ribbonmesh_volume::{SimplexMesh, shapes};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let n: u32 = std::env::args().nth(1).map_or(Ok(12), |text| text.parse())?;
    let device = Device::auto();
    println!("{}", device.name());
    let (x, list) = shapes::kuhn_grid([n; 3])?;
    let cells: Vec<[u32; 4]> = (0..list.len()).filter_map(|cell| list.cell(cell).1.try_into().ok()).collect();
    let mesh = SimplexMesh::tetrahedra(&device, &x, &cells)?;
    let space = Space::tetrahedra(&mesh, 1)?;
    let matrix = Assembler::new(&space)?.assemble::<f64>(Form::Laplacian { conductivity: 1.0 })?;
    // the corners of the cube are handles
    let end = n as f32;
    let handle = |x: &Vec3| x.to_array().iter().all(|&x| x == 0.0 || x == end);
    let handles: Vec<usize> = (0..x.len()).filter(|&v| handle(&x[v])).collect();
    let fixed: Vec<u32> = x.iter().map(|x| u32::from(handle(x))).collect();
    let fixed = device.upload(&fixed)?;
    let nothing = device.zeros(x.len())?;
    let mut solver = ConjugateGradients::new(&matrix, &fixed)?;
    let mut sums = vec![0.0; x.len()];
    for &own in &handles {
        let mut start = vec![0.0; x.len()];
        start[own] = 1.0;
        let mut weights = device.upload(&start)?;
        let report = solver.solve(&nothing, &mut weights, &SolveOptions::default())?;
        let weights = weights.read()?;
        let (least, most) = weights.iter().fold((1.0_f64, 0.0_f64), |(a, b), w| (a.min(*w), b.max(*w)));
        println!("handle {own}: {} iterations, weights from {least:.4} to {most:.4}", report.iterations);
        sums.iter_mut().zip(&weights).for_each(|(sum, weight)| *sum += weight);
    }
    let off = sums.iter().map(|sum| (sum - 1.0).abs()).fold(0.0, f64::max);
    println!("the weights of all handles sum up to 1 within {off:.1e}");
    Ok(())
}
