//! The three ways to sum, symmetry, repeated assembly, memory.
use crate::meshes;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Buffer, Device};
use ribbonmesh_fem::{Assembler, Blocks, Form, Lame, Space, Storage, Summation};
use ribbonmesh_suite::suite;

const FORMS: [Form; 3] = [
    Form::Elasticity(Lame { lambda: 1.3, mu: 0.7 }),
    Form::Laplacian { conductivity: 2.0 },
    Form::Mass { density: 3.0 },
];

fn greatest(blocks: &Blocks) -> f64 {
    blocks.rows.iter().flatten().flat_map(|(_, b)| b).fold(0.0, |m, v| m.max(v.abs()))
}
fn apart(a: &Blocks, b: &Blocks) -> f64 {
    let mut most: f64 = 0.0;
    for (a, b) in a.rows.iter().zip(&b.rows) {
        assert_eq!(a.len(), b.len());
        for ((i, a), (j, b)) in a.iter().zip(b) {
            assert_eq!(i, j);
            a.iter().zip(b).for_each(|(a, b)| most = most.max((a - b).abs()));
        }
    }
    most
}
fn symmetric(blocks: &Blocks, name: &str, within: f64) {
    let n = blocks.size;
    for (row, own) in blocks.rows.iter().enumerate() {
        for (column, block) in own {
            let other = blocks.rows[*column as usize]
                .iter()
                .find(|(c, _)| *c as usize == row)
                .expect("its transpose");
            for i in 0..n {
                for j in 0..n {
                    assert!(
                        (block[n * i + j] - other.1[n * j + i]).abs() <= within,
                        "({row}, {column}) of {name}"
                    );
                }
            }
        }
    }
}
fn agree<S: Storage>(space: &Space<'_>, name: &str, eps: f64) {
    for form in FORMS {
        let by = |summation| {
            let assembler = Assembler::new(space).expect("a pattern").with(summation);
            let matrix = assembler.assemble::<S>(form).expect("a matrix");
            matrix.download().expect("memory")
        };
        let entries = by(Summation::PerEntry);
        let scale = greatest(&entries);
        assert!(scale > 0.0);
        for other in [Summation::Inline, Summation::PerNode].map(by) {
            let difference = apart(&entries, &other);
            assert!(difference <= 8.0 * eps * scale, "{form:?} of {name}: {difference}");
        }
        symmetric(&entries, name, 8.0 * eps * scale);
    }
}
fn bits(device: &Device, space: &Space<'_>, summation: Summation) {
    let _ = device;
    let assembler = Assembler::new(space).expect("a pattern").with(summation);
    let read = |b: &Buffer<f32>| b.read().expect("memory").into_iter().map(f32::to_bits).collect::<Vec<_>>();
    let first = assembler.assemble::<f32>(FORMS[0]).expect("a matrix");
    for _ in 0..3 {
        let again = assembler.assemble::<f32>(FORMS[0]).expect("a matrix");
        for (a, b) in first.buffers().into_iter().zip(again.buffers()) {
            assert_eq!(read(a), read(b));
        }
    }
}

suite! {
    fn three_sums_agree(device) {
        for tets in meshes::all() {
            let mesh = tets.mesh(device);
            for order in 1..=3 {
                let space = Space::tetrahedra(&mesh, order).expect("a space");
                agree::<f32>(&space, tets.name, f64::from(f32::EPSILON));
                agree::<f64>(&space, tets.name, f64::EPSILON);
            }
        }
        let space = meshes::hexes(device, [3, 4, 2], true);
        agree::<f32>(&space, "hexahedra", f64::from(f32::EPSILON));
        agree::<f64>(&space, "hexahedra", f64::EPSILON);
    }
    fn same_bits_every_time(device) {
        let mesh = meshes::jittered([6, 5, 4]).mesh(device);
        for summation in [Summation::PerEntry, Summation::Inline, Summation::PerNode] {
            bits(device, &Space::tetrahedra(&mesh, 2).expect("a space"), summation);
        }
    }
    /// Values alone on a fixed pattern: of another form, and at other positions.
    fn values_alone(device) {
        let tets = meshes::jittered([3, 3, 3]);
        let mesh = tets.mesh(device);
        let x: Vec<Vec3> = tets.x.iter().map(|x| 2.0 * *x).collect();
        let x = device.upload(&x).expect("memory");
        for order in 1..=3 {
            let space = Space::tetrahedra(&mesh, order).expect("a space");
            for summation in [Summation::PerEntry, Summation::Inline, Summation::PerNode] {
                let assembler = Assembler::new(&space).expect("a pattern").with(summation);
                let mut matrix = assembler.assemble::<f64>(FORMS[1]).expect("a matrix");
                let before = matrix.download().expect("memory");
                assembler.assemble_into(FORMS[2], &mut matrix).expect("values");
                assert!(apart(&before, &matrix.download().expect("memory")) > 0.0);
                assembler.assemble_into(FORMS[1], &mut matrix).expect("values");
                assert_eq!(before, matrix.download().expect("memory"));
                // twice as large: stiffness twice as large
                let moved = Assembler::new(&space).expect("a pattern").with(summation).at(&x).expect("positions");
                let double = moved.assemble::<f64>(FORMS[1]).expect("a matrix").download().expect("memory");
                for ((_, a), (_, b)) in before.rows.iter().flatten().zip(double.rows.iter().flatten()) {
                    assert!((2.0 * a[0] - b[0]).abs() < 1e-12);
                }
            }
        }
    }
    /// The product is that of the blocks.
    fn products(device) {
        for order in 1..=3 {
            let mesh = meshes::jittered([3, 2, 3]).mesh(device);
            let space = Space::tetrahedra(&mesh, order).expect("a space");
            let assembler = Assembler::new(&space).expect("a pattern");
            for form in FORMS {
                let matrix = assembler.assemble::<f32>(form).expect("a matrix");
                let x: Vec<f64> = (0..matrix.unknowns()).map(|i| ((7 * i) % 13) as f64 - 6.0).collect();
                let mut y = device.zeros(matrix.unknowns()).expect("memory");
                matrix.multiply(&device.upload(&x).expect("memory"), &mut y).expect("a product");
                let expected = matrix.download().expect("memory").times(&x);
                for (a, b) in y.read().expect("memory").iter().zip(&expected) {
                    assert!((a - b).abs() < 1e-11 * (1.0 + b.abs()), "{a} {b}");
                }
            }
        }
    }
}
