//! `ribbonmesh flow`.
use crate::common;
use common::{Folder, mesh};
use ribbonmesh_mesh::shapes;
use serde_json::Value;

fn lines(folder: &Folder, name: &str) -> Vec<Value> {
    folder.text(name).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}
fn with_sphere() -> Folder {
    let folder = Folder::new();
    folder.mesh("a.ply", &mesh(shapes::icosphere(2).expect("small")));
    folder
}

#[test]
fn frames_steps_and_report() {
    let folder = with_sphere();
    let words = "flow a.ply -o out --cells 30 --steps 5 --every 2 --report r.json";
    let ran = folder.succeed(words.split(' '));
    assert!(ran.err.contains("30 × 18 × 18 cells with edges of 0.333333"), "{ran:?}");
    for step in [0, 2, 4, 5] {
        let picture = std::fs::read(folder.path(&format!("out/frame-{step:06}.png"))).expect("a picture");
        assert!(picture.starts_with(b"\x89PNG"));
        let grid = std::fs::read(folder.path(&format!("out/frame-{step:06}.vti"))).expect("a grid");
        let head = String::from_utf8_lossy(&grid[..900]);
        for part in ["0 30 0 18 0 18", "Origin=\"-3 -3 -3\"", "velocity", "pressure", "smoke"] {
            assert!(head.contains(part), "{part}: {head}");
        }
        assert!(grid.len() > 30 * 18 * 18 * 20);
    }
    assert!(!folder.path("out/frame-000001.vti").exists());
    let steps = lines(&folder, "out/steps.jsonl");
    assert_eq!(steps.len(), 5);
    assert!(steps.iter().all(|step| step["converged"] == true && step["residual"].as_f64() < Some(1e-4)));
    let results = &folder.json("r.json")["results"];
    assert_eq!((&results["steps"], &results["frames"]), (&5.into(), &4.into()), "{results}");
    assert_eq!(results["cells"], serde_json::json!([30, 18, 18]));
    assert!(results["speed"].as_f64() > Some(1.0) && results["leak"].as_f64() < Some(1e-2), "{results}");
    assert!(results["seconds"]["pressure"].as_f64() > Some(0.0), "{results}");
    assert_eq!((&results["unconverged"], &results["closed_parts"]), (&0.into(), &0.into()));
}

#[test]
fn flat_moving_and_other_options() {
    let folder = with_sphere();
    let words = "flow a.ply -o a/b --flat --cells 40 --size 4,3,1 --steps 3 --time-step 0.05 --save png \
                 --inflow 0,0,0 --move 0.5,0,0 --turn 0,0,1 --source -1.9,-1,-1,-1.5,1,1 --buoyancy 0,1,0 \
                 --advection semi-lagrangian --solver cycles --tolerance 1e-3 --max-iterations 40 \
                 --report r.json";
    folder.succeed(words.split_whitespace());
    assert!(folder.path("a/b/frame-000003.png").exists() && !folder.path("a/b/frame-000003.vti").exists());
    let results = &folder.json("r.json")["results"];
    assert_eq!(results["cells"], serde_json::json!([40, 30, 1]));
    // a box of walls
    assert_eq!((&results["closed_parts"], &results["unconverged"]), (&1.into(), &0.into()), "{results}");
    assert!(results["time"].as_f64().is_some_and(|time| (time - 0.15).abs() < 1e-9));
    let words = "flow a.ply -o c --cells 16 --steps 2 --inflow 0,-2,0 --slice x --save png --report r.json";
    folder.succeed(words.split(' '));
    let results = &folder.json("r.json")["results"];
    assert_eq!(results["cells"], serde_json::json!([10, 16, 10]));
    // three lengths behind the mesh, where the fluid goes
    assert!(results["origin"][1].as_f64().is_some_and(|y| (y + 7.0).abs() < 1e-6), "{results}");
}

#[test]
fn viscous() {
    let folder = with_sphere();
    let words = "flow a.ply -o out --flat --cells 48 --steps 12 --every 12 --save png --viscosity 0.05 \
                 --walls stick --report r.json";
    folder.succeed(words.split_whitespace());
    let steps = lines(&folder, "out/steps.jsonl");
    // along the flow, from the second step on
    let drag = steps[11]["force"][0].as_f64().expect("a number");
    assert!(drag > 0.0 && steps[11]["force"][1].as_f64().is_some_and(|f| f.abs() < 0.1 * drag), "{steps:?}");
    let results = &folder.json("r.json")["results"];
    assert!(results["viscous_iterations"].as_u64() > Some(0), "{results}");
    assert_eq!(results["viscous_unconverged"], 0);
}

#[test]
fn what_is_refused() {
    let folder = with_sphere();
    let mut open = mesh(shapes::icosphere(1).expect("small"));
    open.faces.pop();
    folder.mesh("open.ply", &open);
    let refused = |words: &str, status: i32, part: &str| {
        let ran = folder.run(words.split(' '));
        assert!(ran.status == status && ran.err.contains(part), "{words}: {ran:?}");
        assert!(!folder.path("out").exists(), "{words}");
    };
    refused("flow open.ply -o out --cells 16", 3, "open.ply: the obstacle is not closed");
    refused("flow a.ply -o out --time-step 0", 2, "--time-step: a positive number");
    refused("flow a.ply -o out --inflow 0,0,0", 2, "--time-step: nothing moves");
    refused("flow a.ply -o out --size 1,-1,1", 2, "--size: three positive lengths");
    refused("flow a.ply -o out --size 1,1", 2, "not three numbers");
    refused("flow a.ply -o out --tolerance 1e-12", 2, "tolerance");
    refused("flow a.ply -o out --viscosity -1", 2, "viscosity");
    refused("flow a.ply -o out --walls stick", 2, "fluid without viscosity slips");
    refused("flow a.ply -o out --cells 4", 2, "--cells");
    refused("flow a.ply -o out --cells 8192", 3, "faces of cells");
    refused("flow a.ply -o out --size 0.1,0.1,0.1 --cells 8", 3, "the obstacle fills the box");
    std::fs::create_dir(folder.path("full")).expect("a folder");
    folder.write("full/a", "");
    let ran = folder.run("flow a.ply -o full --cells 16 --steps 1".split(' '));
    assert!(ran.status == 2 && ran.err.contains("full is not empty"), "{ran:?}");
}
