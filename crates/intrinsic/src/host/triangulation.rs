//! Triangulations that know lengths and no positions.
use super::options::Cover;
use crate::device::cover::{DoubleCover, NewHalfEdgesArguments, SingleCover};
use crate::device::flip::{ChooseFlips, FLIPS, FlipChosen, LookAtAll, LookAtListed, ROUNDS, STATE};
use crate::device::half_edges::HalfEdgesArguments;
use crate::device::lengths::{FlagWhole, KeepFaces, MissingLength, SideLengths};
use glam::DVec3;
use ribbonmesh::device::{BufferView, tiles};
use ribbonmesh::{Buffer, Device, DeviceKind, Error, FlatTopology, Result, array};

/// A closed oriented triangulation of a mesh on a device, with a length for each edge: a Δ-complex, in which
/// a triangle may be glued to itself.
///
/// It is made of half-edges. The two of an edge, and their numbers, stay when the edge is flipped.
///
/// ```
/// use ribbonmesh::Device;
/// use ribbonmesh::glam::DVec3;
/// use ribbonmesh_intrinsic::Triangulation;
///
/// # fn main() -> ribbonmesh::Result<()> {
/// // two flat triangles with a long edge in common, as a pillow with a front and a back
/// let device = Device::auto();
/// let positions = [[0.0, 0.0], [4.0, 0.0], [2.0, 0.5], [2.0, -0.5]].map(|[x, y]| DVec3::new(x, y, 0.0));
/// let positions = device.upload(&positions)?;
/// let faces = device.upload(&[0, 1, 2, 0, 3, 1])?;
/// let mut triangulation = Triangulation::new(&positions, faces, 0.0)?;
/// assert_eq!(triangulation.triangles(), 4);
/// assert!(triangulation.flip_to_delaunay(100)?);
/// // the long edge, in front and at the back
/// assert_eq!(triangulation.flips(), 2);
/// # Ok(())
/// # }
/// ```
pub struct Triangulation {
    pub(crate) device: Device,
    pub(crate) vertices: u32,
    pub(crate) twin: Buffer<u32>,
    pub(crate) next: Buffer<u32>,
    pub(crate) origin: Buffer<u32>,
    pub(crate) length: Buffer<f64>,
    known: Known,
    flips: u64,
    rounds: u32,
    delaunay: bool,
}

/// Facts of the mesh that each triangulation of it has.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    pub cover: Cover,
    pub longer: f64,
    pub mean_edge_length: f64,
    pub degenerate_faces: usize,
}

/// Rounds between two looks of the host at the lists of a GPU, whose launches need no look to be short.
const ROUNDS_OF_A_LOOK: u32 = 8;

impl Triangulation {
    /// Glues the triangles of a mesh: three vertices for each face. Faces that have a vertex twice are left
    /// out. A mesh that is closed, oriented and edge-manifold is glued as it is; any other one becomes its
    /// tufted cover, in which faces around an edge are glued in the order of their angles.
    ///
    /// All edges become longer by the same length, the least for which two sides of each triangle exceed the
    /// third by `mollify` mean edge lengths (Sharp and Crane 2020, section 4.5); none do if `mollify` is 0.
    /// Linear in the faces, and quadratic in those of an edge. Waits.
    /// # Errors
    /// [`Error::IndexOutOfRange`] for a face with a vertex that is not there; [`Error::NotFinite`] for
    /// lengths that are not; [`Error::TooMany`] beyond 2³² half-edges; [`Error::OtherDevice`]; out of memory;
    /// errors of the driver.
    pub fn new(positions: &Buffer<DVec3>, faces: Buffer<u32>, mollify: f64) -> Result<Self> {
        Self::glued(positions, faces, mollify, true)
    }
    /// As [`Triangulation::new`]; faces around an edge have any order unless `sorted`.
    pub(crate) fn glued(
        positions: &Buffer<DVec3>,
        faces: Buffer<u32>,
        mollify: f64,
        sorted: bool,
    ) -> Result<Self> {
        let device = positions.device().clone();
        if !faces.device().same(&device) {
            return Err(Error::OtherDevice { what: "the buffer of faces" });
        }
        let (topology, degenerate_faces) = whole_faces(positions.len(), faces)?;
        let corners = 3 * topology.faces();
        let limit = u64::from(u32::MAX);
        if 2 * corners as u64 >= limit {
            return Err(Error::TooMany { what: "half-edges", count: 2 * corners as u64, limit });
        }
        let (sides, mean_edge_length) = side_lengths(positions, &topology)?;
        let longer = match mollify > 0.0 {
            true => missing_length(&sides, mollify * mean_edge_length)?,
            false => 0.0,
        };
        let is_closed = topology.boundary_edges() == 0 && topology.non_manifold_edges() == 0;
        let cover = match is_closed && topology.inconsistent_edges() == 0 {
            true => Cover::Single,
            false => Cover::Double,
        };
        let n = if cover == Cover::Single { corners } else { 2 * corners };
        let mut made = Self {
            vertices: positions.len() as u32,
            twin: device.unspecified(n)?,
            next: device.unspecified(n)?,
            origin: device.unspecified(n)?,
            length: device.unspecified(n)?,
            device,
            known: Known { cover, longer, mean_edge_length, degenerate_faces },
            flips: 0,
            rounds: 0,
            delaunay: false,
        };
        made.glue(&topology, &sides, sorted.then_some(positions))?;
        Ok(made)
    }
    /// A triangulation of arrays that were changed elsewhere: twins, nexts, origins, lengths.
    pub(super) fn known_as(
        known: Known,
        vertices: u32,
        (twin, next, origin, length): (Buffer<u32>, Buffer<u32>, Buffer<u32>, Buffer<f64>),
        flips: u64,
        delaunay: bool,
    ) -> Self {
        let device = twin.device().clone();
        Self { device, vertices, twin, next, origin, length, known, flips, rounds: 0, delaunay }
    }
    pub(super) fn known(&self) -> Known {
        self.known
    }
    fn glue(
        &mut self,
        topology: &FlatTopology,
        sides: &Buffer<f64>,
        positions: Option<&Buffer<DVec3>>,
    ) -> Result<()> {
        let (corners, longer) = (sides.len() as u32, self.known.longer);
        let (faces, ring) = (topology.face_vertices().view(), topology.ring().view());
        let (sides, cover) = (sides.view(), self.known.cover);
        let to = NewHalfEdgesArguments {
            twin: self.twin.view_mut(),
            next: self.next.view_mut(),
            origin: self.origin.view_mut(),
            length: self.length.view_mut(),
        };
        if cover == Cover::Single {
            return self.device.launch_each(corners, SingleCover { longer, faces, ring, sides, to });
        }
        let first = topology.first_corners().view();
        let positions = positions.map_or(BufferView::empty(), Buffer::view);
        let kernel = DoubleCover { corners, longer, faces, positions, ring, first, sides, to };
        self.device.launch_each(corners, kernel)
    }

