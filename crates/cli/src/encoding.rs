//! How a mesh is written.
use crate::failure::Failure;
use crate::paths::output_format;
use clap::Args;
use ribbonmesh_io::{Format, PlyEncoding, StlEncoding, WriteOptions};
use std::path::Path;

/// How a mesh is written.
#[derive(Args)]
pub struct Encoding {
    /// Write text instead of binary, for PLY and STL
    #[arg(long)]
    ascii: bool,
}

impl Encoding {
    /// For that file.
    pub fn options(&self, output: &Path) -> Result<WriteOptions, Failure> {
        let format = output_format(output)?;
        if !self.ascii {
            return Ok(WriteOptions::default());
        }
        if format == Format::Glb {
            return Err(Failure::Usage("--ascii: GLB has no text form".into()));
        }
        let (ply_encoding, stl_encoding) = (PlyEncoding::Ascii, StlEncoding::Ascii);
        Ok(WriteOptions { ply_encoding, stl_encoding, ..WriteOptions::default() })
    }
}
