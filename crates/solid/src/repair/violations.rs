//! Search for the reasons for which a mesh is not an oriented manifold.
use crate::repair::Violation;
use crate::repair::check::{NONE, indices};
use crate::repair::edges::{before, behind, start};
use crate::repair::fans::Corners;
use crate::repair::judged::{Dropped, Judged};
use crate::repair::kernels::note;
use crate::repair::kernels::sides::MarkStarts;
use crate::repair::linked::{Linked, Side, find_fans, rows, used, with_marked};
use crate::repair::region::Region;
use crate::repair::simple::{CornersAt, Simple, look_simply, sorted};
use rayon::prelude::*;
use ribbonmesh::{Buffer, Device, Result, array};
use ribbonmesh_mesh::{Class, Classified, Subject, UnionFind};
use std::fmt;
use std::sync::Arc;

/// Number of violations of a kind, and the first of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ViolationList {
    /// Number of violations.
    pub count: u64,
    /// The first ones, at most [`ViolationList::LISTED`], in the order of their elements.
    pub first: Vec<Violation>,
}

/// Reasons for which a mesh is not an oriented manifold. As text, it names the first violation and counts the
/// others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Violations {
    /// Faces with a vertex twice. They do not count for the other kinds.
    pub degenerate_faces: ViolationList,
    /// Faces with the vertices of an earlier face.
    pub duplicate_faces: ViolationList,
    /// Edges of more than two faces.
    pub nonmanifold_edges: ViolationList,
    /// Edges of two faces with opposite orientations.
    pub inconsistent_edges: ViolationList,
    /// Vertices with several fans. Faces are in one fan if they share an edge at the vertex, so a
    /// non-manifold edge alone does not make several fans.
    pub nonmanifold_vertices: ViolationList,
    /// Vertices without a face, which a manifold may have: they are not violations.
    pub isolated_vertices: u64,
}

impl ViolationList {
    /// Most violations that are listed.
    pub const LISTED: usize = 8;

    fn new<T>(all: &[T], violation: impl Fn(&T) -> Violation) -> Self {
        Self { count: all.len() as u64, first: all.iter().take(Self::LISTED).map(violation).collect() }
    }
}

impl Violations {
    /// All kinds with their names, in singular and plural.
    pub fn kinds(&self) -> [(&ViolationList, &'static str, &'static str); 5] {
        [
            (&self.degenerate_faces, "degenerate face", "degenerate faces"),
            (&self.duplicate_faces, "duplicate face", "duplicate faces"),
            (&self.nonmanifold_edges, "non-manifold edge", "non-manifold edges"),
            (&self.inconsistent_edges, "inconsistent edge", "inconsistent edges"),
            (&self.nonmanifold_vertices, "non-manifold vertex", "non-manifold vertices"),
        ]
    }
    /// Whether the mesh is an oriented manifold.
    pub fn is_empty(&self) -> bool {
        self.total() == 0
    }
    /// Number of violations of all kinds.
    pub fn total(&self) -> u64 {
        self.kinds().iter().map(|(found, ..)| found.count).sum()
    }
    /// The first violation of the first kind.
    pub fn first(&self) -> Option<&Violation> {
        self.kinds().into_iter().find_map(|(found, ..)| found.first.first())
    }
}

impl std::error::Error for Violations {}
impl Classified for Violations {
    fn class(&self) -> Class {
        self.first().map_or(Class::refused(Subject::NotManifold), Classified::class)
    }
}
impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(first) = self.first() else { return f.write_str("an oriented manifold") };
        write!(f, "{first}")?;
        if self.total() == 1 {
            return Ok(());
        }
        let mut gap = "; in all ";
        for (found, one, many) in self.kinds() {
            if found.count > 0 {
                write!(f, "{gap}{} {}", found.count, if found.count == 1 { one } else { many })?;
                gap = ", ";
            }
        }
        Ok(())
    }
}

/// Looks for everything that keeps `faces`, each three of `vertices` vertices, from being an oriented
/// manifold. Linear; the faces are uploaded to `device`, and only what is wrong comes back.
/// # Errors
/// [`Error::Mesh`](ribbonmesh::Error::Mesh) for an index out of range, 400 million faces, or 2³² − 1
/// vertices; out of memory; errors of the driver.
pub fn manifold_violations(device: &Device, vertices: usize, faces: &[[u32; 3]]) -> Result<Violations> {
    Ok(boundary(device, vertices, faces)?.violations)
}

/// The boundary of a surface, and its violations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Boundary {
    /// Result of [`manifold_violations`].
    pub violations: Violations,
    /// The sides of faces whose edges have no other face, ascending. Side `3 f + i` of face `f` leads from
    /// corner `i` to the next.
    pub sides: Vec<u32>,
    /// All vertices with several fans, ascending; the violations list the first of them.
    pub several_fans: Vec<u32>,
}

