//! Volumes and elasticity.
use crate::case;
use crate::common::Folder;
use ribbonmesh_mesh::{TriangleMesh, shapes};
use serde_json::Value;

fn number(of: &Value, name: &str) -> f64 {
    of[name].as_f64().unwrap_or_else(|| panic!("{name} in {of}"))
}
fn close(found: f64, expected: f64, within: f64) {
    assert!((found / expected - 1.0).abs() < within, "{found} instead of {expected}");
}

/// CalculiX 2.20, C3D10, of the same mesh: 33.6 beside the hole; at the middles of cells 25.8.
#[test]
fn case_40_elasticity_stresses_of_vertices() {
    let folder = case("40-elasticity");
    let ran = folder.line(
        "elasticity brg_20000.vtu -o out.vtu --fix min-x --load max-x@0,0,-100 --young 210000 --order 2 --yield 235 --density 7.85e-9 --report report.json",
    );
    assert_eq!(ran.status, 0, "{ran:?}");
    let results = &folder.json("report.json")["results"];
    close(number(results, "greatest_von_mises"), 33.586, 1e-3);
    close(number(results, "greatest_cell_von_mises"), 25.80, 1e-3);
    close(number(results, "greatest_displacement"), 0.0650300, 1e-4);
    close(number(results, "safety_factor"), 235.0 / 33.586, 1e-3);
    let position = |name: &str, k: usize| results[name]["position"][k].as_f64().expect("a number");
    let at = [34.833, 14.016, 5.0];
    assert!((0..3).all(|k| (position("greatest_von_mises_at", k) - at[k]).abs() < 1e-3), "{results}");
    close(number(results, "mass"), 7.85e-9 * number(results, "volume"), 1e-9);
    // the force acts at x = 60: its moment is that of the support
    let moment = |name: &str, k: usize| results[name][0]["moment"][k].as_f64().expect("a number");
    for k in 0..3 {
        assert!((moment("loads", k) + moment("supports", k)).abs() < 1e-2, "{results}");
    }
    close(moment("loads", 1), 100.0 * 60.0, 1e-6);
    close(number(results, "work"), 2.0 * number(results, "strain_energy"), 1e-6);
    let info = folder.succeed(["volume", "info", "out.vtu"]).out;
    for data in ["vertex data           stress: f64 × 6", "vertex data           principal_stress: f64 × 3"]
    {
        assert!(info.contains(data), "{info}");
    }
}

/// SciPy's direct solution: 91.2438, with either preconditioner and either precision.
#[test]
fn case_40_elasticity_contrast_of_a_million() {
    let folder = case("40-elasticity");
    for options in ["", "--preconditioner multigrid", "--precision mixed", "--preconditioner blocks"] {
        let ran = folder.line(&format!(
            "elasticity bar.vtu -o out.vtu --fix min-x --load max-x@0,0,-1 --material x>1.5@1e6,0.3 --report report.json {options}"
        ));
        assert_eq!(ran.status, 0, "{options}: {ran:?}");
        let results = &folder.json("report.json")["results"];
        close(number(results, "greatest_displacement"), 91.2438, 1e-4);
        assert_eq!(results["converged"], true, "{options}: {results}");
    }
}

/// Two cubes that share an edge are a mechanism unless both are held.
#[test]
fn case_40_elasticity_hinge() {
    let folder = case("40-elasticity");
    let line = "elasticity hinge_edge.vtu -o out.vtu --turn-inverted --fix min-x --load max-x@0,0,-1";
    let ran = folder.line(line);
    assert_eq!(ran.status, 3, "{ran:?}");
    for part in ["48 cells, of which cell 48 is the first", "by 3 vertices", "--fix"] {
        assert!(ran.err.contains(part), "{part}: {ran:?}");
    }
    assert!(!folder.path("out.vtu").exists());
    let ran = folder.line(&format!("{line} --move max-z@_,_,0"));
    assert_eq!(ran.status, 0, "{ran:?}");
}

