//! The faces that a cavity deletes: the templates of the thesis (5.1, Figure 5.4), by seed and deleted
//! neighbourhood.
//!
//! A vertex that is deleted takes its edges and faces along, an edge its faces, so that some templates delete
//! the same faces:
//!
//! | template | deletes the faces |
//! |---|---|
//! | V, VE, VF | of the vertex: [`StarOfVertex`] |
//! | VV | of the vertex and of its neighbours: [`StarsOfRing`] |
//! | E, EF | of the edge: [`FacesOfEdge`] |
//! | EV | of the edge's two vertices: [`StarsOfEdge`] |
//! | F | the face: [`OneFace`] |
//! | FE, FF | the face and the faces across its edges: [`FacesAroundFace`] |
//! | FV | of the face's three vertices: [`StarsOfFace`] |
//!
//! Each names a face once, by one of its half-edges. The first one is where the boundary loop is looked for
//! first. An operator of one's own may name any other faces in the same way; a cavity that names a face twice
//! is refused.
use crate::device::{Edge, EdgeId, Element, ElementKind, Face, FaceId, HalfEdge, Vertex, VertexId};
use crate::dynamic::mesh::MeshRef;

/// The faces that the cavity at a seed deletes, for `#[operator(cavity = …)]`.
pub trait Template<E: Element> {
    /// Names each of them once, by a half-edge.
    fn faces(mesh: impl MeshRef, seed: E::Id, visit: impl FnMut(HalfEdge));
}
macro_rules! templates { ($($(#[$doc:meta])* $name:ident $kind:ident $function:ident;)*) => { $(
    $(#[$doc])*
    #[derive(Clone, Copy, Debug)]
    pub struct $name;
    impl Template<$kind> for $name {
        #[inline(always)]
        fn faces(mesh: impl MeshRef, seed: <$kind as Element>::Id, visit: impl FnMut(HalfEdge)) {
            $function(mesh, seed, visit)
        }
    }
)* } }
templates! {
    /// [`star`].
    StarOfVertex Vertex star;
    /// [`stars_of_ring`].
    StarsOfRing Vertex stars_of_ring;
    /// [`of_edge`].
    FacesOfEdge Edge of_edge;
    /// [`stars_of_edge`].
    StarsOfEdge Edge stars_of_edge;
    /// [`one_face`].
    OneFace Face one_face;
    /// [`around_face`].
    FacesAroundFace Face around_face;
    /// [`stars_of_face`].
    StarsOfFace Face stars_of_face;
}

/// A template by its name in the thesis: the seed, and what is deleted with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum ThesisTemplate {
    /// A vertex.
    V,
    /// A vertex and its neighbours.
    VV,
    /// A vertex and its edges.
    VE,
    /// A vertex and its faces.
    VF,
    /// An edge.
    E,
    /// An edge and its vertices.
    EV,
    /// An edge and its faces.
    EF,
    /// A face.
    F,
    /// A face and its vertices.
    FV,
    /// A face and its edges.
    FE,
    /// A face and the faces across its edges.
    FF,
}
impl ThesisTemplate {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::V,
        Self::VV,
        Self::VE,
        Self::VF,
        Self::E,
        Self::EV,
        Self::EF,
        Self::F,
        Self::FV,
        Self::FE,
        Self::FF,
    ];
    /// The kind of its seeds.
    #[inline(always)]
    pub const fn seed(self) -> ElementKind {
        match self {
            Self::V | Self::VV | Self::VE | Self::VF => ElementKind::Vertex,
            Self::E | Self::EV | Self::EF => ElementKind::Edge,
            Self::F | Self::FV | Self::FE | Self::FF => ElementKind::Face,
        }
    }
    /// The faces of its cavity at the seed with this number: what [`crate::dynamic::Operator::faces`] is to
    /// name.
    #[inline(always)]
    pub fn faces(self, mesh: impl MeshRef, seed: u32, visit: impl FnMut(HalfEdge)) {
        let (v, e, f) = (VertexId::new(seed), EdgeId::new(seed), FaceId::new(seed));
        match self {
            Self::V | Self::VE | Self::VF => star(mesh, v, visit),
            Self::VV => stars_of_ring(mesh, v, visit),
            Self::E | Self::EF => of_edge(mesh, e, visit),
            Self::EV => stars_of_edge(mesh, e, visit),
            Self::F => one_face(mesh, f, visit),
            Self::FE | Self::FF => around_face(mesh, f, visit),
            Self::FV => stars_of_face(mesh, f, visit),
        }
    }
}

