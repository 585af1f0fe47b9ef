//! Edge splits and collapses of the paper on grid-free tracking, on the host's side.
use crate::each::blocks;
use crate::improve::{
    BuryFaces, CollapseEdges, CountRings, DELETED, DeleteSplitFaces, EdgeTableArguments, FindLongEdges,
    KeepVertices, Limits, LockEnds, LocksArguments, MarkEnds, RemapFaces, RememberMarks, SplitFaces,
    SpreadLocks, SurfaceArguments, counts,
};
use ribbonmesh::device::NONE;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Buffer, Device, Error, Result, array};

/// Passes of collapsing at most, as in the paper.
const PASSES: u32 = 30;

/// Triangles that are improved as Chentanez and others 2016 do (section 3.9): long edges by a hash table and
/// the stencils of figure 3, short ones by locks. No topology is kept: neighbours are the vertices that faces
/// have in common.
///
/// By length alone, for closed oriented manifolds: the paper also collapses edges opposite of small angles.
pub struct IndexedSurface {
    positions: Buffer<Vec3>,
    faces: Buffer<u32>,
    counts: Buffer<u32>,
    vertices: u32,
    /// Deleted ones included.
    rows: u32,
}

/// Result of [`IndexedSurface::split`] and [`IndexedSurface::collapse`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Improved {
    /// Edges.
    pub edges: u32,
    /// Passes, the last of which found nothing, unless their number was the limit.
    pub passes: u32,
}

