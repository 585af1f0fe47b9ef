//! Results of cleaning meshes that pass through each other, cut open.
use super::row;
use ribbonmesh::Device;
use ribbonmesh_clean::{CleanOptions, clean};
use ribbonmesh_io::TriangleMesh;
use ribbonmesh_render::glam::DVec3;
use ribbonmesh_render::{Camera, Colouring, Image, Lens, Rgb, Scene, Style, View};
use std::error::Error;

const ONE: Rgb = [222, 170, 96];
const OTHER: Rgb = [118, 152, 196];
const RESULT: Rgb = [206, 204, 200];

/// Two copies of the dragon that pass through each other, and the result; without the parts before a plane
/// through the middle.
pub fn cleaned(mesh: &TriangleMesh) -> Result<Image, Box<dyn Error>> {
    let bounds = mesh.bounding_box().ok_or("an empty mesh")?;
    let mut two = TriangleMesh::new(mesh.positions.clone(), mesh.faces.clone());
    let mut other = two.clone();
    let by = bounds.diagonal() * DVec3::new(0.1, 0.06, 0.03);
    other.positions.iter_mut().for_each(|p| *p += by);
    two.append(&other)?;
    let colours: Vec<Rgb> =
        (0..two.faces.len()).map(|f| if f < mesh.faces.len() { ONE } else { OTHER }).collect();
    let mut one = two.clone();
    clean(&Device::cpu(), &mut one, &CleanOptions { faces: Some(60_000), ..CleanOptions::default() })?;
    let result = vec![RESULT; one.faces.len()];
    pictures([(&two, &colours), (&one, &result)])
}

/// Meshes by one camera, without the parts before the middle of the first.
fn pictures(all: [(&TriangleMesh, &Vec<Rgb>); 2]) -> Result<Image, Box<dyn Error>> {
    let style = Style { width: 460, height: 340, samples: 4, smooth: false, ..Style::default() };
    let bounds = all[0].0.bounding_box().ok_or("an empty mesh")?;
    let middle = bounds.middle().z;
    let scene = Scene::new(&all[0].0.positions, &all[0].0.faces);
    let camera = Camera::fit(&scene, View { azimuth: -12.0, elevation: 14.0 }, Lens::Orthographic, &style)?;
    let mut pictures = vec![];
    for (mesh, colours) in all {
        let behind = |f: &[u32; 3]| f.iter().all(|v| mesh.positions[*v as usize].z < middle);
        let kept = mesh.faces.iter().zip(colours).filter(|(face, _)| behind(face));
        let (faces, colours): (Vec<[u32; 3]>, Vec<Rgb>) = kept.map(|(face, colour)| (*face, *colour)).unzip();
        let scene = Scene::new(&mesh.positions, &faces).coloured(Colouring::Faces(&colours));
        pictures.push(scene.render(&Device::cpu(), &camera, &style)?);
    }
    Ok(row(&pictures))
}