/// The faces of vertex `v`, by the half-edges that begin there.
#[inline(always)]
pub fn star(mesh: impl MeshRef, v: VertexId, visit: impl FnMut(HalfEdge)) {
    star_at(mesh, mesh.half_edge_at(v), visit)
}

/// The faces of vertex `v` and of its neighbours. Quadratic in the valence.
#[inline(always)]
pub fn stars_of_ring(mesh: impl MeshRef, v: VertexId, mut visit: impl FnMut(HalfEdge)) {
    let Some(h) = mesh.half_edge_at(v) else { return };
    mesh.star(h, |g| {
        visit(g);
        true
    });
    mesh.neighbours(h, |w, g| {
        let at_w = if mesh.from(g) == w { g } else { g.next() };
        mesh.star(at_w, |g| {
            // named by v, or by a neighbour before this one
            let (b, c) = (mesh.to(g), mesh.opposite(g));
            if b == v || c == v {
                return true;
            }
            let mut before = false;
            mesh.neighbours(h, |u, _| {
                if u == w {
                    return false;
                }
                before |= u == b || u == c;
                true
            });
            if !before {
                visit(g);
            }
            true
        });
        true
    });
}

/// The one or two faces of edge `e`, by their half-edges on it.
#[inline(always)]
pub fn of_edge(mesh: impl MeshRef, e: EdgeId, mut visit: impl FnMut(HalfEdge)) {
    let [g, h] = mesh.sides(e);
    if let Some(g) = g {
        visit(g);
    }
    if let Some(h) = h {
        visit(h);
    }
}

/// The faces of the vertex at which half-edge `h` begins; nothing if that is none.
#[inline(always)]
pub fn star_at(mesh: impl MeshRef, h: Option<HalfEdge>, mut visit: impl FnMut(HalfEdge)) {
    if let Some(h) = h {
        mesh.star(h, |g| {
            visit(g);
            true
        });
    }
}

/// The faces of the two vertices of edge `e`.
#[inline(always)]
pub fn stars_of_edge(mesh: impl MeshRef, e: EdgeId, mut visit: impl FnMut(HalfEdge)) {
    let [g, h] = mesh.sides(e);
    let Some(h) = g.or(h) else { return };
    let a = mesh.from(h);
    mesh.star(h, |g| {
        visit(g);
        true
    });
    mesh.star(h.next(), |g| {
        if mesh.to(g) != a && mesh.opposite(g) != a {
            visit(g);
        }
        true
    });
}

/// Face `f`.
#[inline(always)]
pub fn one_face(_: impl MeshRef, f: FaceId, mut visit: impl FnMut(HalfEdge)) {
    visit(f.half_edge(0));
}

/// Face `f` and the faces across its edges.
#[inline(always)]
pub fn around_face(mesh: impl MeshRef, f: FaceId, mut visit: impl FnMut(HalfEdge)) {
    visit(f.half_edge(0));
    let [a, b, c] = [0, 1, 2].map(|corner| mesh.twin(f.half_edge(corner)));
    let same = |g: Option<HalfEdge>, h: HalfEdge| matches!(g, Some(g) if g.face() == h.face());
    if let Some(a) = a {
        visit(a);
    }
    if let Some(b) = b
        && !same(a, b)
    {
        visit(b);
    }
    if let Some(c) = c
        && !same(a, c)
        && !same(b, c)
    {
        visit(c);
    }
}

/// The faces of the three vertices of face `f`.
#[inline(always)]
pub fn stars_of_face(mesh: impl MeshRef, f: FaceId, mut visit: impl FnMut(HalfEdge)) {
    let h = f.half_edge(0);
    let (a, b) = (mesh.from(h), mesh.to(h));
    mesh.star(h, |g| {
        visit(g);
        true
    });
    mesh.star(h.next(), |g| {
        if mesh.to(g) != a && mesh.opposite(g) != a {
            visit(g);
        }
        true
    });
    mesh.star(h.prev(), |g| {
        let (to, opposite) = (mesh.to(g), mesh.opposite(g));
        if to != a && opposite != a && to != b && opposite != b {
            visit(g);
        }
        true
    });
}
