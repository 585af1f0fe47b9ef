//! Operators whose template and filling are arguments.
use crate::fillings::{self, Tagged};
use glam::UVec2;
use ribbonmesh::device::{ElementKind, In, NONE, Out, Parameter};
use ribbonmesh_dynamic::templates::{self, Template};
use ribbonmesh_dynamic::{Cavity, DynamicView, Fill, Operator, next, prev};

/// Beyond the templates of the thesis: the faces at a vertex that have the label of the first one; the strip of faces
/// that begins at an edge and turns left and right in turns, [`STRIP`] faces to either side; a face with those across
/// its edges that have its label.
pub const USER: u32 = 100;

/// Faces of a strip on each side of its edge.
pub const STRIP: u32 = 3;

/// What to delete where, and what to put there.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Trial<'a> {
    /// A [`Template`], as a number, or [`USER`].
    pub template: u32,
    /// One of [`fillings`].
    pub filling: u32,
    /// Number of the operation, part of the tags.
    pub serial: u32,
    /// Of each seed; not a number for those that are not meant.
    pub priority: In<'a, f32>,
    /// Of each face, for [`USER`].
    pub label: In<'a, u32>,
    /// Of each seed: the number of the operation, where its cavity was filled.
    pub executed: Out<'a, u32>,
    /// Tags of vertices.
    pub vertices: Out<'a, UVec2>,
    /// Tags of edges.
    pub edges: Out<'a, UVec2>,
    /// Tags of faces.
    pub faces: Out<'a, UVec2>,
}

impl Trial<'_> {
    #[inline(always)]
    fn priority(&self, seed: u32) -> Option<f32> {
        if seed as usize >= self.priority.len() {
            return None;
        }
        let p = self.priority.get(seed);
        if p.is_nan() { None } else { Some(p) }
    }
    #[inline(always)]
    fn label(&self, f: u32) -> u32 {
        if (f as usize) < self.label.len() { self.label.get(f) } else { 0 }
    }
    /// The faces of a vertex with the same label as the first.
    #[inline(always)]
    fn alike(&self, mesh: DynamicView<'_>, v: u32, mut visit: impl FnMut(u32)) {
        let label = self.label(mesh.vh.get(v) >> 2);
        templates::star(mesh, v, |h| {
            if self.label(h >> 2) == label {
                visit(h);
            }
        });
    }
    /// The face and those across its edges with the same label.
    #[inline(always)]
    fn alike_around(&self, mesh: DynamicView<'_>, f: u32, mut visit: impl FnMut(u32)) {
        let label = self.label(f);
        templates::around_face(mesh, f, |h| {
            if self.label(h >> 2) == label {
                visit(h);
            }
        });
    }
    #[inline(always)]
    fn fill_tagged<F: Fill>(&self, kind: ElementKind, cavity: &Cavity<'_>, fill: &mut F) {
        let Trial { serial, vertices, edges, faces, executed, .. } = *self;
        let seed = cavity.seed;
        fill.write(|| executed.set(seed, serial));
        let mut tagged =
            Tagged { fill, first: UVec2::new(serial, seed << 12), vertices, edges, faces, made: [0; 3] };
        fillings::fill(self.filling, kind, cavity, &mut tagged)
    }
}

/// The faces of a strip, by the half-edges at which it enters them.
#[inline(always)]
fn strip(mesh: DynamicView<'_>, e: u32, mut visit: impl FnMut(u32)) {
    let mut side = 0;
    while side < 2 {
        let [h0, h1] = mesh.sides(e);
        let mut h = if side == 0 { h0 } else { h1 };
        let mut k = 0;
        while k < STRIP && h != NONE {
            visit(h);
            h = mesh.twin(if k & 1 == side { next(h) } else { prev(h) });
            k += 1;
        }
        side += 1;
    }
}

macro_rules! trials { ($($(#[$doc:meta])* $name:ident $kind:ident $claim:ident $claims:ident $apply:ident $applies:ident [$($template:ident)*] |$trial:ident, $mesh:ident, $seed:ident, $visit:ident| $user:expr;)*) => { $(
    $(#[$doc])*
    #[repr(C)]
    #[derive(Clone, Copy, Parameter)]
    pub struct $name<'a>(pub Trial<'a>);
    impl Operator for $name<'_> {
        const SEED: ElementKind = ElementKind::$kind;
        const CLAIMS: bool = true;
        const GROWS: bool = true;
        #[inline(always)]
        fn propose(&self, _: DynamicView<'_>, seed: u32) -> Option<f32> {
            self.0.priority(seed)
        }
        #[inline(always)]
        fn faces(&self, $mesh: DynamicView<'_>, $seed: u32, $visit: impl FnMut(u32)) {
            let $trial = &self.0;
            $(if $trial.template == Template::$template as u32 {
                return Template::$template.faces($mesh, $seed, $visit);
            })*
            $user
        }
        #[inline(always)]
        fn fill<F: Fill>(&self, cavity: &Cavity<'_>, fill: &mut F) {
            self.0.fill_tagged(Self::SEED, cavity, fill);
        }
    }
    ribbonmesh_dynamic::operator! {
        #[doc = concat!("Of [`", stringify!($name), "`].")]
        $name<'a>: $claim $claims, $apply $applies
    }
)* } }

trials! {
    /// At vertices.
    AtVertices Vertex at_vertices_claim AtVerticesClaim at_vertices_apply AtVerticesApply [VF VV]
        |trial, mesh, seed, visit| trial.alike(mesh, seed, visit);
    /// At edges.
    AtEdges Edge at_edges_claim AtEdgesClaim at_edges_apply AtEdgesApply [EF EV]
        |trial, mesh, seed, visit| { _ = trial; strip(mesh, seed, visit) };
    /// At faces.
    AtFaces Face at_faces_claim AtFacesClaim at_faces_apply AtFacesApply [F FF FV]
        |trial, mesh, seed, visit| trial.alike_around(mesh, seed, visit);
}
