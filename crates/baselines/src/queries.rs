//! The eight queries of thesis Table 2.1: one thread per element of the source. Rows of fixed length are put
//! together in registers. Of rows of different lengths, the offsets are there before: counting them is not
//! part of the query.
use crate::HalfEdges;
use crate::each::each;
use ribbonmesh::device::{Block, In, NONE, Out, kernel};

macro_rules! of_vertices { ($($(#[$doc:meta])* $name:ident $half:ident $mesh:ident: $found:expr;)*) => { $(
    $(#[$doc])*
    #[kernel(threads = 256)]
    pub fn $name<'a>(block: &Block, mesh: HalfEdges<'a>, n: u32, offsets: In<'a, u32>, values: Out<'a, u32>) {
        let $mesh = mesh;
        each(block, n, |v| {
            let mut at = offsets.get(v);
            mesh.around(v, |$half| {
                let found = $found;
                if found != NONE {
                    values.set(at, found);
                    at += 1;
                }
            });
        });
    }
)* } }
of_vertices! {
    /// The neighbours of every vertex.
    pde_vv half mesh: mesh.targets.get(half);
    /// The edges of every vertex.
    pde_ve half _mesh: HalfEdges::edge(half);
    /// The faces of every vertex.
    pde_vf half mesh: mesh.faces.get(half);
}

/// The two vertices of every edge: the targets of its half-edges, which are stored side by side.
#[kernel(threads = 256)]
pub fn pde_ev<'a>(block: &Block, mesh: HalfEdges<'a>, n: u32, values: Out<'a, u32>) {
    let (targets, values) = (mesh.targets.wide::<u64>(), values.wide::<u64>());
    each(block, n, |e| values.set(e, targets.get(e).rotate_left(32)));
}

/// The two faces of every edge, [`NONE`] beside the boundary.
#[kernel(threads = 256)]
pub fn pde_ef<'a>(block: &Block, mesh: HalfEdges<'a>, n: u32, values: Out<'a, u32>) {
    let (faces, values) = (mesh.faces.wide::<u64>(), values.wide::<u64>());
    each(block, n, |e| values.set(e, faces.get(e)));
}

macro_rules! of_faces { ($($(#[$doc:meta])* $name:ident $halves:ident $mesh:ident: $found:expr;)*) => { $(
    $(#[$doc])*
    #[kernel(threads = 256)]
    pub fn $name<'a>(block: &Block, mesh: HalfEdges<'a>, n: u32, values: Out<'a, u32>) {
        let $mesh = mesh;
        each(block, n, |f| {
            let $halves = mesh.of(f);
            let row: [u32; 3] = $found;
            values.set(3 * f, row[0]);
            values.set(3 * f + 1, row[1]);
            values.set(3 * f + 2, row[2]);
        });
    }
)* } }
of_faces! {
    /// The three vertices of every face, in the order of the input.
    pde_fv h mesh: [mesh.targets.get(h[2]), mesh.targets.get(h[0]), mesh.targets.get(h[1])];
    /// The three edges of every face: edge `i` goes from vertex `i` to vertex `i + 1`.
    pde_fe h _mesh: h.map(HalfEdges::edge);
    /// The three faces across every face's edges, [`NONE`] beside the boundary.
    pde_ff h mesh: h.map(|half| mesh.faces.get(HalfEdges::twin(half)));
}
