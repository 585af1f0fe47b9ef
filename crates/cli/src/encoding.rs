//! Options for writing a mesh.
use crate::failure::Failure;
use crate::streams::is_standard;
use clap::Args;
use ribbonmesh_io::{Format, PlyEncoding, StlEncoding, WriteOptions, check_output};
use std::path::Path;

/// How a mesh is written.
#[derive(Args, Default)]
pub struct Encoding {
    /// Write text instead of binary, for PLY and STL
    #[arg(long)]
    ascii: bool,
    /// Format of the mesh that is written, for standard output (-) and for files whose extension names none
    #[arg(long, value_name = "obj|ply|off|stl|glb|gltf")]
    format: Option<Format>,
}

/// A format with its options.
pub struct Encoded {
    pub format: Format,
    pub options: WriteOptions,
}

impl Encoding {
    /// The format of that file, before any work is done for it.
    pub fn format(&self, output: &Path) -> Result<Format, Failure> {
        if is_standard(output) {
            let missing = || Failure::Usage("standard output: --format says in which format".into());
            return self.format.ok_or_else(missing);
        }
        match (Format::from_path(output), self.format) {
            (Ok(named), Some(format)) if named != format => {
                let output = output.display();
                Err(Failure::Usage(format!(
                    "--format {}: the name of {output} says {named}",
                    format.extension()
                )))
            }
            (Ok(format), _) | (Err(_), Some(format)) => Ok(format),
            (Err(unknown), None) => Err(Failure::Usage(format!("{}: {unknown}", output.display()))),
        }
    }
    /// An option that was given.
    pub fn given(&self) -> Option<&'static str> {
        if self.ascii { Some("ascii") } else { self.format.map(|_| "format") }
    }
    /// For that file, which can be written.
    pub fn options(&self, output: &Path) -> Result<Encoded, Failure> {
        let format = self.format(output)?;
        if !is_standard(output) {
            check_output(output)?;
        }
        if !self.ascii {
            return Ok(Encoded { format, options: WriteOptions::default() });
        }
        if format == Format::Glb {
            return Err(Failure::Usage("--ascii: GLB has no text form; glTF is one".into()));
        }
        let (ply_encoding, stl_encoding) = (PlyEncoding::Ascii, StlEncoding::Ascii);
        Ok(Encoded {
            format,
            options: WriteOptions { ply_encoding, stl_encoding, ..WriteOptions::default() },
        })
    }
}

/// In which format a mesh is read, for commands that write none.
#[derive(Args)]
pub struct Reading {
    /// Format of the mesh, for standard input (-) and for files whose extension names none [default: by its
    /// content]
    #[arg(long, value_name = "obj|ply|off|stl|glb|gltf")]
    pub format: Option<Format>,
}
