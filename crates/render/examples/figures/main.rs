//! The pictures of the documentation; run by `cargo xtask figures`.
//!
//! ```sh
//! cargo run --release -p ribbonmesh-render --example figures -- assets/meshes/dragon.ply docs/figures
//! ```
mod changed;
mod cleaned;
mod page;
mod repairs;
mod simplified;
mod ways;

use ribbonmesh::Surface;
use ribbonmesh::{Device, MeshOptions, StaticMesh};
use ribbonmesh_fields::curvature::CurvatureOptions;
use ribbonmesh_fields::denoise::DenoiseOptions;
use ribbonmesh_fields::geodesic::GeodesicOptions;
use ribbonmesh_io::{TriangleMesh, read};
use ribbonmesh_mesh::BoundingBox;
use ribbonmesh_mesh::shapes::{add_noise, torus_knot};
use ribbonmesh_render::glam::DVec3;
use ribbonmesh_render::{
    Camera, Colormap, Colouring, Image, Lens, PATCH_PALETTE, Projection, Range, Rgb, Scene, Style, View,
    patch_colours, tint, vertex_normals,
};
use std::error::Error;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [dragon, folder] = &arguments[..] else { return Err("usage: figures DRAGON.ply FOLDER".into()) };
    let dragon = read(dragon)?.mesh;
    keep(&both(&dragon)?, &folder.join("readme.png"))?;
    keep(&patches(&dragon)?, &folder.join("patches.png"))?;
    keep(&ways::ways(&dragon)?, &folder.join("render.png"))?;
    keep(&repairs::repairs()?, &folder.join("repair.png"))?;
    if let Some(picture) = page::page(&dragon)? {
        keep(&picture, &folder.join("page.png"))?;
    }
    keep(&changed::flipped()?, &folder.join("delaunay.png"))?;
    keep(&changed::remeshed(&dragon)?, &folder.join("remesh.png"))?;
    keep(&changed::smoothed(&dragon)?, &folder.join("smooth.png"))?;
    keep(&curvature(&dragon)?, &folder.join("curvature.png"))?;
    keep(&geodesic(&dragon)?, &folder.join("geodesic.png"))?;
    keep(&denoise()?, &folder.join("denoise.png"))?;
    keep(&simplified::simplified(&dragon)?, &folder.join("simplify.png"))?;
    keep(&cleaned::cleaned(&dragon)?, &folder.join("clean.png"))
}

fn keep(picture: &Image, file: &Path) -> Result<(), Box<dyn Error>> {
    picture.write_png(file)?;
    println!("{}: {} kB", file.display(), std::fs::metadata(file)?.len() / 1000);
    Ok(())
}

/// A mesh cut into patches, with its colours.
struct Cut {
    owner: Vec<u32>,
    ribbons: Vec<Vec<u32>>,
    colours: Vec<Rgb>,
}
impl Cut {
    fn of(mesh: &TriangleMesh, patch_size: u32) -> ribbonmesh::Result<Self> {
        let options = MeshOptions { patch_size, ..MeshOptions::default() };
        let built = StaticMesh::new(&Device::cpu(), mesh.positions.len(), &mesh.faces, &options)?;
        let (owner, ribbons) = (built.face_patches()?, built.ribbon_faces()?);
        let count = PATCH_PALETTE.len();
        let colours = patch_colours(mesh.positions.len(), &mesh.faces, &owner, built.patches(), count);
        Ok(Self { owner, ribbons, colours: colours.into_iter().map(|c| PATCH_PALETTE[c]).collect() })
    }
    fn of_faces(&self) -> Vec<Rgb> {
        self.owner.iter().map(|&patch| self.colours[patch as usize]).collect()
    }
}

/// The dragon twice: coloured by its normals, and by its patches.
fn both(mesh: &TriangleMesh) -> Result<Image, Box<dyn Error>> {
    let colours = Cut::of(mesh, MeshOptions::default().patch_size)?.of_faces();
    let style = Style { width: 535, height: 406, samples: 4, ..Style::default() };
    let mut picture = Image::new(2 * style.width, style.height, [255; 4]);
    let scene = Scene::new(&mesh.positions, &mesh.faces);
    let view = View { azimuth: -12.0, elevation: 8.0 };
    let camera = Camera::fit(&scene, view, Lens::Perspective, &style)?;
    for (colouring, left) in [(Colouring::Normals, 0), (Colouring::Faces(&colours), style.width)] {
        picture.paste(&scene.coloured(colouring).render(&Device::cpu(), &camera, &style)?, [left, 0]);
    }
    Ok(picture)
}

