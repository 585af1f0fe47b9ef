//! Search for collisions.
use crate::collide::elements::{PAIRS, TwoFaces};
use crate::collide::error::CollideError;
use crate::collide::kernels::{
    CheckSweep, CountColliding, FACES, FACTS, FARTHEST, ListColliding, SweepArguments, SweepBoxes, WRONG,
};
use crate::collide::narrow::{Contact, first_contact};
use glam::Vec3;
use rayon::prelude::*;
use ribbonmesh::bvh::Bvh;
use ribbonmesh::device::tiles;
use ribbonmesh::{Buffer, Error, Result as LibraryResult, array};

/// Bytes on the device for each pair: the number that is sorted, and its copy in sorting.
const BYTES_PER_PAIR: u64 = 16;

/// Triangles that move, on a device.
#[derive(Clone, Copy)]
pub struct Moved<'a> {
    /// Positions of vertices at the beginning of the step.
    pub before: &'a Buffer<Vec3>,
    /// Positions of vertices at its end.
    pub after: &'a Buffer<Vec3>,
    /// Three vertices for each face.
    pub faces: &'a Buffer<u32>,
}

/// A vertex and a face, or two edges, that collide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collision {
    /// Whether these are two edges, each by two vertices; else a vertex, and a face by three.
    pub edges: bool,
    /// The four vertices.
    pub vertices: [u32; 4],
    /// Place and time of the contact.
    pub contact: Contact,
}

impl Moved<'_> {
    fn view(&self) -> SweepArguments<'_> {
        SweepArguments {
            before: self.before.view(),
            after: self.after.view(),
            vertices: self.faces.view().wide(),
        }
    }
    fn len(&self) -> u32 {
        (self.faces.len() / 3) as u32
    }
    /// Refuses invalid input; returns the greatest distance that a vertex moves.
    pub(crate) fn check(&self) -> LibraryResult<f32> {
        let (device, faces) = (self.before.device(), self.faces);
        for (what, of) in [("the positions after", self.after.device()), ("the faces", faces.device())] {
            if !of.same(device) {
                return Err(Error::OtherDevice { what });
            }
        }
        let (vertices, found) = (self.before.len(), self.after.len());
        if found != vertices {
            return Err(Error::Length { what: "the positions after", expected: vertices, found });
        }
        if !faces.len().is_multiple_of(3) {
            let expected = faces.len().next_multiple_of(3);
            return Err(Error::Length { what: "indices of faces", expected, found: faces.len() });
        }
        let limit = u64::from(u32::MAX);
        if faces.len() as u64 > limit {
            return Err(Error::TooMany { what: "indices of faces", count: faces.len() as u64, limit });
        }
        let mut facts = device.zeros::<u32>(FACTS as usize)?;
        let kernel = CheckSweep { sweep: self.view(), n: self.len(), facts: facts.view_mut() };
        device.launch(tiles(self.len()), kernel)?;
        let facts = facts.read()?;
        let face = match facts[WRONG as usize] {
            0 => return Ok(f32::from_bits(facts[FARTHEST as usize]).sqrt()),
            wrong => !wrong as usize,
        };
        for vertex in faces.read_range(3 * face, 3)? {
            if vertex as usize >= vertices {
                return Err(Error::IndexOutOfRange { face, vertex, vertices });
            }
            let vertex = vertex as usize;
            for x in [self.before, self.after] {
                if !x.read_range(vertex, 1)?[0].is_finite() {
                    return Err(Error::NotFinite { vertex });
                }
            }
        }
        Err(Error::Invalid("positions that are finite and are not".into()))
    }
}

/// Finds the pairs of faces of which any vertex or edge collides with the other face, or an edge of it,
/// ascending, each once. The list has all such pairs, and may have pairs that come within rounding of each
/// other; see the [documentation of the crate](crate). Two machines may differ in the latter. Waits.
///
/// Builds a tree of the boxes around the movements of faces, searches it once for all faces, and a second
/// time for those that collide. Memory on the device: the tree, 60 bytes per face, 16 per pair. Faces that
/// move far in one step have large boxes: in the worst case the search is quadratic.
/// # Errors
/// [`Error::OtherDevice`], [`Error::Length`], [`Error::IndexOutOfRange`] names a face, [`Error::NotFinite`] a
/// vertex of a face whose position before or after is not finite; [`Error::TooMany`] for more pairs than 32
/// bits count; [`Error::WouldNotFit`]; out of memory; errors of the driver.
pub fn colliding_faces(moved: Moved<'_>) -> LibraryResult<Vec<[u32; 2]>> {
    moved.check()?;
    colliding(moved)
}

