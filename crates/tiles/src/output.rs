//! A mesh on disk as a file.
use crate::encode::{glb, obj, ply, stl};
use crate::frame::Frame;
use crate::level::{Level, Sizes};
use crate::plan::Room;
use crate::{Result, TilesError, disk};
use ribbonmesh_io::{Format, WriteError, write_file};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// The mesh of a level that is written piece by piece.
pub struct Output<'a> {
    pub level: &'a Level,
    pub sizes: Sizes,
    pub frame: &'a Frame,
    /// A file of normals of vertices.
    pub normals: Option<&'a Path>,
    pub room: &'a Room,
}

/// A taker of bytes of a file.
pub type Put<'p> = &'p mut dyn FnMut(&[u8]) -> Result<()>;

impl Output<'_> {
    /// The format of a file by its name.
    /// # Errors
    /// It is none that is written piece by piece.
    pub fn format(path: &Path) -> Result<Format> {
        let refuse = |reason| TilesError::Output { file: path.into(), reason };
        if ribbonmesh_io::Compression::from_path(path).is_some() {
            return Err(refuse("a compressed file is not written piece by piece".into()));
        }
        match Format::from_path(path) {
            Ok(format @ (Format::Ply | Format::Obj | Format::Stl | Format::Glb)) => Ok(format),
            Ok(format) => {
                Err(refuse(format!("{format} is not written piece by piece; PLY, OBJ, STL, GLB are")))
            }
            Err(unknown) => Err(refuse(unknown.to_string())),
        }
    }
    /// Writes it in the format of the file's name; the file appears when it is complete.
    pub fn write(&self, path: &Path) -> Result<()> {
        let format = Self::format(path)?;
        let mut failed = None;
        let written = write_file(path, |out| {
            let mut out = BufWriter::with_capacity(disk::BUFFER, out);
            let mut of_output = None;
            let done = self.fill(format, path, &mut |bytes| {
                out.write_all(bytes).map_err(|cause| {
                    let text = cause.to_string();
                    of_output = Some(cause);
                    TilesError::Output { file: path.into(), reason: text }
                })
            });
            match (done, of_output) {
                (Ok(()), _) => out.flush(),
                (Err(_), Some(cause)) => Err(cause),
                // another file than the output, or something else
                (Err(error), None) => {
                    let text = error.to_string();
                    failed = Some(error);
                    Err(io::Error::other(text))
                }
            }
        });
        match (written, failed) {
            (Err(_), Some(error)) => Err(error),
            (written, _) => written.map_err(|error: WriteError| error.into()),
        }
    }
    fn fill(&self, format: Format, path: &Path, put: Put<'_>) -> Result<()> {
        match format {
            Format::Obj => obj(self, put),
            Format::Stl => stl(self, put),
            Format::Glb => glb(self, path, put),
            _ => ply(self, put),
        }
    }
    /// Gives vertices with their normals, if there are any.
    pub fn each_vertex(
        &self,
        mut visit: impl FnMut(glam::Vec3, Option<glam::Vec3>) -> Result<()>,
    ) -> Result<()> {
        let count = self.sizes.vertices;
        let open = |path| disk::Reader::open(path, count, disk::BUFFER);
        let mut normals = self.normals.map(open).transpose()?;
        disk::each_piece(&self.level.vertices(), [0, count], |x: &[glam::Vec3]| {
            x.iter().try_for_each(|&p| visit(p, normals.as_mut().map(disk::Reader::next).transpose()?))
        })
    }
    /// Gives faces.
    pub fn each_face(&self, mut visit: impl FnMut([u32; 3]) -> Result<()>) -> Result<()> {
        disk::each_piece(&self.level.faces(), [0, self.sizes.faces], |all: &[[u32; 3]]| {
            all.iter().try_for_each(|&face| visit(face))
        })
    }
}
