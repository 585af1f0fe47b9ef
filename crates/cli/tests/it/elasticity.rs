//! `elasticity`: a bar compared with the formulas, its files, and refused input.
use crate::common;
use common::Folder;

/// A bar of 4 x 1 x 1 in cubes of six tetrahedra.
fn bar(folder: &Folder) {
    folder.succeed(["volume", "generate", "tetrahedra", "4", "1", "1", "-o", "bar.vtu"]);
}

#[test]
fn a_bar_is_stretched() {
    let folder = Folder::new();
    bar(&folder);
    // held so that it may become thinner: the exact solution is linear, and elements of every order have it
    for order in ["1", "2", "3"] {
        let ran = folder.line(&format!(
            "elasticity bar.vtu -o out.vtu --move min-x@0,_,_ --move box:0,0,0,0,0,0@0,0,0 --move box:0,1,0,0,1,0@0,_,0 \
             --load max-x@2e3,0,0 --young 1e6 --poisson 0.25 --order {order} --surface out.ply --scale 100 --report report.json"
        ));
        assert_eq!(ran.status, 0, "{ran:?}");
        assert!(ran.err.contains("greatest displacement 0.00"), "{ran:?}");
        let results = &folder.json("report.json")["results"];
        let number = |name: &str| results[name].as_f64().expect("a number");
        // F / A = 2000, L = 4, E = 1e6; it gets thinner by a quarter of the strain in both directions
        let strain: f64 = 2e3 / 1e6;
        let greatest = ((4.0 * strain) * (4.0 * strain) + 2.0 * (0.25 * strain) * (0.25 * strain)).sqrt();
        assert!((number("greatest_displacement") / greatest - 1.0).abs() < 1e-6, "{results}");
        assert!((number("greatest_von_mises") / 2e3 - 1.0).abs() < 1e-6, "{results}");
        // half the force times the way
        assert!((number("strain_energy") / (0.5 * 2e3 * 4.0 * strain) - 1.0).abs() < 1e-6, "{results}");
        assert_eq!(results["supports"][0]["at"], "min-x");
        // where supports meet, the last one has the reaction
        let along_x = |support: &serde_json::Value| support["reaction"][0].as_f64().expect("a number");
        let all: Vec<f64> = results["supports"].as_array().expect("an array").iter().map(along_x).collect();
        assert!(all.len() == 3 && (all.iter().sum::<f64>() + 2e3).abs() < 1e-3, "{results}");
        assert!(ran.err.contains("reaction at min-x: -"), "{ran:?}");
        assert!((results["reaction"][0].as_f64().expect("a number") + 2e3).abs() < 1e-3, "{results}");
        assert_eq!(
            (&results["converged"], &results["order"]),
            (&true.into(), &order.parse::<u32>().expect("a number").into())
        );
        let mesh = folder.read("out.ply");
        let far = mesh.positions.iter().fold(f64::MIN, |most, p| most.max(p.x));
        assert!((far - (4.0 + 100.0 * 4.0 * strain)).abs() < 1e-4, "{far}");
        let info = folder.succeed(["volume", "info", "out.vtu"]).out;
        for data in ["displacement", "reaction", "stress", "von_mises"] {
            assert!(info.contains(data), "{data}: {info}");
        }
    }
}

#[test]
fn quiet_prints_results() {
    let folder = Folder::new();
    bar(&folder);
    let line = "elasticity bar.vtu -o out.vtu --fix min-x --load max-x@2e3,0,0 --young 1e6 --poisson 0.25 -q";
    let ran = folder.line(line);
    assert_eq!(ran.status, 0, "{ran:?}");
    for result in ["greatest displacement", "greatest von Mises stress", "reaction at min-x"] {
        assert!(ran.out.contains(result) && !ran.err.contains(result), "{ran:?}");
    }
}

#[test]
fn cells_inside_out() {
    let folder = Folder::new();
    bar(&folder);
    folder.succeed(["volume", "convert", "bar.vtu", "bar.vtk", "--ascii", "--old"]);
    // the first cell with two of its vertices exchanged
    let text = std::fs::read_to_string(folder.path("bar.vtk")).expect("a file");
    let cells = text.find("CELLS").expect("cells");
    let start = cells + text[cells..].find("\n4 ").expect("a tetrahedron") + 1;
    let end = start + text[start..].find('\n').expect("a line");
    let mut cell: Vec<&str> = text[start..end].split_whitespace().collect();
    cell.swap(1, 2);
    folder.write("turned.vtk", format!("{}{}{}", &text[..start], cell.join(" "), &text[end..]));
    let line = "elasticity turned.vtk -o out.vtu --fix min-x --load max-x@1,0,0";
    let ran = folder.line(line);
    assert!(
        ran.status == 3
            && ran.err.contains("cell 0 is turned inside out")
            && ran.err.contains("--turn-inverted"),
        "{ran:?}"
    );
    let ran = folder.line(&format!("{line} --turn-inverted"));
    assert_eq!(ran.status, 0, "{ran:?}");
}