    /// Flips edges until the triangulation is Delaunay, in at most so many rounds; whether it is. Each round
    /// flips, of the edges that are not Delaunay, a set without common triangles, at least one and about a
    /// third of them. Waits.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn flip_to_delaunay(&mut self, rounds: u32) -> Result<bool> {
        let (device, n) = (self.device.clone(), self.twin.len());
        let mut marks = device.unspecified::<u32>(n)?;
        // an edge is listed once
        let edges = n / 2;
        let mut lists = [device.unspecified::<u32>(edges)?, device.unspecified::<u32>(edges)?];
        let mut outcomes = device.unspecified::<u32>(edges)?;
        let mut state = device.zeros::<u32>(STATE)?;
        let blocks = tiles(n as u32).min(8 * device.multiprocessors().max(1));
        let look = LookAtAll {
            mesh: self.view(),
            marks: marks.view_mut(),
            list: lists[0].view_mut(),
            state: state.view_mut(),
        };
        device.launch(blocks, look)?;
        let between = if device.kind() == DeviceKind::Cpu { 1 } else { ROUNDS_OF_A_LOOK };
        let mut round = 0;
        self.delaunay = loop {
            let found = state.read()?;
            (self.flips, self.rounds) = (u64::from(found[FLIPS as usize]), found[ROUNDS as usize]);
            let listed = found[(round % 2) as usize];
            if listed == 0 || round >= rounds {
                break listed == 0;
            }
            let last = (round + between).min(rounds);
            while round < last {
                self.round(round, &mut lists, &mut marks, &mut outcomes, &mut state, blocks)?;
                round += 1;
            }
        };
        Ok(self.delaunay)
    }
    fn round(
        &mut self,
        round: u32,
        lists: &mut [Buffer<u32>; 2],
        marks: &mut Buffer<u32>,
        outcomes: &mut Buffer<u32>,
        state: &mut Buffer<u32>,
        blocks: u32,
    ) -> Result<()> {
        let device = self.device.clone();
        let from = round % 2;
        let [even, odd] = lists;
        let (list, to) = if from == 0 { (&*even, odd) } else { (&*odd, even) };
        let choose = ChooseFlips {
            from,
            round,
            mesh: self.view(),
            marks: marks.view(),
            list: list.view(),
            state: state.view(),
            outcomes: outcomes.view_mut(),
        };
        device.launch(blocks, choose)?;
        let flip = FlipChosen {
            from,
            twin: self.twin.view(),
            next: self.next.view_mut(),
            origin: self.origin.view_mut(),
            length: self.length.view_mut(),
            marks: marks.view_mut(),
            list: list.view(),
            outcomes: outcomes.view(),
            to: to.view_mut(),
            state: state.view_mut(),
        };
        device.launch(blocks, flip)?;
        let look = LookAtListed {
            at: 1 - from,
            mesh: self.view(),
            marks: marks.view_mut(),
            list: to.view(),
            state: state.view_mut(),
        };
        device.launch(blocks, look)
    }

    /// As an argument of kernels.
    pub(crate) fn view(&self) -> HalfEdgesArguments<'_> {
        HalfEdgesArguments {
            twin: self.twin.view(),
            next: self.next.view(),
            origin: self.origin.view(),
            length: self.length.view(),
        }
    }
    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }
    /// The number of vertices, those without triangles included.
    pub fn vertices(&self) -> usize {
        self.vertices as usize
    }
    /// The number of triangles, of both sheets of a cover.
    pub fn triangles(&self) -> usize {
        self.twin.len() / 3
    }
    /// The surface that was glued.
    pub fn cover(&self) -> Cover {
        self.known.cover
    }
    /// The part that an integral over the triangulation is of one over the mesh: 1, or a half for both sheets
    /// of a cover.
    pub fn share(&self) -> f64 {
        if self.known.cover == Cover::Single { 1.0 } else { 0.5 }
    }
    /// The length by which all edges became longer.
    pub fn longer(&self) -> f64 {
        self.known.longer
    }
    /// The mean length of the mesh's edges, before they became longer.
    pub fn mean_edge_length(&self) -> f64 {
        self.known.mean_edge_length
    }
    /// The number of faces that were left out, since they have a vertex twice.
    pub fn degenerate_faces(&self) -> usize {
        self.known.degenerate_faces
    }
    /// The number of flips of the last run.
    pub fn flips(&self) -> u64 {
        self.flips
    }
    /// The number of rounds of the last run.
    pub fn rounds(&self) -> u32 {
        self.rounds
    }
    /// Whether the last run has ended.
    pub fn is_delaunay(&self) -> bool {
        self.delaunay
    }
    /// The half-edge on the other side of each half-edge's edge.
    pub fn twins(&self) -> &Buffer<u32> {
        &self.twin
    }
    /// The next half-edge around its triangle.
    pub fn nexts(&self) -> &Buffer<u32> {
        &self.next
    }
    /// The vertex at which each half-edge begins.
    pub fn origins(&self) -> &Buffer<u32> {
        &self.origin
    }
    /// The length of each half-edge.
    pub fn lengths(&self) -> &Buffer<f64> {
        &self.length
    }
}