/// The same surfaces in several groups, whatever the version of the file: all around is 10, without the clamp
/// 9.
#[test]
fn case_40_elasticity_surfaces_in_several_groups() {
    let folder = case("40-elasticity");
    folder.succeed(["volume", "convert", "multi2_4.1.msh", "out.vtu"]);
    folder.succeed(["volume", "convert", "multi2_4.1.msh", "out.vtk"]);
    folder.succeed(["volume", "convert", "multi2_4.1.msh", "out.msh"]);
    folder.succeed(["volume", "convert", "multi2_4.1.msh", "old.msh", "--old"]);
    for file in ["multi2_2.2.msh", "multi2_4.1.msh", "out.vtu", "out.vtk", "out.msh", "old.msh"] {
        let ran = folder.line(&format!(
            "elasticity {file} -o solved.vtu --fix region:clamp --traction region:outer@1,0,0 --traction region:pull@0,1,0 --report report.json"
        ));
        assert_eq!(ran.status, 0, "{file}: {ran:?}");
        let results = &folder.json("report.json")["results"];
        close(number(&results["loads"][0], "area"), 10.0, 1e-9);
        close(number(&results["loads"][1], "area"), 1.0, 1e-9);
        close(results["load"][0].as_f64().expect("a number"), 10.0, 1e-9);
    }
}

/// Wedges as VTK 9.7.2 writes them.
#[test]
fn case_40_elasticity_wedges_of_vtk() {
    let folder = case("40-elasticity");
    let ran = folder.line("volume info vtksrc_WEDGE.vtu");
    assert!(ran.status == 0 && ran.err.contains("2 wedges turned"), "{ran:?}");
    assert!(ran.out.contains("inverted cells        0"), "{ran:?}");
}

/// Islands and lost shells: two balls, and a plate that is thinner than cells.
#[test]
fn islands_and_lost_shells() {
    let folder = Folder::new();
    let ball = shapes::icosphere(3).expect("a sphere");
    let mut all = TriangleMesh::default();
    for (scale, shift) in [([1.0; 3], 0.0), ([0.5; 3], 2.0), ([0.5, 0.5, 0.001], 4.013)] {
        let first = all.positions.len() as u32;
        all.positions
            .extend(ball.positions.iter().map(|p| ribbonmesh::glam::DVec3::from_array(scale) * *p + shift));
        all.faces.extend(ball.faces.iter().map(|face| face.map(|v| first + v)));
    }
    folder.mesh("three.ply", &all);
    let ran = folder.line("volume tetrahedralize three.ply -o all.vtu --size 0.2 --report report.json");
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(ran.err.contains("1 of 3 parts of the surface left no tetrahedra"), "{ran:?}");
    assert!(ran.err.contains("the result has 2 parts") && ran.err.contains("--keep-largest"), "{ran:?}");
    let all = folder.json("report.json")["results"].clone();
    assert_eq!((&all["parts"], &all["lost_shells"]), (&2.into(), &1.into()));
    close(number(&all, "largest_part"), 8.0 / 9.0, 0.02);
    let ran = folder
        .line("volume tetrahedralize three.ply -o one.vtu --size 0.2 --keep-largest --report report.json");
    assert!(ran.status == 0 && ran.err.contains("1 part left out"), "{ran:?}");
    let one = folder.json("report.json")["results"].clone();
    close(number(&one, "volume"), number(&all, "volume") * number(&all, "largest_part"), 1e-5);
    let info = folder.succeed(["volume", "info", "one.vtu", "--json"]).out;
    let info: Value = serde_json::from_str(&info).expect("JSON");
    assert_eq!(info["cells"], one["tetrahedra"]);
    let none = folder.line("elasticity one.vtu -o out.vtu --fix x<-0.5");
    assert!(none.status == 0 && none.err.contains("warning: nothing loads the body"), "{none:?}");
}
