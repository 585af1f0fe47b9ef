//! Search for the reasons for which a mesh is not an oriented manifold.
use crate::repair::Violation;
use crate::repair::check::{NONE, degenerate, indices};
use crate::repair::duplicates::duplicates;
use crate::repair::edges::{Edge, Edges, before, behind, start};
use crate::repair::fans::{Corners, vertices_of_several};
use crate::repair::links::{Links, same_direction};
use rayon::prelude::*;
use ribbonmesh_mesh::{Class, Classified, MeshError, Subject, UnionFind};
use std::fmt;

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
/// manifold. Linear but for sorting a few numbers per vertex; on rayon's pool. Memory: about 75 bytes a face.
/// # Errors
/// [`MeshError::FaceIndex`]; [`MeshError::TooMany`]: 400 million faces, or 2³² − 1 vertices.
pub fn manifold_violations(vertices: usize, faces: &[[u32; 3]]) -> Result<Violations, MeshError> {
    Ok(boundary(vertices, faces)?.violations)
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
pub fn boundary(vertices: usize, faces: &[[u32; 3]]) -> Result<Boundary, MeshError> {
    indices(vertices, faces)?;
    let numbered = faces.par_iter().enumerate();
    let flat: Vec<u32> = numbered.filter(|(_, face)| degenerate(**face)).map(|(i, _)| i as u32).collect();
    let corners = |face: u32| faces[face as usize];
    let degenerate_faces =
        ViolationList::new(&flat, |&face| Violation::DegenerateFace { face, corners: corners(face) });

    let edges = Edges::of(vertices, faces);
    let duplicate_faces = ViolationList::new(&duplicates(&edges, faces), |&[face, first]| {
        Violation::DuplicateFace { face, first, corners: corners(face) }
    });
    let crowded = edges.pick(|edge| (edge.len() > 2).then(|| of_edge(&edge)));
    let nonmanifold_edges = ViolationList::new(&crowded, |(edge, faces)| Violation::NonManifoldEdge {
        edge: *edge,
        faces: faces.clone(),
    });
    let opposite = edges.pick(|edge| {
        let pair = edge.pair().filter(|&pair| same_direction(faces, pair))?;
        Some((edge.ends, pair.map(|side| side / 3)))
    });
    let inconsistent_edges =
        ViolationList::new(&opposite, |&(edge, faces)| Violation::InconsistentEdge { edge, faces });

    let mut sides = edges.pick(|edge| if edge.len() == 1 { edge.sides().next() } else { None });
    sides.par_sort_unstable();

    let links = Links::of(&edges, faces.len());
    drop(edges);
    let several = vertices_of_several(vertices, faces, &links);
    let corners = Corners::of(&several, vertices, faces);
    let fans = corners.by_vertex().into_par_iter().map(|corners| (corners[0].0, fans(corners, faces)));
    let fans: Vec<_> = fans.filter(|(_, fans)| fans.len() > 1).collect();
    let nonmanifold_vertices = ViolationList::new(&fans, |(vertex, faces)| Violation::NonManifoldVertex {
        vertex: *vertex,
        faces: faces.clone(),
    });
    let several_fans = fans.iter().map(|(vertex, _)| *vertex).collect();
    let isolated_vertices = isolated(vertices, faces);
    let violations = Violations {
        degenerate_faces,
        duplicate_faces,
        nonmanifold_edges,
        inconsistent_edges,
        nonmanifold_vertices,
        isolated_vertices,
    };
    Ok(Boundary { violations, sides, several_fans })
}

fn of_edge(edge: &Edge<'_>) -> ([u32; 2], Vec<u32>) {
    (edge.ends, edge.sides().map(|side| side / 3).collect())
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
