//! Textures, materials, colours and survey data survive the commands that change a mesh.
use crate::common::Folder;
use ribbonmesh::glam::DVec3;
use ribbonmesh_mesh::{ColourSpace, Column, GltfPayload, Material, Precision, Role, TriangleMesh, shapes};
use std::f64::consts::{PI, TAU};

const CHANGES: [&str; 4] =
    ["repair", "smooth --time-step 0.1h2", "remesh --target-length 0.9x", "simplify --ratio 0.2"];

/// Stands for a picture: nothing decodes it.
const PICTURE: &[u8] = b"\x89PNG\r\n\x1a\nof a checkerboard";

/// A sphere of circles of latitude, with colours by direction, and texture coordinates (longitude, latitude)
/// with a seam. The upper half has a material with a texture, the lower half one without.
fn ball() -> TriangleMesh {
    let (rows, columns) = (24_u32, 48_u32);
    let last = 1 + (rows - 1) * columns;
    let vertex = |i: u32, j: u32| match i {
        0 => 0,
        _ if i == rows => last,
        _ => 1 + (i - 1) * columns + j % columns,
    };
    let mut positions = vec![DVec3::Y; last as usize + 1];
    let (mut faces, mut texture, mut materials) = (vec![], vec![], vec![]);
    for (i, j) in (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))) {
        let (theta, phi) = (PI * i as f64 / rows as f64, TAU * j as f64 / columns as f64);
        positions[vertex(i, j) as usize] =
            DVec3::new(theta.sin() * phi.cos(), theta.cos(), theta.sin() * phi.sin());
        for corners in [[(i, j), (i, j + 1), (i + 1, j + 1)], [(i, j), (i + 1, j + 1), (i + 1, j)]] {
            let face = corners.map(|(i, j)| vertex(i, j));
            if face[0] == face[1] || face[1] == face[2] {
                continue;
            }
            faces.push(face);
            materials.push(u32::from(i >= rows / 2));
            texture.extend(corners.map(|(i, j)| [j as f32 / columns as f32, i as f32 / rows as f32]));
        }
    }
    positions[last as usize] = DVec3::NEG_Y;
    let mut mesh = TriangleMesh::from_f32(positions.iter().map(|p| p.as_vec3()), faces);
    // as in GLB, so that nothing is turned
    mesh.tables.texture_origin = ribbonmesh_mesh::TextureOrigin::Top;
    let colours = positions.iter().map(|p| colour_at(*p)).collect();
    let role = Role::Colour(ColourSpace::Linear);
    mesh.vertices_mut().insert_column(Column::with_role("colour", role, colours)).expect("a row each");
    let role = Role::TextureCoordinate(0);
    mesh.corners_mut().insert_column(Column::with_role("texcoord", role, texture)).expect("a row each");
    let column = Column::with_role("material", Role::Material, materials);
    mesh.faces_of_mut().insert_column(column).expect("a row each");
    let material = |name: &str, gltf: &str| Material { name: name.into(), gltf: Some(gltf.into()) };
    mesh.tables.materials = vec![
        material("glazed", r#"{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}"#),
        material("clay", r#"{"pbrMetallicRoughness":{"baseColorFactor":[0.8,0.3,0.2,1.0]}}"#),
    ];
    let json = r#"{"images":[{"bufferView":0,"mimeType":"image/png"}],"textures":[{"source":0}]}"#;
    mesh.tables.gltf = Some(GltfPayload { json: json.into(), blobs: vec![PICTURE.to_vec()] });
    mesh
}

fn colour_at(p: DVec3) -> [u8; 3] {
    p.normalize().to_array().map(|c| (127.5 + 127.5 * c).round() as u8)
}

#[test]
fn textures_materials_and_colours() {
    let folder = Folder::new();
    folder.mesh("a.glb", &ball());
    let before = folder.read("a.glb");
    for line in CHANGES {
        let ran = folder.succeed(format!("{line} a.glb -o b.glb").split_whitespace());
        let mut notes = ran.err.lines().filter(|line| line.starts_with("note:"));
        assert!(notes.all(|note| note.ends_with("faces sorted by object and material")), "{line}: {ran:?}");
        let after = folder.read("b.glb");
        assert_eq!(after.tables, before.tables, "{line}");
        assert_eq!(after.tables.gltf.as_ref().expect("pictures").blobs, [PICTURE], "{line}");

        let colours = after.vertices().get::<[u8; 3]>("colour").expect("colours");
        for (p, colour) in after.positions.iter().zip(colours) {
            let off = colour.iter().zip(colour_at(*p)).map(|(a, b)| a.abs_diff(b)).max();
            assert!(off <= Some(4), "{line}: {colour:?} at {p}");
        }
        // triangles end at the seam and at the equator, so that none has texture of both sides
        let texture = after.corners().get::<[f32; 2]>("texcoord").expect("coordinates");
        let materials = after.faces_of().get::<u32>("material").expect("materials");
        let mut ends = [false; 2];
        for (face, (corners, material)) in texture.chunks(3).zip(materials).enumerate() {
            // within rounding of positions in single precision
            let [top, bottom] = [0.0, 0.5].map(|v| v + *material as f32 / 2.0);
            let (us, vs) = (-1e-4..=1.0 + 1e-4, top - 1e-4..=bottom + 1e-4);
            for (&[u, v], vertex) in corners.iter().zip(after.faces[face]) {
                assert!(us.contains(&u) && vs.contains(&v), "{line}: {u} {v}");
                let p = after.positions[vertex as usize].normalize();
                let (phi, theta) = (p.z.atan2(p.x) / TAU, p.y.acos() / PI);
                assert!((theta - v as f64).abs() < 0.01, "{line}: {v} at {p}");
                if p.y.abs() < 0.9 {
                    let off = (phi - u as f64).rem_euclid(1.0);
                    assert!(off.min(1.0 - off) < 0.01, "{line}: {u} at {p}");
                }
                ends = [ends[0] || u < 1e-4, ends[1] || u > 1.0 - 1e-4];
            }
            let us = corners.iter().map(|[u, _]| *u);
            let width = us.clone().fold(0.0, f32::max) - us.fold(1.0, f32::min);
            assert!(width < 0.5, "{line}: face {face} lies across the seam: {corners:?}");
        }
        assert_eq!(ends, [true; 2], "{line}: both sides of the seam are there");
    }
}

/// The height of a roof over a place of the survey.
fn roof(p: DVec3) -> f64 {
    152.348 - 0.4 * (p.x - ORIGIN.x - 10.0).abs() + 0.1 * (p.y - ORIGIN.y)
}
const ORIGIN: DVec3 = DVec3::new(467_123.125, 5_412_987.25, 0.0);

/// A roof of 20 by 20 metres as a survey gives it, with an intensity and a class.
fn survey() -> TriangleMesh {
    let mut mesh = shapes::grid(21, 1).expect("small");
    mesh.precision = Precision::Double;
    let side = mesh.positions.iter().map(|p| p.x).fold(0.0, f64::max);
    for p in &mut mesh.positions {
        *p = ORIGIN + (*p * 20.0 / side).with_z(0.0);
        // vertices of one column are the ridge
        if ((p.x - ORIGIN.x) - 10.0).abs() < 0.49 {
            p.x = ORIGIN.x + 10.0;
        }
        p.z = roof(*p);
    }
    let intensity = mesh.positions.iter().map(|p| intensity_at(*p)).collect::<Vec<_>>();
    mesh.vertices_mut().insert("intensity", intensity).expect("a row each");
    let class = mesh.faces.iter().map(|face| {
        let middle = face.iter().map(|&v| mesh.positions[v as usize].x).sum::<f64>() / 3.0;
        2 + u8::from(middle > ORIGIN.x + 10.0)
    });
    let class = class.collect::<Vec<_>>();
    mesh.faces_of_mut().insert("class", class).expect("a row each");
    mesh
}

fn intensity_at(p: DVec3) -> u16 {
    (20_000.0 + 500.0 * (p.x - ORIGIN.x) + 300.0 * (p.y - ORIGIN.y)) as u16
}

#[test]
fn surveys() {
    let folder = Folder::new();
    let before = survey();
    folder.mesh("a.ply", &before);
    for line in [
        "repair",
        "smooth --boundary fixed",
        "remesh --feature-angle 20 --target-length 0.8x",
        "simplify --feature-angle 20 --ratio 0.2",
    ] {
        let ran = folder.succeed(format!("{line} a.ply -o b.ply").split_whitespace());
        assert!(!ran.err.contains("note:"), "{line}: {ran:?}");
        let after = folder.read("b.ply");
        assert_eq!(after.precision, Precision::Double, "{line}");
        let smoothed = line.starts_with("smooth");
        for p in &after.positions {
            let off = (p.z - roof(*p)).abs();
            assert!(off < if smoothed { 2.0 } else { 1e-3 }, "{line}: {off} at {p}");
        }
        let intensity = after.vertices().get::<u16>("intensity").expect("intensities");
        let class = after.faces_of().get::<u8>("class").expect("classes");
        if line == "repair" || smoothed {
            assert_eq!(
                (&after.faces, class),
                (&before.faces, before.faces_of().get("class").expect("classes"))
            );
            assert_eq!(intensity, before.vertices().get::<u16>("intensity").expect("intensities"));
            let same = after.positions.iter().zip(&before.positions).filter(|(a, b)| a == b).count();
            // the boundary does not move, and has the digits that it had
            assert_eq!(same, if smoothed { 80 } else { 441 }, "{line}");
            continue;
        }
        for (p, intensity) in after.positions.iter().zip(intensity) {
            assert!(intensity_at(*p).abs_diff(*intensity) < 1000, "{line}: {intensity} at {p}");
        }
        for (face, class) in after.faces.iter().zip(class) {
            let middle = face.iter().map(|&v| after.positions[v as usize].x).sum::<f64>() / 3.0;
            assert_eq!(*class, 2 + u8::from(middle > ORIGIN.x + 10.0), "{line}: {face:?}");
        }
        let far = after.positions.iter().map(|p| (*p - ORIGIN).with_z(0.0));
        let corner = far.fold(DVec3::ZERO, DVec3::max);
        assert!(corner.distance(DVec3::new(20.0, 20.0, 0.0)) < 1e-3, "{line}: {corner}");
    }
}
