//! Operators that break the rules: none hangs, none writes over what others own, each is reported.
use ribbonmesh::device::ElementKind;
use ribbonmesh::dynamic::{DynamicMesh, ExecutionMode, Limits, PassReport, rejections};
use ribbonmesh::{Device, Error, MeshOptions, OperatorFault, StaticMesh};
use ribbonmesh_mesh::shapes;
use ribbonmesh_suite::suite;
use ribbonmesh_testing::trial::{Malice, broken};

fn torus(device: &Device) -> DynamicMesh {
    let shape = shapes::torus(9, 1).expect("small");
    let mesh = StaticMesh::new(device, shape.positions.len(), &shape.faces, &MeshOptions::default());
    DynamicMesh::new(&mesh.expect("a mesh"), 1.0).expect("a manifold")
}
const MODES: [ExecutionMode; 2] = [ExecutionMode::PerPhase, ExecutionMode::Persistent];
fn limits(passes: u32, mode: ExecutionMode) -> Limits {
    Limits { passes, mode }
}
/// Runs an operator that is rejected everywhere; the mesh stays as it is.
fn rejected(device: &Device, how: u32, seeds: u32, passes: u32) -> Vec<PassReport> {
    MODES
        .map(|mode| {
            let mut mesh = torus(device);
            let before = mesh.read_faces().expect("readable");
            let report = Malice::run(&mut mesh, how, seeds, limits(passes, mode)).expect("no error");
            assert_eq!(mesh.read_faces().expect("readable"), before);
            mesh.validate().expect("valid");
            assert!(report.finished && report.executed == 0, "{report:?}");
            report
        })
        .to_vec()
}

suite! {
    fn one_that_always_rejects_ends_with_the_first_pass(device) {
        for report in rejected(device, broken::REJECTS, 50, 100) {
            assert_eq!((report.passes, report.rejected[broken::UNWILLING.index() as usize]), (1, 50), "{report:?}");
            assert_eq!(report.blocked, report.rejected);
        }
    }
    fn one_that_never_ends_is_stopped_and_not_finished(device) {
        for mode in MODES {
            let mut mesh = torus(device);
            let edges = mesh.ids(ElementKind::Edge);
            let report = Malice::run(&mut mesh, broken::NEVER_ENDS, edges, limits(25, mode)).expect("no error");
            assert_eq!((report.passes, report.finished), (25, false), "{report:?}");
            assert!(report.executed > 25, "{report:?}");
            mesh.validate().expect("valid");
        }
    }
    fn fillings_that_are_none(device) {
        for how in [broken::SIDE_TWICE, broken::BARE_EDGE, broken::GAP, broken::GROWS_UNANNOUNCED] {
            for report in rejected(device, how, 20, 10) {
                assert_eq!(report.rejected[rejections::BROKEN_FILL.index() as usize], 20, "{how}: {report:?}");
            }
        }
        for report in rejected(device, broken::FACE_TWICE, 20, 10) {
            assert_eq!(report.rejected.iter().sum::<u32>(), 20, "{report:?}");
        }
    }
    fn making_something_else_than_planned_is_an_error(device) {
        for how in [broken::MAKES_MORE, broken::MAKES_LESS] {
            for mode in MODES {
                let error = Malice::run(&mut torus(device), how, 5, limits(10, mode)).expect_err("broken");
                assert!(matches!(error, Error::Operator(OperatorFault::OtherFilling { seed: 4 })), "{error}");
            }
        }
    }
    fn a_pass_that_does_not_end_is_an_error(device) {
        for mode in MODES {
            for seeds in [2, 3, 17] {
                let error = Malice::run(&mut torus(device), broken::MOVES_ON, seeds, limits(10, mode));
                let error = error.expect_err("broken");
                let Error::Operator(OperatorFault::PassWithoutEnd { rounds }) = error else { panic!("{error:?}") };
                assert_eq!(rounds, seeds);
            }
        }
    }
}
