//! Which faces a cavity deletes: the templates of the thesis (5.1, Figure 5.4), by seed and deleted neighbourhood.
//!
//! A vertex that is deleted takes its edges and faces along, an edge its faces, so that some templates delete the same
//! faces:
//!
//! | template | deletes the faces |
//! |---|---|
//! | V, VE, VF | of the vertex: [`star`] |
//! | VV | of the vertex and of its neighbours: [`stars_of_ring`] |
//! | E, EF | of the edge: [`of_edge`] |
//! | EV | of the edge's two vertices: [`stars_of_edge`] |
//! | F | the face: [`one_face`] |
//! | FE, FF | the face and those across its edges: [`around_face`] |
//! | FV | of the face's three vertices: [`stars_of_face`] |
//!
//! Each names a face once, by one of its half-edges. The first one is where the boundary loop is looked for first. An
//! operator of one's own may name any other faces in the same way; a cavity that names a face twice is refused.
use crate::view::{DynamicView, next, prev};
use ribbonmesh::device::{ElementKind, NONE};

/// A template, by the names of the thesis: the seed, and what is deleted with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Template {
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
    /// A face and those across its edges.
    FF,
}
impl Template {
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
    /// The faces of its cavity at `seed`: what [`crate::Operator::faces`] is to name. Those at vertices need `vh`.
    #[inline(always)]
    pub fn faces(self, mesh: DynamicView<'_>, seed: u32, visit: impl FnMut(u32)) {
        match self {
            Self::V | Self::VE | Self::VF => star(mesh, seed, visit),
            Self::VV => stars_of_ring(mesh, seed, visit),
            Self::E | Self::EF => of_edge(mesh, seed, visit),
            Self::EV => stars_of_edge(mesh, seed, visit),
            Self::F => one_face(mesh, seed, visit),
            Self::FE | Self::FF => around_face(mesh, seed, visit),
            Self::FV => stars_of_face(mesh, seed, visit),
        }
    }
}

/// The faces of vertex `v`, by the half-edges that begin there. Needs `vh`.
#[inline(always)]
pub fn star(mesh: DynamicView<'_>, v: u32, visit: impl FnMut(u32)) {
    star_at(mesh, mesh.vh.get(v), visit)
}

/// The faces of vertex `v` and of its neighbours. Needs `vh`. Quadratic in the valence.
#[inline(always)]
pub fn stars_of_ring(mesh: DynamicView<'_>, v: u32, mut visit: impl FnMut(u32)) {
    let h = mesh.vh.get(v);
    if h == NONE {
        return;
    }
    mesh.star(h, |g| {
        visit(g);
        true
    });
    mesh.neighbours(h, |w, g| {
        let at_w = if mesh.from(g) == w { g } else { next(g) };
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
pub fn of_edge(mesh: DynamicView<'_>, e: u32, mut visit: impl FnMut(u32)) {
    let [h0, h1] = mesh.sides(e);
    if h0 != NONE {
        visit(h0);
    }
    if h1 != NONE {
        visit(h1);
    }
}

/// The faces of the vertex at which half-edge `h` begins; nothing if that is `NONE`.
#[inline(always)]
pub fn star_at(mesh: DynamicView<'_>, h: u32, mut visit: impl FnMut(u32)) {
    if h != NONE {
        mesh.star(h, |g| {
            visit(g);
            true
        });
    }
}

/// The faces of the two vertices of edge `e`.
#[inline(always)]
pub fn stars_of_edge(mesh: DynamicView<'_>, e: u32, mut visit: impl FnMut(u32)) {
    let [h0, h1] = mesh.sides(e);
    let h = if h0 != NONE { h0 } else { h1 };
    if h == NONE {
        return;
    }
    let a = mesh.from(h);
    mesh.star(h, |g| {
        visit(g);
        true
    });
    mesh.star(next(h), |g| {
        if mesh.to(g) != a && mesh.opposite(g) != a {
            visit(g);
        }
        true
    });
}

/// Face `f`.
#[inline(always)]
pub fn one_face(_: DynamicView<'_>, f: u32, mut visit: impl FnMut(u32)) {
    visit(4 * f);
}

/// Face `f` and those across its edges.
#[inline(always)]
pub fn around_face(mesh: DynamicView<'_>, f: u32, mut visit: impl FnMut(u32)) {
    visit(4 * f);
    let [a, b, c] = [mesh.twin(4 * f), mesh.twin(4 * f + 1), mesh.twin(4 * f + 2)];
    if a != NONE {
        visit(a);
    }
    if b != NONE && b >> 2 != a >> 2 {
        visit(b);
    }
    if c != NONE && c >> 2 != a >> 2 && c >> 2 != b >> 2 {
        visit(c);
    }
}

/// The faces of the three vertices of face `f`.
#[inline(always)]
pub fn stars_of_face(mesh: DynamicView<'_>, f: u32, mut visit: impl FnMut(u32)) {
    let h = 4 * f;
    let (a, b) = (mesh.from(h), mesh.to(h));
    mesh.star(h, |g| {
        visit(g);
        true
    });
    mesh.star(next(h), |g| {
        if mesh.to(g) != a && mesh.opposite(g) != a {
            visit(g);
        }
        true
    });
    mesh.star(prev(h), |g| {
        let (to, opposite) = (mesh.to(g), mesh.opposite(g));
        if to != a && opposite != a && to != b && opposite != b {
            visit(g);
        }
        true
    });
}
