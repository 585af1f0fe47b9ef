//! Input that is refused, with its reason.
use glam::DVec3;
use ribbonmesh::{Device, MeshOptions, Surface, TriangleMesh};
use ribbonmesh_energies::{
    DeformOptions, Elements, EnergyError, Handles, NewtonOptions, Potential, SpringsArguments,
    SymmetricDirichletArguments, deform, newton,
};
use ribbonmesh_mesh::shapes;
use ribbonmesh_suite::suite;

fn refused(device: &Device, mesh: &TriangleMesh, handles: &str) -> EnergyError {
    let mut surface = Surface::new(device, mesh, &MeshOptions::default()).expect("a surface");
    let before = surface.download().expect("memory").positions;
    let handles = handles.parse().expect("handles");
    let error =
        deform(&mut surface, &DeformOptions { handles, ..DeformOptions::default() }).expect_err("refused");
    assert_eq!(surface.download().expect("memory").positions, before, "as it was");
    error
}

#[test]
fn handles_as_text() {
    let handles: Handles =
        "# a comment\n0 1 2 3\n5\n\n7: 1e-1, -2,+3 # here\n9;11:0 0 0".parse().expect("handles");
    let found: Vec<_> = handles.iter().collect();
    let at = DVec3::new(0.1, -2.0, 3.0);
    let expected =
        [(0, Some(DVec3::new(1.0, 2.0, 3.0))), (5, None), (7, Some(at)), (9, None), (11, Some(DVec3::ZERO))];
    assert_eq!(found, expected);
    for (text, why) in [
        ("", "no vertex is held"),
        ("# nothing", "no vertex is held"),
        ("0 1 2", "line 1: \"0 1 2\" is not a vertex, or a vertex and three numbers"),
        ("0\n-1 1 2 3", "line 2"),
        ("0 1 2 nan", "line 1"),
        ("0 1 2 3 4", "line 1"),
        ("3\n3 0 0 0", "line 2: vertex 3 is held twice"),
        ("99999999999", "line 1"),
    ] {
        let error = text.parse::<Handles>().expect_err(text).to_string();
        assert!(error.contains(why), "{text:?}: {error}");
    }
}

suite! {
    fn handles_that_do_not_fit(device) {
        let mesh = shapes::icosphere(1).expect("a sphere");
        let error = refused(device, &mesh, "0;42 0 0 0").to_string();
        assert_eq!(error, "handles: vertex 42 is not among the 42 vertices");
        let mut two = mesh.clone();
        two.append(&mesh).expect("two spheres");
        let error = refused(device, &two, "0;1 0 0 0");
        assert!(matches!(error, EnergyError::Free { vertex: 42..=83 }), "{error}");
    }
    fn faces_that_have_no_rest(device) {
        let mut flat = shapes::icosphere(1).expect("a sphere");
        let [a, b, c] = flat.faces[7].map(|v| v as usize);
        flat.positions[c] = 0.5 * (flat.positions[a] + flat.positions[b]);
        let (p, q) = (flat.positions[a], flat.positions[b]);
        flat.positions[c] = p;
        let error = refused(device, &flat, "0");
        assert!(matches!(error, EnergyError::Flat { .. }), "{error} {q}");
        let twice = TriangleMesh::from_f32([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![[0, 1, 2], [1, 1, 2]]);
        assert!(matches!(refused(device, &twice, "0"), EnergyError::Flat { face: 1 }));
    }
    fn elements_that_are_none(device) {
        let error = Elements::new(device, 3, &[[0, 1], [1, 3]]).expect_err("no vertex 3");
        assert!(matches!(error, EnergyError::Element { element: 1, vertices: 3 }), "{error}");
        let elements = Elements::new(device, 3, &[[0, 1], [1, 2]]).expect("elements");
        let rest = device.upload(&[1.0; 10]).expect("memory");
        let error = Potential::new(&elements, SymmetricDirichletArguments { rest: rest.view() }).expect_err("edges");
        assert!(matches!(error, EnergyError::OtherElements { expected: 3, found: 2 }), "{error}");
    }
    fn energies_that_are_infinite(device) {
        let elements = Elements::new(device, 3, &[[0, 1, 2]]).expect("elements");
        let rest = device.upload(&[1.0, 0.0, 0.0, 1.0, 0.5]).expect("memory");
        let energy = SymmetricDirichletArguments { rest: rest.view() };
        let mut potential = Potential::new(&elements, energy).expect("a potential");
        let mut x = device.upload(&[0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0]).expect("memory");
        let error = potential.check(&x).expect_err("turned over");
        assert!(matches!(error, EnergyError::NotFinite { element: 0 }), "{error}");
        let fixed = device.upload(&[7, 0, 0]).expect("memory");
        let error = newton(&mut potential, &fixed, &mut x, &NewtonOptions::default()).expect_err("infinite");
        assert!(matches!(error, EnergyError::Start { .. }), "{error}");
        let options = NewtonOptions { tolerance: 0.0, ..NewtonOptions::default() };
        let error = newton(&mut potential, &fixed, &mut x, &options).expect_err("a tolerance");
        assert!(matches!(error, EnergyError::Option { option: "tolerance", .. }), "{error}");
    }
    fn springs_that_nothing_holds_still_come_to_rest(device) {
        let elements = Elements::new(device, 4, &[[0, 1], [1, 2]]).expect("elements");
        let rest = device.upload(&[1.0, 2.0]).expect("memory");
        let springs = SpringsArguments { stiffness: 1.0, rest: rest.view() };
        let mut potential = Potential::new(&elements, springs).expect("a potential");
        let mut x = device
            .upload(&[0.0, 0.0, 0.0, 1.5, 0.0, 0.0, 2.0, 1.0, 0.0, 9.0, 9.0, 9.0])
            .expect("memory");
        let fixed = device.zeros(4).expect("memory");
        let report = newton(&mut potential, &fixed, &mut x, &NewtonOptions::default()).expect("a minimum");
        assert!(report.energy() < 1e-9, "{report:?}");
        // a vertex without elements stays
        assert_eq!(x.read().expect("memory")[9..], [9.0; 3]);
    }
}
