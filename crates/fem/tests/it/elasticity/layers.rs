//! Tests of several materials.
use ribbonmesh::glam::DVec3;
use ribbonmesh::mesh::{Classified, ErrorKind, Subject};
use ribbonmesh_fem::elasticity::{ElasticityError, Load, Material, Options, Problem, Support, solve};
use ribbonmesh_suite::suite;
use ribbonmesh_volume::shapes;
use ribbonmesh_volume_io::{DataArray, REGION, VolumeData};

/// A bar of 4 x 1 x 1.
fn bar() -> VolumeData {
    let (positions, cells) = shapes::kuhn_grid([8, 2, 2]).expect("small");
    let positions: Vec<_> = positions.into_iter().map(|x| x * 0.5).collect();
    VolumeData::from_f32(&positions, cells)
}
/// A problem of the bar, pulled along x and free to get thinner.
fn pulled(materials: Vec<Material>) -> Problem {
    let support = |at: &str, axis: usize| {
        let mut values = [None; 3];
        values[axis] = Some(0.0);
        Support { at: at.parse().expect("a selection"), values }
    };
    Problem {
        young: 10.0,
        poisson: 0.0,
        density: 1.0,
        materials,
        supports: vec![support("min-x", 0), support("min-y", 1), support("min-z", 2)],
        loads: vec![Load::Force { at: "max-x".parse().expect("a selection"), total: DVec3::X }],
        ..Problem::default()
    }
}
fn material(at: &str, young: f64, density: Option<f64>) -> Material {
    Material { at: at.parse().expect("a selection"), young, poisson: 0.0, density }
}

suite! {
    /// Three layers in series: their lengths by their moduli add up. The last material that selects a cell
    /// counts.
    fn layers_in_series(device) {
        let materials = vec![material("x>1", 7.0, None), material("x>1", 20.0, None), material("x>3", 5.0, None)];
        let problem = pulled(materials);
        for order in 1..=3 {
            let options = Options { order, ..Options::default() };
            let found = solve(device, &bar(), &problem, &options).expect("a solution");
            let expected = 1.0 / 10.0 + 2.0 / 20.0 + 1.0 / 5.0;
            assert!((found.report.greatest_displacement - expected).abs() < 1e-6, "{:?}", found.report);
            assert_eq!(found.report.material_cells, [0, 4 * 4 * 6, 2 * 4 * 6]);
            // the stress is the same everywhere
            assert!(found.stress.iter().all(|s| (s[0] - 1.0).abs() < 1e-6), "order {order}");
        }
    }
    /// The weight of two densities, by a region of the file.
    fn weights_by_region(device) {
        let mut volume = bar();
        let middle = |cell: usize| volume.cells.cell(cell).1.iter().map(|&v| volume.positions[v as usize].x).sum::<f64>() / 4.0;
        let tags: Vec<i32> = (0..volume.cells.len()).map(|cell| if middle(cell) > 1.0 { 7 } else { 1 }).collect();
        volume.cell_data.push(DataArray::new(REGION, tags));
        let problem = Problem {
            materials: vec![material("region:7", 10.0, Some(3.0))],
            gravity: DVec3::new(0.0, 0.0, -2.0),
            loads: vec![],
            supports: vec![Support { at: "min-x".parse().expect("a selection"), values: [Some(0.0); 3] }],
            ..pulled(vec![])
        };
        let found = solve(device, &volume, &problem, &Options::default()).expect("a solution");
        assert!((found.report.load - DVec3::new(0.0, 0.0, -2.0 * (1.0 + 3.0 * 3.0))).length() < 1e-6, "{:?}", found.report.load);
        assert!((found.report.reaction + found.report.load).length() < 1e-5);
        assert_eq!(found.report.material_cells, [6 * 4 * 6]);
    }
    fn materials_of_nothing(device) {
        let refused = |m: Material| solve(device, &bar(), &pulled(vec![m]), &Options::default()).expect_err("refused");
        let error = refused(material("x>9", 1.0, None));
        assert!(matches!(&error, ElasticityError::NoCellsSelected { selection, .. } if selection == "x>9"), "{error}");
        assert_eq!(error.class().kind, ErrorKind::Refused(Subject::Mesh));
        // a plane of vertices has no cells
        assert!(matches!(refused(material("x=1", 1.0, None)), ElasticityError::NoCellsSelected { .. }));
        assert!(matches!(refused(material("region:9", 1.0, None)), ElasticityError::NoCellsSelected { .. }));
        assert!(matches!(refused(material("all", -1.0, None)), ElasticityError::Value { .. }));
        assert!(matches!(refused(material("all", 1.0, Some(f64::NAN))), ElasticityError::Value { .. }));
    }
}
