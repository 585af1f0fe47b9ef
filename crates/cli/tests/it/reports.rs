//! `--report` and `ribbonmesh bench-query`.
use crate::common;
use common::{Folder, mesh, soup};
use ribbonmesh_mesh::shapes;
use serde_json::Value;

fn names(list: &Value) -> Vec<&str> {
    list.as_array().expect("a list").iter().map(|x| x["name"].as_str().expect("a name")).collect()
}

#[test]
fn report() {
    let folder = Folder::new();
    folder.mesh("a.ply", &mesh(shapes::icosphere(3).expect("small")));
    let words = "info a.ply --json --patch-size 100 --seed 4 --threads 2 --report report.json";
    let ran = folder.succeed(words.split_whitespace());
    let (report, printed) =
        (folder.json("report.json"), serde_json::from_str::<Value>(&ran.out).expect("JSON"));
    assert_eq!(report["results"], printed);
    assert_eq!(report["machine"]["kind"], "cpu");
    assert_eq!(report["machine"]["name"], "CPU, 2 threads");
    assert_eq!(report["machine"]["kernels"]["compiled"], 0);
    assert_eq!((&report["patch_size"], &report["seed"]), (&Value::from(100), &Value::from(4)));
    assert_eq!((&report["input"]["format"], &report["input"]["faces"]), (&"ply".into(), &1280.into()));
    assert_eq!((&report["sizes"]["edges"], &report["sizes"]["faces"]), (&1920.into(), &1280.into()));
    assert_eq!(
        names(&report["phases"]),
        ["read", "machine", "edges", "topology", "geometry", "build", "quality", "extent", "write"]
    );
    assert!(names(&report["phases"][5]["parts"]).contains(&"ribbons"), "{report}");
    assert_eq!((&report["exit_status"], &report["error"]), (&0.into(), &Value::Null));
    let phases = report["phases"].as_array().expect("a list");
    let sum: f64 = phases.iter().filter_map(|p| p["seconds"].as_f64()).sum();
    assert!(sum > 0.0 && sum <= report["seconds"].as_f64().expect("a number"), "{report}");
}

#[test]
fn report_of_a_failure() {
    let folder = Folder::new();
    folder.write("bad.obj", "v 0 0 0\nf 1 2 3\n");
    let ran = folder.run(["info", "bad.obj", "--report", "report.json"]);
    assert_eq!(ran.status, 3);
    let report = folder.json("report.json");
    assert_eq!(report["exit_status"], 3);
    assert!(report["error"].as_str().is_some_and(|e| e.contains("bad.obj, line 2")), "{report}");
}

#[test]
fn unwritable_report_is_failure() {
    let folder = Folder::new();
    folder.mesh("a.ply", &soup());
    let ran = folder.run(["info", "a.ply", "--report", "nowhere/report.json"]);
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("nowhere/report.json: cannot be written"), "{ran:?}");
}

#[test]
fn bench() {
    let folder = Folder::new();
    folder.mesh("a.ply", &mesh(shapes::torus(30, 1).expect("small")));
    let ran = folder.succeed("bench-query a.ply --repetitions 3 --copy 8".split_whitespace());
    let bench: Value = serde_json::from_str(&ran.out).expect("JSON");
    let queries = bench["queries"].as_array().expect("a list");
    assert_eq!(queries.len(), 13);
    let bandwidth = bench["copy_bandwidth"].as_f64().expect("a number");
    for query in queries {
        let number = |name: &str| query[name].as_f64().unwrap_or_else(|| panic!("{name} in {query}"));
        assert!(0.0 < number("min") && number("min") <= number("median"), "{query}");
        assert!((number("floor") - number("floor_bytes") / bandwidth).abs() < 1e-12, "{query}");
        assert!(
            (number("floors") - number("mean") / number("floor")).abs() < 1e-6 * number("floors"),
            "{query}"
        );
    }
    assert_eq!(queries.iter().filter(|q| q["oriented"] == true).count(), 3);
}

#[test]
fn bench_of_some_queries_of_a_soup() {
    let folder = Folder::new();
    folder.mesh("a.ply", &soup());
    let words = "bench-query a.ply --op EF --op evdiamond --repetitions 1 --copy 1 -o times.json";
    let ran = folder.succeed(words.split_whitespace());
    let bench = folder.json("times.json");
    assert_eq!(bench["queries"].as_array().map(Vec::len), Some(1), "{bench}");
    assert_eq!(bench["queries"][0]["op"], "EF");
    assert_eq!(bench["left_out"][0]["op"], "EVDiamond");
    assert!(ran.err.contains("EVDiamond is left out"), "{ran:?}");
}
