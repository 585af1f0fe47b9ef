//! Counts and invariants of the connectivity.
use super::components::{boundary_loops, components};
use super::duplicates::duplicate_faces;
use super::fans::vertices_of_several_fans;
use super::sides::Sides;
use super::statistics::Statistics;
use crate::{Error, Op, QueryResult, Result, StaticMesh};
use rayon::prelude::*;
use ribbonmesh_device::Edge;

/// Counts and topological invariants of a mesh's connectivity.
#[derive(Clone, Debug, PartialEq)]
pub struct Topology {
    /// Vertices, isolated ones included.
    pub vertices: u64,
    /// Edges: unordered pairs of vertices that some face has as a side. A degenerate face may have an edge
    /// from a vertex to itself.
    pub edges: u64,
    /// Faces, degenerate and duplicate ones included.
    pub faces: u64,
    /// Edges of exactly one face.
    pub boundary_edges: u64,
    /// Edges with more than two sides of faces. In a degenerate face, two or three sides may be the same
    /// edge.
    pub nonmanifold_edges: u64,
    /// Vertices with several fans: their faces are not all connected across edges at the vertex. A
    /// non-manifold edge alone does not make its vertices non-manifold. Isolated vertices do not count. As in
    /// libigl's `is_vertex_manifold` and MeshLab.
    pub nonmanifold_vertices: u64,
    /// Components: maximal sets of faces connected across edges, including non-manifold ones. Faces that
    /// share only a vertex are not connected; isolated vertices do not count. As in MeshLab and libigl's
    /// `facet_components`.
    pub components: u64,
    /// Vertices of no face.
    pub isolated_vertices: u64,
    /// Faces with the same vertex twice or three times.
    pub degenerate_faces: u64,
    /// Faces beyond the first with the same three vertices, in whatever order.
    pub duplicate_faces: u64,
    /// Edges between two different vertices with exactly two sides that run in the same direction: the two
    /// faces have opposite orientations.
    pub inconsistent_edges: u64,
    /// Vertices − edges + faces.
    pub euler_characteristic: i64,
    /// Sum of the genera of all components, with every boundary loop closed by a disc: (2 · components −
    /// boundary loops − χ) / 2, χ without isolated vertices. `None` unless the faces form an orientable
    /// manifold: at least one face, no non-manifold edge or vertex, no degenerate face. The orientation
    /// itself need not be consistent.
    pub genus: Option<u64>,
    /// Numbers of neighbours (VV) of the vertices that have a face.
    pub valence: Option<Statistics>,
}

impl StaticMesh {
    /// Computes counts and invariants of the connectivity. Runs queries on the mesh's device; then nearly
    /// linear on the host, except for a sort of the faces.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn topology(&self) -> Result<Topology> {
        let sides = Sides::of(self)?;
        let boundary = self.boundary::<Edge>()?.read()?;
        let (vf, vv) = (self.query(Op::VF)?, offsets(&self.query(Op::VV)?)?);
        let neighbours = vv.windows(2).map(|row| row[1] - row[0]).collect();
        let rows = Rows { faces: (offsets(&vf)?, vf.values().read()?), neighbours };
        self.device().install(|| Ok(count(self.vertices(), &sides, &boundary, &rows)))
    }
}

/// Faces and number of neighbours of each vertex.
pub(super) struct Rows {
    /// VF: where each row begins, and the faces.
    pub faces: (Vec<u32>, Vec<u32>),
    /// Lengths of the rows of VV.
    pub neighbours: Vec<u32>,
}

fn offsets(result: &QueryResult) -> Result<Vec<u32>> {
    let missing = || Error::Invalid("rows of vertices without offsets".to_owned());
    result.offsets().ok_or_else(missing)?.read()
}

/// `boundary`: for each edge, whether it has exactly one face.
pub(super) fn count(vertices: usize, sides: &Sides, boundary: &[u32], rows: &Rows) -> Topology {
    let (vf, faces_of_v) = &rows.faces;
    let (parts, ((several_fans, duplicates), uses)) = rayon::join(
        || components(sides),
        || {
            let fans = || vertices_of_several_fans(&sides.fv, vf, faces_of_v);
            (rayon::join(fans, || duplicate_faces(&sides.fv)), sides.uses())
        },
    );
    let has_face = |v: usize| vf[v + 1] > vf[v];
    let isolated = (0..vertices).into_par_iter().filter(|&v| !has_face(v)).count();
    let degenerate = |c: &[u32]| c[0] == c[1] || c[1] == c[2] || c[2] == c[0];
    let degenerate = sides.fv.par_chunks_exact(3).filter(|c| degenerate(c)).count();
    let nonmanifold = uses.par_iter().filter(|n| n[0] + n[1] > 2).count();
    let inconsistent = |(edge, n): (usize, &[u32; 2])| matches!(n, [2, 0] | [0, 2]) && !sides.is_loop(edge);
    let inconsistent = uses.par_iter().enumerate().filter(|&x| inconsistent(x)).count();
    let [edges, faces] = [sides.ev.len() / 2, sides.fv.len() / 3];
    let characteristic = vertices as i64 - edges as i64 + faces as i64;
    let manifold = nonmanifold == 0 && several_fans == 0 && degenerate == 0;
    let genus = (faces > 0 && manifold && parts.orientable).then(|| {
        let loops = boundary_loops(vertices, sides, boundary);
        let handles = 2 * parts.count as i64 - loops as i64 - (characteristic - isolated as i64);
        handles as u64 / 2
    });
    Topology {
        vertices: vertices as u64,
        edges: edges as u64,
        faces: faces as u64,
        boundary_edges: boundary.par_iter().map(|&flag| u64::from(flag)).sum(),
        nonmanifold_edges: nonmanifold as u64,
        nonmanifold_vertices: several_fans as u64,
        components: parts.count as u64,
        isolated_vertices: isolated as u64,
        degenerate_faces: degenerate as u64,
        duplicate_faces: duplicates as u64,
        inconsistent_edges: inconsistent as u64,
        euler_characteristic: characteristic,
        genus,
        valence: Statistics::of(vertices, |v| has_face(v).then(|| f64::from(rows.neighbours[v]))),
    }
}
