//! Half-edges in host memory, for inspection.
use super::mesh::DynamicMesh;
use crate::device::{Dart, EdgeId, FaceId, HalfEdge, NONE, VertexId};
use crate::dynamic::MeshRef;
use crate::{Device, FlatTopology, Result};

/// A copy of a [`DynamicMesh`] in host memory, for traversal. `&HalfEdgeMesh` is a [`MeshRef`], so `next`,
/// `prev`, `twin`, `star`, `diamond` and the other functions are the same as for operators in kernels.
///
/// ```
/// use ribbonmesh::device::VertexId;
/// use ribbonmesh::dynamic::{HalfEdgeMesh, MeshRef};
///
/// # fn main() -> ribbonmesh::Result<()> {
/// // a square of two triangles
/// let square = HalfEdgeMesh::new(4, &[[0, 1, 2], [0, 2, 3]])?;
/// let neighbours: Vec<u32> = square.around(VertexId::new(0)).map(|h| square.to(h).index()).collect();
/// assert_eq!(neighbours, [1, 2]); // 3 arrives: no half-edge goes there
/// assert_eq!(square.boundary_loops()[0].len(), 4);
/// # Ok(())
/// # }
/// ```
///
/// An id out of range panics, as an index of a slice does.
pub struct HalfEdgeMesh {
    /// Three vertices of each face and a word that is not used.
    fv: Vec<[u32; 4]>,
    /// Three darts of each face and a word that is not used.
    fe: Vec<[u32; 4]>,
    eh: Vec<[u32; 2]>,
    vh: Vec<u32>,
}

impl HalfEdgeMesh {
    /// The half-edges of triangles, computed on the CPU. Ids are the same as in [`DynamicMesh::from_flat`].
    /// # Errors
    /// As [`FlatTopology::new`] and [`DynamicMesh::from_flat`].
    pub fn new(vertices: usize, faces: &[[u32; 3]]) -> Result<Self> {
        DynamicMesh::from_flat(&FlatTopology::new(&Device::cpu(), vertices, faces)?, 0.0)?.half_edges()
    }

    /// Number of vertex ids, including those of deleted vertices.
    pub fn vertex_ids(&self) -> u32 {
        self.vh.len() as u32
    }
    /// The living edges, ascending.
    pub fn edges(&self) -> impl Iterator<Item = EdgeId> {
        (0..).zip(&self.eh).filter(|(_, sides)| **sides != [NONE; 2]).map(|(e, _)| EdgeId::new(e))
    }
    /// The living faces, ascending.
    pub fn faces(&self) -> impl Iterator<Item = FaceId> {
        (0..).zip(&self.fv).filter(|(_, corners)| corners[0] != NONE).map(|(f, _)| FaceId::new(f))
    }
    /// The half-edges that begin at a vertex, one for each of its faces, counter-clockwise, beginning at the
    /// boundary if the vertex is on it. Empty if the vertex has no face.
    pub fn around(&self, v: VertexId) -> Around<'_> {
        let mut first = self.half_edge_at(v);
        // back to the boundary, if there is one
        if let Some(any) = first {
            let mut at = any;
            while let Some(twin) = self.twin(at) {
                at = twin.next();
                if at == any {
                    break;
                }
            }
            first = Some(at);
        }
        Around { mesh: self, first, next: first }
    }
    /// The boundary loops: the half-edges on the boundary, each loop in the direction of its faces, beginning
    /// with its smallest half-edge.
    pub fn boundary_loops(&self) -> Vec<Vec<HalfEdge>> {
        let mut seen = vec![false; 4 * self.fv.len()];
        let mut loops = vec![];
        for first in self.faces().flat_map(|f| (0..3).map(move |i| f.half_edge(i))) {
            if seen[first.index() as usize] || self.twin(first).is_some() {
                continue;
            }
            let (mut one, mut at) = (vec![], first);
            loop {
                seen[at.index() as usize] = true;
                one.push(at);
                // the half-edge on the boundary that begins where this one ends
                at = at.next();
                while let Some(twin) = self.twin(at) {
                    at = twin.next();
                }
                if at == first {
                    break;
                }
            }
            loops.push(one);
        }
        loops
    }
}

impl MeshRef for &HalfEdgeMesh {
    fn from(self, h: HalfEdge) -> VertexId {
        VertexId::new(self.fv[h.face().index() as usize][h.corner() as usize])
    }
    fn dart(self, h: HalfEdge) -> Dart {
        Dart::new(self.fe[h.face().index() as usize][h.corner() as usize])
    }
    fn half_edge(self, dart: Dart) -> Option<HalfEdge> {
        HalfEdge::new(self.eh[dart.edge().index() as usize][(dart.index() & 1) as usize]).some()
    }
    fn half_edge_at(self, v: VertexId) -> Option<HalfEdge> {
        HalfEdge::new(self.vh[v.index() as usize]).some()
    }
    fn corners(self, f: FaceId) -> [VertexId; 3] {
        let [a, b, c, _] = self.fv[f.index() as usize];
        [a, b, c].map(VertexId::new)
    }
}

/// The half-edges that begin at a vertex.
pub struct Around<'m> {
    mesh: &'m HalfEdgeMesh,
    first: Option<HalfEdge>,
    next: Option<HalfEdge>,
}
impl Iterator for Around<'_> {
    type Item = HalfEdge;
    fn next(&mut self) -> Option<HalfEdge> {
        let at = self.next?;
        self.next = self.mesh.twin(at.prev()).filter(|next| Some(*next) != self.first);
        Some(at)
    }
}

impl DynamicMesh {
    /// A copy in host memory, for traversal. Waits; 44 bytes per face and 4 per vertex.
    /// # Errors
    /// Errors of earlier kernels or of the driver.
    pub fn half_edges(&self) -> Result<HalfEdgeMesh> {
        let [v, e, f] = self.ids.map(|n| n as usize);
        let words = |of: Vec<u32>| of.chunks_exact(4).map(|w| [w[0], w[1], w[2], w[3]]).collect::<Vec<_>>();
        let fv = words(self.fv.read_range(0, 4 * f)?);
        let mut vh = vec![NONE; v];
        for (f, corners) in (0..).zip(&fv).filter(|(_, corners)| corners[0] != NONE) {
            for (i, &v) in (0..).zip(&corners[..3]) {
                let least = &mut vh[v as usize];
                *least = (*least).min(4 * f + i);
            }
        }
        Ok(HalfEdgeMesh {
            fv,
            fe: words(self.fe.read_range(0, 4 * f)?),
            eh: self.eh.read_range(0, 2 * e)?.chunks_exact(2).map(|w| [w[0], w[1]]).collect(),
            vh,
        })
    }
}
