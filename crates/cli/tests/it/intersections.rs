//! `ribbonmesh intersections`, and `info --intersections`.
use crate::common;
use common::{Folder, mesh};
use ribbonmesh_io::TriangleMesh;
use ribbonmesh_mesh::{Role, shapes};
use serde_json::{Value, json};

/// A sphere, the same moved, and both as one mesh: the numbers of the pairs between the two.
fn spheres(folder: &Folder) -> TriangleMesh {
    let a = mesh(shapes::icosphere(3).expect("small"));
    let n = a.positions.len() as u32;
    let points = a.points_as_arrays();
    let moved: Vec<_> = points.iter().map(|[x, y, z]| [x + 0.7, y + 0.31, z - 0.2]).collect();
    folder.mesh("b.ply", &TriangleMesh::from_f32(moved.clone(), a.faces.clone()));
    folder.mesh("a.ply", &a);
    let faces = a.faces.iter().copied().chain(a.faces.iter().map(|face| face.map(|v| v + n)));
    let both = TriangleMesh::from_f32(points.into_iter().chain(moved), faces.collect());
    folder.mesh("both.ply", &both);
    both
}
fn pairs(text: &str) -> Vec<[usize; 2]> {
    let pair = |line: &str| {
        let numbers: Vec<usize> = line.split(' ').map(|n| n.parse().expect("a number")).collect();
        [numbers[0], numbers[1]]
    };
    text.lines().map(pair).collect()
}

#[test]
fn one_mesh_and_two() {
    let folder = Folder::new();
    let both = spheres(&folder);
    let line = "intersections both.ply --pairs pairs.txt -o marked.ply --json --report report.json";
    let ran = folder.succeed(line.split_whitespace());
    let found: Value = serde_json::from_str(&ran.out).expect("JSON");
    let of_one = pairs(&folder.text("pairs.txt"));
    assert!(of_one.len() > 50 && of_one.is_sorted() && of_one.iter().all(|[i, j]| i < j));
    assert_eq!(folder.json("report.json")["results"], found);
    let mut marks = vec![0; both.faces.len()];
    of_one.as_flattened().iter().for_each(|&face| marks[face] = 1);
    assert_eq!(found["intersecting_pairs"], of_one.len());
    assert_eq!(found["intersecting_faces"], marks.iter().sum::<u32>());
    assert_eq!(found["faces"], both.faces.len());
    assert_eq!(found["first_pairs"], json!(of_one[..8]));

    // the marks, and colours
    let marked = folder.read("marked.ply");
    assert_eq!((&marked.positions, &marked.faces), (&both.positions, &both.faces));
    assert_eq!(marked.faces_of().get::<u32>("intersects").expect("marks"), marks);
    let colours = marked.faces_of().get::<[u8; 3]>("colour").expect("colours");
    assert!(
        colours.iter().zip(&marks).all(|(colour, mark)| (colour[0] > 200 && colour[1] < 100) == (*mark == 1))
    );
    let of_vertices = marked.vertices().get::<u32>("intersects").expect("marks");
    for (v, mark) in (0..).zip(of_vertices) {
        let mut faces = both.faces.iter().zip(&marks).filter(|(face, _)| face.contains(&v));
        assert_eq!(*mark == 1, faces.any(|(_, mark)| *mark == 1));
    }
    // marked anew; colours that are there stay
    folder.succeed("intersections a.ply -o clean.ply".split_whitespace());
    assert!(
        folder.read("clean.ply").faces_of().get::<u32>("intersects").expect("marks").iter().all(|m| *m == 0)
    );
    folder.succeed("intersections marked.ply b.ply -o again.ply".split_whitespace());
    let again = folder.read("again.ply");
    assert_eq!(again.faces_of().get::<[u8; 3]>("colour").expect("colours"), colours);
    assert_eq!(again.faces_of().iter().filter(|c| matches!(c.role(), Role::Colour(_))).count(), 1);

    // two meshes: the same pairs
    let ran = folder.succeed("intersections a.ply b.ply --pairs two.txt --json".split_whitespace());
    let found: Value = serde_json::from_str(&ran.out).expect("JSON");
    let of_two = pairs(&folder.text("two.txt"));
    let n = both.faces.len() / 2;
    assert_eq!(of_two.iter().map(|[i, j]| [*i, j + n]).collect::<Vec<_>>(), of_one);
    assert_eq!((&found["other"], &found["faces_of_other"]), (&"b.ply".into(), &n.into()));
    let sum = |key: &str| found[key].as_u64().expect("a count");
    let faces = sum("intersecting_faces") + sum("intersecting_faces_of_other");
    assert_eq!(faces, marks.iter().map(|&m| u64::from(m)).sum::<u64>());
}

#[test]
fn text_and_streams() {
    let folder = Folder::new();
    let strip = |points: &[[f32; 3]], faces: &[[u32; 3]]| {
        folder.mesh("mesh.ply", &TriangleMesh::from_f32(points.iter().copied(), faces.to_vec()));
    };
    strip(
        &[
            [0.0, 0.0, 0.0],
            [4.0, 0.0, 0.0],
            [0.0, 4.0, 0.0],
            [1.0, 1.0, -1.0],
            [1.0, 1.0, 1.0],
            [0.5, 1.0, 1.0],
        ],
        &[[0, 1, 2], [3, 4, 5]],
    );
    let ran = folder.succeed(["intersections", "mesh.ply"]);
    let expected = "intersecting pairs    1\nfaces                 2 of 2\nfirst pairs           0 1\n";
    assert_eq!(ran.out, expected);
    let ran = folder.succeed(["intersections", "mesh.ply", "mesh.ply"]);
    let expected = "intersecting pairs    4\nfaces of the first    2 of 2\nfaces of the second   2 of 2\n\
                    first pairs           0 0, 0 1, 1 0, 1 1\n";
    assert_eq!(ran.out, expected);
    assert_eq!(folder.succeed(["intersections", "mesh.ply", "--pairs", "-"]).out, "0 1\n");
    let ran = folder.shell(
        "ribbonmesh intersections mesh.ply -o - --format ply | ribbonmesh info - --intersections --json",
    );
    let found: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!((&found["intersecting_pairs"], &found["intersecting_faces"]), (&1.into(), &2.into()));
    let ran = folder.succeed(["info", "mesh.ply", "--intersections"]);
    assert!(ran.out.contains("intersecting pairs    1\nintersecting faces    2\n"), "{}", ran.out);

    folder.write("points.obj", "v 0 0 0\nv 1 0 0\n");
    for (line, status, said) in [
        ("intersections mesh.ply -o out.obj", 2, "only PLY carries"),
        ("intersections mesh.ply --pairs mesh.ply", 2, "would be overwritten"),
        ("intersections mesh.ply --pairs - --json", 2, "standard output is for one"),
        ("intersections points.obj", 3, "no faces"),
        ("intersections mesh.ply points.obj", 3, "no faces"),
        ("intersections missing.ply", 1, "missing.ply"),
    ] {
        folder.refuses(line, status, said);
    }
}
