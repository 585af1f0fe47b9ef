//! Inputs that cannot be assembled or solved, and the elements that errors name.
use crate::common;
use crate::meshes;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Device, Error};
use ribbonmesh_fem::{
    Assembler, ConjugateGradients, FemError, Form, Lame, Matrix, RowLengths, SolveOptions, Space, TetMass,
};
use ribbonmesh_volume::{SimplexMesh, VolumeError};
use std::marker::PhantomData;

fn small(device: &Device) -> SimplexMesh {
    meshes::kuhn([2, 2, 2]).mesh(device)
}

suite! {
    fn cells_inside_out(device) {
        let mut tets = meshes::kuhn([2, 2, 2]);
        tets.cells[17].swap(0, 1);
        let error = Space::tetrahedra(&tets.mesh(device), 1).expect_err("inverted");
        assert!(matches!(error, FemError::Inverted { cell: 17 }), "{error}");
        let x = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::X + Vec3::Y];
        let flat = SimplexMesh::tetrahedra(device, &x, &[[0, 1, 2, 3]]).expect("a mesh");
        assert!(matches!(Space::tetrahedra(&flat, 2), Err(FemError::Inverted { cell: 0 })));
        let cube = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];
        let mut x = cube.map(|c| Vec3::new(c[0] as f32, c[1] as f32, c[2] as f32));
        assert!(Space::hexahedra(device, &x, &[[0, 1, 2, 3, 4, 5, 6, 7]]).is_ok());
        // a dent: the volume is positive, the map is not one to one
        x[6] = Vec3::splat(0.2);
        let error = Space::hexahedra(device, &x, &[[0, 1, 2, 3, 4, 5, 6, 7]]).expect_err("dented");
        assert!(matches!(error, FemError::Inverted { cell: 0 }), "{error}");
    }
    fn wrong_input(device) {
        let mesh = small(device);
        assert!(matches!(Space::tetrahedra(&mesh, 0), Err(FemError::Order { order: 0, most: 3 })));
        assert!(matches!(Space::tetrahedra(&mesh, 4), Err(FemError::Order { order: 4, most: 3 })));
        assert!(matches!(RowLengths::new(&mesh, 5), Err(FemError::Order { order: 5, most: 4 })));
        let triangles = SimplexMesh::triangles(device, &[Vec3::ZERO, Vec3::X, Vec3::Y], &[[0, 1, 2]]).expect("a mesh");
        assert!(matches!(Space::tetrahedra(&triangles, 1), Err(FemError::Triangles)));
        assert!(matches!(RowLengths::new(&triangles, 2), Err(FemError::Order { order: 2, most: 1 })));
        let x = [Vec3::ZERO; 8];
        let far = Space::hexahedra(device, &x, &[[0, 1, 2, 3, 4, 5, 6, 8]]);
        assert!(matches!(far, Err(FemError::Volume(VolumeError::VertexOutOfRange { cell: 0, vertex: 8, .. }))));
        let mut bad = x;
        bad[3].y = f32::NAN;
        let found = Space::hexahedra(device, &bad, &[[0, 1, 2, 3, 4, 5, 6, 7]]);
        assert!(matches!(found, Err(FemError::Device(Error::NotFinite { vertex: 3 }))));
    }
    fn what_does_not_fit(device) {
        let mesh = small(device);
        let (first, second) = (Space::tetrahedra(&mesh, 1).expect("a space"), Space::tetrahedra(&mesh, 2).expect("a space"));
        let (a, b) = (Assembler::new(&first).expect("a pattern"), Assembler::new(&second).expect("a pattern"));
        let element = TetMass::<2, f32> { density: 1.0, precision: PhantomData };
        assert!(matches!(a.assemble_element(element), Err(FemError::OtherCells { element: 10, space: 4 })));
        let mass = Form::Mass { density: 1.0 };
        let mut matrix = a.assemble::<f32>(mass).expect("a matrix");
        assert!(matches!(b.assemble_into(mass, &mut matrix), Err(FemError::OtherPattern)));
        let elastic = Form::Elasticity(Lame { lambda: 1.0, mu: 1.0 });
        assert!(matches!(a.assemble_into(elastic, &mut matrix), Err(FemError::OtherPattern)));
        let (short, mut y) = (device.zeros(3).expect("memory"), device.zeros(27).expect("memory"));
        assert!(matches!(matrix.multiply(&short, &mut y), Err(FemError::Device(Error::Length { .. }))));
        let words = device.zeros(5).expect("memory");
        assert!(matches!(ConjugateGradients::new(&matrix, &words), Err(FemError::Device(Error::Length { .. }))));
        let odd = Matrix::<f32>::zeros(a.pattern(), 2).expect("memory");
        let words = device.zeros(27).expect("memory");
        assert!(matches!(ConjugateGradients::new(&odd, &words), Err(FemError::OtherPattern)));
        let x = device.zeros(3).expect("memory");
        assert!(matches!(Assembler::new(&first).expect("a pattern").at(&x), Err(FemError::Device(Error::Length { .. }))));
        assert!(matches!(first.gradients(3, &short), Err(FemError::Device(Error::Length { .. }))));
    }
    fn what_is_not_positive(device) {
        // a vertex of nothing
        let mesh = meshes::apart().mesh(device);
        let space = Space::tetrahedra(&mesh, 1).expect("a space");
        let matrix = Assembler::new(&space).expect("a pattern").assemble::<f64>(Form::Laplacian { conductivity: 1.0 }).expect("a matrix");
        let mut fixed = vec![0_u32; space.nodes()];
        let last = space.nodes() - 1;
        let found = ConjugateGradients::new(&matrix, &device.upload(&fixed).expect("memory")).expect_err("nothing there");
        assert!(matches!(found, FemError::NotPositive { node } if node == last), "{found}");
        fixed[last] = 1;
        // conductivity below 0
        let matrix = Assembler::new(&space).expect("a pattern").assemble::<f64>(Form::Laplacian { conductivity: -1.0 }).expect("a matrix");
        let found = ConjugateGradients::new(&matrix, &device.upload(&fixed).expect("memory")).expect_err("negative");
        assert!(matches!(found, FemError::NotPositive { node: 0 }), "{found}");
    }
    /// A body that nothing holds, pulled along one axis: no solution, and no number that looks like one.
    fn free_bodies(device) {
        let mesh = small(device);
        let space = Space::tetrahedra(&mesh, 1).expect("a space");
        let matrix = Assembler::new(&space).expect("a pattern").assemble::<f64>(Form::Elasticity(Lame::of(1.0, 0.3))).expect("a matrix");
        let fixed = device.zeros(space.nodes()).expect("memory");
        let b = device.upload(&vec![1.0; 3 * space.nodes()]).expect("memory");
        let mut x = device.zeros(3 * space.nodes()).expect("memory");
        let found = ConjugateGradients::new(&matrix, &fixed).expect("a solver").solve(&b, &mut x, &SolveOptions::default());
        assert!(!matches!(found, Ok(report) if report.converged), "{found:?}");
    }
}
