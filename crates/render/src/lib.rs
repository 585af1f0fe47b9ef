//! Pictures of triangle meshes for figures, drawn on a device and shaded on the host.
//!
//! | to | see |
//! |---|---|
//! | describe the mesh and its colours | [`Scene`], [`Colouring`] |
//! | choose the view | [`View`], [`Camera`] |
//! | choose size and style | [`Style`] |
//! | draw a picture | [`Scene::render`]; in two steps [`Visibility::new`], [`Scene::shade`] |
//! | draw a mesh that is not in memory | [`Camera::fit_points`], [`Parts`], [`Scene::shade_rows`] |
//! | write a picture | [`Image::write_png`] |
//! | show the mesh interactively in a browser | [`Page`] |
//! | colour numbers and explain the colours | [`Colormap`], [`Range`], [`Legend`] |
//! | colour patches | [`patch_colours`] |
//!
//! A device first determines the visible face of each sample of the picture, by the rasteriser of
//! `ribbonmesh-rixels`; then the host shades every sample once: hemisphere lighting, two lamps that move with
//! the camera, and ambient occlusion from the distances. The picture depends neither on the machine nor on
//! the number of threads.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let file = folder.path().join("sphere.png");
//! use ribbonmesh_render::{Camera, Colouring, Lens, Scene, Style, View};
//!
//! let sphere = ribbonmesh_mesh::shapes::icosphere(4)?;
//! let scene = Scene::new(&sphere.positions, &sphere.faces).coloured(Colouring::Normals);
//! let style = Style { width: 320, height: 240, ..Style::default() };
//! let camera = Camera::fit(&scene, View::ISO, Lens::Perspective, &style)?;
//! let device = ribbonmesh::Device::auto();
//! scene.render(&device, &camera, &style)?.write_png(&file)?;
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

mod camera;
mod colormap;
mod colour;
mod error;
mod image;
mod legend;
mod obscurance;
mod page;
mod patches;
mod percentiles;
mod scene;
mod shade;
mod style;
mod ticks;
mod up;
mod view;
mod visibility;

pub use camera::{Camera, Lens, Projection};
pub use colormap::{Colormap, Range};
pub use colour::{Rgb, tint};
pub use error::RenderError;
pub use glam;
pub use image::Image;
pub use legend::Legend;
pub use page::{Film, FilmFrame, Page, viewer};
pub use patches::{PATCH_PALETTE, patch_colours};
pub use percentiles::Percentiles;
pub use ribbonmesh_mesh::vertex_normals;
pub use scene::{Colouring, Scene};
pub use style::{Background, Style};
pub use up::Up;
pub use view::View;
pub use visibility::{Parts, Visibility};