/// Pixels between two pictures.
const GAP: u32 = 20;

/// Patches on the dragon's neck; and the one in the middle with its ribbon, from nearer.
fn patches(mesh: &TriangleMesh) -> Result<Image, Box<dyn Error>> {
    let cut = Cut::of(mesh, 256)?;
    let style = Style { width: 530, height: 440, samples: 4, ..Style::default() };
    let normals = vertex_normals(&mesh.positions, &mesh.faces);
    let scene = Scene::new(&mesh.positions, &mesh.faces).with_normals(&normals);

    // the patch nearest to a place on the neck
    let around = mesh.positions.iter().copied().fold(BoundingBox::EMPTY, BoundingBox::with);
    let place = around.low + around.size() * DVec3::new(0.27, 0.42, 1.0);
    let middle = |face: &[u32; 3]| {
        let corners = face.map(|v| mesh.positions[v as usize]);
        (corners[0] + corners[1] + corners[2]) / 3.0
    };
    let distance = |face: &[u32; 3]| middle(face).distance_squared(place);
    let nearest =
        (0..mesh.faces.len()).min_by(|&a, &b| distance(&mesh.faces[a]).total_cmp(&distance(&mesh.faces[b])));
    let chosen = cut.owner[nearest.ok_or("the mesh has no faces")?];

    let colours = cut.of_faces();
    let mut near = vec![[225, 227, 231]; mesh.faces.len()];
    let shown: Vec<usize> = (0..near.len()).filter(|&f| cut.owner[f] == chosen).collect();
    shown.iter().for_each(|&f| near[f] = colours[f]);
    cut.ribbons[chosen as usize].iter().for_each(|&f| near[f as usize] = tint(colours[f as usize], 0.25));
    let mut faces: Vec<[u32; 3]> = shown.iter().map(|&f| mesh.faces[f]).collect();
    let normal = faces.iter().flatten().map(|&v| DVec3::from_array(normals[v as usize].map(f64::from)));
    let normal = normal.sum::<DVec3>().normalize_or(DVec3::Z);
    faces.extend(cut.ribbons[chosen as usize].iter().map(|&f| mesh.faces[f as usize]));
    let view =
        View { azimuth: normal.x.atan2(normal.z).to_degrees(), elevation: normal.y.asin().to_degrees() };
    let close = Camera::fit(&Scene::new(&mesh.positions, &faces), view, Lens::Orthographic, &style)?;
    let zoomed = |by: f64| match close.projection {
        Projection::Orthographic { height } => {
            Camera { projection: Projection::Orthographic { height: by * height }, ..close }
        }
        Projection::Perspective { .. } => close,
    };
    let mut picture = Image::new(2 * style.width + GAP, style.height, [255; 4]);
    let pale: Vec<Rgb> = (0..colours.len())
        .map(|f| if cut.owner[f] == chosen { colours[f] } else { tint(colours[f], 0.4) })
        .collect();
    picture.paste(
        &scene.coloured(Colouring::Faces(&pale)).render(&Device::cpu(), &zoomed(4.5), &style)?,
        [0, 0],
    );
    let lines = Style { edges: 1.0, ..style.clone() };
    let close_up = scene.coloured(Colouring::Faces(&near)).render(&Device::cpu(), &zoomed(1.12), &lines)?;
    picture.paste(&close_up, [style.width + GAP, 0]);
    Ok(picture)
}

/// A mesh on the CPU.
fn placed(mesh: &TriangleMesh) -> ribbonmesh::Result<Surface> {
    Surface::new(&Device::cpu(), mesh, &MeshOptions::default())
}

/// Pictures side by side.
fn row(pictures: &[Image]) -> Image {
    let width: u32 = pictures.iter().map(Image::width).sum();
    let height = pictures.iter().map(Image::height).max().unwrap_or(0);
    let mut all = Image::new(width, height, [255; 4]);
    let mut left = 0;
    for picture in pictures {
        all.paste(picture, [left, 0]);
        left += picture.width();
    }
    all
}

