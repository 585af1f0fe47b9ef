//! Intersections of triangles in buffers.
use crate::intersections::kernels::{CheckFaces, FindBetween, FindOwn, FlagOthers, MarkFaces, OpenArguments};
use crate::intersections::open::{OpenPairs, Order};
use crate::intersections::pairs::{Marks, Wanted, collect};
use crate::intersections::parts::{FacesArguments, TRIANGLES};
use crate::repair::rows;
use glam::Vec3;
use ribbonmesh::bvh::{Bvh, BvhViewArguments};
use ribbonmesh::device::tiles;
use ribbonmesh::{Buffer, Device, Error, Result, array};

/// Triangles on a device.
#[derive(Clone, Copy)]
pub struct Triangles<'a> {
    /// Positions of vertices.
    pub positions: &'a Buffer<Vec3>,
    /// Three vertices for each face.
    pub faces: &'a Buffer<u32>,
}

/// The pairs of faces that intersect, on the device.
pub struct Intersections {
    /// The pairs, ascending, each once. For one mesh, the first face is less than the second one; for two
    /// meshes, the first face belongs to the first mesh.
    pub pairs: Buffer<[u32; 2]>,
    /// For each face (of the first mesh) 1 if it intersects another one, else 0.
    pub marks: Buffer<u32>,
    /// For each face of the second mesh 1 if it intersects one of the first mesh, else 0; empty for one mesh.
    pub marks_of_second: Buffer<u32>,
}

impl Triangles<'_> {
    /// As an argument of kernels.
    pub fn view(&self) -> FacesArguments<'_> {
        FacesArguments { positions: self.positions.view(), vertices: self.faces.view().wide(), in_tree: 0 }
    }
    /// The faces, with a tree of these triangles that has their corners as they are, or not.
    pub(super) fn view_in(&self, is_exact: bool) -> FacesArguments<'_> {
        FacesArguments { in_tree: is_exact.into(), ..self.view() }
    }
    /// Number of faces.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> u32 {
        (self.faces.len() / 3) as u32
    }
    /// The device.
    pub fn device(&self) -> &Device {
        self.positions.device()
    }
    fn tree(&self) -> Result<Bvh> {
        Bvh::from_buffers(self.positions, self.faces)
    }
    /// Refuses buffers that are not faces of vertices.
    /// # Errors
    /// [`Error::OtherDevice`]; [`Error::Length`]; [`Error::TooMany`].
    pub fn check_lengths(&self) -> Result<()> {
        let (device, faces) = (self.device(), self.faces);
        if !faces.device().same(device) {
            return Err(Error::OtherDevice { what: "the buffer of faces" });
        }
        if !faces.len().is_multiple_of(3) {
            let expected = faces.len().next_multiple_of(3);
            return Err(Error::Length { what: "indices of faces", expected, found: faces.len() });
        }
        let limit = u64::from(u32::MAX);
        if faces.len() as u64 > limit {
            return Err(Error::TooMany { what: "indices of faces", count: faces.len() as u64, limit });
        }
        Ok(())
    }
    /// Checks the triangles like the construction of a tree.
    fn check(&self) -> Result<()> {
        self.check_lengths()?;
        let (device, faces) = (self.device(), self.faces);
        let mut wrong = device.zeros::<u32>(1)?;
        let kernel = CheckFaces { faces: self.view(), n: self.len(), wrong: wrong.view_mut() };
        device.launch(tiles(self.len()), kernel)?;
        let face = match wrong.read()?[0] {
            0 => return Ok(()),
            wrong => !wrong as usize,
        };
        let (corners, vertices) = (faces.read_range(3 * face, 3)?, self.positions.len());
        for vertex in corners {
            if vertex as usize >= vertices {
                return Err(Error::IndexOutOfRange { face, vertex, vertices });
            }
            let vertex = vertex as usize;
            if !self.positions.read_range(vertex, 1)?[0].is_finite() {
                return Err(Error::NotFinite { vertex });
            }
        }
        Ok(())
    }
}

