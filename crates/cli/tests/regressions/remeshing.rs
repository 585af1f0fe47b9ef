//! Remeshing and vertices of many faces.
use crate::common::{Folder, Ran};
use ribbonmesh_mesh::TriangleMesh;
use std::f64::consts::{PI, TAU};
use std::time::Instant;

fn succeed(folder: &Folder, words: &str) -> Ran {
    let ran = folder.line(words);
    assert_eq!(ran.status, 0, "{words}: {ran:?}");
    ran
}

#[test]
fn case_01_remesh_default_eats_box() {
    let folder = crate::case("01-remesh-default-eats-box");
    // area and volume of a box of 10, 20 and 30, as pymeshlab keeps them
    for words in ["", "--target-length 2%", "--adaptive", "--target-length 1x --feature-angle 30"] {
        let ran = succeed(&folder, &format!("remesh box.stl -o out.ply {words}"));
        let after = folder.read("out.ply");
        let (area, volume) = (after.area(), after.volume().expect("closed"));
        assert!((area - 2200.0).abs() < 22.0 && (volume - 6000.0).abs() < 60.0, "{words}: {area}, {volume}");
        assert!(!ran.err.contains("warning"), "{words}: {ran:?}");
    }
    // a length that is too long says so
    let ran =
        succeed(&folder, "remesh box.stl -o out.ply --target-length 1x --feature-angle 180 --report r.json");
    let after = folder.read("out.ply");
    if (after.area() - 2200.0).abs() > 220.0 {
        assert!(ran.err.contains("warning: the result is far from the input"), "{ran:?}");
        assert!(!folder.json("r.json")["results"]["change"]["far"].as_array().expect("reasons").is_empty());
    }
}

/// Points on a circle, at a height.
fn circle(n: u32, z: f64) -> impl Iterator<Item = [f64; 3]> {
    (0..n).map(move |i| {
        let angle = TAU * f64::from(i) / f64::from(n);
        [angle.cos(), angle.sin(), z]
    })
}
/// Two fans of `n` faces, from the ends of an axis.
fn cone(n: u32) -> TriangleMesh {
    let positions = [[0.0, 0.0, 1.0], [0.0; 3]].into_iter().chain(circle(n, 0.0));
    let faces = (0..n).flat_map(|i| {
        let (a, b) = (2 + i, 2 + (i + 1) % n);
        [[0, a, b], [1, b, a]]
    });
    TriangleMesh::new(positions.map(Into::into).collect(), faces.collect())
}
/// A cylinder of radius 1 and height 1 with fans for caps; an open tube without.
fn cylinder(n: u32, caps: bool) -> TriangleMesh {
    let positions =
        circle(n, 1.0).chain(circle(n, 0.0)).chain([[0.0, 0.0, 1.0], [0.0; 3]].into_iter().filter(|_| caps));
    let faces = (0..n).flat_map(|i| {
        let j = (i + 1) % n;
        let (a, b, c, d) = (i, j, n + i, n + j);
        let sides = [[c, b, a], [c, d, b]];
        let ends = [[2 * n, a, b], [2 * n + 1, d, c]];
        sides.into_iter().chain(ends.into_iter().filter(|_| caps)).collect::<Vec<_>>()
    });
    TriangleMesh::new(positions.map(Into::into).collect(), faces.collect())
}

#[test]
fn a_cylinder_of_600_segments() {
    let folder = Folder::new();
    folder.mesh("cylinder.ply", &cylinder(600, true));
    folder.mesh("tube.ply", &cylinder(600, false));
    for (file, area) in [("cylinder.ply", 4.0 * PI), ("tube.ply", 2.0 * PI)] {
        for words in ["", "--target-length 0.1", "--adaptive", "--project"] {
            let start = Instant::now();
            let ran = succeed(&folder, &format!("remesh {file} -o out.ply {words}"));
            assert!(start.elapsed().as_secs() < 60, "{file} {words}: {ran:?}");
            let after = folder.read("out.ply");
            let part = after.area() / area;
            assert!((part - 1.0).abs() < 0.03, "{file} {words}: {part} of the area; {ran:?}");
            succeed(&folder, "intersections out.ply --report r.json");
            let pairs = folder.json("r.json")["results"]["intersecting_pairs"].as_u64();
            assert_eq!(pairs, Some(0), "{file} {words}");
        }
    }
}

#[test]
fn vertices_of_many_faces() {
    let folder = Folder::new();
    for (n, words) in [
        (20_000, "simplify cone.ply -o out.ply --faces 2000"),
        (20_000, "simplify cone.ply -o out.ply --max-error 0.1%"),
        (8_000, "remesh cone.ply -o out.ply"),
    ] {
        folder.mesh("cone.ply", &cone(n));
        let start = Instant::now();
        let ran = succeed(&folder, words);
        // a build for development, on a busy machine; the square would take minutes
        assert!(start.elapsed().as_secs() < 60, "{words}: {ran:?}");
        let after = folder.read("out.ply");
        assert!(after.faces.len() < n as usize, "{words}: {} faces; {ran:?}", after.faces.len());
        let area = after.area() / (PI * (1.0 + 2f64.sqrt()));
        assert!((area - 1.0).abs() < 0.03, "{words}: {area} of the area; {ran:?}");
    }
}
