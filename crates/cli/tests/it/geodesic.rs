//! `ribbonmesh geodesic`.
use crate::common;
use common::{Folder, every_kind, mesh, soup};
use ribbonmesh_mesh::shapes;

fn distances(folder: &Folder, name: &str) -> Vec<f32> {
    folder.read(name).vertices().get::<f32>("distance").expect("distances").to_vec()
}

#[test]
fn lines_in_a_plane() {
    let folder = Folder::new();
    folder.mesh("grid.ply", &mesh(shapes::grid(30, 1).expect("small")));
    let x = folder.read("grid.ply").points_as_arrays();
    for order in ["distance", "hops"] {
        let words = format!(
            "geodesic grid.ply --source 17 --source 600 -o out.ply --order {order} --ascii --report r.json"
        );
        folder.succeed(words.split(' '));
        let (out, grid) = (folder.read("out.ply"), folder.read("grid.ply"));
        assert_eq!((out.positions, out.faces), (grid.positions, grid.faces));
        let found = distances(&folder, "out.ply");
        for (p, d) in x.iter().zip(&found) {
            let to = |v: usize| p.iter().zip(x[v]).map(|(a, b)| (a - b) * (a - b)).sum::<f32>().sqrt();
            let nearest = to(17).min(to(600));
            // half an edge: where both fronts meet, triangles have ends in each
            assert!((d - nearest).abs() <= 0.02, "{d}, {nearest}");
        }
        let results = &folder.json("r.json")["results"];
        assert_eq!(results["order"], order);
        assert_eq!((&results["sources"], &results["reached"]), (&2.into(), &900.into()));
        assert_eq!(results["unreachable"], 0);
        let farthest = found.iter().fold(0.0, |most: f32, d| most.max(*d));
        assert!((results["farthest"].as_f64().expect("a number") - f64::from(farthest)).abs() < 1e-6);
        assert!(
            results["levels"].as_u64() > Some(10)
                && results["iterations"].as_u64() >= results["levels"].as_u64()
        );
    }
}

#[test]
fn distances_by_heat() {
    let folder = Folder::new();
    folder.mesh("grid.ply", &mesh(shapes::grid(30, 1).expect("small")));
    let x = folder.read("grid.ply").positions;
    folder.succeed("geodesic grid.ply --heat -s 17 -o out.ply --time 1.5 --report r.json".split(' '));
    let out = folder.read("out.ply");
    let found = out.vertices().get::<f64>("distance").expect("distances").to_vec();
    let most = x.iter().map(|p| p.distance(x[17])).fold(0.0, f64::max);
    for (p, d) in x.iter().zip(&found) {
        assert!((d - p.distance(x[17])).abs() < 0.06 * most, "{d}, {}", p.distance(x[17]));
    }
    let results = &folder.json("r.json")["results"];
    assert_eq!((&results["converged"], &results["reached"]), (&true.into(), &900.into()));
    for other in ["--exact", "--estimate", "--nearest", "--order hops"] {
        let ran = folder.run(format!("geodesic grid.ply --heat -s 17 -o out.ply {other}").split(' '));
        assert_eq!(ran.status, 2, "{ran:?}");
    }
    for other in ["--time 2", "--each", "--solver direct"] {
        let ran = folder.run(format!("geodesic grid.ply -s 17 -o out.ply {other}").split(' '));
        assert_eq!(ran.status, 2, "{ran:?}");
    }
    // from each by itself, together
    folder.succeed("geodesic grid.ply --heat -s 17 -s 600 -o each.ply --time 1.5 --each".split(' '));
    let each = folder.read("each.ply");
    let column = |name| each.vertices().get::<f64>(name).expect(name).to_vec();
    let alone = column("distance_17").into_iter().zip(&found);
    assert!(alone.fold(0.0, |w: f64, (x, y)| w.max((x - y).abs())) < 1e-5 * most);
    for ((d, a), b) in column("distance").iter().zip(column("distance_17")).zip(column("distance_600")) {
        assert!((d - a.min(b)).abs() < 0.06 * most, "{d} {a} {b}");
    }
    for solver in ["iterative", "direct"] {
        let line = format!("geodesic grid.ply --log-map -s 17 -o out.ply --solver {solver} --report r.json");
        folder.succeed(line.split(' '));
        assert_eq!(folder.json("r.json")["results"]["solver"], solver);
    }
}

#[test]
fn exact_distances_and_paths() {
    let folder = Folder::new();
    folder.mesh("grid.ply", &mesh(shapes::grid(20, 2).expect("small")));
    let words = "geodesic grid.ply --exact -s 3 -s 210 -o out.ply --path-to 399 --path-to 3 --paths paths.obj \
                 --report r.json";
    folder.succeed(words.split_whitespace());
    let (out, x) = (folder.read("out.ply"), folder.read("grid.ply").positions);
    let found = out.vertices().get::<f64>("distance").expect("distances").to_vec();
    for (p, d) in x.iter().zip(&found) {
        let expected = p.distance(x[3]).min(p.distance(x[210]));
        assert!((d - expected).abs() <= 1e-12, "{d}, {expected}");
    }
    let paths = folder.text("paths.obj");
    let lines: Vec<&str> = paths.lines().filter(|l| l.starts_with("l ")).collect();
    let points: Vec<Vec<f64>> = paths
        .lines()
        .filter_map(|l| l.strip_prefix("v "))
        .map(|l| l.split(' ').map(|x| x.parse().expect("a number")).collect())
        .collect();
    let n = points.len();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0].split(' ').count(), n, "all points but one, and the letter");
    assert_eq!(lines[1], format!("l {n} {n}"));
    assert_eq!((&points[0][..], &points[n - 2][..]), (&x[210].to_array()[..], &x[399].to_array()[..]));
    let results = &folder.json("r.json")["results"];
    let (path, length) = (&results["paths"][0], found[399]);
    assert_eq!((&path["from"], &path["to"]), (&210.into(), &399.into()));
    assert!((path["length"].as_f64().expect("a number") - length).abs() < 1e-12);
    assert_eq!(results["reached"], 400);
}