/// The pairs of faces of a mesh that intersect, see the [documentation of the crate](crate) for what that
/// means. The same on every machine. Waits.
///
/// Faces are searched once if there is room for the pairs, which is for half as many as there are faces, else
/// a second time. Memory on the device: the tree (116 bytes per face) and 96 bytes per face, at most half a
/// gigabyte, for what single precision leaves open; 8 bytes per face, 24 per pair.
/// Where more than twelve pairs per face are left open, faces are searched in parts.
/// # Errors
/// As [`Bvh::from_buffers`]; [`Error::TooMany`] for more pairs than 32 bits count; [`Error::WouldNotFit`];
/// out of memory; errors of the driver.
pub fn self_intersections(mesh: Triangles<'_>) -> Result<Intersections> {
    self_intersections_in(mesh, &mesh.tree()?)
}

/// As [`self_intersections`], with the tree of the triangles, by [`Bvh::from_buffers`].
/// # Errors
/// As [`self_intersections`].
pub fn self_intersections_in(mesh: Triangles<'_>, bvh: &Bvh) -> Result<Intersections> {
    of_tree(mesh, bvh.view(), bvh.is_exact())
}

/// As [`self_intersections`], with a tree of the mesh, which has the corners of faces as they are or not.
pub(super) fn of_tree(
    mesh: Triangles<'_>,
    bvh: BvhViewArguments<'_>,
    is_exact: bool,
) -> Result<Intersections> {
    let (device, n) = (mesh.device(), mesh.len());
    let mut marks = Marks::new(device, n, None)?;
    let mut list = OpenPairs::new(device, n, n)?;
    let found = collect(device, Wanted { first: n, second: n }, &mut marks, |room| {
        let find = |open: OpenArguments<'_>, first, n: u32| {
            let faces = mesh.view_in(is_exact);
            device.launch(n.div_ceil(TRIANGLES), FindOwn { bvh, faces, first, n, open })
        };
        list.search(n, find, |list| list.decide([mesh, mesh], Order::Ascending, room.found()))?;
        Ok(true)
    })?;
    marks.with(found)
}

/// The pairs of a face of one mesh and a face of another mesh that intersect, as [`self_intersections`].
/// Positions of both are relative to the same origin. Vertices of the two meshes with equal positions are
/// shared, as those of one.
///
/// Builds the tree of the smaller mesh, and searches it for the faces of the larger one.
/// # Errors
/// As [`self_intersections`]; [`Error::OtherDevice`].
pub fn intersections_between(first: Triangles<'_>, second: Triangles<'_>) -> Result<Intersections> {
    let device = first.device();
    if !second.device().same(device) {
        return Err(Error::OtherDevice { what: "the second mesh" });
    }
    let swap = first.len() < second.len();
    let (searched, queries) = if swap { (first, second) } else { (second, first) };
    queries.check()?;
    let order = if swap { Order::Turned } else { Order::Same };
    between(&searched.tree()?, searched, &device.zeros(0)?, queries, order)
}

/// The pairs of a face of `queries` and a face of `searched` that `among` does not have a 0 for, in the order
/// of [`Intersections::pairs`]. `bvh` is the tree of `searched`, by [`Bvh::from_buffers`]; all faces count if
/// `among` is empty. Vertices with equal positions are shared. Takes time for the faces of `queries`, and
/// waits.
/// # Errors
/// As [`intersections_between`].
pub fn intersections_among(
    bvh: &Bvh,
    searched: Triangles<'_>,
    among: &Buffer<u32>,
    queries: Triangles<'_>,
) -> Result<Buffer<[u32; 2]>> {
    queries.check()?;
    Ok(between(bvh, searched, among, queries, Order::Same)?.pairs)
}

/// The pairs of a face of `queries` and a face of a tree; with [`Order::Turned`], the latter comes first.
fn between(
    bvh: &Bvh,
    searched: Triangles<'_>,
    among: &Buffer<u32>,
    queries: Triangles<'_>,
    order: Order,
) -> Result<Intersections> {
    let (device, n) = (searched.device(), queries.len());
    let [first, second] =
        if order == Order::Turned { [searched, queries] } else { [queries, searched] }.map(|of| of.len());
    let mut marks = Marks::new(device, first, Some(second))?;
    let wanted = Wanted { first, second };
    let mut list = OpenPairs::new(device, n, searched.len())?;
    let found = collect(device, wanted, &mut marks, |room| {
        let find = |open: OpenArguments<'_>, first, n: u32| {
            let (bvh, faces, queries) = (bvh.view(), searched.view_in(bvh.is_exact()), queries.view());
            let among = among.view();
            device.launch(n.div_ceil(TRIANGLES), FindBetween { bvh, faces, among, queries, first, n, open })
        };
        list.search(n, find, |list| list.decide([queries, searched], order, room.found()))?;
        Ok(true)
    })?;
    marks.with(found)
}

