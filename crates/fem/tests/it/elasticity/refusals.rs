//! Tests of problems that have no solution, and of their errors.
use ribbonmesh::glam::DVec3;
use ribbonmesh::mesh::{Classified, ErrorKind, Subject};
use ribbonmesh_fem::FemError;
use ribbonmesh_fem::elasticity::{ElasticityError, Load, Options, Problem, Selection, Support, solve};
use ribbonmesh_suite::suite;
use ribbonmesh_volume::{CellKind, CellList, VolumeError, shapes};
use ribbonmesh_volume_io::VolumeData;

fn at(text: &str) -> Selection {
    text.parse().expect(text)
}
fn cube() -> VolumeData {
    let (x, cells) = shapes::kuhn_grid([2, 2, 2]).expect("a size");
    VolumeData::from_f32(&x, cells)
}
fn held(text: &str) -> Support {
    Support { at: at(text), values: [Some(0.0); 3] }
}
fn problem() -> Problem {
    Problem { supports: vec![held("min-x")], ..Problem::default() }
}

suite! {
    /// Faces and cells whose regions have the same number.
    fn regions_of_one_number(device) {
        let mut volume = cube();
        let side: Vec<Vec<u32>> = (0..volume.cells.len())
            .map(|c| volume.cells.cell(c).1.iter().copied().filter(|&v| volume.positions[v as usize].x == 0.0).collect::<Vec<u32>>())
            .filter(|f| f.len() == 3)
            .collect();
        side.iter().for_each(|face| volume.cells.push_face(face));
        volume.face_data.push(ribbonmesh_volume_io::DataArray::new("region", vec![3_i32; side.len()]));
        volume.cell_data.push(ribbonmesh_volume_io::DataArray::new("region", vec![3_i32; 48]));
        let pulled = Load::Force { at: at("max-x"), total: DVec3::X };
        let run = |text: &str| {
            let problem = Problem { supports: vec![held(text)], loads: vec![pulled.clone()], ..Problem::default() };
            solve(device, &volume, &problem, &Options::default()).expect("a solution").report
        };
        let (region, faces, cells) = (run("region:3"), run("faces:3"), run("cells:3"));
        assert_eq!((region.fixed, faces.fixed, cells.fixed), (3 * 9, 3 * 9, 3 * 27));
        assert_eq!(region.ambiguous, ["region:3"]);
        assert!(faces.ambiguous.is_empty() && cells.ambiguous.is_empty());
        let error = solve(device, &volume, &Problem { supports: vec![held("cells:4")], ..Problem::default() }, &Options::default());
        assert_eq!(error.expect_err("nothing").to_string(), "cells:4 selects no vertex; regions of the file: 3");
    }
    fn bodies_that_are_not_held(device) {
        let loose = |volume: &VolumeData, supports: Vec<Support>| {
            let error = solve(device, volume, &Problem { supports, ..Problem::default() }, &Options::default()).expect_err("loose");
            match error {
                ElasticityError::Loose { cell, motions } => (cell, motions, error.to_string()),
                error => panic!("{error}"),
            }
        };
        let slide = |text: &str, values| Support { at: at(text), values };
        let (cell, motions, words) = loose(&cube(), vec![]);
        assert_eq!((cell, motions), (0, 6));
        assert_eq!(words, "the part of the body with cell 0 is not held: no support touches it");
        // held at an edge, the body can turn; then a corner; then a plane on which it slides and turns
        assert_eq!(loose(&cube(), vec![held("box:0,0,0,0,0,2")]).1, 1);
        assert_eq!(loose(&cube(), vec![held("box:0,0,0,0,0,0")]).1, 3);
        let (_, motions, words) = loose(&cube(), vec![slide("min-z", [None, None, Some(0.0)])]);
        assert!(motions == 3 && words.ends_with("3 of its 6 rigid motions are free"), "{words}");
        // a second part
        let mut volume = cube();
        let first = volume.positions.len() as u32;
        let (x, cells) = shapes::kuhn_grid([1, 1, 1]).expect("a size");
        volume.positions.extend(x.iter().map(|x| x.as_dvec3() + DVec3::splat(5.0)));
        for cell in 0..cells.len() {
            let own: Vec<u32> = cells.cell(cell).1.iter().map(|v| first + v).collect();
            volume.cells.push(CellKind::Tetrahedron, &own);
        }
        assert_eq!(loose(&volume, vec![held("min-x")]).0, 48);
        assert!(solve(device, &volume, &Problem { supports: vec![held("min-x"), held("max-x")], ..Problem::default() }, &Options::default()).is_ok());
    }
    fn selections_of_nothing(device) {
        let run = |p: Problem| solve(device, &cube(), &p, &Options::default()).expect_err("nothing");
        let error = run(Problem { supports: vec![held("x>5")], ..Problem::default() });
        assert_eq!(error.to_string(), "x>5 selects no vertex");
        let error = run(Problem { supports: vec![held("region:clamp")], ..Problem::default() });
        assert!(matches!(error, ElasticityError::NoVertices { .. }), "{error}");
        let load = |text| Load::Force { at: at(text), total: DVec3::X };
        let error = run(Problem { loads: vec![load("box:1,1,1,1,1,1")], ..problem() });
        assert!(matches!(error, ElasticityError::NoFaces { vertices: 1, .. }), "{error}");
        let mut volume = cube();
        volume.cell_data.push(ribbonmesh_volume_io::DataArray::new("region", vec![3_i32; 48]));
        let error = solve(device, &volume, &Problem { supports: vec![held("region:4")], ..Problem::default() }, &Options::default()).expect_err("nothing");
        assert_eq!(error.to_string(), "region:4 selects no vertex; regions of the file: 3");
        assert_eq!(error.class().kind, ErrorKind::Refused(Subject::Mesh));
    }
    fn volumes_that_are_no_body(device) {
        let run = |volume: &VolumeData, options: Options| solve(device, volume, &problem(), &options).expect_err("no body");
        assert!(matches!(run(&VolumeData::default(), Options::default()), ElasticityError::NoCells));
        let (x, cells) = shapes::mixed_grid([2, 1, 1]).expect("a size");
        let error = run(&VolumeData::from_f32(&x, cells), Options::default());
        assert!(matches!(error, ElasticityError::Mixed { cell: 1, kind: CellKind::Wedge, first: CellKind::Hexahedron }), "{error}");
        let mut wedge = CellList::new();
        wedge.push(CellKind::Wedge, &[0, 1, 2, 3, 4, 5]);
        let error = run(&VolumeData::from_f32(&x[..6], wedge), Options::default());
        assert!(matches!(error, ElasticityError::Kind { kind: CellKind::Wedge }), "{error}");
        let mut inverted = CellList::new();
        (0..48).for_each(|c| {
            let mut own = cube().cells.cell(c).1.to_vec();
            if c == 11 { own.swap(2, 3) }
            inverted.push(CellKind::Tetrahedron, &own);
        });
        let error = run(&VolumeData { cells: inverted, ..cube() }, Options::default());
        assert!(matches!(error, ElasticityError::Fem(FemError::Inverted { cell: 11 })), "{error}");
        let mut far = CellList::new();
        far.push(CellKind::Tetrahedron, &[0, 1, 2, 99]);
        let error = run(&VolumeData { cells: far, ..cube() }, Options::default());
        assert!(matches!(error, ElasticityError::Volume(VolumeError::VertexOutOfRange { cell: 0, vertex: 99, .. })), "{error}");
        let (x, cells) = shapes::hexahedral_grid([1, 1, 1]).expect("a size");
        let error = run(&VolumeData::from_f32(&x, cells), Options { order: 2, ..Options::default() });
        assert!(matches!(error, ElasticityError::HexOrder { order: 2 }), "{error}");
    }
    fn numbers_out_of_range(device) {
        let cases = [
            Problem { young: 0.0, ..problem() },
            Problem { young: f64::NAN, ..problem() },
            Problem { poisson: 0.5, ..problem() },
            Problem { poisson: -1.0, ..problem() },
            Problem { density: -1.0, ..problem() },
            Problem { gravity: DVec3::new(0.0, f64::INFINITY, 0.0), ..problem() },
            Problem { loads: vec![Load::Pressure { at: Selection::All, pressure: f64::NAN }], ..problem() },
            Problem { supports: vec![Support { at: Selection::All, values: [Some(f64::NAN), None, None] }], ..problem() },
        ];
        for case in cases {
            let error = solve(device, &cube(), &case, &Options::default()).expect_err("out of range");
            assert!(matches!(error, ElasticityError::Value { .. }), "{error}");
        }
    }
}

#[test]
fn selections_are_read_and_said_alike() {
    for text in [
        "all",
        "min-x",
        "max-z",
        "x=0.5",
        "y<-0.1",
        "z>2",
        "box:0,0,-1,1,2,3",
        "region:clamp 3",
        "faces:3",
        "cells:a b",
    ] {
        assert_eq!(at(text).to_string(), text);
    }
    for text in [
        "",
        "w=3",
        "x=",
        "x=nan",
        "min-w",
        "box:1,2,3",
        "box:1,0,0,0,1,1",
        "region:",
        "x0.5",
        "x==1",
        "faces:",
    ] {
        let error = text.parse::<Selection>().expect_err(text);
        assert!(error.to_string().contains("is none of all, min-x"), "{error}");
    }
}
