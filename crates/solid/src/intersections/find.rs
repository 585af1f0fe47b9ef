//! Intersections of triangles in buffers.
use crate::intersections::kernels::{CheckFaces, FindBetween, FindOwn, MeetAny, OpenArguments};
use crate::intersections::open::{OpenPairs, Order};
use crate::intersections::pairs::{Marks, Wanted, collect};
use crate::intersections::parts::{FacesArguments, TRIANGLES};
use glam::Vec3;
use ribbonmesh::bvh::Bvh;
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
    /// The faces, with a tree of these triangles.
    fn view_in(&self, bvh: &Bvh) -> FacesArguments<'_> {
        FacesArguments { in_tree: bvh.is_exact().into(), ..self.view() }
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
    let (device, n) = (mesh.device(), mesh.len());
    let mut marks = Marks::new(device, n, None)?;
    let mut list = OpenPairs::new(device, n, n)?;
    let found = collect(device, Wanted { first: n, second: n }, &mut marks, |room| {
        let find = |open: OpenArguments<'_>, first, n: u32| {
            let (bvh, faces) = (bvh.view(), mesh.view_in(bvh));
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
    let bvh = searched.tree()?;
    let n = queries.len();
    let mut marks = Marks::new(device, first.len(), Some(second.len()))?;
    let wanted = Wanted { first: first.len(), second: second.len() };
    let mut list = OpenPairs::new(device, n, searched.len())?;
    let order = if swap { Order::Turned } else { Order::Same };
    let found = collect(device, wanted, &mut marks, |room| {
        let find = |open: OpenArguments<'_>, first, n: u32| {
            let (bvh, faces, queries) = (bvh.view(), searched.view_in(&bvh), queries.view());
            device.launch(n.div_ceil(TRIANGLES), FindBetween { bvh, faces, queries, first, n, open })
        };
        list.search(n, find, |list| list.decide([queries, searched], order, room.found()))?;
        Ok(true)
    })?;
    marks.with(found)
}

/// Tests each face of a list: 1 if it intersects another face of the mesh, else 0. For a mesh of which few
/// faces are new. See the [documentation of the crate](crate) for the definition. The same on every machine.
///
/// Builds a tree of all faces, and searches it once for each face of the list.
/// # Errors
/// As [`Bvh::from_buffers`]; [`Error::OtherDevice`]; [`Error::Invalid`] for a face of the list that does not
/// exist; out of memory; errors of the driver.
pub fn intersecting(mesh: Triangles<'_>, list: &Buffer<u32>) -> Result<Buffer<u32>> {
    let (device, n) = (mesh.device(), list.len() as u32);
    if !list.device().same(device) {
        return Err(Error::OtherDevice { what: "the list of faces" });
    }
    let mut found = device.unspecified::<u32>(list.len())?;
    if let Some(last) = array::max(list)? {
        if last >= mesh.len() {
            let faces = mesh.len();
            return Err(Error::Invalid(format!("a list names face {last}; there are {faces} faces")));
        }
        let bvh = mesh.tree()?;
        let kernel = MeetAny {
            bvh: bvh.view(),
            faces: mesh.view_in(&bvh),
            list: list.view(),
            found: found.view_mut(),
        };
        device.launch(n.div_ceil(TRIANGLES), kernel)?;
    }
    Ok(found)
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
    let (own, others): (Vec<u32>, Vec<u32>) = (0..faces.len() as u32).partition(|&f| listed[f as usize]);
    let device = positions.device();
    let upload = |some: &[u32]| {
        let corners: Vec<[u32; 3]> = some.iter().map(|&f| faces[f as usize]).collect();
        device.upload(corners.as_flattened())
    };
    let [of_own, of_others] = [upload(&own)?, upload(&others)?];
    let [first, second] = [&of_own, &of_others].map(|faces| Triangles { positions, faces });
    let pairs = self_intersections(first)?.pairs.read()?;
    let mut pairs: Vec<[u32; 2]> = pairs.into_iter().map(|pair| pair.map(|f| own[f as usize])).collect();
    let between = intersections_between(first, second)?.pairs.read()?;
    pairs.extend(between.into_iter().map(|[a, b]| [own[a as usize], others[b as usize]]));
    Ok(pairs)
}
