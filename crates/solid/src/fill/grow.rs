//! New elements of a mesh whose holes were filled.
use crate::fill::attributes::{Added, extend};
use crate::fill::loops::{Loops, limit_vertices};
use crate::fill::run::limit_faces;
use crate::fill::surroundings::Surroundings;
use crate::fill::{FillError, FillReport, Filling, Hole, HoleReport, Left, NotJoined, Why};
use ribbonmesh_mesh::{Rest, TriangleMesh};
use rustc_hash::FxHashMap;

/// The part around holes with their fillings behind.
pub(crate) struct Grown {
    pub mesh: TriangleMesh,
    /// The first new vertex and the first new face.
    first: [usize; 2],
    /// Vertices of the new faces, by their numbers in the whole mesh.
    corners: Vec<[u32; 3]>,
    /// Corners of the whole mesh that get copies of vertices, and these.
    moved: [Vec<u32>; 2],
}
impl Grown {
    pub(super) fn rest(&self) -> Rest<'_> {
        let Self { mesh, first: [vertices, faces], corners, moved: [of, to] } = self;
        Rest { mesh, vertices: *vertices, faces: *faces, corners, moved: [of, to] }
    }
}

/// Result for one hole.
#[derive(Clone, Default)]
pub(crate) struct Done {
    pub(super) left: Option<Left>,
    pub(super) joined: Option<usize>,
    /// Whether it was to be joined, but no strip was legal.
    pub(super) no_strip: Option<[usize; 2]>,
    pub(super) filling: Option<(Added, Filling)>,
}

/// The report of the fillings of holes, and the new elements behind `mesh`, which is that of the part.
pub(crate) fn put_together(
    part: &Surroundings,
    mesh: TriangleMesh,
    found: &Loops,
    holes: &[Hole],
    all: impl Iterator<Item = (usize, Done)>,
    not_joined: Vec<NotJoined>,
) -> Result<(FillReport, Option<Grown>), FillError> {
    let mut report = FillReport { not_joined, ..FillReport::default() };
    let mut done: Vec<Done> = vec![];
    done.resize_with(holes.len(), Done::default);
    for (i, one) in all {
        done[i] = one;
    }
    let mut added: Vec<Added> = vec![];
    let mut counts = [part.whole + found.copies.len(), part.whole_faces];
    for (hole, Done { left, joined, no_strip, filling }) in holes.iter().cloned().zip(done) {
        report.joined += usize::from(no_strip.is_none() && joined.is_some() && filling.is_some());
        report.not_joined.extend(no_strip.map(|holes| NotJoined { holes, why: Why::NoStrip }));
        let filling = match filling {
            None => None,
            Some((new, done)) => {
                report.faces_added += done.faces;
                report.vertices_added += done.vertices;
                report.area_added += done.area;
                counts = [counts[0] + new.points.len(), counts[1] + new.sheet.faces.len()];
                limit_vertices(counts[0])?;
                limit_faces(counts[1])?;
                added.push(new);
                Some(done)
            }
        };
        report.holes.push(HoleReport { hole, left, joined, filling });
    }
    report.not_joined.sort_by_key(|refused| refused.holes);
    report.left = report.holes.iter().filter(|hole| hole.left.is_some()).count();
    report.filled = report.holes.len() - report.left;
    let mut copies: FxHashMap<u32, u32> = FxHashMap::default();
    found.copies.iter().for_each(|&v| *copies.entry(part.vertex(v)).or_default() += 1);
    report.vertices_split = copies.into_iter().collect();
    report.vertices_split.sort_unstable();
    let grown = grow(part, mesh, found, &mut added, &mut report)?;
    Ok((report, grown))
}

/// Appends the new elements to the part, with their attributes.
fn grow(
    part: &Surroundings,
    mut mesh: TriangleMesh,
    found: &Loops,
    added: &mut [Added],
    report: &mut FillReport,
) -> Result<Option<Grown>, FillError> {
    if added.is_empty() && found.copies.is_empty() {
        return Ok(None);
    }
    let first = [mesh.positions.len(), mesh.faces.len()];
    let mut moved = [vec![], vec![]];
    if let Some(faces) = &found.faces {
        let now = faces.as_flattened().iter();
        for (corner, (_, &v)) in
            (0..).zip(mesh.faces.as_flattened().iter().zip(now)).filter(|(_, (a, b))| a != b)
        {
            moved[0].push(part.corner(corner));
            moved[1].push(part.vertex(v));
        }
        let vertices: Vec<u32> = (0..first[0] as u32).chain(found.copies.iter().copied()).collect();
        let faces: Vec<(u32, [u32; 3])> = (0..).zip(faces.iter().copied()).collect();
        mesh.rebuild(&vertices, &faces)?;
    }
    let mut next = mesh.positions.len() as u32;
    for new in added.iter_mut() {
        new.number(next);
        next += new.points.len() as u32;
    }
    report.columns_dropped = extend(&mut mesh, added)?;
    let corners = mesh.faces[first[1]..].iter().map(|face| face.map(|v| part.vertex(v))).collect();
    Ok(Some(Grown { mesh, first, corners, moved }))
}
