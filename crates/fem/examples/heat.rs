//! Heat flow through layers of different conductivity, with an element that reads a number per cell.
//!
//! ```sh
//! cargo run --release -p ribbonmesh-fem --example heat -- [CUBES]
//! ```
//! CUBES: along a side, 16 by default (24,576 tetrahedra).
use ribbonmesh::Device;
use ribbonmesh_fem::{Assembler, ConjugateGradients, HeatFlow2Arguments, SolveOptions, Space};
use ribbonmesh_volume::{SimplexMesh, shapes};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let n: u32 = std::env::args().nth(1).map_or(Ok(16), |text| text.parse())?;
    let device = Device::auto();
    println!("{}", device.name());
    let (x, list) = shapes::kuhn_grid([n; 3])?;
    let cells: Vec<[u32; 4]> = (0..list.len()).filter_map(|cell| list.cell(cell).1.try_into().ok()).collect();
    // every other layer of cubes conducts ten times better
    let layer = |cell: usize| (cell / 6 % n as usize) % 2;
    let conductivity: Vec<f32> = (0..cells.len()).map(|cell| [1.0, 10.0][layer(cell)]).collect();
    let conductivity = device.upload(&conductivity)?;
    let mesh = SimplexMesh::tetrahedra(&device, &x, &cells)?;
    let space = Space::tetrahedra(&mesh, 2)?;
    let matrix =
        Assembler::new(&space)?.assemble_element(HeatFlow2Arguments { conductivity: conductivity.view() })?;
    // 0 at the left side, 1 at the right one
    let points = space.points()?;
    let side = |x: f64| x < 1e-6 || x > f64::from(n) - 1e-6;
    let fixed: Vec<u32> = points.iter().map(|x| u32::from(side(x.x))).collect();
    let start: Vec<f64> = points.iter().map(|x| if x.x > f64::from(n) - 1e-6 { 1.0 } else { 0.0 }).collect();
    let (fixed, mut heat) = (device.upload(&fixed)?, device.upload(&start)?);
    let sources = device.zeros(space.nodes())?;
    let mut solver = ConjugateGradients::new(&matrix, &fixed)?;
    let report = solver.solve(&sources, &mut heat, &SolveOptions::default())?;
    println!(
        "{} unknowns: {} iterations, residual {:.1e}",
        space.nodes(),
        report.iterations,
        report.residual
    );
    // what must be supplied at the right side to keep its heat
    let flow: f64 = solver.reactions(&sources, &heat)?.iter().zip(&start).map(|(r, s)| r * s).sum();
    let resistance: f64 = (0..n).map(|layer| [1.0, 0.1][layer as usize % 2]).sum();
    let series = f64::from(n * n) / resistance;
    println!("flow {flow:.6}; layers in series {series:.6}");
    Ok(())
}
