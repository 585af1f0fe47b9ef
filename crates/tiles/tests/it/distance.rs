//! Distances by tiles against those in memory.
use crate::{Folder, bumpy};
use ribbonmesh::Device;
use ribbonmesh::bvh::{Distance, DistanceOptions, SampledSurface};
use ribbonmesh::glam::DVec3;
use ribbonmesh_io::{WriteOptions, write};
use ribbonmesh_mesh::{TriangleMesh, shapes};
use ribbonmesh_tiles::{FEWEST_FACES, Streaming, distance};

fn in_memory(a: &TriangleMesh, b: &TriangleMesh, options: &DistanceOptions) -> Distance {
    let (device, origin) = (Device::cpu(), a.local_origin());
    let tree = |mesh: &TriangleMesh| SampledSurface::new(&device, &mesh.points_around(origin), &mesh.faces);
    let [a, b] = [a, b].map(|mesh| tree(mesh).expect("a tree"));
    ribbonmesh::bvh::distance(&a, &b, options).expect("a distance")
}

/// Both distances: by tiles, and in memory.
fn both(a: &TriangleMesh, b: &TriangleMesh, samples: u32) -> [Distance; 2] {
    let folder = Folder::with(a);
    write(folder.path("b.ply"), b, &WriteOptions::default()).expect("a file");
    let options = DistanceOptions { samples, seed: 3 };
    let tiles = Streaming { tile_faces: Some(FEWEST_FACES), ..Streaming::new(folder.path("work")) };
    let files = [folder.path("in.ply"), folder.path("b.ply")];
    let mut lines = vec![];
    let found = distance(&files[0], &files[1], &options, &tiles, &mut |line| lines.push(line));
    assert!(!folder.path("work").exists());
    assert!(lines.iter().all(|line| !line.ends_with(" 1 tiles")), "{lines:?}");
    [found.expect("two surfaces"), in_memory(a, b, &options)]
}

fn moved(mesh: &TriangleMesh, by: DVec3) -> TriangleMesh {
    TriangleMesh::new(mesh.positions.iter().map(|&p| p + by).collect(), mesh.faces.clone())
}

#[test]
fn distances_of_vertices_are_those_in_memory_bit_by_bit() {
    let (sphere, torus) = (bumpy(5), shapes::torus(60, 2).expect("small"));
    let mut loose = bumpy(5);
    // vertices without a face do not count
    loose.positions.extend([DVec3::splat(9.0); 5]);
    loose.faces.truncate(15_000);
    let near = moved(&sphere, DVec3::new(0.01, -0.02, 0.005));
    let far = moved(&torus, DVec3::new(40.0, 0.0, 0.0));
    // positions that single precision does not hold
    let [large, larger] = [&sphere, &near].map(|mesh| moved(mesh, DVec3::new(5e6 + 0.1, 0.1, -3e6)));
    for (name, a, b) in [
        ("near", &sphere, &near),
        ("others", &torus, &sphere),
        ("loose", &loose, &near),
        ("far", &sphere, &far),
        ("large", &large, &larger),
        ("same", &sphere, &sphere),
    ] {
        let [found, known] = both(a, b, 0);
        let figures =
            |d: &Distance| [d.a_to_b.figures, d.b_to_a.figures, d.symmetric, d.relative.expect("a size")];
        assert_eq!(figures(&found), figures(&known), "{name}");
        for (found, known) in [(&found.a_to_b, &known.a_to_b), (&found.b_to_a, &known.b_to_a)] {
            assert_eq!((found.vertices, found.samples), (known.vertices, 0), "{name}");
        }
        assert_eq!(found.diagonal, known.diagonal, "{name}");
        if name == "near" {
            assert_eq!([found.a_to_b.at, found.b_to_a.at], [known.a_to_b.at, known.b_to_a.at]);
        }
    }
}

#[test]
fn means_are_those_in_memory_as_for_another_seed() {
    let sphere = bumpy(5);
    let coarse = bumpy(3);
    let torus = shapes::torus(60, 2).expect("small");
    for (a, b, bound) in [(&sphere, &coarse, 0.005), (&torus, &sphere, 0.005)] {
        let [found, known] = both(a, b, 100_000);
        assert_eq!([found.a_to_b.samples, found.b_to_a.samples], [100_000; 2]);
        for (name, found, known) in [
            ("from a", found.a_to_b.figures, known.a_to_b.figures),
            ("from b", found.b_to_a.figures, known.b_to_a.figures),
            ("both", found.symmetric, known.symmetric),
        ] {
            for (found, known) in [(found.mean, known.mean), (found.rms, known.rms)] {
                let part = found.expect("samples") / known.expect("samples") - 1.0;
                assert!(part.abs() < bound, "{name}: {found:?} {known:?}");
            }
            let part = found.hausdorff / known.hausdorff - 1.0;
            assert!(part.abs() < 0.02, "{name}: {found:?} {known:?}");
        }
    }
    // fewer points than tiles: each tile has one, with the weight of its area
    let [found, known] = both(&sphere, &coarse, 3);
    assert!(found.a_to_b.samples > 10, "{found:?}");
    let part = found.a_to_b.figures.mean.expect("samples") / known.a_to_b.figures.hausdorff;
    assert!(part > 0.0 && part < 1.0, "{found:?}");
}

#[test]
fn trees_that_fit_are_made_once() {
    let folder = Folder::with(&bumpy(5));
    write(folder.path("b.ply"), &bumpy(5), &WriteOptions::default()).expect("a file");
    let files = [folder.path("in.ply"), folder.path("b.ply")];
    let usual = Streaming { tile_faces: Some(FEWEST_FACES), ..Streaming::new(folder.path("work")) };
    let options = DistanceOptions { samples: 1000, seed: 3 };
    let mut made = vec![];
    let found = distance(&files[0], &files[1], &options, &usual, &mut |line| {
        if let Some((trees, tiles)) = line.split_once(" trees made of ") {
            made.push([trees.parse::<u64>().ok(), tiles.trim_end_matches(" tiles").parse().ok()]);
        }
    });
    assert!(found.expect("two surfaces").symmetric.hausdorff < 1e-6);
    assert!(
        made.len() == 2 && made.iter().all(|[trees, tiles]| trees.is_some() && trees == tiles),
        "{made:?}"
    );
}

#[test]
fn surfaces_without_faces_are_refused() {
    let folder = Folder::with(&bumpy(4));
    let head = "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty float x\nproperty float y\n\
                property float z\nelement face 0\nproperty list uchar int vertex_indices\nend_header\n";
    std::fs::write(folder.path("b.ply"), [head.as_bytes(), &[0; 12]].concat()).expect("a file");
    let tiles = Streaming::new(folder.path("work"));
    let files = [folder.path("in.ply"), folder.path("b.ply")];
    let refused = distance(&files[0], &files[1], &DistanceOptions::default(), &tiles, &mut drop);
    assert!(refused.expect_err("refused").to_string().contains("no faces"));
}