#[test]
fn single_precision_and_hexahedra() {
    let folder = Folder::new();
    folder.succeed(["volume", "generate", "hexahedra", "6", "2", "2", "-o", "beam.vtu"]);
    let deflection = |options: &str| {
        let ran = folder.line(&format!(
            "elasticity beam.vtu -o out.vtu --fix min-x --load max-x@0,0,-1e-4 --report report.json {options}"
        ));
        assert_eq!(ran.status, 0, "{ran:?}");
        folder.json("report.json")["results"]["greatest_displacement"].as_f64().expect("a number")
    };
    let (double, mixed) = (deflection(""), deflection("--precision mixed --tolerance 1e-6"));
    assert!((double / mixed - 1.0).abs() < 1e-4, "{double} {mixed}");
    // Euler and Bernoulli's is F L^3 / (3 E I) = 0.0054; few hexahedra are too stiff by less than a half, and
    // shear adds to it
    assert!((0.5..1.3).contains(&(double / (1e-4 * 216.0 / (3.0 * 16.0 / 12.0)))), "{double}");
}

#[test]
fn wrong_use_and_bodies_without_a_solution() {
    let folder = Folder::new();
    bar(&folder);
    folder.succeed(["volume", "generate", "mixed", "2", "-o", "mixed.vtu"]);
    folder.succeed(["volume", "generate", "hexahedra", "2", "-o", "cubes.vtu"]);
    for (arguments, status, part) in [
        ("bar.vtu -o out.vtu", 3, "bar.vtu: the part of the body with cell 0 is not held"),
        ("bar.vtu -o out.vtu --fix x>9", 3, "bar.vtu: x>9 selects no vertex"),
        ("bar.vtu -o out.vtu --fix above", 2, "above"),
        ("bar.vtu -o out.vtu --fix min-x --load max-x", 2, "has no @"),
        ("bar.vtu -o out.vtu --fix min-x --load max-x@1,2", 2, "is not three numbers X,Y,Z"),
        ("bar.vtu -o out.vtu --fix min-x --poisson 0.5", 2, "Poisson's ratio is 0.5"),
        (
            "bar.vtu -o out.vtu --fix min-x --young soft",
            2,
            "invalid value 'soft' for '--young <E>': not a number",
        ),
        ("bar.vtu -o out.vtu --fix min-x --tolerance 1", 2, "above 0 and below 1"),
        ("bar.vtu -o out.vtu --fix min-x --order 4", 2, "4"),
        ("bar.vtu -o out.vtu --fix min-x --scale 2", 2, "--surface"),
        ("cubes.vtu -o out.vtu --fix min-x --order 2", 2, "hexahedra of order 2"),
        ("mixed.vtu -o out.vtu --fix min-x", 3, "elasticity needs only tetrahedra or only hexahedra"),
        ("absent.vtu -o out.vtu --fix min-x", 1, "absent.vtu"),
    ] {
        folder.refuses(&format!("elasticity {arguments}"), status, part);
        assert!(!folder.path("out.vtu").exists(), "{arguments}");
    }
    // a result that fell short is written, and said so
    let ran = folder.line("elasticity bar.vtu -o out.vtu --fix min-x --load max-x@0,0,1 --preconditioner blocks --max-iterations 2");
    assert!(ran.status == 0 && ran.err.contains("after 2 iterations the residual is"), "{ran:?}");
    assert!(folder.path("out.vtu").exists());
}

#[test]
fn large_displacements() {
    let folder = Folder::new();
    bar(&folder);
    // twice as long, and free to become thinner
    let ran = folder.line(
        "elasticity bar.vtu -o out.vtu --large --move min-x@0,_,_ --move y=0@_,0,_ --move z=0@_,_,0 \
         --move max-x@4,_,_ --young 100 --surface out.ply --report report.json",
    );
    assert_eq!(ran.status, 0, "{ran:?}");
    let results = &folder.json("report.json")["results"];
    let number = |name: &str| results[name].as_f64().expect("a number");
    assert!(number("newton_steps") >= 1.0 && number("stages") >= 1.0, "{results}");
    let pulled = results["supports"][3]["reaction"][0].as_f64().expect("a number");
    assert!(pulled > 0.0 && (number("greatest_displacement") - 4.0).abs() < 0.1, "{results}");
    let mesh = folder.read("out.ply");
    let far = mesh.positions.iter().fold(f64::MIN, |most, p| most.max(p.x));
    let wide = mesh.positions.iter().fold(f64::MIN, |most, p| most.max(p.y));
    assert!((far - 8.0).abs() < 1e-5 && (0.5..0.9).contains(&wide), "{far} {wide}");
    for (more, part) in [
        ("--large --order 2", "--order"),
        ("--large --dynamic", "--dynamic"),
        ("--steps 3", "--dynamic"),
        ("--dynamic --every 3", "--frames"),
    ] {
        let ran = folder.line(&format!("elasticity bar.vtu -o no.vtu --fix min-x {more}"));
        assert!(ran.status == 2 && ran.err.contains(part), "{more}: {ran:?}");
    }
    folder.succeed(["volume", "generate", "hexahedra", "2", "-o", "cubes.vtu"]);
    let ran = folder.line("elasticity cubes.vtu -o no.vtu --fix min-x --large");
    assert!(ran.status == 2 && ran.err.contains("tetrahedra of order 1"), "{ran:?}");
}