/// The topology of the faces with three different vertices, and the number of the others.
fn whole_faces(vertices: usize, faces: Buffer<u32>) -> Result<(FlatTopology, usize)> {
    let topology = FlatTopology::from_buffer(vertices, faces)?;
    if !topology.has_degenerate_faces() {
        return Ok((topology, 0));
    }
    let (device, n) = (topology.device(), topology.faces() as u32);
    let mut whole = device.unspecified::<u32>(n as usize)?;
    let (faces, flags) = (topology.face_vertices(), whole.view_mut());
    device.launch_each(n, FlagWhole { faces: faces.view(), whole: flags })?;
    let kept = array::select(&whole)?;
    let mut corners = device.unspecified::<u32>(3 * kept.len())?;
    let (list, to) = (kept.view(), corners.view_mut());
    device.launch_each(kept.len() as u32, KeepFaces { kept: list, faces: faces.view(), to })?;
    Ok((FlatTopology::from_buffer(vertices, corners)?, n as usize - kept.len()))
}

/// The length of each corner's side, and the mean of all edges.
fn side_lengths(positions: &Buffer<DVec3>, topology: &FlatTopology) -> Result<(Buffer<f64>, f64)> {
    let (device, corners) = (topology.device(), 3 * topology.faces());
    let mut lengths = device.unspecified::<f64>(corners)?;
    let mut once = device.unspecified::<f64>(corners)?;
    let kernel = SideLengths {
        faces: topology.face_vertices().view(),
        positions: positions.view(),
        first: topology.first_corners().view(),
        lengths: lengths.view_mut(),
        once: once.view_mut(),
    };
    device.launch_each(corners as u32, kernel)?;
    let sum = array::sum(&once)?;
    let mean = if topology.edges() > 0 { sum / topology.edges() as f64 } else { 0.0 };
    if !mean.is_finite() {
        return Err(not_finite(positions)?);
    }
    Ok((lengths, mean))
}
/// The error about the first position that is not finite, or too large for lengths.
fn not_finite(positions: &Buffer<DVec3>) -> Result<Error> {
    let large = |p: &DVec3| !p.is_finite() || p.abs().max_element() > 1e150;
    let vertex = positions.read()?.iter().position(large);
    Ok(vertex
        .map_or_else(|| Error::Invalid("edges are too long".into()), |vertex| Error::NotFinite { vertex }))
}
/// The length that the sides of some triangle miss.
fn missing_length(sides: &Buffer<f64>, least: f64) -> Result<f64> {
    let device = sides.device();
    let mut missing = device.unspecified::<f64>(sides.len())?;
    let kernel = MissingLength { least, lengths: sides.view(), missing: missing.view_mut() };
    device.launch_each(sides.len() as u32, kernel)?;
    Ok(array::max(&missing)?.unwrap_or(0.0))
}
