//! Refusals, and their words.
use ribbonmesh::Device;
use ribbonmesh::mesh::{Classified, ErrorKind, Subject};
use ribbonmesh_shallow::{Options, ShallowError, Source, Terrain, Water};
use ribbonmesh_suite::suite;

#[test]
fn terrains() {
    let refused = |points, spacing, heights| {
        Terrain::new(points, spacing, heights).expect_err("a terrain that is refused").to_string()
    };
    assert_eq!(refused([1, 5], 1.0, vec![0.0; 5]), "1 by 5 points; expected 2 to 32769 in each direction");
    assert_eq!(refused([2, 40_000], 1.0, vec![]), "2 by 40000 points; expected 2 to 32769 in each direction");
    assert_eq!(refused([2, 3], 1.0, vec![0.0; 5]), "5 heights where there must be 6");
    assert_eq!(refused([2, 2], 0.0, vec![0.0; 4]), "the option spacing is 0; expected 1e-6 to 1e9");
    let mut heights = vec![0.0; 6];
    heights[5] = f32::NAN;
    assert_eq!(refused([2, 3], 1.0, heights), "the height of point 1, 2 is not finite");
}

fn flat() -> Terrain {
    Terrain::new([5, 4], 1.0, vec![0.0; 20]).expect("a terrain")
}

suite! {
    fn options(device) {
        let terrain = flat();
        let refused = |options: &Options| {
            let levels = terrain.levels(|_, _| 1.0);
            let error = Water::new(device, &terrain, &levels, options).err().expect("an option that is refused");
            assert_eq!(error.class().kind, ErrorKind::Refused(Subject::Option), "{error}");
            error.to_string()
        };
        let usual = Options::default();
        let cases = [
            (Options { gravity: 0.0, ..usual.clone() }, "the option gravity is 0; expected above 0, at most 1e9"),
            (Options { friction: -1.0, ..usual.clone() }, "the option friction is -1; expected 0 to 1e9"),
            (Options { courant: 0.3, ..usual.clone() }, "the option courant is 0.3; expected above 0, at most 0.25"),
            (Options { thin: Some(0.0), ..usual.clone() }, "the option thin is 0; expected above 0, at most 1e9"),
            (Options { highest: Some(f64::NAN), ..usual.clone() }, "the option highest is NaN; expected a finite number"),
            (
                Options { sources: vec![Source::rain(-1.0)], ..usual.clone() },
                "the option rate is -1; expected above 0, at most 1e9",
            ),
            (
                Options { sources: vec![Source { from: [7.0; 2], to: [8.0; 2], rate: 1.0 }], ..usual },
                "source 0 has no cell of the terrain",
            ),
        ];
        for (options, words) in cases {
            assert_eq!(refused(&options), words);
        }
    }
    fn levels(device) {
        let terrain = flat();
        let refused = |levels: &[f64]| {
            Water::new(device, &terrain, levels, &Options::default()).err().expect("refused levels").to_string()
        };
        assert_eq!(refused(&[0.0; 5]), "5 levels where there must be 12");
        let mut levels = terrain.levels(|_, _| 1.0);
        levels[7] = f64::NAN;
        assert_eq!(refused(&levels), "the level of cell 3, 1 is NaN");
    }
    /// Water above the highest level is an error, and the water is not valid after it.
    fn too_high(device) {
        let terrain = flat();
        let sources = vec![Source { from: [0.0; 2], to: [2.0; 2], rate: 5.0 }];
        let options = Options { sources, highest: Some(2.0), ..Options::default() };
        let mut water = Water::new(device, &terrain, &terrain.levels(|_, _| 1.0), &options).expect("water");
        let error = water.advance_to(1e3).expect_err("too much water");
        assert!(matches!(error, ShallowError::TooHigh { highest: 2.0, .. }), "{error}");
        assert!(matches!(water.advance_steps(1), Err(ShallowError::Broken)));
        assert!(matches!(water.advance_to(f64::NAN), Err(ShallowError::Option { option: "time", .. })));
        let velocities = [[0.0, f32::NAN]; 12];
        let error = water.set_velocities(&velocities).expect_err("no number");
        assert!(matches!(error, ShallowError::NotFinite { column: 0, row: 0 }), "{error}");
        assert!(matches!(water.set_velocities(&[]), Err(ShallowError::Length { expected: 12, found: 0, .. })));
    }
}
#[test]
fn devices_are_told() {
    let device = Device::cpu();
    let water = Water::new(&device, &flat(), &flat().levels(|_, _| 1.0), &Options::default()).expect("water");
    assert!(water.device().same(&device) && water.unit() > 0.0);
}
