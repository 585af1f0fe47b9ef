//! The dragon with fewer and fewer faces.
use super::row;
use ribbonmesh::Surface;
use ribbonmesh::{Device, MeshOptions};
use ribbonmesh_io::TriangleMesh;
use ribbonmesh_remeshing::simplify::{SimplifyOptions, Target, simplify};
use ribbonmesh_render::{Camera, Image, Lens, Scene, Style, View};
use std::error::Error;

/// All faces, a tenth and a hundredth of them, with their edges.
pub fn simplified(mesh: &TriangleMesh) -> Result<Image, Box<dyn Error>> {
    let style = Style { width: 420, height: 310, samples: 4, smooth: false, ..Style::default() };
    let scene = Scene::new(&mesh.positions, &mesh.faces);
    let camera = Camera::fit(&scene, View { azimuth: -12.0, elevation: 8.0 }, Lens::Orthographic, &style)?;
    let mut pictures = vec![scene.render(&Device::cpu(), &camera, &style)?];
    for ratio in [0.1, 0.01] {
        let options = SimplifyOptions { target: Some(Target::Ratio(ratio)), ..SimplifyOptions::default() };
        let mut surface = Surface::new(&Device::cpu(), mesh, &MeshOptions::default())?;
        simplify(&mut surface, &options)?;
        let few = surface.download()?;
        let style = Style { edges: if ratio < 0.05 { 1.0 } else { 0.0 }, ..style.clone() };
        pictures.push(Scene::new(&few.positions, &few.faces).render(&Device::cpu(), &camera, &style)?);
    }
    Ok(row(&pictures))
}