/// As [`colliding_faces`], for checked input.
pub(crate) fn colliding(moved: Moved<'_>) -> LibraryResult<Vec<[u32; 2]>> {
    let (device, n) = (moved.before.device(), moved.len());
    let mut ends = device.unspecified::<Vec3>(2 * n as usize)?;
    let mut triangles = device.unspecified::<u32>(3 * n as usize)?;
    let boxes = SweepBoxes { sweep: moved.view(), ends: ends.view_mut(), triangles: triangles.view_mut() };
    device.launch_each(n, boxes)?;
    let bvh = Bvh::from_buffers(&ends, &triangles)?;
    drop((ends, triangles));
    let mut counts = device.unspecified::<u32>(n as usize)?;
    let count = CountColliding { bvh: bvh.view(), sweep: moved.view(), counts: counts.view_mut() };
    device.launch(n.div_ceil(FACES), count)?;
    let list = array::select(&counts)?;
    if list.is_empty() {
        return Ok(vec![]);
    }
    let mut offsets = array::gather(&counts, &list)?;
    let total = array::exclusive_scan(&mut offsets).map_err(|error| match error {
        Error::TooMany { count, limit, .. } => {
            Error::TooMany { what: "pairs of faces that collide", count, limit }
        }
        error => error,
    })?;
    let count = u64::from(total);
    device.check_room(count, "pairs of faces that collide", BYTES_PER_PAIR * count)?;
    let mut pairs = device.unspecified::<u64>(total as usize)?;
    let kernel = ListColliding {
        bvh: bvh.view(),
        sweep: moved.view(),
        places: list.view(),
        offsets: offsets.view(),
        pairs: pairs.view_mut(),
    };
    device.launch((list.len() as u32).div_ceil(FACES), kernel)?;
    if total > 1 {
        array::sort(&mut pairs, u64::BITS)?;
    }
    Ok(pairs.read()?.into_iter().map(|pair| [(pair >> 32) as u32, pair as u32]).collect())
}

/// Finds all collisions, in the order of their vertices, each once. Waits.
/// # Errors
/// As [`colliding_faces`].
pub fn collisions(moved: Moved<'_>) -> Result<Vec<Collision>, CollideError> {
    let pairs = colliding_faces(moved)?;
    if pairs.is_empty() {
        return Ok(vec![]);
    }
    let (before, after, faces) = (moved.before.read()?, moved.after.read()?, moved.faces.read()?);
    Ok(of_pairs(&before, &after, &faces, &pairs))
}

/// Finds the collisions of elements of pairs of faces, in the order of their vertices, each once.
pub(crate) fn of_pairs(before: &[Vec3], after: &[Vec3], faces: &[u32], pairs: &[[u32; 2]]) -> Vec<Collision> {
    let elements = |[first, second]: [u32; 2]| {
        let corner = |i: usize| {
            let face = if i < 3 { first } else { second };
            faces[3 * face as usize + i % 3]
        };
        let vertices: [u32; 6] = std::array::from_fn(corner);
        let of = |x: &[Vec3]| vertices.map(|v| x[v as usize]);
        let faces = TwoFaces { vertices, before: of(before), after: of(after) };
        (0..PAIRS).filter_map(move |pair| {
            let (elements, vertices) = faces.elements(pair)?;
            let sorted = sorted(elements.edges, vertices);
            Some((elements.edges, sorted))
        })
    };
    let mut all: Vec<(bool, [u32; 4])> = pairs.par_iter().flat_map_iter(|pair| elements(*pair)).collect();
    all.par_sort_unstable();
    all.dedup();
    all.into_par_iter()
        .filter_map(|(edges, vertices)| {
            let of = |x: &[Vec3]| vertices.map(|v| x[v as usize].as_dvec3());
            let elements = crate::collide::narrow::Elements { edges, before: of(before), after: of(after) };
            let contact = first_contact(&elements)?;
            Some(Collision { edges, vertices, contact })
        })
        .collect()
}

/// The order of vertices that identifies two elements.
fn sorted(edges: bool, [p, q, r, s]: [u32; 4]) -> [u32; 4] {
    if edges {
        let (first, second) = ([p.min(q), p.max(q)], [r.min(s), r.max(s)]);
        let [[p, q], [r, s]] = if first < second { [first, second] } else { [second, first] };
        [p, q, r, s]
    } else {
        let mut corners = [q, r, s];
        corners.sort_unstable();
        [p, corners[0], corners[1], corners[2]]
    }
}
