//! Effects of repair.
use glam::DVec3;
use ribbonmesh::Device;
use ribbonmesh_io::TriangleMesh;
use ribbonmesh_render::{Camera, Colouring, Image, Lens, PATCH_PALETTE, Rgb, Scene, Style, View};
use ribbonmesh_solid::repair::{RepairOptions, repair};
use std::error::Error;

/// Meshes that are not manifolds above, and the repaired meshes below, copies of vertices moved apart.
pub fn repairs() -> Result<Image, Box<dyn Error>> {
    let strip = ribbonmesh_mesh::shapes::mobius(36, 3)?;
    let cone = |apex: u32, first: u32| (0..14).map(move |i| [apex, first + i, first + (i + 1) % 14]);
    let ring = |y: f32| {
        (0..14).map(move |i| (i as f32 / 14.0 * std::f32::consts::TAU).sin_cos()).map(move |(s, c)| [s, y, c])
    };
    let cones = TriangleMesh::from_f32(
        [[0.0; 3]].into_iter().chain(ring(1.3)).chain(ring(-1.3)),
        cone(0, 1).chain(cone(0, 15).map(|[a, b, c]| [a, c, b])).collect(),
    );
    let tetrahedron = |a, b, c, d| [[a, b, c], [a, c, d], [a, d, b], [b, d, c]];
    let pair = TriangleMesh::from_f32(
        vec![
            [0.0, -1.0, 0.0],
            [0.0, 1.0, 0.0],
            [1.4, 0.0, 0.7],
            [1.4, 0.0, -0.7],
            [-1.4, 0.0, -0.7],
            [-1.4, 0.0, 0.7],
        ],
        [tetrahedron(0, 1, 2, 3), tetrahedron(0, 1, 4, 5)].concat(),
    );
    let style = Style { width: 360, height: 280, samples: 4, edges: 1.2, smooth: false, ..Style::default() };
    let mut all = Image::new(3 * style.width, 2 * style.height, [255; 4]);
    for (i, mesh) in (0..).zip([pair, cones, strip]) {
        let done = repair(&Device::cpu(), &mesh.positions, &mesh.faces, &RepairOptions::default())?;
        let fans = components(done.vertices(), &done.faces);
        let colours: Vec<Rgb> =
            done.faces.iter().map(|f| PATCH_PALETTE[fans[f[0] as usize] as usize % 10]).collect();
        let view = View { azimuth: 28.0, elevation: [18.0, 14.0, 38.0][i as usize] };
        let scene = Scene::new(&mesh.positions, &mesh.faces).coloured(Colouring::Plain([206, 204, 200]));
        let camera = Camera::fit(&scene, view, Lens::Perspective, &style)?;
        all.paste(&scene.render(&Device::cpu(), &camera, &style)?, [i * style.width, 0]);
        let apart = apart(&done.faces, &done.vertex_values(&mesh.positions)?, &done.vertex_inputs);
        let scene = Scene::new(&apart, &done.faces).coloured(Colouring::Faces(&colours));
        all.paste(&scene.render(&Device::cpu(), &camera, &style)?, [i * style.width, style.height]);
    }
    Ok(all)
}

/// For each vertex the number of its component.
fn components(vertices: usize, faces: &[[u32; 3]]) -> Vec<u32> {
    let mut of: Vec<u32> = (0..vertices as u32).collect();
    loop {
        let before = of.clone();
        for face in faces {
            let least = face.map(|v| of[v as usize]).into_iter().min().unwrap_or(0);
            face.iter().for_each(|&v| of[v as usize] = least);
        }
        if of == before {
            break;
        }
    }
    let mut roots: Vec<u32> = of.clone();
    roots.sort_unstable();
    roots.dedup();
    of.iter().map(|root| roots.iter().position(|r| r == root).unwrap_or(0) as u32).collect()
}

/// Places in which vertices that have copies, and the copies, have moved towards their neighbours.
fn apart(faces: &[[u32; 3]], positions: &[DVec3], inputs: &[u32]) -> Vec<DVec3> {
    let mut count = vec![0; positions.len()];
    inputs.iter().for_each(|&v| count[v as usize] += 1);
    let mut moved = positions.to_vec();
    for (v, place) in (0..).zip(&mut moved).filter(|(v, _)| count[inputs[*v as usize] as usize] > 1) {
        let near: Vec<u32> =
            faces.iter().filter(|f| f.contains(&v)).flatten().copied().filter(|u| *u != v).collect();
        let mean = near.iter().map(|&u| positions[u as usize]).sum::<DVec3>() / near.len() as f64;
        *place += 0.28 * (mean - *place);
    }
    moved
}
