//! Work that goes through a mesh once: description and other formats.
use crate::cut::cut;
use crate::figures::{Figures, Sums};
use crate::frame::Frame;
use crate::gather::{Tile, gather};
use crate::halo::Halos;
use crate::level::{Level, Sizes};
use crate::output::Output;
use crate::plan::Room;
use crate::simplify::lock;
use crate::{Result, disk, input};
use glam::DVec3;
use ribbonmesh_io::{MeshStream, check_output};
use serde::Serialize;
use std::fs::File;
use std::path::{Path, PathBuf};

/// Options of [`info`], [`convert`] and [`normals`](crate::normals()).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Streaming {
    /// Bytes of memory that the process may take.
    pub memory: u64,
    /// The most faces of a tile; [`None`]: as many as the memory allows.
    pub tile_faces: Option<u64>,
    /// The folder of the work, which is emptied before and removed at the end. It takes about 60 bytes for
    /// each face, and of STL and GLB 60 more where vertices do not fit into memory.
    pub work: PathBuf,
}
impl Streaming {
    /// With 2 GB, in a folder.
    pub fn new(work: PathBuf) -> Self {
        Self { memory: 2_000_000_000, tile_faces: None, work }
    }
}

/// A mesh that was read into a folder that this process has locked.
pub(crate) struct OnDisk {
    pub room: Room,
    pub frame: Frame,
    pub sizes: Sizes,
    pub level: Level,
    pub left_out: Vec<String>,
    work: PathBuf,
    lock: File,
}
impl OnDisk {
    pub fn read(from: &Path, options: &Streaming) -> Result<Self> {
        Self::read_in(from, options, None)
    }
    /// The same, in the units of another mesh.
    pub fn read_in(from: &Path, options: &Streaming, units: Option<&Frame>) -> Result<Self> {
        let room = Room::new(options.memory, options.tile_faces)?;
        let stream = MeshStream::open(from)?;
        let work = options.work.clone();
        std::fs::create_dir_all(&work).map_err(disk::failed(&work))?;
        let lock = lock(&work)?;
        let level = Level::new(&work, 0);
        let (frame, sizes) = input::read(&stream, &level, &room, units)?;
        Ok(Self { room, frame, sizes, level, left_out: stream.left_out(), work, lock })
    }
    /// Cuts the mesh into tiles, which are one where it fits.
    pub fn tiles(&self) -> Result<Vec<Tile>> {
        let counts = cut(&self.level, self.sizes, &self.frame, self.room.tile, &self.room)?;
        gather(&self.level, self.sizes, &counts, &self.room)
    }
    /// Writes it to a file.
    pub fn write(&self, normals: Option<&Path>, to: &Path) -> Result<()> {
        let Self { level, sizes, frame, room, .. } = self;
        Output { level, sizes: *sizes, frame, normals, room }.write(to)
    }
    /// Removes the folder.
    pub fn remove(self) -> Result<()> {
        drop(self.lock);
        disk::remove_folder(&self.work)
    }
}

/// Describes the mesh of a file: binary PLY of triangles, OBJ, binary STL or GLB. Tiles are looked at with
/// all faces at their vertices; in memory are one of them and what the borders of tiles have. Figures depend
/// on the mesh, and in their last digits on the size of tiles.
/// # Errors
/// [`TilesError`](crate::TilesError).
pub fn info(from: &Path, options: &Streaming, say: &mut dyn FnMut(String)) -> Result<Figures> {
    let mesh = OnDisk::read(from, options)?;
    let tiles = mesh.tiles()?;
    say(format!("{} faces in {} tiles", mesh.sizes.faces, tiles.len()));
    let mut sums = Sums::new(mesh.sizes, mesh.frame.middle());
    Halos::new(&mesh.level, &tiles)?.each(&mesh.level, |tile| {
        let x: Vec<DVec3> = tile.positions.iter().map(|&p| mesh.frame.outside(p)).collect();
        sums.add(&tile, &x);
        Ok(())
    })?;
    mesh.remove()?;
    Ok(sums.figures())
}

/// Report of [`convert`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConvertReport {
    /// Sizes of the mesh.
    pub sizes: Sizes,
    /// Contents of the file beside positions and faces, which were left out.
    pub left_out: Vec<String>,
}

/// Writes the mesh of a file (binary PLY of triangles, OBJ, binary STL, GLB) in the format of another one
/// (binary PLY, OBJ, binary STL, GLB), without ever having more than a part of either in memory. Vertices and
/// faces keep their order, all other attributes are left out.
/// # Errors
/// [`TilesError`](crate::TilesError).
pub fn convert(from: &Path, to: &Path, options: &Streaming) -> Result<ConvertReport> {
    check_output(to)?;
    Output::format(to)?;
    let mesh = OnDisk::read(from, options)?;
    mesh.write(None, to)?;
    let report = ConvertReport { sizes: mesh.sizes, left_out: mesh.left_out.clone() };
    mesh.remove()?;
    Ok(report)
}
