//! The surroundings of a vertex, found from its corners.
use ribbonmesh::corners::{Corners, FlatMesh, PatchCorners, VertexCorners};

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

/// The corners of a patch have no edges: each end of a corner is compared with every other.
impl Neighbourhood for PatchCorners<'_> {
    #[inline(always)]
    fn around(&self, mut boundary: impl FnMut(u32)) -> Around {
        let faces = self.count();
        if closed(*self) {
            return Around { faces, edges: faces, boundary_edges: 0 };
        }
        let entry = |k: u32| {
            let (next, previous) = self.corner(k / 2);
            if k & 1 == 0 { next } else { previous }
        };
        let n = 2 * faces;
        let (mut edges, mut boundary_edges, mut k) = (0, 0, 0);
        while k < n {
            let l = entry(k);
            let (mut before, mut after, mut j) = (0, 0, 0);
            while j < n {
                if entry(j) == l {
                    before += (j < k) as u32;
                    after += (j > k) as u32;
                }
                j += 1;
            }
            edges += (before == 0) as u32;
            if before + after == 0 {
                boundary_edges += 1;
                boundary(l);
            }
            k += 1;
        }
        Around { faces, edges, boundary_edges }
    }
}

/// Whether each vertex that is the next one of a corner is the previous one of exactly one corner, for at
/// most 32 corners: then each edge has two faces.
#[inline(always)]
fn closed(corners: PatchCorners) -> bool {
    let n = corners.count();
    if n > 32 {
        return false;
    }
    let (mut found, mut k) = (0_u32, 0);
    while k < n {
        let next = corners.corner(k).0;
        let mut j = 0;
        while j < n && corners.corner(j).1 != next {
            j += 1;
        }
        if j < n {
            found |= 1 << j;
        }
        k += 1;
    }
    found.count_ones() == n
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
