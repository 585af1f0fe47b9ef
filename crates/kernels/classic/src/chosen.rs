//! The classic operators on chosen elements.
use glam::Vec3;
use ribbonmesh::device::{ElementKind, In, NONE, Out, Parameter};
use ribbonmesh_cavity::{Cavity, DynamicView, Fill, Operator, next, operators, templates};

/// Which elements, with which priority: not a number for those that are not meant.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Chosen<'a> {
    /// One per element of the operator's kind, for as many as there are when it begins.
    pub priority: In<'a, f32>,
    /// Positions; new vertices get one.
    pub x: Out<'a, Vec3>,
}

impl Chosen<'_> {
    #[inline(always)]
    fn priority(&self, seed: u32) -> Option<f32> {
        if seed as usize >= self.priority.len() {
            return None;
        }
        let p = self.priority.get(seed);
        if p.is_nan() { None } else { Some(p) }
    }
    /// The mean of the loop.
    #[inline(always)]
    fn centre(&self, cavity: &Cavity<'_>) -> Vec3 {
        let (mut sum, mut i) = (Vec3::ZERO, 0);
        while i < cavity.len() {
            sum += self.x.get(cavity.vertex(i));
            i += 1;
        }
        sum / cavity.len() as f32
    }
}

macro_rules! chosen { ($(
    $(#[$doc:meta])* $name:ident: $kind:ident, $grows:literal, $chords:literal, $template:ident, $claim:ident $claims:ident, $apply:ident $applies:ident, |$self:ident, $cavity:ident, $fill:ident| $body:block
)*) => { $(
    $(#[$doc])*
    #[repr(C)]
    #[derive(Clone, Copy, Parameter)]
    pub struct $name<'a>(pub Chosen<'a>);
    impl Operator for $name<'_> {
        const SEED: ElementKind = ElementKind::$kind;
        const CLAIMS: bool = $chords;
        const GROWS: bool = $grows;
        #[inline(always)]
        fn propose(&self, _: DynamicView<'_>, seed: u32) -> Option<f32> {
            self.0.priority(seed)
        }
        #[inline(always)]
        fn faces(&self, mesh: DynamicView<'_>, seed: u32, visit: impl FnMut(u32)) {
            templates::$template(mesh, seed, visit)
        }
        #[inline(always)]
        fn fill<F: Fill>(&$self, $cavity: &Cavity<'_>, $fill: &mut F) $body
    }
    ribbonmesh_cavity::operator! {
        #[doc = concat!("Of [`", stringify!($name), "`].")]
        $name<'a>: $claim $claims, $apply $applies
    }
)* } }

chosen! {
    /// Flips edges.
    Flip: Edge, false, true, of_edge, flip_chosen_claim FlipChosenClaim, flip_chosen_apply FlipChosenApply, |self, cavity, fill| { operators::flip(cavity, fill) }
    /// Splits edges, in the middle.
    SplitEdge: Edge, true, false, of_edge, split_chosen_edges_claim SplitChosenEdgesClaim, split_chosen_edges_apply SplitChosenEdgesApply, |self, cavity, fill| {
        let [a, b] = cavity.ends();
        let middle = operators::split_edge(cavity, fill);
        let x = self.0.x;
        fill.write(|| x.set(middle, 0.5 * (x.get(a) + x.get(b))));
    }
    /// Splits faces, in their centre.
    SplitFace: Face, true, false, one_face, split_chosen_faces_claim SplitChosenFacesClaim, split_chosen_faces_apply SplitChosenFacesApply, |self, cavity, fill| {
        let centre = self.0.centre(cavity);
        let middle = operators::split_face(cavity, fill);
        let x = self.0.x;
        fill.write(|| x.set(middle, centre));
    }
    /// Collapses faces, to the mean of the loop.
    CollapseFace: Face, false, true, stars_of_face, collapse_chosen_faces_claim CollapseChosenFacesClaim, collapse_chosen_faces_apply CollapseChosenFacesApply, |self, cavity, fill| {
        let centre = self.0.centre(cavity);
        let middle = operators::collapse_face(cavity, fill);
        let x = self.0.x;
        fill.write(|| x.set(middle, centre));
    }
    /// Splits vertices, between the loop's vertices 0 and half.
    SplitVertex: Vertex, true, false, star, split_chosen_vertices_claim SplitChosenVerticesClaim, split_chosen_vertices_apply SplitChosenVerticesApply, |self, cavity, fill| {
        let centre = self.0.centre(cavity);
        let [a, b] = operators::split_vertex(cavity, cavity.len() / 2, fill);
        let x = self.0.x;
        let (p, q) = (x.get(cavity.vertex(0)), x.get(cavity.vertex(cavity.len() / 2)));
        fill.write(|| {
            x.set(a, centre + 0.1 * (p - centre));
            x.set(b, centre + 0.1 * (q - centre));
        });
    }
    /// Deletes vertices with their faces.
    DeleteVertex: Vertex, false, true, star, delete_chosen_vertices_claim DeleteChosenVerticesClaim, delete_chosen_vertices_apply DeleteChosenVerticesApply, |self, _cavity, _fill| {}
    /// Deletes edges with their faces.
    DeleteEdge: Edge, false, true, of_edge, delete_chosen_edges_claim DeleteChosenEdgesClaim, delete_chosen_edges_apply DeleteChosenEdgesApply, |self, _cavity, _fill| {}
    /// Deletes faces.
    DeleteFace: Face, false, true, one_face, delete_chosen_faces_claim DeleteChosenFacesClaim, delete_chosen_faces_apply DeleteChosenFacesApply, |self, _cavity, _fill| {}
}

/// Collapses edges to given points, without those to their middle. An end on the boundary stays there, at its place or at
/// the point given.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct CollapseEdge<'a> {
    /// Which edges.
    pub chosen: Chosen<'a>,
    /// One point per edge, or none at all.
    pub points: In<'a, Vec3>,
}
impl Operator for CollapseEdge<'_> {
    const SEED: ElementKind = ElementKind::Edge;
    const CLAIMS: bool = true;
    const GROWS: bool = false;
    #[inline(always)]
    fn propose(&self, _: DynamicView<'_>, seed: u32) -> Option<f32> {
        self.chosen.priority(seed)
    }
    #[inline(always)]
    fn faces(&self, mesh: DynamicView<'_>, seed: u32, visit: impl FnMut(u32)) {
        templates::stars_of_edge(mesh, seed, visit)
    }
    #[inline(always)]
    fn fill<F: Fill>(&self, cavity: &Cavity<'_>, fill: &mut F) {
        let (x, [a, b]) = (self.chosen.x, cavity.ends());
        let given = !self.points.is_empty();
        let to = if given { self.points.get(cavity.seed) } else { 0.5 * (x.get(a) + x.get(b)) };
        let done = operators::collapse_edge(cavity, [a, b], fill);
        if given && !done.new {
            fill.exclusive(done.vertex);
        }
        fill.write(|| {
            if given || done.new {
                x.set(done.vertex, to)
            }
        });
    }
}
ribbonmesh_cavity::operator! {
    /// Of [`CollapseEdge`].
    CollapseEdge<'a>: collapse_chosen_edges_claim CollapseChosenEdgesClaim, collapse_chosen_edges_apply CollapseChosenEdgesApply
}