impl IndexedSurface {
    /// Copies triangles, with room for some times as many vertices and faces.
    /// # Errors
    /// [`Error::IndexOutOfRange`]; [`Error::TooMany`]; out of memory.
    pub fn new(device: &Device, positions: &[Vec3], faces: &[[u32; 3]], room: u32) -> Result<Self> {
        let vertices = positions.len();
        let wrong = |corners: &[u32; 3]| corners.iter().copied().find(|&v| v as usize >= vertices);
        if let Some((face, vertex)) = faces.iter().enumerate().find_map(|(face, c)| Some((face, wrong(c)?))) {
            return Err(Error::IndexOutOfRange { face, vertex, vertices });
        }
        let (count, limit) = (3 * faces.len() as u64 * u64::from(room), u64::from(u32::MAX / 2));
        if count > limit {
            return Err(Error::TooMany { what: "indices of faces", count, limit });
        }
        let mut x = device.zeros::<Vec3>(vertices * room as usize)?;
        x.write_range(0, positions)?;
        let mut f = device.unspecified::<u32>(3 * faces.len() * room as usize)?;
        array::fill(&mut f, DELETED)?;
        f.write_range(0, faces.as_flattened())?;
        let (vertices, rows) = (vertices as u32, faces.len() as u32);
        let counts = device.upload(&[vertices, rows, 0])?;
        Ok(Self { positions: x, faces: f, counts, vertices, rows })
    }
    /// Positions, and the faces that are not deleted.
    /// # Errors
    /// Errors of the driver.
    pub fn read(&self) -> Result<(Vec<Vec3>, Vec<[u32; 3]>)> {
        let faces = self.faces.read_range(0, 3 * self.rows as usize)?;
        let rows = faces.as_chunks::<3>().0.iter().copied();
        let living = rows.filter(|face| face[0] != DELETED).collect();
        Ok((self.positions.read_range(0, self.vertices as usize)?, living))
    }
    fn view(&mut self) -> SurfaceArguments<'_> {
        let Self { positions, faces, counts, .. } = self;
        SurfaceArguments {
            positions: positions.view_mut(),
            faces: faces.view_mut(),
            counts: counts.view_mut(),
        }
    }
    /// Splits edges longer than `longest`, whose opposite angles are above 10°, until there are none (3.9.1).
    /// # Errors
    /// [`Error::TooMany`] where the room does not do; out of memory; errors of the driver.
    pub fn split(&mut self, longest: f32) -> Result<Improved> {
        let device = self.positions.device().clone();
        let cosine = 10f32.to_radians().cos();
        let limits = Limits { longest: longest * longest, shortest: 0.0, cosine };
        let mut done = Improved::default();
        loop {
            let (faces, sides) = (self.rows, 3 * self.rows);
            let room = |what, count: u32, limit: usize| match count as usize <= limit {
                true => Ok(()),
                false => Err(Error::TooMany { what, count: count.into(), limit: limit as u64 }),
            };
            // every edge may get a vertex
            room("vertices", self.vertices + sides / 2, self.positions.len())?;
            let slots = sides.next_power_of_two() as usize;
            let (mut of_edges, mut vertices) = (device.unspecified(slots)?, device.unspecified(slots)?);
            array::fill(&mut of_edges, NONE)?;
            macro_rules! table {
                () => {
                    EdgeTableArguments { sides: of_edges.view_mut(), vertices: vertices.view_mut() }
                };
            }
            let kernel = FindLongEdges { surface: self.view(), table: table!(), limits, sides };
            device.launch(blocks(sides as usize), kernel)?;
            let now = self.counts.read()?[counts::VERTICES as usize];
            let edges = now - self.vertices;
            (self.vertices, done.passes) = (now, done.passes + 1);
            if edges == 0 {
                return Ok(done);
            }
            done.edges += edges;
            room("faces", self.rows + 4 * edges, self.faces.len() / 3)?;
            let all = blocks(faces as usize);
            device.launch(all, SplitFaces { surface: self.view(), table: table!(), faces })?;
            let mut dead = device.zeros::<u32>(faces as usize)?;
            let find =
                DeleteSplitFaces { surface: self.view(), table: table!(), dead: dead.view_mut(), faces };
            device.launch(all, find)?;
            device.launch(all, BuryFaces { surface: self.view(), dead: dead.view(), faces })?;
            self.rows = self.counts.read()?[counts::FACES as usize];
        }
    }
    /// Collapses edges shorter than `shortest`, in 30 passes at most (3.9.2).
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn collapse(&mut self, shortest: f32) -> Result<Improved> {
        let device = self.positions.device().clone();
        let limits = Limits { longest: f32::INFINITY, shortest: shortest * shortest, cosine: 0.0 };
        let (faces, sides, n) = (self.rows, 3 * self.rows, self.vertices);
        let new = || device.unspecified::<u32>(n as usize);
        let (mut near, mut next, mut marks, mut rings, mut targets) =
            (new()?, new()?, new()?, new()?, new()?);
        let [by_face, by_side, by_vertex] = [faces, sides, n].map(|n| blocks(n as usize));
        let mut done = Improved::default();
        macro_rules! locks {
            () => {
                LocksArguments {
                    near: near.view_mut(),
                    next: next.view_mut(),
                    marks: marks.view_mut(),
                    rings: rings.view_mut(),
                    targets: targets.view_mut(),
                }
            };
        }
        while done.passes < PASSES {
            for buffer in [&mut near, &mut marks, &mut rings] {
                buffer.clear()?;
            }
            self.counts.write_range(counts::DONE as usize, &[0])?;
            device.launch(by_side, LockEnds { surface: self.view(), locks: locks!(), limits, sides })?;
            for _ in 0..2 {
                next.copy_from(&near)?;
                let spread =
                    SpreadLocks { surface: self.view(), near: near.view(), next: next.view_mut(), faces };
                device.launch(by_face, spread)?;
                std::mem::swap(&mut near, &mut next);
            }
            device.launch(by_side, MarkEnds { surface: self.view(), locks: locks!(), limits, sides })?;
            device.launch(by_vertex, RememberMarks { locks: locks!(), vertices: n })?;
            device.launch(by_face, CountRings { surface: self.view(), locks: locks!(), faces })?;
            device.launch(by_vertex, KeepVertices { locks: locks!(), vertices: n })?;
            device.launch(by_side, CollapseEdges { surface: self.view(), locks: locks!(), limits, sides })?;
            device.launch(by_face, RemapFaces { surface: self.view(), targets: targets.view(), faces })?;
            let edges = self.counts.read()?[counts::DONE as usize];
            (done.edges, done.passes) = (done.edges + edges, done.passes + 1);
            if edges == 0 {
                break;
            }
        }
        Ok(done)
    }
}
