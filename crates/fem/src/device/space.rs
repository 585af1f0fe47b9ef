//! Nodes of elements: which node a cell has, and which cells a node has.
use super::bernstein::EDGES;
use ribbonmesh::device::{In, Parameter};
use ribbonmesh_volume::TcsrView;

/// A space of functions as kernels see it. Nodes are numbered: vertices, then those inside of edges, faces
/// and cells (Mueller-Roemer 2020, section 4.4.1).
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct SpaceView<'a> {
    /// The number of nodes.
    pub nodes: u32,
    /// The first node inside of an edge.
    pub first_edge: u32,
    /// The first node inside of a face.
    pub first_face: u32,
    /// Vertices of each cell in the order of VTK, without signs.
    pub corners: In<'a, i32>,
    /// Edges of each cell; without rows where nodes are vertices only.
    pub cell_edges: TcsrView<'a>,
    /// Faces of each cell; without rows below order 3.
    pub cell_faces: TcsrView<'a>,
    /// Cells of each vertex.
    pub vertex_cells: TcsrView<'a>,
    /// Cells of each edge.
    pub edge_cells: TcsrView<'a>,
    /// Cells of each face.
    pub face_cells: TcsrView<'a>,
}

/// The nodes of a kind of cell.
pub trait Shape: 'static {
    /// Vertices of a cell.
    const CORNERS: u32;
    /// Nodes of a cell, its vertices first.
    const NODES: u32;
    /// Node `k` of a cell.
    fn node(space: &SpaceView<'_>, cell: u32, k: u32) -> u32;
    /// Runs `f(cell, k)` for each cell that has the node, as its node `k`. Cells ascend.
    fn cells(space: &SpaceView<'_>, node: u32, f: impl FnMut(u32, u32));
}

/// Tetrahedra of order `P`, 1 to 3. The nodes inside of an edge are ordered from its smaller vertex to the
/// larger one, so that all cells agree.
pub struct Tetrahedron<const P: u32>;
impl<const P: u32> Tetrahedron<P> {
    /// Nodes inside of an edge.
    const INNER: u32 = P - 1;
    #[inline(always)]
    fn reversed(space: &SpaceView<'_>, cell: u32, edge: u32) -> bool {
        let [a, b] = EDGES[edge as usize];
        space.corners.get(4 * cell + a) > space.corners.get(4 * cell + b)
    }
}
impl<const P: u32> Shape for Tetrahedron<P> {
    const CORNERS: u32 = 4;
    const NODES: u32 = (P + 1) * (P + 2) * (P + 3) / 6;
    #[inline(always)]
    fn node(space: &SpaceView<'_>, cell: u32, k: u32) -> u32 {
        if P == 1 || k < 4 {
            return space.corners.get(4 * cell + k) as u32;
        }
        if P == 2 {
            return space.first_edge + space.cell_edges.column(6 * cell + k - 4);
        }
        if k >= 16 {
            return space.first_face + space.cell_faces.column(4 * cell + k - 16);
        }
        let (edge, j) = ((k - 4) / 2, (k - 4) % 2);
        let j = j ^ Self::reversed(space, cell, edge) as u32;
        space.first_edge + 2 * space.cell_edges.column(6 * cell + edge) + j
    }
    #[inline(always)]
    fn cells(space: &SpaceView<'_>, node: u32, mut f: impl FnMut(u32, u32)) {
        if P == 1 || node < space.first_edge {
            space.vertex_cells.of(node, |cell, _| {
                let at = |k: u32| space.corners.get(4 * cell + k) as u32 == node;
                f(cell, at(1) as u32 + 2 * at(2) as u32 + 3 * at(3) as u32);
            });
        } else if P == 2 || node < space.first_face {
            let (own, j) = ((node - space.first_edge) / Self::INNER, (node - space.first_edge) % Self::INNER);
            space.edge_cells.of(own, |cell, _| {
                let mut edge = 0;
                while edge < 5 && space.cell_edges.column(6 * cell + edge) != own {
                    edge += 1;
                }
                let j = if P == 3 { j ^ Self::reversed(space, cell, edge) as u32 } else { j };
                f(cell, 4 + Self::INNER * edge + j);
            });
        } else {
            let own = node - space.first_face;
            space.face_cells.of(own, |cell, _| {
                let mut face = 0;
                while face < 3 && space.cell_faces.column(4 * cell + face) != own {
                    face += 1;
                }
                f(cell, 4 + 6 * Self::INNER + face);
            });
        }
    }
}

/// Triangles of order 1.
pub struct Triangle;
impl Shape for Triangle {
    const CORNERS: u32 = 3;
    const NODES: u32 = 3;
    #[inline(always)]
    fn node(space: &SpaceView<'_>, cell: u32, k: u32) -> u32 {
        space.corners.get(3 * cell + k) as u32
    }
    #[inline(always)]
    fn cells(space: &SpaceView<'_>, node: u32, mut f: impl FnMut(u32, u32)) {
        space.vertex_cells.of(node, |cell, _| {
            let at = |k: u32| space.corners.get(3 * cell + k) as u32 == node;
            f(cell, at(1) as u32 + 2 * at(2) as u32);
        });
    }
}

/// Hexahedra of order 1.
pub struct Hexahedron;
impl Shape for Hexahedron {
    const CORNERS: u32 = 8;
    const NODES: u32 = 8;
    #[inline(always)]
    fn node(space: &SpaceView<'_>, cell: u32, k: u32) -> u32 {
        space.corners.get(8 * cell + k) as u32
    }
    #[inline(always)]
    fn cells(space: &SpaceView<'_>, node: u32, mut f: impl FnMut(u32, u32)) {
        space.vertex_cells.of(node, |cell, _| {
            let mut k = 0;
            while k < 7 && space.corners.get(8 * cell + k) as u32 != node {
                k += 1;
            }
            f(cell, k);
        });
    }
}
