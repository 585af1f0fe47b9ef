//! Operators whose template and filling are arguments.
use crate::trial::fillings;
use glam::UVec2;
use ribbonmesh::device::{
    Edge, EdgeId, Element, ElementId, ElementKind, Face, FaceId, HalfEdge, In, Out, Parameter, ValuesMut,
    Vertex, VertexId,
};
use ribbonmesh::dynamic::templates::{self, ThesisTemplate};
use ribbonmesh::dynamic::{Cavity, Decision, Fill, Filled, MeshRef, Operator, Rejection, SeedId, operator};

/// Beyond the templates of the thesis: the faces at a vertex that have the label of the first one; the strip
/// of faces that begins at an edge and turns left and right in turns, [`STRIP`] faces to either side; a face
/// with the faces across its edges that have its label.
pub const USER: u32 = 100;

/// Faces of a strip on each side of its edge.
pub const STRIP: u32 = 3;

/// A cavity to delete, where, and its filling.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Trial<'a> {
    /// A [`ThesisTemplate`], as a number, or [`USER`].
    pub template: u32,
    /// One of [`fillings`].
    pub filling: u32,
    /// Number of the operation, part of the tags.
    pub serial: u32,
    /// The priority of each seed; NaN for seeds that are not meant.
    pub priority: In<'a, f32>,
    /// The label of each face, for [`USER`].
    pub label: In<'a, u32>,
    /// The number of the operation for each seed whose cavity was filled.
    pub executed: Out<'a, u32>,
    /// Tags of vertices.
    pub vertices: ValuesMut<'a, Vertex, UVec2>,
    /// Tags of edges.
    pub edges: ValuesMut<'a, Edge, UVec2>,
    /// Tags of faces.
    pub faces: ValuesMut<'a, Face, UVec2>,
}

/// Filling of a cavity.
#[derive(Clone, Copy, Decision)]
pub struct Work {
    filling: u32,
    /// The ends of the seed, if that is an edge.
    ends: [VertexId; 2],
}

impl Trial<'_> {
    #[inline(always)]
    fn priority(&self, seed: impl ElementId) -> Option<f32> {
        if seed.index() as usize >= self.priority.len() {
            return None;
        }
        let p = self.priority.get(seed.index());
        if p.is_nan() { None } else { Some(p) }
    }
    #[inline(always)]
    fn label(&self, f: FaceId) -> u32 {
        if (f.index() as usize) < self.label.len() { self.label.get(f.index()) } else { 0 }
    }
    /// The faces of a vertex with the same label as the first.
    #[inline(always)]
    fn alike(&self, mesh: impl MeshRef, v: VertexId, visit: impl FnMut(HalfEdge)) {
        let Some(h) = mesh.half_edge_at(v) else { return };
        templates::star(mesh, v, self.labelled(self.label(h.face()), visit));
    }
    /// The face and the faces across its edges with the same label.
    #[inline(always)]
    fn alike_around(&self, mesh: impl MeshRef, f: FaceId, visit: impl FnMut(HalfEdge)) {
        templates::around_face(mesh, f, self.labelled(self.label(f), visit));
    }
    #[inline(always)]
    fn labelled(&self, label: u32, mut visit: impl FnMut(HalfEdge)) -> impl FnMut(HalfEdge) {
        move |h| {
            if self.label(h.face()) == label {
                visit(h);
            }
        }
    }
    #[inline(always)]
    fn decide<E: Element>(&self, mesh: impl MeshRef, cavity: &Cavity<'_, E>) -> Work {
        let ends = match E::KIND {
            ElementKind::Edge => mesh.ends(EdgeId::new(cavity.seed().index())),
            _ => None,
        };
        Work { filling: self.filling, ends: ends.unwrap_or([VertexId::NONE; 2]) }
    }
    /// Notes the execution, and tags all that was made.
    #[inline(always)]
    fn tag<E: Element>(&self, cavity: &Filled<'_, E>) {
        let seed = cavity.seed().index();
        self.executed.set(seed, self.serial);
        let tag = |i: u32| UVec2::new(self.serial, (seed << 12) + i);
        let [vertices, edges, faces] = cavity.made();
        let mut i = 0;
        while i < vertices {
            self.vertices.set(cavity.new_vertex(i), tag(i));
            i += 1;
        }
        let mut i = 0;
        while i < edges {
            self.edges.set(cavity.new_edge(i), tag(i));
            i += 1;
        }
        let mut i = 0;
        while i < faces {
            self.faces.set(cavity.new_face(i), tag(i));
            i += 1;
        }
    }
}

/// The faces of a strip, by the half-edges at which it enters them.
#[inline(always)]
fn strip(mesh: impl MeshRef, e: EdgeId, mut visit: impl FnMut(HalfEdge)) {
    let mut side = 0;
    while side < 2 {
        let mut at = mesh.sides(e)[side as usize];
        let mut k = 0;
        while k < STRIP
            && let Some(h) = at
        {
            visit(h);
            at = mesh.twin(if k & 1 == side { h.next() } else { h.prev() });
            k += 1;
        }
        side += 1;
    }
}

macro_rules! trials { ($($(#[$doc:meta])* $name:ident $kind:ident [$($template:ident)*] |$trial:ident, $mesh:ident, $seed:ident, $visit:ident| $user:expr;)*) => { $(
    $(#[$doc])*
    #[repr(C)]
    #[derive(Clone, Copy, Parameter)]
    pub struct $name<'a> {
        /// The trial.
        pub trial: Trial<'a>,
    }
    #[operator(seed = $kind)]
    impl Operator for $name<'_> {
        type Decision = Work;

        fn priority(&self, _: impl MeshRef, seed: SeedId<Self>) -> Option<f32> {
            self.trial.priority(seed)
        }
        fn faces(&self, $mesh: impl MeshRef, $seed: SeedId<Self>, $visit: impl FnMut(HalfEdge)) {
            let $trial = &self.trial;
            $(if $trial.template == ThesisTemplate::$template as u32 {
                return ThesisTemplate::$template.faces($mesh, $seed.index(), $visit);
            })*
            $user
        }
        fn decide(&self, mesh: impl MeshRef, cavity: &Cavity<'_, $kind>) -> Result<Work, Rejection> {
            Ok(self.trial.decide(mesh, cavity))
        }
        fn fill(cavity: &Cavity<'_, $kind>, work: &Work, fill: &mut impl Fill) -> Result<(), Rejection> {
            fillings::fill(work.filling, work.ends, cavity, fill)
        }
        fn scatter(&self, cavity: &Filled<'_, $kind>, _: &Work, _: (), _: &()) {
            self.trial.tag(cavity)
        }
    }
)* } }

trials! {
    /// At vertices.
    AtVertices Vertex [VF VV] |trial, mesh, seed, visit| trial.alike(mesh, seed, visit);
    /// At edges.
    AtEdges Edge [EF EV] |trial, mesh, seed, visit| { _ = trial; strip(mesh, seed, visit) };
    /// At faces.
    AtFaces Face [F FF FV] |trial, mesh, seed, visit| trial.alike_around(mesh, seed, visit);
}