#[test]
fn a_body_moves() {
    let folder = Folder::new();
    bar(&folder);
    // a body that falls: g h² n (n + 1) / 2
    let line = "elasticity bar.vtu -o out.vtu --dynamic --gravity 0,0,-1 --steps 5 --time-step 0.1 --surface out.ply \
                --frames film --every 2 --save vtu,ply --report report.json";
    let ran = folder.line(line);
    assert_eq!(ran.status, 0, "{ran:?}");
    let results = &folder.json("report.json")["results"];
    let number = |name: &str| results[name].as_f64().expect("a number");
    assert!((number("greatest_displacement") - 0.15).abs() < 1e-6, "{results}");
    assert!((number("kinetic_energy") - 0.5 * 4.0 * 0.25).abs() < 1e-6, "{results}");
    assert_eq!((number("step"), number("frames")), (5.0, 4.0));
    for step in [0, 2, 4, 5] {
        let n = f64::from(step);
        let mesh = folder.read(&format!("film/frame-{step:06}.ply"));
        let low = mesh.positions.iter().fold(f64::MAX, |least, p| least.min(p.z));
        assert!((low + 0.005 * n * (n + 1.0)).abs() < 1e-5, "{step}: {low}");
        let info = folder.succeed(["volume", "info", &format!("film/frame-{step:06}.vtu")]).out;
        assert!(info.contains("displacement") && info.contains("velocity"), "{info}");
    }
    let lines = std::fs::read_to_string(folder.path("film/steps.jsonl")).expect("a file");
    assert_eq!(lines.lines().count(), 6, "{lines}");
    let ran = folder.line(line);
    assert!(ran.status == 2 && ran.err.contains("film is not empty"), "{ran:?}");
}

#[test]
fn a_body_vibrates() {
    let folder = Folder::new();
    bar(&folder);
    // an axial vibration alone: odd quarters of the speed of sound by the length
    let line = "elasticity bar.vtu -o out.vtu --modes 2 --fix min-x --move all@_,0,0 --young 100 --poisson 0 \
                --density 4 --surface out.ply --report report.json";
    let ran = folder.line(line);
    assert_eq!(ran.status, 0, "{ran:?}");
    let results = &folder.json("report.json")["results"];
    let frequency = |k: usize| results["frequencies"][k].as_f64().expect("a number");
    assert!((frequency(0) / (5.0 / 16.0) - 1.0).abs() < 0.02, "{results}");
    assert!((frequency(1) / (15.0 / 16.0) - 1.0).abs() < 0.1, "{results}");
    assert_eq!((&results["free_motions"], &results["converged"]), (&0.into(), &2.into()));
    assert!(ran.err.contains("mode 0: frequency 0.31"), "{ran:?}");
    // the end moves by a tenth of the diagonal
    let mesh = folder.read("out.ply");
    let far = mesh.positions.iter().fold(f64::MIN, |most, p| most.max((p.x - 4.0).abs()));
    let most = mesh.positions.iter().fold(f64::MIN, |most, p| most.max(p.x));
    assert!(far > 0.0 && ((most - 4.0).abs() - 0.1 * 18.0_f64.sqrt()).abs() < 1e-5 || most < 4.0, "{most}");
    assert!(mesh.vertices().get::<f64>("amplitude").is_ok());
    let info = folder.succeed(["volume", "info", "out.vtu"]).out;
    assert!(info.contains("mode_0") && info.contains("mode_1"), "{info}");
    // without supports: six motions, and the surface shows the first vibration
    let ran = folder.line("elasticity bar.vtu -o out.vtu --modes 8 --surface out.ply --report report.json");
    assert_eq!(ran.status, 0, "{ran:?}");
    let results = &folder.json("report.json")["results"];
    assert_eq!((&results["free_motions"], &results["surface_mode"]), (&6.into(), &6.into()));
    assert!(ran.err.contains("6 motions without strain"), "{ran:?}");
    for (more, status, part) in [
        ("--modes 0", 2, "--modes"),
        ("--modes 61", 2, "--modes"),
        ("--modes 3 --mode 3 --surface no.ply", 2, "--mode 3"),
        ("--modes 3 --mode 1", 2, "--surface"),
        ("--modes 3 --density 0", 2, "density is 0"),
        ("--modes 3 --load max-x@0,0,1", 2, "--load"),
        ("--modes 3 --gravity 0,0,1", 2, "--gravity"),
        ("--modes 3 --large", 2, "--large"),
        ("--modes 3 --dynamic", 2, "--dynamic"),
        ("--modes 3 --tolerance 1", 2, "above 0 and below 1"),
    ] {
        let ran = folder.line(&format!("elasticity bar.vtu -o no.vtu {more}"));
        assert!(ran.status == status && ran.err.contains(part), "{more}: {ran:?}");
        assert!(!folder.path("no.vtu").exists(), "{more}");
    }
}
