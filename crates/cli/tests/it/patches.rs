//! `--resolver patches` of `delaunay`, `remesh`, `simplify` and `track`.
use crate::common;
use common::{Folder, mesh, shuffled};
use ribbonmesh_mesh::{TriangleMesh, shapes};
use serde_json::Value;

/// Three sheets that share an edge of their grids: edges of three faces along it.
fn book(n: u32) -> TriangleMesh {
    let at = |sheet: u32, row: u32, column: u32| match column {
        0 => row,
        _ => n + (sheet * n + row) * (n - 1) + column - 1,
    };
    let mut points = vec![[0.0; 3]; (n + 3 * n * (n - 1)) as usize];
    let mut faces = vec![];
    for sheet in 0..3 {
        let (sine, cosine) = (f64::from(sheet) * std::f64::consts::TAU / 3.0).sin_cos();
        for row in 0..n {
            for column in 0..n {
                let x = f64::from(column);
                points[at(sheet, row, column) as usize] =
                    [(x * cosine) as f32, (x * sine) as f32, row as f32];
                if row + 1 < n && column + 1 < n {
                    let [a, b] = [at(sheet, row, column), at(sheet, row, column + 1)];
                    let [c, d] = [at(sheet, row + 1, column), at(sheet, row + 1, column + 1)];
                    faces.extend([[a, b, d], [a, d, c]]);
                }
            }
        }
    }
    TriangleMesh::from_f32(points, faces)
}
/// Numbers of edges of one, two and three faces.
fn edges(mesh: &TriangleMesh) -> [usize; 3] {
    let mut sides: Vec<[u32; 2]> =
        mesh.faces.iter().flat_map(|f| [[f[0], f[1]], [f[1], f[2]], [f[2], f[0]]]).collect();
    sides.iter_mut().for_each(|side| side.sort_unstable());
    sides.sort_unstable();
    let counts: Vec<usize> = sides.chunk_by(|a, b| a == b).map(<[_]>::len).collect();
    [1, 2, 3].map(|n| counts.iter().filter(|&&count| count == n).count())
}

#[cfg(not(feature = "patches"))]
#[test]
fn a_program_without_patches_says_so() {
    let folder = Folder::new();
    folder.mesh("a.ply", &book(3));
    for line in ["delaunay a.ply", "remesh a.ply", "simplify a.ply --ratio 0.5"] {
        let ran = folder.run(format!("{line} -o b.ply --resolver patches").split_whitespace());
        assert_eq!(ran.status, 2, "{ran:?}");
        assert!(ran.err.contains("the feature `patches` of ribbonmesh-cli"), "{ran:?}");
        assert!(!folder.path("b.ply").exists());
    }
    let ran = folder.run("track enright -o out --resolver patches".split(' '));
    assert_eq!(ran.status, 2, "{ran:?}");
    assert!(ran.err.contains("the feature `patches`") && !folder.path("out").exists(), "{ran:?}");
    _ = (edges(&book(3)), shuffled(book(3)), mesh(shapes::icosphere(1).expect("small")), Value::Null);
}

#[cfg(feature = "patches")]
mod with_patches {
    use super::*;

    /// Runs a command in patches; its result and report.
    fn ran(folder: &Folder, line: &str) -> (TriangleMesh, Value) {
        let line = format!("{line} -o out.ply --resolver patches --validate --report r.json --patch-size 64");
        let ran = folder.succeed(line.split_whitespace());
        let results = folder.json("r.json")["results"].clone();
        assert_eq!(results["resolver"], "patches", "{results}");
        let number = |name: &str| results[name].as_u64().unwrap_or_else(|| panic!("{name}: {results}"));
        assert!(number("patches_taken") >= number("patches_dropped") && number("launches") > 0, "{results}");
        assert!(ran.err.contains("patches were taken") || ran.err.contains("wrote out.ply"), "{ran:?}");
        let out = folder.read("out.ply");
        assert_eq!(results["after"]["faces"], out.faces.len(), "{results}");
        assert_eq!(results["after"]["vertices"], out.positions.len(), "{results}");
        (out, results)
    }
    fn labelled(mut mesh: TriangleMesh) -> TriangleMesh {
        let heights: Vec<f32> = mesh.positions.iter().map(|x| x.z as f32).collect();
        let labels: Vec<i32> = (0..mesh.faces.len() as i32).collect();
        mesh.vertices_mut().insert("height", heights).expect("a column");
        mesh.faces_of_mut().insert("label", labels).expect("a column");
        mesh
    }