/// Finds the boundary of `faces`, and violations, as [`manifold_violations`] does and at the same cost.
/// # Errors
/// The errors of [`manifold_violations`].
pub fn boundary(device: &Device, vertices: usize, faces: &[[u32; 3]]) -> Result<Boundary> {
    device.install(|| indices(vertices, faces))?;
    boundary_of(vertices, device.upload(faces.as_flattened())?)
}

/// Finds the boundary of triangles in a buffer, and violations, as [`boundary`] does. Waits two to four times
/// for an oriented manifold, and about ten times more where there is something else to list.
/// # Errors
/// [`Error::IndexOutOfRange`](ribbonmesh::Error::IndexOutOfRange),
/// [`Error::TooMany`](ribbonmesh::Error::TooMany); out of memory; errors of the driver.
pub fn boundary_of(vertices: usize, faces: Buffer<u32>) -> Result<Boundary> {
    match look_simply(vertices, &faces)? {
        Some(simple) if simple.several_fans.is_empty() => {
            let (boundary, (sides, n), _) = simple.into_parts();
            Ok(Boundary { sides: sorted(&sides, n)?, ..boundary })
        }
        _ => Ok(look(vertices, faces)?.boundary),
    }
}

impl Simple {
    /// The boundary without its sides, and these; the corners of the vertices.
    fn into_parts(self) -> (Boundary, (Buffer<u32>, u32), CornersAt) {
        let Self { open, several_fans, isolated, corners } = self;
        let violations = Violations { isolated_vertices: isolated.into(), ..Violations::default() };
        (Boundary { violations, sides: vec![], several_fans }, open, corners)
    }
}

/// A boundary with the triangles in which it was found.
pub(crate) struct Looked {
    /// The boundary; without its sides as long as these are on the device alone.
    pub boundary: Boundary,
    /// Begins with the sides of the boundary in any order, and their number, if a quick look has found them.
    pub open: Option<(Buffer<u32>, u32)>,
    /// Three vertices of each face.
    pub faces: Arc<Buffer<u32>>,
    /// The corners of all vertices, if they were listed.
    pub corners: Option<CornersAt>,
    /// Number of vertices.
    pub vertices: usize,
}
impl Looked {
    /// Reads the sides of the boundary, if they are on the device alone. Waits then.
    pub fn read_sides(&mut self) -> Result<()> {
        if let Some((sides, n)) = self.open.take() {
            self.boundary.sides = sorted(&sides, n)?;
        }
        Ok(())
    }
    /// The faces at the vertices where listed sides begin, ascending. Waits.
    pub fn faces_around(&self, sides: &Buffer<u32>) -> Result<Buffer<u32>> {
        if let Some(corners) = &self.corners {
            return corners.faces_around(sides, &self.faces);
        }
        let device = sides.device();
        let vertices = self.vertices;
        let mut marked = device.zeros::<u32>(vertices)?;
        let mark = MarkStarts { list: sides.view(), faces: self.faces.view(), marked: marked.view_mut() };
        device.launch_each(sides.len() as u32, mark)?;
        with_marked(&self.faces, &marked)
    }
}

/// As [`boundary_of`], with the triangles. Vertices of several fans that all have a boundary are no
/// violations.
pub(crate) fn look_for_holes(vertices: usize, faces: Buffer<u32>) -> Result<Looked> {
    match look_simply(vertices, &faces)? {
        Some(simple) => {
            let (boundary, open, corners) = simple.into_parts();
            let (open, corners) = (Some(open), Some(corners));
            Ok(Looked { boundary, open, faces: faces.into(), corners, vertices })
        }
        None => look(vertices, faces),
    }
}

