//! The surroundings of a vertex, found from its corners.
use ribbonmesh::corners::{Corners, FlatMesh, VertexCorners};

/// Numbers of corners and edges at a vertex.
#[derive(Clone, Copy)]
pub struct Around {
    /// Corners: faces at the vertex.
    pub faces: u32,
    /// Edges at the vertex.
    pub edges: u32,
    /// Edges of one face.
    pub boundary_edges: u32,
}

/// The corners of a vertex, and the edges between them.
pub trait Neighbourhood: Corners {
    /// Counts them; passes the other end of each boundary edge to `boundary`.
    fn around(&self, boundary: impl FnMut(u32)) -> Around;
}

/// The corners of one vertex of a mesh without patches.
#[derive(Clone, Copy)]
pub struct FlatNeighbourhood<'a> {
    mesh: FlatMesh<'a>,
    corners: VertexCorners<'a>,
    vertex: u32,
}
impl<'a> FlatNeighbourhood<'a> {
    /// The corners of a vertex.
    #[inline(always)]
    pub fn new(mesh: FlatMesh<'a>, vertex: u32) -> Self {
        Self { mesh, corners: mesh.corners.of(vertex), vertex }
    }
}
impl Corners for FlatNeighbourhood<'_> {
    #[inline(always)]
    fn count(&self) -> u32 {
        self.corners.count()
    }
    #[inline(always)]
    fn corner(&self, k: u32) -> (u32, u32) {
        self.corners.corner(k)
    }
}
impl Neighbourhood for FlatNeighbourhood<'_> {
    #[inline(always)]
    fn around(&self, mut boundary: impl FnMut(u32)) -> Around {
        let (mut edges, mut boundary_edges) = (0, 0);
        self.mesh.edges_of(self.vertex, |_, other, only| {
            edges += 1;
            if only {
                boundary_edges += 1;
                boundary(other);
            }
        });
        Around { faces: self.count(), edges, boundary_edges }
    }
}