/// Finds the pairs of faces that intersect of which at least one is in a list, for a mesh of which few faces
/// are new. The pairs are those of [`self_intersections`], in any order; each once. Waits.
///
/// Builds a tree of the list, and searches it once for each other face.
/// # Errors
/// As [`self_intersections`]; [`Error::Invalid`] for a face of the list that does not exist.
pub fn intersections_with(
    positions: &Buffer<Vec3>,
    faces: &[[u32; 3]],
    list: &[u32],
) -> Result<Vec<[u32; 2]>> {
    let mut listed = vec![false; faces.len()];
    for &face in list {
        let Some(listed) = listed.get_mut(face as usize) else {
            return Err(Error::Invalid(format!("a list names face {face}; there are {} faces", faces.len())));
        };
        *listed = true;
    }
    let device = positions.device();
    let flags: Vec<u32> = listed.into_iter().map(u32::from).collect();
    let faces = device.upload(faces.as_flattened())?;
    let found = Flagged::of(Triangles { positions, faces: &faces }, &device.upload(&flags)?)?;
    let [own, others] = [found.own.list.read()?, found.others.list.read()?];
    let among = found.among.pairs.read()?.into_iter().map(|pair| pair.map(|f| own[f as usize]));
    let between = found.between.pairs.read()?.into_iter();
    Ok(among.chain(between.map(|[a, b]| [own[a as usize], others[b as usize]])).collect())
}

/// Marks the faces that intersect one with a flag, or that have a flag and intersect any: 1, else 0; `None`
/// if there are none. As [`intersections_with`], with all of it on the device. Waits.
/// # Errors
/// As [`self_intersections`]; [`Error::OtherDevice`]; [`Error::Length`] unless there is a flag for each face.
pub fn marks_with(mesh: Triangles<'_>, flags: &Buffer<u32>) -> Result<Option<Buffer<u32>>> {
    let device = mesh.device();
    if !flags.device().same(device) {
        return Err(Error::OtherDevice { what: "the flags of faces" });
    }
    if flags.len() != mesh.len() as usize {
        return Err(Error::Length {
            what: "flags of faces",
            expected: mesh.len() as usize,
            found: flags.len(),
        });
    }
    if array::min(flags)?.is_some_and(|least| least > 0) {
        let found = self_intersections(mesh)?;
        return Ok((!found.pairs.is_empty()).then_some(found.marks));
    }
    let Flagged { own, others, among, between } = Flagged::of(mesh, flags)?;
    if among.pairs.is_empty() && between.pairs.is_empty() {
        return Ok(None);
    }
    let mut marked = device.zeros::<u32>(flags.len())?;
    for (part, marks) in [(&own, &among.marks), (&own, &between.marks), (&others, &between.marks_of_second)] {
        let (list, to) = (part.list.view(), marked.view_mut());
        device.launch_each(part.list.len() as u32, MarkFaces { marks: marks.view(), list, marked: to })?;
    }
    Ok(Some(marked))
}

/// Some faces of a mesh.
struct Part {
    list: Buffer<u32>,
    faces: Buffer<u32>,
}
impl Part {
    /// The faces with a flag.
    fn of(mesh: Triangles<'_>, flags: &Buffer<u32>) -> Result<Self> {
        let list = array::select(flags)?;
        Ok(Self { faces: rows(mesh.faces, &list)?, list })
    }
}
/// Intersections of the faces with a flag.
struct Flagged {
    own: Part,
    others: Part,
    /// Pairs of two faces with a flag, by their places in the list.
    among: Intersections,
    /// Pairs of a face with a flag and one without.
    between: Intersections,
}
impl Flagged {
    fn of(mesh: Triangles<'_>, flags: &Buffer<u32>) -> Result<Self> {
        let device = mesh.device();
        let mut not = device.unspecified::<u32>(flags.len())?;
        device.launch_each(mesh.len(), FlagOthers { flags: flags.view(), others: not.view_mut() })?;
        let (own, others) = (Part::of(mesh, flags)?, Part::of(mesh, &not)?);
        let [first, second] =
            [&own, &others].map(|part| Triangles { positions: mesh.positions, faces: &part.faces });
        let (among, between) = (self_intersections(first)?, intersections_between(first, second)?);
        Ok(Self { own, others, among, between })
    }
}
