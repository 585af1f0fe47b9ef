//! Seams of textures and borders of materials are kept.
use ribbonmesh::Surface;
use ribbonmesh::glam::DVec3;
use ribbonmesh::{Device, MeshOptions};
use ribbonmesh_mesh::{Column, Role, TriangleMesh};
use ribbonmesh_remeshing::delaunay::{DelaunayOptions, delaunay};
use ribbonmesh_remeshing::remesh::{Length, RemeshOptions, remesh};
use ribbonmesh_remeshing::simplify::{SimplifyOptions, Target, simplify};
use ribbonmesh_suite::suite;
use std::f64::consts::TAU;

/// A tube of radius 1 and height 3, of `n` squares around and along, with the texture wrapped around it: u
/// jumps from 1 to 0 at angle 0. The lower part has material 0, the upper 1.
fn tube(n: u32) -> TriangleMesh {
    let at = |i: u32, j: u32| {
        let angle = TAU * f64::from(i) / f64::from(n);
        DVec3::new(angle.cos(), angle.sin(), 3.0 * f64::from(j) / f64::from(n))
    };
    let id = |i: u32, j: u32| i % n + n * j;
    let (mut faces, mut uv, mut materials) = (vec![], vec![], vec![]);
    for j in 0..n {
        for i in 0..n {
            // diagonals both ways, so that there is something to flip
            let [a, b, c, d] = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)];
            let two = if (i * 7 + j * 5) % 3 == 0 { [[a, b, d], [b, c, d]] } else { [[a, b, c], [a, c, d]] };
            for face in two {
                faces.push(face.map(|(i, j)| id(i, j)));
                uv.extend(face.map(|(i, j)| [i as f32 / n as f32, j as f32 / n as f32]));
                materials.push((2 * j >= n) as u32);
            }
        }
    }
    let positions = (0..=n).flat_map(|j| (0..n).map(move |i| (i, j))).map(|(i, j)| at(i, j));
    let mut mesh = TriangleMesh::from_f32(positions.map(|p| p.as_vec3()), faces);
    mesh.corners_mut().insert_column(Column::with_role("uv", Role::TextureCoordinate(0), uv)).expect("rows");
    mesh.faces_of_mut()
        .insert_column(Column::with_role("material", Role::Material, materials))
        .expect("rows");
    mesh
}

fn check(name: &str, after: &TriangleMesh, near: f64) {
    let uv = after.corners().get::<[f32; 2]>("uv").expect("follows");
    let materials = after.faces_of().get::<u32>("material").expect("follows");
    let mut jumps = 0;
    for (f, face) in after.faces.iter().enumerate() {
        let x = face.map(|v| after.positions[v as usize]);
        let middle = (x[0] + x[1] + x[2]) / 3.0;
        let turn = |p: DVec3| (p.y.atan2(p.x) / TAU).rem_euclid(1.0);
        let of_face = turn(middle);
        let us = [0, 1, 2].map(|i| f64::from(uv[3 * f + i][0]));
        for i in 0..3 {
            // on the side of the seam where the face is
            let mut wanted = turn(x[i]);
            if wanted - of_face > 0.5 {
                wanted -= 1.0;
            } else if of_face - wanted > 0.5 {
                wanted += 1.0;
            }
            assert!(
                (us[i] - wanted).abs() < near,
                "{name}: face {f}, corner {i} at {}: {} for {wanted}",
                x[i],
                us[i]
            );
            assert!(
                (f64::from(uv[3 * f + i][1]) - x[i].z / 3.0).abs() < near,
                "{name}: face {f}, corner {i}"
            );
            jumps += !(1e-3..=1.0 - 1e-3).contains(&wanted) as u32;
        }
        // no face reaches across the border, which lies at 1.5
        let (low, high) = x.iter().fold((f64::MAX, f64::MIN), |(l, h), p| (l.min(p.z), h.max(p.z)));
        assert!(high < 1.5 + near || low > 1.5 - near, "{name}: face {f} from {low} to {high}");
        assert_eq!(materials[f], (middle.z > 1.5) as u32, "{name}: face {f} at {middle}");
    }
    assert!(jumps > 8, "{name}: the seam is gone");
    // on both sides of the seam no more than two values at a vertex, elsewhere one
    let mut values = vec![vec![]; after.positions.len()];
    for (c, value) in uv.iter().enumerate() {
        let of_vertex: &mut Vec<[f32; 2]> = &mut values[after.faces[c / 3][c % 3] as usize];
        if !of_vertex.contains(value) {
            of_vertex.push(*value);
        }
    }
    for (v, of_vertex) in values.iter().enumerate() {
        let on_seam = after.positions[v].y.abs() < near && after.positions[v].x > 0.0;
        assert!(
            of_vertex.len() <= 1 + on_seam as usize,
            "{name}: vertex {v} at {}: {of_vertex:?}",
            after.positions[v]
        );
    }
}

fn surface(device: &Device) -> Surface {
    Surface::new(device, &tube(24), &MeshOptions::default()).expect("a mesh")
}

suite! {
    fn of_flips(device) {
        let mut surface = surface(device);
        // a tube is flat along its axis: nearly all diagonals are as good as the others, so it is bent
        let (_, x) = surface.patches_mut().expect("patches");
        let mut points = x.download().expect("memory");
        for (i, p) in points.iter_mut().enumerate() {
            if p.z > 0.1 && p.z < 2.9 && (p.z - 1.5).abs() > 0.1 {
                p.z += 0.04 * ((i * 37 % 11) as f32 / 5.0 - 1.0);
            }
        }
        x.upload(&points).expect("memory");
        surface.moved();
        let report = delaunay(&mut surface, &DelaunayOptions::default()).expect("a manifold");
        assert!(report.flips > 100, "{report:?}");
        check("delaunay", &surface.download().expect("memory"), 0.03);
    }
    fn of_remeshing(device) {
        for (length, project) in [(0.7, false), (0.7, true), (1.4, true)] {
            let mut surface = surface(device);
            let options = RemeshOptions { length: Length::Mean(length), project, ..RemeshOptions::default() };
            let report = remesh(&mut surface, &options).expect("a manifold");
            assert!(report.features.edges >= 24 + 24, "{report:?}");
            check(&format!("remesh {length}"), &surface.download().expect("memory"), 0.03);
        }
    }
    fn of_simplification(device) {
        let mut surface = surface(device);
        let options = SimplifyOptions { target: Some(Target::Ratio(0.4)), ..SimplifyOptions::default() };
        simplify(&mut surface, &options).expect("a manifold");
        check("simplify", &surface.download().expect("memory"), 0.05);
    }
}
