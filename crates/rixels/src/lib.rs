//! Pictures of triangle meshes that are on a device, as rixels: the value and the depth of each pixel
//! (Mueller-Roemer 2020, 6.3.5). A client colours the values, and moves its camera without another picture.
//!
//! | to | see |
//! |---|---|
//! | say what is seen, and from where | [`Scene`] of triangles, [`Heights`] of a grid, [`Values`], [`View`] |
//! | see the cells of a grid in space on planes and surfaces | [`CellGrid`], [`CutGrid`] |
//! | make pictures, one after the other | [`Painter`] |
//! | know which face each pixel shows | [`Painter::paint`], [`Picture`]; without values [`Painter::seen`] |
//! | make rixels | [`Painter::encode`], [`encode()`], [`Options`], [`Depth`] |
//! | send and receive them | [`Rixels::parts`], [`Rixels::from_parts`] |
//! | read them | [`Rixels::pixels`], [`Rixels::points`] |
//! | evaluate a formula over fields of the device | [`Evaluator`], [`DeviceColumn`], [`Way`] |
//!
//! ```
//! use ribbonmesh::Device;
//! use ribbonmesh::glam::{DMat4, DVec3, Vec3};
//! use ribbonmesh_rixels::{Options, Painter, Scene, Values, View};
//!
//! # fn main() -> Result<(), ribbonmesh_rixels::RixelError> {
//! let device = Device::auto();
//! let positions = device.upload(&[Vec3::ZERO, Vec3::X, Vec3::Y])?;
//! let faces = device.upload(&[0, 1, 2])?;
//! let heat = device.upload(&[0.0_f32, 50.0, 100.0])?;
//! let scene = Scene { positions: &positions, faces: &faces, values: Values::OfVertices(&heat) };
//!
//! // from z = 5, a square of side 2 around the origin
//! let eye = DMat4::from_translation(DVec3::new(0.0, 0.0, -5.0));
//! let view = View::new(64, 64, eye, View::parallel(2.0, 2.0, 1.0, 10.0))?;
//! let mut painter = Painter::new(&device);
//! let rixels = painter.encode(&scene, &view, &Options::default())?;
//! assert_eq!(rixels.count(), 32 * 31 / 2);
//! let point = rixels.points(&view)?.next().expect("a point");
//! assert!(point.place.distance(DVec3::new(1.0 / 64.0, 1.0 / 64.0, 0.0)) < 1e-5);
//! # Ok(())
//! # }
//! ```
//!
//! **The same bits.** A picture has the same bits on all machines: corners of faces are placed on steps of a
//! 256th of a pixel, sides are compared in whole numbers, products are not fused with sums.
//!
//! **Does not know** files and networks. `docs/rixels.md` describes the layout.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(all(target_arch = "nvptx64", ribbonmesh_own), feature(abi_ptx))]
// what kernels and the host share is the kernels' alone there
#![cfg_attr(target_arch = "nvptx64", allow(dead_code))]

mod device;

#[cfg(not(target_arch = "nvptx64"))]
mod host;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::{
    cells::{CellGrid, CutGrid},
    column::DeviceColumn,
    error::{Result, RixelError},
    evaluator::{Evaluator, Way},
    heights::{Heights, HeightsAt},
    painter::{Painter, encode},
    picture::{Picture, Seen},
    rixels::{Depth, Header, Options, Pixel, Point, Rixels},
    scene::{Scene, Values},
    shown::Shown,
    view::View,
};

ribbonmesh::device::ptx!();
