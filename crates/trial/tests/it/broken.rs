//! Operators that break the rules: none hangs, none writes over what others own, each is reported.
use crate::common;
use crate::suite;
use ribbonmesh::device::ElementKind;
use ribbonmesh::{Device, Error, MeshOptions, StaticMesh};
use ribbonmesh_dynamic::{DynamicMesh, Limits, PassReport, Way, refusals};
use ribbonmesh_shapes as shapes;
use ribbonmesh_trial::{Malice, broken};

fn torus(device: &Device) -> DynamicMesh {
    let shape = shapes::torus(9, 1).expect("small");
    let mesh = StaticMesh::new(device, shape.positions.len(), &shape.faces, &MeshOptions::default());
    DynamicMesh::new(&mesh.expect("a mesh"), 1.0).expect("a manifold")
}
const WAYS: [Way; 2] = [Way::Launched, Way::Resident];
fn limits(passes: u32, way: Way) -> Limits {
    Limits { passes, way }
}
/// Runs an operator that is refused everywhere; the mesh stays as it is.
fn refused(device: &Device, how: u32, seeds: u32, passes: u32) -> Vec<PassReport> {
    WAYS.map(|way| {
        let mut mesh = torus(device);
        let before = mesh.read_faces().expect("readable");
        let report = Malice::run(&mut mesh, how, seeds, limits(passes, way)).expect("no error");
        assert_eq!(mesh.read_faces().expect("readable"), before);
        mesh.validate().expect("valid");
        assert!(report.finished && report.executed == 0, "{report:?}");
        report
    })
    .to_vec()
}

suite! {
    fn one_that_always_refuses_ends_with_the_first_pass(device) {
        for report in refused(device, broken::REFUSES, 50, 100) {
            assert_eq!((report.passes, report.refused[broken::UNWILLING as usize]), (1, 50), "{report:?}");
            assert_eq!(report.blocked, report.refused);
        }
    }
    fn one_that_never_ends_is_stopped_and_not_finished(device) {
        for way in WAYS {
            let mut mesh = torus(device);
            let edges = mesh.ids(ElementKind::Edge);
            let report = Malice::run(&mut mesh, broken::NEVER_ENDS, edges, limits(25, way)).expect("no error");
            assert_eq!((report.passes, report.finished), (25, false), "{report:?}");
            assert!(report.executed > 25, "{report:?}");
            mesh.validate().expect("valid");
        }
    }
    fn fillings_that_are_none(device) {
        for how in [broken::SIDE_TWICE, broken::BARE_EDGE, broken::GAP, broken::GROWS_UNANNOUNCED] {
            for report in refused(device, how, 20, 10) {
                assert_eq!(report.refused[refusals::BROKEN_FILL as usize], 20, "{how}: {report:?}");
            }
        }
        for report in refused(device, broken::FACE_TWICE, 20, 10) {
            assert_eq!(report.refused.iter().sum::<u32>(), 20, "{report:?}");
        }
    }
    fn making_something_else_than_planned_is_an_error(device) {
        for how in [broken::MAKES_MORE, broken::MAKES_LESS] {
            for way in WAYS {
                let error = Malice::run(&mut torus(device), how, 5, limits(10, way)).expect_err("broken");
                let Error::Invalid(text) = &error else { panic!("{error:?}") };
                assert!(text.contains("at seed 4 otherwise than it had planned"), "{text}");
            }
        }
    }
    fn a_pass_that_does_not_end_is_an_error(device) {
        for way in WAYS {
            for seeds in [2, 3, 17] {
                let error = Malice::run(&mut torus(device), broken::MOVES_ON, seeds, limits(10, way));
                let error = error.expect_err("broken");
                let Error::Invalid(text) = &error else { panic!("{error:?}") };
                assert!(text.contains(&format!("did not end after {seeds} rounds")), "{text}");
            }
        }
    }
}