/// Looks for all violations.
fn look(vertices: usize, faces: Buffer<u32>) -> Result<Looked> {
    let judged = Judged::of(vertices, faces, None)?;
    let mut violations = Violations::default();
    if let Some(dropped) = &judged.dropped {
        violations.degenerate_faces = degenerate(dropped)?;
    }
    let Judged { faces, dropped } = judged;
    let inputs = dropped.as_ref().map(|dropped| &dropped.stay);
    let linked = Linked::of(vertices, faces, note::OPEN | note::CROWDED | note::DISAGREES | note::TWIN)?;
    let noted = linked.noted(inputs)?;
    let with = |note: u32| noted.iter().copied().filter(move |side| side.notes & note != 0);

    violations.duplicate_faces = ViolationList::new(&duplicates(with(note::TWIN)), |(later, first)| {
        Violation::DuplicateFace { face: later.inputs[0], first: *first, corners: later.corners() }
    });
    let mut crowded: Vec<Side> = with(note::CROWDED).collect();
    crowded.sort_unstable_by_key(|side| (side.edge(), side.side));
    let crowded: Vec<&[Side]> = crowded.chunk_by(|a, b| a.edge() == b.edge()).collect();
    violations.nonmanifold_edges = ViolationList::new(&crowded, |sides| Violation::NonManifoldEdge {
        edge: sides[0].edge(),
        faces: sides.iter().map(|side| side.inputs[0]).collect(),
    });
    let mut opposite: Vec<Side> = with(note::DISAGREES).collect();
    opposite.sort_unstable_by_key(Side::edge);
    violations.inconsistent_edges = ViolationList::new(&opposite, |side| Violation::InconsistentEdge {
        edge: side.edge(),
        faces: side.inputs,
    });
    let sides = with(note::OPEN).map(|side| 3 * side.inputs[0] + side.side % 3).collect();

    let found = find_fans(vertices, linked.faces(), &linked.across)?;
    violations.isolated_vertices = match &dropped {
        None => found.isolated.into(),
        Some(dropped) => isolated_in(vertices, &dropped.all)?,
    };
    let mut several_fans = vec![];
    if found.count > 0 {
        let region = Region::around(&found.several, linked.faces(), inputs, &linked.across)?;
        let several = region.places(&array::select(&found.several)?.read()?);
        let corners = Corners::of(&several, region.vertices.len(), &region.faces);
        // fans are connected across crowded edges, too
        let of = |corners: &[(u32, u32)]| (corners[0].0, fans(corners, &region.faces));
        let mut all: Vec<_> = corners.by_vertex().into_par_iter().map(of).collect();
        all.retain(|(_, fans)| fans.len() > 1);
        several_fans = all.iter().map(|(v, _)| region.vertices[*v as usize]).collect();
        violations.nonmanifold_vertices =
            ViolationList::new(&all, |(vertex, faces)| Violation::NonManifoldVertex {
                vertex: region.vertices[*vertex as usize],
                faces: faces.iter().map(|&face| region.inputs[face as usize]).collect(),
            });
    }
    let faces = dropped.map_or_else(|| linked.shared_faces(), |dropped| dropped.all.into());
    let boundary = Boundary { violations, sides, several_fans };
    Ok(Looked { boundary, open: None, faces, corners: None, vertices })
}

/// The faces with a vertex twice.
fn degenerate(dropped: &Dropped) -> Result<ViolationList> {
    let faces = &dropped.degenerate;
    let listed = &faces[..faces.len().min(ViolationList::LISTED)];
    let corners = rows(&dropped.all, &dropped.all.device().upload(listed)?)?.read()?;
    let named = listed.iter().zip(corners.as_chunks().0);
    let first = named.map(|(&face, &corners)| Violation::DegenerateFace { face, corners }).collect();
    Ok(ViolationList { count: faces.len() as u64, first })
}

/// The faces with the three vertices of an earlier one in any order, ascending, each with the first of these.
/// `twins`: the sides between the two lesser vertices of all faces that may have the vertices of others.
fn duplicates(twins: impl Iterator<Item = Side>) -> Vec<(Side, u32)> {
    let vertices = |side: &Side| (side.edge(), side.apex);
    let mut twins: Vec<Side> = twins.collect();
    twins.sort_unstable_by_key(|twin| (vertices(twin), twin.side));
    let same = twins.chunk_by(|a, b| vertices(a) == vertices(b));
    let mut found: Vec<(Side, u32)> =
        same.flat_map(|same| same[1..].iter().map(|later| (*later, same[0].inputs[0]))).collect();
    found.sort_unstable_by_key(|(later, _)| later.side);
    found
}

/// Number of vertices without a face.
pub(crate) fn isolated_in(vertices: usize, faces: &Buffer<u32>) -> Result<u64> {
    Ok(vertices as u64 - array::sum(&used(vertices, faces)?)?)
}

/// The first face of each fan of a vertex, ascending. `corners` has the corners of the vertex, ascending.
/// Fans are connected across all edges, non-manifold ones included.
fn fans(corners: &[(u32, u32)], faces: &[[u32; 3]]) -> Vec<u32> {
    let mut around: Vec<(u32, u32)> = Vec::with_capacity(2 * corners.len());
    for (i, &(_, corner)) in (0..).zip(corners) {
        around.push((start(faces, behind(corner)), i));
        around.push((start(faces, before(corner)), i));
    }
    around.sort_unstable();
    let mut fans = UnionFind::new(corners.len());
    for two in around.windows(2).filter(|two| two[0].0 == two[1].0) {
        fans.join(two[0].1, two[1].1);
    }
    let roots = (0..corners.len()).filter(|&i| fans.root(i as u32) as usize == i);
    roots.map(|i| corners[i].1 / 3).collect()
}

/// Number of vertices without a face.
pub(crate) fn isolated(vertices: usize, faces: &[[u32; 3]]) -> u64 {
    let mut used = vec![NONE; vertices];
    faces.as_flattened().iter().for_each(|&v| used[v as usize] = 0);
    used.iter().filter(|used| **used == NONE).count() as u64
}
