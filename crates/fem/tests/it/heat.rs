//! An element with data of its own: heat flow through layers, against the series of their resistances.
use crate::meshes;
use ribbonmesh_fem::{
    Assembler, ConjugateGradients, HeatFlow1Arguments, HeatFlow2Arguments, HeatFlow3Arguments, SolveOptions,
    Space, Summation,
};
use ribbonmesh_suite::suite;

suite! {
    fn layers_in_series(device) {
        let tets = meshes::kuhn([4, 2, 2]);
        let mesh = tets.mesh(device);
        // conductivities of four layers along x
        let layers = [1.0_f32, 4.0, 0.5, 2.0];
        let conductivity: Vec<f32> = tets.cells.iter().map(|cell| {
            let middle: f32 = cell.iter().map(|&v| tets.x[v as usize].x).sum::<f32>() / 4.0;
            layers[(4.0 * middle) as usize]
        }).collect();
        let conductivity = device.upload(&conductivity).expect("memory");
        let resistance: f64 = layers.iter().map(|k| 0.25 / f64::from(*k)).sum();
        for order in 1..=3 {
            let space = Space::tetrahedra(&mesh, order).expect("a space");
            for summation in [Summation::PerEntry, Summation::Inline, Summation::PerNode] {
                let assembler = Assembler::new(&space).expect("a pattern").with(summation);
                let matrix = match order {
                    1 => assembler.assemble_element(HeatFlow1Arguments { conductivity: conductivity.view() }),
                    2 => assembler.assemble_element(HeatFlow2Arguments { conductivity: conductivity.view() }),
                    _ => assembler.assemble_element(HeatFlow3Arguments { conductivity: conductivity.view() }),
                }.expect("a matrix");
                let points = space.points().expect("memory");
                let fixed: Vec<u32> = points.iter().map(|x| u32::from(x.x < 1e-6 || x.x > 1.0 - 1e-6)).collect();
                let start: Vec<f64> = points.iter().map(|x| if x.x > 1.0 - 1e-6 { 1.0 } else { 0.0 }).collect();
                let words = device.upload(&fixed).expect("memory");
                let (b, mut x) = (device.zeros(space.nodes()).expect("memory"), device.upload(&start).expect("memory"));
                let mut solver = ConjugateGradients::new(&matrix, &words).expect("a solver");
                assert!(solver.solve(&b, &mut x, &SolveOptions::default()).expect("a solution").converged);
                let flow: f64 = solver.reactions(&b, &x).expect("memory").iter().zip(&start).map(|(r, s)| r * s).sum();
                assert!((flow * resistance - 1.0).abs() < 1e-5, "order {order}, {summation:?}: {flow}");
            }
        }
    }
}
