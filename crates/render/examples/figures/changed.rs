//! Effects of flips and remeshing on triangles, and of mean curvature flow on a surface.
use ribbonmesh::Surface;
use ribbonmesh::{Device, MeshOptions};
use ribbonmesh_fields::smooth::{SmoothOptions, TimeStep, smooth};
use ribbonmesh_io::TriangleMesh;
use ribbonmesh_mesh::BoundingBox;
use ribbonmesh_remeshing::delaunay::{DelaunayOptions, delaunay};
use ribbonmesh_remeshing::remesh::{Adaptive, Length, RemeshOptions, remesh};
use ribbonmesh_render::glam::DVec3;
use ribbonmesh_render::{Camera, Colouring, Image, Lens, Projection, Rgb, Scene, Style, View};
use std::error::Error;

const CLAY: Rgb = [206, 204, 200];

/// The meshes side by side, seen by the same camera.
fn side_by_side(meshes: &[TriangleMesh], camera: &Camera, style: &Style) -> Result<Image, Box<dyn Error>> {
    let mut all = Image::new(meshes.len() as u32 * style.width, style.height, [255; 4]);
    for (i, mesh) in (0..).zip(meshes) {
        let scene = Scene::new(&mesh.positions, &mesh.faces).coloured(Colouring::Plain(CLAY));
        all.paste(&scene.render(&Device::cpu(), camera, style)?, [i * style.width, 0]);
    }
    Ok(all)
}

/// A torus along random diagonals, before and after flips.
pub fn flipped() -> Result<Image, Box<dyn Error>> {
    let mesh = ribbonmesh_mesh::shapes::torus(17, 1)?;
    let mut surface = Surface::new(&Device::cpu(), &mesh, &MeshOptions::default())?;
    delaunay(&mut surface, &DelaunayOptions::default())?;
    let after = surface.download()?;
    let style = Style { width: 530, height: 400, samples: 4, edges: 1.0, smooth: false, ..Style::default() };
    let view = View { azimuth: 20.0, elevation: 50.0 };
    let scene = Scene::new(&mesh.positions, &mesh.faces);
    let camera = Camera::fit(&scene, view, Lens::Perspective, &style)?;
    side_by_side(&[mesh, after], &camera, &style)
}

/// The position of the dragon's head, from its box.
fn head(dragon: &TriangleMesh) -> DVec3 {
    let around = dragon.positions.iter().copied().fold(BoundingBox::EMPTY, BoundingBox::with);
    around.low + around.size() * DVec3::new(0.16, 0.72, 0.5)
}

/// The dragon's head: as it is, remeshed to five times its mean edge length, and remeshed by curvature.
pub fn remeshed(dragon: &TriangleMesh) -> Result<Image, Box<dyn Error>> {
    let with = |options: RemeshOptions| {
        let mut surface = Surface::new(&Device::cpu(), dragon, &MeshOptions::default())?;
        remesh(&mut surface, &options)?;
        surface.download()
    };
    let even =
        RemeshOptions { length: Length::Mean(5.0), project: true, iterations: 5, ..RemeshOptions::default() };
    let by_curvature = RemeshOptions {
        adaptive: Some(Adaptive {
            tolerance: Length::Diagonal(0.001),
            range: [0.3, 2.0],
            ..Adaptive::default()
        }),
        ..even.clone()
    };
    let style = Style { width: 355, height: 400, samples: 4, edges: 0.8, smooth: false, ..Style::default() };
    let scene = Scene::new(&dragon.positions, &dragon.faces);
    let view = View { azimuth: -25.0, elevation: 8.0 };
    let camera = Camera::fit(&scene, view, Lens::Orthographic, &style)?;
    let camera = match camera.projection {
        Projection::Orthographic { height } => {
            let by = head(dragon) - camera.target;
            let projection = Projection::Orthographic { height: 0.36 * height };
            Camera { eye: camera.eye + by, target: camera.target + by, projection, ..camera }
        }
        Projection::Perspective { .. } => camera,
    };
    side_by_side(&[dragon.clone(), with(even)?, with(by_curvature)?], &camera, &style)
}

/// The dragon, and after one implicit step of 10 and of 50 squared mean edge lengths.
pub fn smoothed(dragon: &TriangleMesh) -> Result<Image, Box<dyn Error>> {
    let after = |h2: f64| {
        let mut surface = Surface::new(&Device::cpu(), dragon, &MeshOptions::default())?;
        let options = SmoothOptions { time_step: TimeStep::Edges(h2), ..SmoothOptions::default() };
        smooth(&mut surface, &options)?;
        surface.download()
    };
    let style = Style { width: 355, height: 290, samples: 4, ..Style::default() };
    let scene = Scene::new(&dragon.positions, &dragon.faces);
    let camera = Camera::fit(&scene, View { azimuth: -12.0, elevation: 8.0 }, Lens::Perspective, &style)?;
    side_by_side(&[dragon.clone(), after(10.0)?, after(50.0)?], &camera, &style)
}
