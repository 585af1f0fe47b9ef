//! Code of the host.
mod application;
mod bake;
mod boundary_first;
mod conformal;
mod cut;
mod disk;
mod distortion;
mod flatten;
mod lanczos;
mod layout;
mod matrix;
mod newton;
mod options;
mod overlap;
mod parameterize;
mod pieces;
mod segment;
mod split;
mod tutte;
mod unwrap;
mod values;

pub use application::{Parameterize, Unwrap};
pub use bake::{BakeError, BakeOptions, Quantity, Texture, bake};
pub use distortion::Distortion;
pub use options::{UnwrapOptions, UnwrapReport};
pub use parameterize::{Method, ParameterizeError, ParameterizeOptions, ParameterizeReport, parameterize};
pub use unwrap::{TEXTURE_COORDINATES, unwrap};
