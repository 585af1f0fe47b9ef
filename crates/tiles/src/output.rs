//! A mesh on disk as a file.
use crate::frame::Frame;
use crate::level::{Level, Sizes};
use crate::{Result, TilesError, disk};
use ribbonmesh_io::{WriteError, write_file};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes the mesh of a level as a binary PLY file, piece by piece; the file appears when it is complete.
pub fn write(level: &Level, sizes: Sizes, frame: &Frame, path: &Path) -> Result<()> {
    let mut of_disk = None;
    let written = write_file(path, |out| {
        let mut out = BufWriter::with_capacity(disk::BUFFER, out);
        let done = fill(&mut out, level, sizes, frame);
        let done = done.map_err(|error| match error {
            TilesError::Disk { file, cause } => {
                // its file is not the output
                let text = cause.to_string();
                of_disk = Some(TilesError::Disk { file, cause });
                io::Error::other(text)
            }
            error => io::Error::other(error.to_string()),
        });
        done?;
        out.flush()
    });
    match (written, of_disk) {
        (Err(_), Some(error)) => Err(error),
        (written, _) => written.map_err(|error: WriteError| error.into()),
    }
}

fn fill(out: &mut impl Write, level: &Level, sizes: Sizes, frame: &Frame) -> Result<()> {
    let Sizes { vertices, faces } = sizes;
    let float = if frame.single { "float" } else { "double" };
    // readers that know signed indices only are common
    let index = if vertices <= 1 << 31 { "int" } else { "uint" };
    let head = format!(
        "ply\nformat binary_little_endian 1.0\nelement vertex {vertices}\nproperty {float} x\nproperty {float} y\n\
         property {float} z\nelement face {faces}\nproperty list uchar {index} vertex_indices\nend_header\n"
    );
    let mut put = |bytes: &[u8]| out.write_all(bytes).map_err(disk::failed(Path::new("")));
    put(head.as_bytes())?;
    disk::each_piece(&level.vertices(), [0, vertices], |x: &[glam::Vec3]| {
        x.iter().try_for_each(|&p| {
            let p = frame.outside(p);
            if frame.single {
                put(bytemuck::bytes_of(&p.as_vec3().to_array()))
            } else {
                put(bytemuck::bytes_of(&p.to_array()))
            }
        })
    })?;
    disk::each_piece(&level.faces(), [0, faces], |all: &[[u32; 3]]| {
        all.iter().try_for_each(|face| {
            put(&[3])?;
            put(bytemuck::cast_slice(face))
        })
    })
}
