//! The input as a mesh on disk.
use crate::disk::{self, Writer};
use crate::frame::{Frame, Measured};
use crate::level::{Level, NewLevel, Sizes};
use crate::look_up::{Table, look_up};
use crate::plan::Room;
use crate::weld::{Sink, at_once, by_parts};
use crate::{Result, TilesError};
use glam::DVec3;
use ribbonmesh_io::{GlbStream, MeshStream, StlStream};

/// Writes the mesh of a file as level 0 of a folder, in units of its own or of another mesh; the folder of
/// the level is emptied before.
pub fn read(
    stream: &MeshStream,
    level: &Level,
    room: &Room,
    units: Option<&Frame>,
) -> Result<(Frame, Sizes)> {
    let mut measured = Measured::NOTHING;
    stream.each_position(|p| {
        measured.add(p);
        Ok::<_, TilesError>(())
    })?;
    let own = measured.frame(stream.is_single());
    let frame = units.map_or(own, |units| own.in_units_of(units));
    let sizes = match stream {
        MeshStream::Ply(stream) => {
            let mut out = NewLevel::create(level)?;
            stream.each_vertex(|p| out.vertex(frame.inside(p), None))?;
            stream.each_face(|face| out.face(face))?;
            out.finish()?
        }
        MeshStream::Obj(stream) => {
            let mut out = NewLevel::create(level)?;
            stream.each_vertex(|p| out.vertex(frame.inside(p), None))?;
            stream.each_face(|face| out.face(face))?;
            out.finish()?
        }
        MeshStream::Stl(stream) => corners(stream, level, &frame, room)?,
        MeshStream::Glb(stream) => rows(stream, level, &frame, room)?,
    };
    Ok((frame, sizes))
}

/// Three rows after each other are a face.
struct Corners<'f> {
    out: NewLevel,
    frame: &'f Frame,
    face: [u32; 3],
    corner: usize,
}
impl Sink for Corners<'_> {
    fn vertex(&mut self, p: DVec3) -> Result<()> {
        self.out.vertex(self.frame.inside(p), None)
    }
    fn row(&mut self, vertex: u32) -> Result<()> {
        self.face[self.corner] = vertex;
        self.corner = (self.corner + 1) % 3;
        if self.corner == 0 { self.out.face(self.face) } else { Ok(()) }
    }
}

fn corners(stream: &StlStream, level: &Level, frame: &Frame, room: &Room) -> Result<Sizes> {
    let rows = |visit: &mut dyn FnMut([u32; 3], DVec3) -> Result<()>| stream.each_corner(visit);
    let count = 3 * stream.faces();
    let new =
        || -> Result<_> { Ok(Corners { out: NewLevel::create(level)?, frame, face: [0; 3], corner: 0 }) };
    let mut out = new()?;
    if !at_once(&rows, count, room.weld(), &mut out)? {
        out = new()?;
        by_parts(&rows, count, room.weld(), &level.weld(), &mut out)?;
    }
    out.out.finish()
}

/// The vertices of rows, on disk.
struct Numbered<'f> {
    out: NewLevel,
    frame: &'f Frame,
    numbers: Writer,
}
impl Sink for Numbered<'_> {
    fn vertex(&mut self, p: DVec3) -> Result<()> {
        self.out.vertex(self.frame.inside(p), None)
    }
    fn row(&mut self, vertex: u32) -> Result<()> {
        self.numbers.add(&[vertex])
    }
}

fn rows(stream: &GlbStream, level: &Level, frame: &Frame, room: &Room) -> Result<Sizes> {
    let rows = |visit: &mut dyn FnMut([u64; 4], DVec3) -> Result<()>| stream.each_row(visit);
    let numbers = level.numbers();
    let new = || {
        let out = NewLevel::create(level)?;
        Ok::<_, TilesError>(Numbered { out, frame, numbers: Writer::create(numbers.clone())? })
    };
    let mut made = new()?;
    if !at_once(&rows, stream.rows(), room.weld(), &mut made)? {
        made = new()?;
        by_parts(&rows, stream.rows(), room.weld(), &level.weld(), &mut made)?;
    }
    let Numbered { mut out, numbers: written, .. } = made;
    written.close()?;
    let faces = |visit: &mut dyn FnMut([u32; 3]) -> Result<()>| stream.each_face(visit);
    let (rows, block, between) = (stream.rows(), room.numbers(), level.looked_up());
    let table = Table { file: &numbers, rows, block, between };
    look_up(&faces, stream.faces(), &table, &mut |face| out.face(face))?;
    disk::remove_file(&numbers)?;
    out.finish()
}
