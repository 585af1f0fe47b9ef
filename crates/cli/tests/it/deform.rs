//! `ribbonmesh deform`.
use crate::common;
use common::{Folder, mesh, soup};
use ribbonmesh_mesh::shapes;

#[test]
fn handles_of_a_list_and_of_a_file() {
    let folder = Folder::new();
    folder.mesh("ball.ply", &mesh(shapes::icosphere(2).expect("small")));
    std::fs::write(folder.path("handles.txt"), "# held\n0\n3  0.1 0.2 -2.5\n").expect("a file");
    let x = folder.read("ball.ply").points_as_arrays();
    for (handles, out) in [("handles.txt", "a.ply"), ("0;3:0.1,0.2,-2.5", "b.ply")] {
        folder.succeed(["deform", "ball.ply", "--handles", handles, "-o", out, "--report", "r.json"]);
        let found = folder.read(out);
        assert_eq!(found.faces, folder.read("ball.ply").faces);
        let found = found.points_as_arrays();
        let near = |a: [f32; 3], b: [f32; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6);
        assert!(near(found[0], x[0]) && near(found[3], [0.1, 0.2, -2.5]), "{:?}", [found[0], found[3]]);
        let results = &folder.json("r.json")["results"];
        assert_eq!((&results["handles"], &results["converged"]), (&2.into(), &true.into()));
        let [before, after] = [0, 1].map(|k| results["energy"][k].as_f64().expect("a number"));
        assert!(after <= before, "{results}");
        let least =
            f64::from(x[3].iter().zip([0.1, 0.2, -2.5]).map(|(a, b)| (a - b).powi(2)).sum::<f32>()).sqrt();
        assert!(results["greatest_displacement"].as_f64().is_some_and(|d| d >= least - 1e-6), "{results}");
    }
    assert_eq!(folder.read("a.ply").positions, folder.read("b.ply").positions);
}

#[test]
fn wrong_usage() {
    let folder = Folder::new();
    folder.mesh("ball.ply", &mesh(shapes::icosphere(1).expect("small")));
    folder.mesh("soup.ply", &soup());
    std::fs::write(folder.path("wrong.txt"), "0\n1 2\n").expect("a file");
    std::fs::write(folder.path("flat.off"), "OFF 4 2 0  0 0 0  1 0 0  0 1 0  2 0 0  3 0 1 2  3 0 1 3\n")
        .expect("a file");
    for (status, words, message) in [
        (2, "deform ball.ply -o out.ply", "--handles"),
        (2, "deform ball.ply --handles none.txt -o out.ply", "No such file"),
        (2, "deform ball.ply --handles wrong.txt -o out.ply", "line 2: \"1 2\" is not a vertex"),
        (2, "deform ball.ply --handles 0;0 -o out.ply", "vertex 0 is held twice"),
        (2, "deform ball.ply --handles 0;42 -o out.ply", "vertex 42 is not among the 42 vertices"),
        (2, "deform ball.ply --handles 0 --tolerance 2 -o out.ply", "tolerance is 2, not between 0 and 1"),
        (2, "deform ball.ply --handles 0 --iterations 0 -o out.ply", "from 1"),
        (3, "deform soup.ply --handles 9 -o out.ply", "has no handle"),
        (3, "deform flat.off --handles 0 -o out.ply", "face 1 has no area"),
    ] {
        folder.refuses(words, status, message);
        assert!(!folder.path("out.ply").exists(), "{words}");
    }
}
