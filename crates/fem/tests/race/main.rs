//! Races in shared memory: none. With `--features race-check`, on the CPU.
#![cfg(feature = "race-check")]
use ribbonmesh::Device;
use ribbonmesh::device::race::assert_none;
use ribbonmesh_fem::{Assembler, ConjugateGradients, Form, Multigrid, MultigridOptions, SolveOptions, Space};
use ribbonmesh_volume::{SimplexMesh, shapes};

#[test]
fn no_race() {
    let report = assert_none("assembly and solvers", || {
        let device = Device::cpu();
        let (x, list) = shapes::kuhn_grid([4, 3, 3]).expect("a size");
        let cells: Vec<[u32; 4]> = (0..list.len()).filter_map(|c| list.cell(c).1.try_into().ok()).collect();
        let mesh = SimplexMesh::tetrahedra(&device, &x, &cells).expect("a mesh");
        for order in 1..=3 {
            let space = Space::tetrahedra(&mesh, order).expect("a space");
            let assembler = Assembler::new(&space).expect("a pattern");
            let matrix = assembler.assemble::<f64>(Form::Laplacian { conductivity: 1.0 }).expect("a matrix");
            let mut fixed = vec![0_u32; space.nodes()];
            fixed[0] = 1;
            let fixed = device.upload(&fixed).expect("memory");
            let mut solver = ConjugateGradients::new(&matrix, &fixed).expect("a solver");
            let (b, mut x) =
                (space.integrals().expect("memory"), device.zeros(space.nodes()).expect("memory"));
            assert!(solver.solve(&b, &mut x, &SolveOptions::default()).expect("a solution").converged);
            let options = MultigridOptions { coarsest: 8, ..MultigridOptions::default() };
            let levels = Multigrid::new(&matrix, &space, &fixed, &options).expect("levels");
            let mut solver = ConjugateGradients::with_multigrid(&matrix, &fixed, levels).expect("a solver");
            x.clear().expect("memory");
            assert!(solver.solve(&b, &mut x, &SolveOptions::default()).expect("a solution").converged);
        }
    });
    assert!(report.barriers > 0);
}
