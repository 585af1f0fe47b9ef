//! A material for each cell.
use crate::common;
use crate::meshes;
use ribbonmesh_fem::{Assembler, FemError, Form, Lame, Space, Summation};

/// Two materials, by the cell.
const MATERIALS: [Lame; 2] = [Lame { lambda: 3.0, mu: 2.0 }, Lame { lambda: 0.5, mu: 4.0 }];

fn check(space: &Space<'_>) {
    let device = space.device();
    let of = |cell: usize| usize::from(cell.is_multiple_of(3));
    let materials: Vec<[f64; 2]> =
        (0..space.cells()).map(|cell| [MATERIALS[of(cell)].lambda, MATERIALS[of(cell)].mu]).collect();
    let single: Vec<[f32; 2]> = materials.iter().map(|m| m.map(|x| x as f32)).collect();
    let (materials, single) =
        (device.upload(&materials).expect("memory"), device.upload(&single).expect("memory"));
    // the same material in all cells, and a second one where it differs
    for summation in [Summation::PerEntry, Summation::Inline, Summation::PerNode] {
        let assembler = Assembler::new(space).expect("a pattern").with(summation);
        let same = vec![[MATERIALS[0].lambda, MATERIALS[0].mu]; space.cells()];
        let same = assembler.assemble_materials(&device.upload(&same).expect("memory")).expect("a matrix");
        let one = assembler.assemble::<f64>(Form::Elasticity(MATERIALS[0])).expect("a matrix");
        assert!(close(&same.download().expect("memory"), &one.download().expect("memory"), 1e-12));
        let mixed = assembler.assemble_materials(&materials).expect("a matrix").download().expect("memory");
        assert!(!close(&mixed, &one.download().expect("memory"), 1e-3));
        let rough = assembler.assemble_materials(&single).expect("a matrix").download().expect("memory");
        assert!(close(&mixed, &rough, 1e-5));
        // linear in the materials: the rest is the contribution of the others
        let others: Vec<[f64; 2]> = (0..space.cells())
            .map(|cell| [MATERIALS[1 - of(cell)].lambda, MATERIALS[1 - of(cell)].mu])
            .collect();
        let others =
            assembler.assemble_materials(&device.upload(&others).expect("memory")).expect("a matrix");
        let [first, second] = MATERIALS;
        let sum = Lame { lambda: first.lambda + second.lambda, mu: first.mu + second.mu };
        let sum =
            assembler.assemble::<f64>(Form::Elasticity(sum)).expect("a matrix").download().expect("memory");
        let mut both = others.download().expect("memory");
        for (to, from) in both.rows.iter_mut().flatten().zip(mixed.rows.iter().flatten()) {
            to.1.iter_mut().zip(&from.1).for_each(|(to, from)| *to += from);
        }
        assert!(close(&both, &sum, 1e-12));
        let short = device.upload(&[[1.0_f64; 2]; 1]).expect("memory");
        assert!(matches!(assembler.assemble_materials(&short), Err(FemError::Device(_))));
    }
    let weights: Vec<f64> = (0..space.cells()).map(|cell| of(cell) as f64).collect();
    let weights = device.upload(&weights).expect("memory");
    let rest: Vec<f64> = (0..space.cells()).map(|cell| 1.0 - of(cell) as f64).collect();
    let rest = device.upload(&rest).expect("memory");
    let by = |weights| space.integrals_by(weights).expect("memory").read().expect("memory");
    let all = space.integrals().expect("memory").read().expect("memory");
    for ((a, b), all) in by(&weights).iter().zip(&by(&rest)).zip(&all) {
        assert!((a + b - all).abs() < 1e-12 && *a >= 0.0);
    }
    assert!(space.integrals_by(&device.upload(&[1.0]).expect("memory")).is_err());
}
/// Whether two matrices agree, by the greatest number.
fn close(a: &ribbonmesh_fem::Blocks, b: &ribbonmesh_fem::Blocks, within: f64) -> bool {
    let numbers = |m: &ribbonmesh_fem::Blocks| -> Vec<f64> {
        m.rows.iter().flatten().flat_map(|(_, block)| block.iter().copied()).collect()
    };
    let (a, b) = (numbers(a), numbers(b));
    let greatest = b.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| (a - b).abs() <= within * greatest)
}

suite! {
    fn a_material_for_each_cell(device) {
        let mesh = meshes::jittered([3, 2, 3]).mesh(device);
        for order in 1..=3 {
            check(&Space::tetrahedra(&mesh, order).expect("a space"));
        }
        check(&meshes::hexes(device, [3, 3, 2], true));
    }
}