    #[test]
    fn flips() {
        let folder = Folder::new();
        let torus = labelled(mesh(shapes::torus(30, 1).expect("small")));
        folder.mesh("torus.ply", &torus);
        let (out, results) = ran(&folder, "delaunay torus.ply");
        assert!(results["flips"].as_u64().is_some_and(|n| n > 100), "{results}");
        assert_eq!((&out.positions, out.faces.len()), (&torus.positions, torus.faces.len()));
        assert_eq!(out.vertices().get::<f32>("height"), torus.vertices().get::<f32>("height"));
        assert_eq!(out.faces_of().get::<i32>("label"), torus.faces_of().get::<i32>("label"));
        assert_eq!(edges(&out), edges(&torus));
        // claims find nothing left to flip
        folder.succeed(["delaunay", "out.ply", "-o", "again.ply", "--report", "r.json"]);
        let again = &folder.json("r.json")["results"];
        assert!(again["flips"].as_u64().is_some_and(|n| n < 20), "{again}");
    }
    #[test]
    fn remeshing() {
        let folder = Folder::new();
        let torus = labelled(shuffled(shapes::torus(30, 1).expect("small")));
        folder.mesh("torus.ply", &torus);
        let (out, results) =
            ran(&folder, "remesh torus.ply --target-length 0.8x --iterations 2 --smoothing 2");
        assert_eq!(edges(&out)[0] + edges(&out)[2], 0);
        assert_eq!(results["iterations"].as_array().map(Vec::len), Some(2), "{results}");
        let share = results["quality_after"]["edges_near_target"].as_f64();
        assert!(share.is_some_and(|share| share > 0.7), "{results}");
        let labels = out.faces_of().get::<i32>("label").expect("labels");
        assert!(labels.iter().all(|&label| (0..torus.faces.len() as i32).contains(&label)));
        assert!(out.vertices().is_empty());
        let notes = folder.json("r.json")["notes"].to_string();
        assert!(notes.contains("attributes left out: vertex.height"), "{notes}");
    }
    #[test]
    fn simplification() {
        let folder = Folder::new();
        let torus = labelled(shuffled(shapes::torus(30, 1).expect("small")));
        folder.mesh("torus.ply", &torus);
        let wanted = torus.faces.len() / 8 * 2;
        for line in ["simplify torus.ply --ratio 0.25", &format!("simplify torus.ply --faces {wanted}")] {
            let (out, results) = ran(&folder, line);
            assert_eq!((out.faces.len(), edges(&out)[0]), (wanted, 0));
            assert!(results["stages"].as_u64().is_some_and(|n| n > 0), "{results}");
            let heights = out.vertices().get::<f32>("height").expect("heights");
            assert!(out.positions.iter().zip(heights).all(|(x, &height)| x.z as f32 == height));
            assert!(out.positions.iter().all(|x| torus.positions.contains(x)));
            let labels = out.faces_of().get::<i32>("label").expect("labels");
            assert!(labels.is_sorted() && labels.len() == wanted);
        }
    }
    /// Edges of three faces are refused by claims, and stay here.
    #[test]
    fn edges_of_three_faces() {
        let folder = Folder::new();
        let book = shuffled(book(16));
        let [_, _, along] = edges(&book);
        assert_eq!(along, 15);
        folder.mesh("book.ply", &book);
        for line in
            ["delaunay book.ply", "remesh book.ply --target-length 2x", "simplify book.ply --ratio 0.3"]
        {
            let refused = folder.run(format!("{line} -o no.ply").split_whitespace());
            assert_eq!(refused.status, 3, "{refused:?}");
            let (out, results) = ran(&folder, line);
            assert_eq!(edges(&out)[2], along, "{line}: {results}");
            let filled = results["cavities_filled"].as_u64();
            assert!(line.starts_with("delaunay") || filled.is_some_and(|n| n > 100), "{line}: {results}");
        }
    }
    /// A closed surface and one with a boundary: what changes in patches stays a surface, whose columns
    /// follow.
    #[test]
    fn tracking() {
        let folder = Folder::new();
        let scenes =
            [("enright --size 6 --steps 40", 100, 0), ("curl-noise --size 16 --dt 0.1 --steps 25", 4, 60)];
        for (scene, splits, boundary) in scenes {
            let line = format!(
                "track {scene} -o out --every 20 --save ply --resolver patches --validate --report r.json"
            );
            folder.succeed(line.split(' '));
            let results = folder.json("r.json")["results"].clone();
            let number = |name: &str| results[name].as_u64().unwrap_or_else(|| panic!("{name}: {results}"));
            assert!(number("split") > splits && number("flipped") > 20, "{results}");
            let patches = &results["patches"];
            let all = number("split") + number("flipped") + number("collapsed");
            assert_eq!(patches["cavities_filled"], all, "{results}");
            assert!(patches["launches"].as_u64().is_some_and(|n| n >= 3 * number("steps")), "{results}");
            assert_eq!(patches["stores_made"], 1, "{results}");
            let last = format!("out/frame-{:06}.ply", number("steps"));
            let out = folder.read(&last);
            assert_eq!(results["after"]["faces"], out.faces.len(), "{results}");
            assert!(out.vertices().column("colour").is_some());
            let [open, inner, more] = edges(&out);
            assert_eq!((open > 0, more), (boundary > 0, 0), "{results}");
            assert!(open >= boundary && inner > open);
            if boundary == 0 {
                assert!(
                    results["greatest_volume_drift"].as_f64().is_some_and(|drift| drift < 0.05),
                    "{results}"
                );
            }
            std::fs::remove_dir_all(folder.path("out")).expect("a folder");
        }
        // where nothing changes, the store stays
        let line = "track rotation --size 4 --steps 8 --patch-size 64 -o out --save ply --resolver patches \
                    --report r.json";
        folder.succeed(line.split(' '));
        let results = &folder.json("r.json")["results"];
        assert_eq!(
            (&results["patches"]["stores_made"], &results["split"]),
            (&1.into(), &0.into()),
            "{results}"
        );
        assert!(results["volume_drift"].as_f64().is_some_and(|drift| drift.abs() < 1e-3), "{results}");
        // a run that ended early goes on
        let short = "track rotation --size 4 -o turned --every 2 --save ply --resolver patches --steps";
        folder.succeed(format!("{short} 4").split(' '));
        let parameters = folder.text("turned/track.json");
        assert!(parameters.contains("\"resolver\": \"patches\""), "{parameters}");
        let other = folder
            .run("track rotation --size 4 -o turned --every 2 --save ply --steps 4 --resume".split(' '));
        assert!(other.status == 2 && other.err.contains("resolver"), "{other:?}");
        folder.succeed(format!("{short} 4 --resume").split(' '));
    }
    #[test]
    fn options_that_patches_do_not_have() {
        let folder = Folder::new();
        folder.mesh("a.ply", &mesh(shapes::icosphere(1).expect("small")));
        for (line, option) in [
            ("delaunay a.ply --order rounds", "--order"),
            ("delaunay a.ply --no-self-intersections", "--no-self-intersections"),
            ("remesh a.ply --feature-angle 30", "--feature-angle"),
            ("remesh a.ply --fast", "--fast"),
            ("simplify a.ply --max-error 1%", "--max-error"),
            ("simplify a.ply --ratio 0.5 --topology free", "--topology"),
            ("simplify a.ply --ratio 0.5 --memory 1G", "--memory"),
        ] {
            let ran = folder.run(format!("{line} -o b.ply --resolver patches").split_whitespace());
            assert_eq!(ran.status, 2, "{line}: {ran:?}");
            let expected = format!("{option}: --resolver patches does not have it");
            assert!(ran.err.contains(&expected) && !folder.path("b.ply").exists(), "{line}: {ran:?}");
        }
        for (line, refused) in [
            ("enright --method grid-free", "--method"),
            ("enright --collisions", "--collisions"),
            ("enright --correct-volume", "--correct-volume"),
            ("enright --adaptive", "--adaptive"),
            ("enright --flips shorter", "--flips"),
            ("enright --subdivision butterfly", "--subdivision"),
            ("curl-noise --keep-boundary", "--keep-boundary"),
            ("enright --no-improvement", "--no-improvement"),
            ("mean-curvature", "mean-curvature: --resolver patches does not find"),
        ] {
            let ran = folder.run(format!("track {line} -o out --resolver patches").split(' '));
            assert_eq!(ran.status, 2, "{line}: {ran:?}");
            assert!(ran.err.contains(refused) && ran.err.contains("--resolver patches"), "{line}: {ran:?}");
            assert!(!folder.path("out").exists(), "{line}");
        }
        let wrong = folder.run("smooth a.ply -o b.ply --resolver patches".split_whitespace());
        assert_eq!(wrong.status, 2, "{wrong:?}");
    }
}
