//! Stitching of surfaces on devices gives what stitching of meshes on the host gives.
use crate::repair::oracle::wrongs;
use crate::repair::same::options;
use ribbonmesh::{Device, MeshOptions, Surface, TriangleMesh};
use ribbonmesh_mesh::shapes;
use ribbonmesh_solid::repair::{RepairOptions, repair_and_stitch, repair_and_stitch_surface};
use ribbonmesh_suite::{Random, suite};

const DISTANCE: f64 = 1e-3;

/// A ball of two parts, of which the vertices where they meet are apart by less than the distance; with some
/// faces turned and doubled, holes, and attributes. `middles`: some edges there have a vertex in their middle
/// on one side.
fn cracked(middles: bool, random: &mut Random) -> TriangleMesh {
    let ball = shapes::icosphere(3).expect("small");
    let upper = |face: &[u32; 3]| face.iter().map(|v| ball.positions[*v as usize].z).sum::<f64>() > 0.3;
    let mut mesh = TriangleMesh::default();
    for part in [true, false] {
        let faces = ball.faces.iter().copied().filter(|face| upper(face) == part).collect();
        let mut part = TriangleMesh::new(ball.positions.clone(), faces);
        part.positions.iter_mut().for_each(|p| p.x += f64::from(random.below(100)) * 5e-6);
        if middles && mesh.faces.is_empty() {
            let rim: Vec<([u32; 2], f64)> = part
                .sides()
                .into_iter()
                .filter(|side| side.iter().all(|v| ball.faces.iter().any(|f| f.contains(v) && !upper(f))))
                .map(|side| (side, 0.5))
                .collect();
            part.split_edges_at(&rim[..rim.len() / 2]).expect("edges");
        }
        mesh.append(&part).expect("no columns");
    }
    mesh.faces.retain(|face| random.below(60) != 0 || face[0] % 3 == 0);
    mesh.faces.iter_mut().step_by(7).for_each(|face| face.swap(1, 2));
    let doubled: Vec<[u32; 3]> = mesh.faces.iter().copied().step_by(11).collect();
    mesh.faces.extend(doubled);
    let numbers = |n: usize| (0..n as u32).collect::<Vec<u32>>();
    let (n, f) = (mesh.positions.len(), mesh.faces.len());
    mesh.vertices_mut().insert("vertex", numbers(n)).expect("rows");
    mesh.faces_of_mut().insert("face", numbers(f)).expect("rows");
    mesh.corners_mut().insert("corner", numbers(3 * f)).expect("rows");
    mesh
}

suite! {
    fn surfaces_are_stitched_as_meshes(device) {
        let mut random = Random(41);
        let (mut welded, mut split) = (0, 0);
        for (i, options) in (0..).zip(options()) {
            let mut mesh = cracked(i % 3 == 2, &mut random);
            let options = RepairOptions { weld: None, ..options };
            let distance = Some(DISTANCE).filter(|_| i % 7 != 6);
            let mut surface = Surface::new(device, &mesh, &MeshOptions::default()).expect("uploaded");
            let found = repair_and_stitch_surface(&mut surface, &options, distance).expect("repaired");
            let (first, stitched, again) =
                repair_and_stitch(&Device::cpu(), &mut mesh, &options, distance).expect("repaired");
            assert_eq!(found, (first.report, stitched, again), "{i}");
            assert!(surface.download().expect("downloaded") == mesh, "{i}");
            if !options.keep_touching {
                assert!(wrongs(&mesh.faces).is_empty());
            }
            welded += stitched.vertices_welded;
            split += stitched.edges_split;
        }
        assert!(welded > 100 && split > 20, "{welded} {split}");
    }
    fn nothing_to_stitch(device) {
        let mesh = shapes::grid(4, 1).expect("small");
        let mut surface = Surface::new(device, &mesh, &MeshOptions::default()).expect("uploaded");
        let options = RepairOptions::default();
        let found = repair_and_stitch_surface(&mut surface, &options, Some(1e-9)).expect("repaired");
        assert!(found.0.is_empty() && found.1.is_empty() && found.2.is_none());
        assert!(surface.download().expect("downloaded") == mesh);
        let wrong = repair_and_stitch_surface(&mut surface, &options, Some(f64::NAN));
        assert!(wrong.expect_err("a distance").to_string().contains("stitch"));
    }
}
