//! Lengths, volumes and smoothing.
use crate::case;
use ribbonmesh::glam::DVec3;
use ribbonmesh_mesh::TriangleMesh;
use std::collections::BTreeSet;

/// Faces of a result.
fn faces(folder: &crate::common::Folder, line: &str) -> usize {
    let ran = folder.line(line);
    assert_eq!(ran.status, 0, "{ran:?}");
    folder.read("out.ply").faces.len()
}

/// A percentage is one of the box around the faces (numpy: 3.464 with the sphere alone), wherever another
/// vertex is.
#[test]
fn case_08_stray_vertex_changes_percent() {
    let folder = case("08-stray-vertex-changes-percent");
    let mut alone = folder.read("stray.ply");
    let used: BTreeSet<u32> = alone.faces.as_flattened().iter().copied().collect();
    assert_eq!(used.len() + 1, alone.positions.len());
    alone.select_vertices(&used.into_iter().collect::<Vec<u32>>()).expect("vertices");
    assert_eq!(alone.faces.len(), 1280);
    folder.mesh("alone.ply", &alone);
    for name in ["stray.ply", "alone.ply"] {
        assert_eq!(
            faces(&folder, &format!("--device cpu simplify {name} -o out.ply --max-error 0.1%")),
            1280,
            "{name}"
        );
        let found = faces(&folder, &format!("--device cpu remesh {name} -o out.ply --target-length 2%"));
        assert!((4900..6200).contains(&found), "{name}: {found}, not about 5544");
    }
    // the printed distance, too, is in diagonals of that box
    let told = |name: &str| {
        let ran = folder.line(&format!("--device cpu simplify {name} -o out.ply --max-error 1%"));
        assert_eq!(ran.status, 0, "{ran:?}");
        let line = ran
            .err
            .lines()
            .find_map(|line| line.strip_prefix("distance from the input, in diagonals: at most "));
        let most: f64 =
            line.and_then(|l| l.split(',').next()).expect("a distance").parse().expect("a number");
        (folder.read("out.ply").faces.len() as f64, most)
    };
    let ((faces, most), (of_alone, most_alone)) = (told("stray.ply"), told("alone.ply"));
    assert!((faces / of_alone - 1.0).abs() < 0.05 && of_alone < 1280.0, "{faces}, {of_alone}");
    assert!((most / most_alone - 1.0).abs() < 0.2 && most <= 0.0101, "{most}, {most_alone}");
}

/// Centre and volume of the faces between two places along x, by the sum of tetrahedra.
fn part(mesh: &TriangleMesh, from: f64, to: f64) -> (DVec3, f64) {
    let own: Vec<[DVec3; 3]> = mesh
        .faces
        .iter()
        .map(|f| f.map(|v| mesh.positions[v as usize]))
        .filter(|t| (from..to).contains(&t[0].x))
        .collect();
    let volume = own.iter().map(|[a, b, c]| a.dot(b.cross(*c))).sum::<f64>() / 6.0;
    (own.iter().flatten().sum::<DVec3>() / (3 * own.len()) as f64, volume)
}

/// Each sphere keeps its own volume and place (trimesh: 4.047 at 0, 0.0324 at 3).
#[test]
fn case_15_keep_volume_of_two_parts() {
    let folder = case("15-keep-volume-of-two-parts");
    let ran = folder.line("--device cpu smooth two.ply -o out.ply --steps 10 --keep-volume");
    assert_eq!(ran.status, 0, "{ran:?}");
    let mesh = folder.read("out.ply");
    for (from, to, place, expected) in [(-9.0, 1.5, 0.0, 4.047), (1.5, 9.0, 3.0, 0.0324)] {
        let (centre, volume) = part(&mesh, from, to);
        assert!((centre - DVec3::X * place).length() < 0.01, "{centre}");
        assert!((volume / expected - 1.0).abs() < 0.002, "{volume}, not {expected}");
    }
    // without it, the small one vanishes, with a message
    let ran = folder.line("--device cpu smooth two.ply -o out.ply --steps 10");
    assert!(ran.err.contains("warning: 1 of 2 components shrank to less than a hundredth"), "{}", ran.err);
    let ran = folder.line("--device cpu smooth two.ply -o out.ply --time-step 1e6");
    assert!(ran.err.contains("warning: 2 of 2 components shrank"), "{}", ran.err);
}

/// Standard deviation of the distances of vertices from their mean, and area.
fn roughness(mesh: &TriangleMesh) -> (f64, f64) {
    let n = mesh.positions.len() as f64;
    let centre = mesh.positions.iter().sum::<DVec3>() / n;
    let radii: Vec<f64> = mesh.positions.iter().map(|p| p.distance(centre)).collect();
    let mean = radii.iter().sum::<f64>() / n;
    ((radii.iter().map(|r| (r - mean).powi(2)).sum::<f64>() / n).sqrt(), mesh.area())
}

/// A ball of voxels becomes smoother: trimesh's filter_taubin takes the deviation of the radius from 0.431 to
/// 0.132, and the area to 0.68 of 936.
#[test]
fn case_16_taubin_roughens_voxels() {
    let folder = case("16-taubin-roughens-voxels");
    let (before, area) = roughness(&folder.read("voxels.ply"));
    assert!((before - 0.431).abs() < 1e-3 && (area - 936.0).abs() < 1e-6, "{before}, {area}");
    for options in ["--method taubin --iterations 20", "--method taubin", "", "--method normals"] {
        let ran = folder.line(&format!("--device cpu denoise voxels.ply -o out.ply {options}"));
        assert_eq!(ran.status, 0, "{ran:?}");
        assert!(ran.err.contains("noise of 0.289 mean edges: stairs of voxels"), "{}", ran.err);
        let mesh = folder.read("out.ply");
        let (after, area) = roughness(&mesh);
        let volume = mesh.volume().expect("closed");
        assert!(after < 0.15 && area < 0.70 * 936.0, "{options}: {after}, {area}");
        assert!((volume / 1472.0 - 1.0).abs() < 0.02, "{options}: {volume}");
    }
    // many iterations do not make a ball larger (trimesh: 0.5 % smaller)
    let mut ball = ribbonmesh_mesh::shapes::icosphere(3).expect("small");
    let volume = ball.volume().expect("closed");
    ribbonmesh_mesh::shapes::add_noise(&mut ball, 0.1, 1);
    folder.mesh("noisy.ply", &ball);
    let ran = folder.line("--device cpu denoise noisy.ply -o out.ply --method taubin --iterations 100");
    assert_eq!(ran.status, 0, "{ran:?}");
    let after = folder.read("out.ply").volume().expect("closed");
    assert!((after / volume - 1.0).abs() < 0.02, "{after} of {volume}");
}
