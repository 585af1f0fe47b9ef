//! Pictures of triangle meshes: a software rasteriser for figures.
//!
//! | to | see |
//! |---|---|
//! | describe the mesh and its colours | [`Scene`], [`Colouring`] |
//! | choose the view | [`View`], [`Camera`] |
//! | choose size and style | [`Style`] |
//! | draw a picture | [`Scene::render`] |
//! | write a picture | [`Image::write_png`] |
//! | show the mesh interactively in a browser | [`Page`] |
//! | colour numbers and explain the colours | [`Colormap`], [`Range`], [`Legend`] |
//! | colour patches | [`patch_colours`] |
//!
//! A z-buffer of face indices first determines the visible face of each sample of the picture; then every
//! sample is shaded once: hemisphere lighting, two lamps that move with the camera, and ambient occlusion
//! from the z-buffer. Bands of rows are drawn in parallel; the picture does not depend on the number of
//! threads.
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
//! scene.render(&camera, &style)?.write_png(&file)?;
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
