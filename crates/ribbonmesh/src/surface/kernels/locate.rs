//! Where the elements of a changed mesh are on the surface that it was made of.
use super::seams::Curves;
use crate::bvh::BvhView;
use crate::device::{Block, FaceId, HalfEdge, In, Out, Parameter, Quad, Values, Vertex, VertexId, kernel};
use crate::dynamic::{DynamicView, MeshRef};
use crate::surface::location::Location;
use glam::Vec3;

/// Elements of a block: one per thread, since a search waits for memory most of the time.
pub const ELEMENTS: u32 = 128;

/// How far from a vertex, in mean lengths of its edges, is looked for the side of a curve on which a corner
/// lies.
const ASIDE: f32 = 0.03;
/// Faces at a vertex that are looked at in either direction.
const MOST_ASIDE: u32 = 64;

/// The surface before.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Before<'a> {
    /// Its tree.
    pub tree: BvhView<'a>,
    /// Three vertices of each face.
    pub faces: In<'a, u32>,
    /// Positions.
    pub x: In<'a, Vec3>,
}
impl Before<'_> {
    /// The place nearest to `p` of the face that is nearest to `near`.
    #[inline(always)]
    fn locate(&self, near: Vec3, p: Vec3) -> Location {
        let face = self.tree.closest(near).face;
        if face >= self.tree.faces() {
            return Location::of_vertex(0);
        }
        let corners = [0, 1, 2].map(|i| self.x.get(self.faces.get(3 * face + i)));
        Location::in_face(face, corners, p)
    }
}

/// How many elements of a block of [`ELEMENTS`] there are from `base` on.
#[inline(always)]
pub fn part(n: u32, base: u32) -> u32 {
    if n - base < ELEMENTS { n - base } else { ELEMENTS }
}

/// The place of each of `n` vertices on the surface before. Vertices without faces are the same as before in
/// the same order: `ranks` has the number of those before each vertex, `isolated` the ids that they had.
/// Needs half-edges of vertices. One block per [`ELEMENTS`].
#[kernel(threads = 128)]
pub fn locate_vertices<'a>(
    block: &Block,
    mesh: DynamicView<'a>,
    n: u32,
    x: Values<'a, Vertex, Vec3>,
    before: Before<'a>,
    ranks: In<'a, u32>,
    isolated: In<'a, u32>,
    at: Out<'a, Quad>,
) {
    let base = ELEMENTS * block.index();
    block.for_each_nosync(part(n, base), |i| {
        let v = VertexId::new(base + i);
        let location = if mesh.half_edge_at(v).is_some() {
            let p = x.get(v);
            before.locate(p, p)
        } else {
            let rank = ranks.get(v.index());
            Location::of_vertex(if (rank as usize) < isolated.len() { isolated.get(rank) } else { 0 })
        };
        at.set(v.index(), location.to_words());
    });
}

/// The face of the surface before that is nearest to the middle of each of `n` faces. One block per
/// [`ELEMENTS`].
#[kernel(threads = 128)]
pub fn locate_faces<'a>(
    block: &Block,
    mesh: DynamicView<'a>,
    n: u32,
    x: Values<'a, Vertex, Vec3>,
    before: Before<'a>,
    nearest: Out<'a, u32>,
) {
    let base = ELEMENTS * block.index();
    block.for_each_nosync(part(n, base), |i| {
        let f = FaceId::new(base + i);
        let [a, b, c] = mesh.corners(f).map(|v| x.get(v));
        let found = before.tree.closest((a + b + c) / 3.0).face;
        nearest.set(f.index(), if found < before.tree.faces() { found } else { 0 });
    });
}

/// The place of each of `n` corners on the surface before: that of its vertex, or, where curves meet the
/// vertex, the place on the corner's side of them. Needs half-edges of vertices. One block per [`ELEMENTS`].
#[kernel(threads = 128)]
pub fn locate_corners<'a>(
    block: &Block,
    mesh: DynamicView<'a>,
    n: u32,
    x: Values<'a, Vertex, Vec3>,
    before: Before<'a>,
    curves: Curves<'a>,
    of_vertices: In<'a, Quad>,
    at: Out<'a, Quad>,
) {
    let base = ELEMENTS * block.index();
    block.for_each_nosync(part(n, base), |i| {
        let c = base + i;
        let h = FaceId::new(c / 3).half_edge(c % 3);
        let v = mesh.from(h);
        let location = match aside(mesh, curves, x, h) {
            None => of_vertices.get(v.index()),
            Some(by) => {
                let p = x.get(v);
                before.locate(p + by, p).to_words()
            }
        };
        at.set(c, location);
    });
}

/// From the start of `h` a little towards the faces that are on the same side of all curves there as the face
/// of `h`; `None` where there are no curves.
#[inline(always)]
fn aside(
    mesh: DynamicView<'_>,
    curves: Curves<'_>,
    x: Values<'_, Vertex, Vec3>,
    h: HalfEdge,
) -> Option<Vec3> {
    if !curves.some() {
        return None;
    }
    // clockwise to where this side begins
    let (mut first, mut met, mut steps) = (h, false, 0);
    loop {
        if curves.has(mesh.edge(first)) {
            met = true;
            break;
        }
        let Some(twin) = mesh.twin(first) else { break };
        first = twin.next();
        steps += 1;
        if steps > MOST_ASIDE {
            break;
        }
        if first == h {
            return None;
        }
    }
    // counter-clockwise to where it ends
    let p = x.get(mesh.from(h));
    let (mut g, mut sum, mut faces) = (first, Vec3::ZERO, 0.0);
    loop {
        sum += (x.get(mesh.to(g)) - p) + (x.get(mesh.opposite(g)) - p);
        faces += 1.0;
        if curves.has(mesh.edge(g.prev())) {
            met = true;
            break;
        }
        // of so many faces those nearby say enough
        steps += 1;
        if steps > 3 * MOST_ASIDE {
            return Some(sum * (0.5 * ASIDE / faces));
        }
        let Some(twin) = mesh.twin(g.prev()) else { break };
        g = twin;
        if g == first {
            break;
        }
    }
    met.then_some(sum * (0.5 * ASIDE / faces))
}
