//! Code of the host.
mod application;
mod bake;
mod disk;
mod distortion;
mod flatten;
mod layout;
mod options;
mod overlap;
mod parameterize;
mod pieces;
mod segment;
mod split;
mod unwrap;
mod values;

pub use application::{Parameterize, Unwrap};
pub use bake::{BakeError, BakeOptions, Quantity, Texture, bake};
pub use distortion::Distortion;
pub use options::{UnwrapOptions, UnwrapReport};
pub use parameterize::{Energy, ParameterizeError, ParameterizeOptions, ParameterizeReport, parameterize};
pub use unwrap::{TEXTURE_COORDINATES, unwrap};
