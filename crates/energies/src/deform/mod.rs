//! The application `deform`: a surface follows some of its vertices, as rigidly as possible.
mod application;
mod handles;
mod options;
pub mod rigid;
mod run;

pub use application::Deform;
pub use handles::Handles;
pub use options::DeformOptions;
pub use run::{DeformReport, deform};