/// Collapses edges onto one of their ends.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct CollapseOnto<'a> {
    /// Which edges.
    pub chosen: Chosen<'a>,
    /// The vertex of each edge that stays; an edge that does not have it is not meant.
    pub onto: In<'a, u32>,
}
impl Operator for CollapseOnto<'_> {
    const SEED: ElementKind = ElementKind::Edge;
    const CLAIMS: bool = true;
    const GROWS: bool = false;
    #[inline(always)]
    fn propose(&self, mesh: DynamicView<'_>, seed: u32) -> Option<f32> {
        let priority = self.chosen.priority(seed)?;
        let (kept, [a, b]) = (self.onto.get(seed), mesh.ends(seed));
        if kept == a || kept == b { Some(priority) } else { None }
    }
    #[inline(always)]
    fn faces(&self, mesh: DynamicView<'_>, seed: u32, visit: impl FnMut(u32)) {
        let kept = self.onto.get(seed);
        let [h0, h1] = mesh.sides(seed);
        // a half-edge that begins at the other end
        let h = if h0 != NONE { h0 } else { h1 };
        let h = if h == NONE || mesh.from(h) != kept { h } else { next(h) };
        templates::star_at(mesh, h, visit)
    }
    #[inline(always)]
    fn fill<F: Fill>(&self, cavity: &Cavity<'_>, fill: &mut F) {
        let (kept, [a, b]) = (self.onto.get(cavity.seed), cavity.ends());
        operators::collapse_onto(cavity, kept, if kept == a { b } else { a }, fill)
    }
}
ribbonmesh_cavity::operator! {
    /// Of [`CollapseOnto`].
    CollapseOnto<'a>: collapse_chosen_onto_claim CollapseChosenOntoClaim, collapse_chosen_onto_apply CollapseChosenOntoApply
}