/// The dragon in the colours of its Gaussian and of its mean curvature.
fn curvature(mesh: &TriangleMesh) -> Result<Image, Box<dyn Error>> {
    let mut surface = placed(mesh)?;
    ribbonmesh_fields::curvature::curvature(&mut surface, &CurvatureOptions::default())?;
    let found = surface.download()?;
    let style = Style { width: 535, height: 406, samples: 4, ..Style::default() };
    let scene = Scene::new(&mesh.positions, &mesh.faces);
    let camera = Camera::fit(&scene, View { azimuth: -12.0, elevation: 8.0 }, Lens::Perspective, &style)?;
    let picture = |values: &[f32], part: f32| {
        let mut sizes: Vec<f32> = values.iter().map(|v| v.abs()).collect();
        sizes.sort_unstable_by(f32::total_cmp);
        let end = sizes[(part * (sizes.len() - 1) as f32) as usize];
        let range = Range { min: -end, max: end };
        let colouring = Colouring::Scalar { values, map: Colormap::Coolwarm, range };
        Scene::new(&mesh.positions, &mesh.faces).coloured(colouring).render(&Device::cpu(), &camera, &style)
    };
    let column = |name: &str| found.vertices().get::<f32>(name);
    let (gaussian, mean) = (column("gaussian_curvature")?, column("mean_curvature")?);
    Ok(row(&[picture(gaussian, 0.9)?, picture(mean, 0.95)?]))
}

/// The dragon in bands of the distance from the vertex that is farthest to the right, the tail.
fn geodesic(mesh: &TriangleMesh) -> Result<Image, Box<dyn Error>> {
    let mut surface = placed(mesh)?;
    let right = |v: &usize| mesh.positions[*v][0];
    let source = (0..mesh.positions.len()).max_by(|a, b| right(a).total_cmp(&right(b)));
    let source = source.ok_or("the mesh has no vertices")? as u32;
    ribbonmesh_fields::geodesic::geodesic(&mut surface, &[source], &GeodesicOptions::default())?;
    let found = surface.download()?;
    let distances = found.vertices().get::<f32>("distance")?;
    let farthest = distances.iter().filter(|d| d.is_finite()).fold(0.0, |most: f32, d| most.max(*d));
    // every other band a little paler, so that the front shows
    let colours: Vec<Rgb> = mesh
        .faces
        .iter()
        .map(|f| {
            let part = f.iter().map(|&v| distances[v as usize]).sum::<f32>() / (3.0 * farthest);
            let colour = Colormap::Viridis.at(part);
            if ((40.0 * part) as u32).is_multiple_of(2) { colour } else { tint(colour, 0.35) }
        })
        .collect();
    let style = Style { width: 700, height: 530, samples: 4, ..Style::default() };
    let scene = Scene::new(&mesh.positions, &mesh.faces).coloured(Colouring::Faces(&colours));
    let camera = Camera::fit(&scene, View { azimuth: -12.0, elevation: 8.0 }, Lens::Perspective, &style)?;
    Ok(scene.render(&Device::cpu(), &camera, &style)?)
}

/// A rope along a knot, with noise, and denoised.
fn denoise() -> Result<Image, Box<dyn Error>> {
    let clean = torus_knot(2, 3, 40, 1200)?;
    let mut noisy = clean.clone();
    add_noise(&mut noisy, 0.3, 1);
    let mut surface = placed(&noisy)?;
    let options = DenoiseOptions::default();
    ribbonmesh_fields::denoise::denoise(&mut surface, &options)?;
    let denoised = surface.download()?.positions;
    let style = Style { width: 360, height: 360, samples: 4, ..Style::default() };
    let view = View { azimuth: 20.0, elevation: 50.0 };
    let camera = Camera::fit(&Scene::new(&clean.positions, &clean.faces), view, Lens::Perspective, &style)?;
    let picture = |x: &[DVec3]| Scene::new(x, &clean.faces).render(&Device::cpu(), &camera, &style);
    Ok(row(&[picture(&clean.positions)?, picture(&noisy.positions)?, picture(&denoised)?]))
}
