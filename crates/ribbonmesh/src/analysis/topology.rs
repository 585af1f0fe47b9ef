//! Counts and invariants of the connectivity.
use super::components::{boundary_loops, components};
use super::duplicates::duplicate_faces;
use super::fans::vertices_of_several_fans;
use super::sides::Sides;
use super::statistics::Statistics;
use crate::{Error, Op, QueryResult, Result, StaticMesh};
use rayon::prelude::*;
use ribbonmesh_device::Edge;

/// What the connectivity of a mesh is like.
#[derive(Clone, Debug, PartialEq)]
pub struct Topology {
    /// Vertices, isolated ones included.
    pub vertices: u64,
    /// Edges: unordered pairs of vertices that some face has as a side; a degenerate face may have a pair of a vertex
    /// and itself.
    pub edges: u64,
    /// Faces, degenerate and duplicate ones included.
    pub faces: u64,
    /// Edges of exactly one face.
    pub boundary_edges: u64,
    /// Edges that are more than two sides of faces. A degenerate face may have the same edge as two or three sides.
    pub nonmanifold_edges: u64,
    /// Vertices whose faces fall into several groups, two faces being in one group if they share an edge at the vertex:
    /// where fans touch in a point. A vertex of a non-manifold edge is not counted for that alone. As libigl's
    /// `is_vertex_manifold` and MeshLab have it; isolated vertices are not counted.
    pub nonmanifold_vertices: u64,
    /// Largest sets of faces that are connected across edges, non-manifold edges included; fans that touch in a vertex
    /// are apart. As MeshLab and libigl's `facet_components` have it; isolated vertices are in none.
    pub components: u64,
    /// Vertices of no face.
    pub isolated_vertices: u64,
    /// Faces with the same vertex twice or three times.
    pub degenerate_faces: u64,
    /// Faces beyond the first with the same three vertices, in whatever order.
    pub duplicate_faces: u64,
    /// Edges between two different vertices that are exactly two sides, both in the same direction: the faces there have
    /// opposite orientations.
    pub inconsistent_edges: u64,
    /// Vertices − edges + faces, all of them counted.
    pub euler_characteristic: i64,
    /// Handles of all components together, every boundary loop thought closed by a disc: (2 · components − boundary
    /// loops − χ) / 2, χ without isolated vertices. None unless there are faces and all form an orientable manifold:
    /// no non-manifold edge or vertex, no degenerate face. The orientation itself need not be consistent.
    pub genus: Option<u64>,
    /// Neighbours of a vertex (VV), over the vertices that have a face.
    pub valence: Option<Statistics>,
}

impl StaticMesh {
    /// Counts what the connectivity is like. Runs queries on the mesh's machine, then nearly linear on the host, but for
    /// a sort of the faces.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn topology(&self) -> Result<Topology> {
        let sides = Sides::of(self)?;
        let boundary = self.boundary::<Edge>()?.read()?;
        let (vf, vv) = (self.query(Op::VF)?, offsets(&self.query(Op::VV)?)?);
        let vf = (offsets(&vf)?, vf.values().read()?);
        self.device().install(|| Ok(count(self, &sides, &boundary, &vf, &vv)))
    }
}

fn offsets(result: &QueryResult) -> Result<Vec<u32>> {
    let missing = || Error::Invalid("rows of vertices without offsets".to_owned());
    result.offsets().ok_or_else(missing)?.read()
}

fn count(
    mesh: &StaticMesh,
    sides: &Sides,
    boundary: &[u32],
    (vf, faces_of_v): &(Vec<u32>, Vec<u32>),
    vv: &[u32],
) -> Topology {
    let (parts, ((several_fans, duplicates), uses)) = rayon::join(
        || components(sides),
        || {
            let fans = || vertices_of_several_fans(&sides.fv, vf, faces_of_v);
            (rayon::join(fans, || duplicate_faces(&sides.fv)), sides.uses())
        },
    );
    let length = |offsets: &[u32], v: usize| offsets[v + 1] - offsets[v];
    let isolated = (0..mesh.vertices()).into_par_iter().filter(|&v| length(vf, v) == 0).count();
    let degenerate = |c: &[u32]| c[0] == c[1] || c[1] == c[2] || c[2] == c[0];
    let degenerate = sides.fv.par_chunks_exact(3).filter(|c| degenerate(c)).count();
    let nonmanifold = uses.par_iter().filter(|n| n[0] + n[1] > 2).count();
    let inconsistent = |(edge, n): (usize, &[u32; 2])| matches!(n, [2, 0] | [0, 2]) && !sides.is_loop(edge);
    let inconsistent = uses.par_iter().enumerate().filter(|&x| inconsistent(x)).count();
    let [vertices, edges, faces] = [mesh.vertices(), mesh.edges(), mesh.faces()];
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
        valence: Statistics::of(vertices, |v| (length(vf, v) > 0).then(|| f64::from(length(vv, v)))),
    }
}