#[test]
fn nearest_sources() {
    let folder = Folder::new();
    folder.mesh("grid.ply", &mesh(shapes::grid(20, 3).expect("small")));
    let x = folder.read("grid.ply").positions;
    for more in ["", "--exact"] {
        let line = format!("geodesic grid.ply --source 21,378 -o out.ply --nearest {more}");
        folder.succeed(line.split_whitespace());
        let out = folder.read("out.ply");
        let found = out.vertices().get::<i32>("nearest_source").expect("sources");
        for (p, &source) in x.iter().zip(found) {
            let (a, b) = (p.distance(x[21]), p.distance(x[378]));
            // near the line between them either may be named
            let expected = if a < b { 21 } else { 378 };
            assert!(source == expected || (a - b).abs() < 0.15, "{p}: {source}");
        }
        // that of other sources does not stay
        folder.succeed(format!("geodesic out.ply --source 0 -o again.ply {more}").split_whitespace());
        assert!(folder.read("again.ply").vertices().column("nearest_source").is_none());
    }
}

#[test]
fn every_mesh() {
    let folder = Folder::new();
    for (kind, mesh) in every_kind() {
        folder.mesh("mesh.ply", &mesh);
        let ran = folder.succeed(["geodesic", "mesh.ply", "-s", "1", "-o", "out.ply", "--patch-size", "32"]);
        let found = distances(&folder, "out.ply");
        assert_eq!(found.len(), mesh.positions.len(), "{kind}");
        assert_eq!(found[1], 0.0, "{kind}");
        let unreachable = found.iter().filter(|d| **d == f32::INFINITY).count();
        assert!(found.iter().all(|d| *d >= 0.0), "{kind}");
        let words = ["geodesic", "mesh.ply", "-s", "1", "-o", "exact.ply", "--exact"];
        folder.succeed(words);
        let exact = folder.read("exact.ply").vertices().get::<f64>("distance").expect("distances").to_vec();
        for (a, b) in found.iter().zip(exact) {
            assert_eq!(a.is_finite(), b.is_finite(), "{kind}");
        }
        assert_eq!(ran.err.contains("no path"), unreachable > 0, "{kind}: {ran:?}");
    }
}

#[test]
fn unreachable_vertices_are_counted() {
    let folder = Folder::new();
    folder.mesh("soup.ply", &soup());
    let ran = folder.succeed(["geodesic", "soup.ply", "-s", "9", "-o", "out.ply", "--report", "r.json"]);
    // vertex 9 has a face of its own alone
    assert!(ran.err.contains("12 vertices that no path"), "{ran:?}");
    assert_eq!(folder.json("r.json")["results"]["unreachable"], 12);
    assert_eq!(folder.json("r.json")["results"]["farthest"], 0.0);
}

#[test]
fn wrong_usage() {
    let folder = Folder::new();
    folder.mesh("a.ply", &soup());
    for (words, message) in [
        ("geodesic a.ply -o out.ply", "--source"),
        ("geodesic a.ply -s 13 -o out.ply", "--source 13: a.ply has 13 vertices"),
        ("geodesic a.ply -s -1 -o out.ply", "-1"),
        ("geodesic a.ply -s 0 -o out.obj", "out.obj: only PLY"),
        ("geodesic a.ply -s 0 -o out.ply --order weight", "distance or hops"),
        ("geodesic a.ply -s 0 -o out.ply --tolerance 0.5", "tolerance is 0.5"),
        ("geodesic a.ply -s 0 -o out.ply --exact --order hops", "--order"),
        ("geodesic a.ply -s 0 -o out.ply --path-to 1 --paths p.obj", "--exact"),
        ("geodesic a.ply -s 0 -o out.ply --exact --path-to 1", "--paths"),
        (
            "geodesic a.ply -s 0 -o out.ply --exact --path-to 1 --paths p.ply",
            "p.ply: paths are written as OBJ",
        ),
        (
            "geodesic a.ply -s 0 -o out.ply --exact --path-to 13 --paths p.obj",
            "--path-to 13: a.ply has 13 vertices",
        ),
    ] {
        folder.refuses(words, 2, message);
    }
}

/// Results that were asked for in addition to the mesh are printed on standard output with `--quiet`. They
/// are printed on standard error without it, or if the mesh is written to standard output.
#[test]
fn quiet_prints_lengths() {
    let folder = Folder::new();
    folder.mesh("grid.ply", &mesh(shapes::grid(10, 1).expect("small")));
    let line = "--device cpu geodesic grid.ply --source 0 --exact --path-to 9 --paths paths.obj";
    let (loud, quiet) =
        (folder.line(&format!("{line} -o out.ply")), folder.line(&format!("{line} -o out.ply -q")));
    let told =
        |text: &str| text.lines().filter(|l| l.contains("farthest") || l.contains("path to 9:")).count();
    assert_eq!((loud.status, told(&loud.err), told(&loud.out)), (0, 2, 0), "{loud:?}");
    assert_eq!((quiet.status, told(&quiet.out), quiet.err.as_str()), (0, 2, ""), "{quiet:?}");
    let streamed = folder.shell(&format!("ribbonmesh {line} -o - --format ply -q > out.ply"));
    assert_eq!((streamed.status, told(&streamed.err)), (0, 2), "{streamed:?}");
    assert_eq!(folder.read("out.ply").positions.len(), folder.read("grid.ply").positions.len());
}
