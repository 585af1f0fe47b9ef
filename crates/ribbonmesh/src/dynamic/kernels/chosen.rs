//! The classic operators on chosen elements.
use crate::device::{
    Edge, EdgeId, Element, ElementId, Face, HalfEdge, In, Parameter, Values, ValuesMut, Vertex, VertexId,
};
use crate::dynamic::fillings::{self, Split};
use crate::dynamic::templates::{self, *};
use crate::dynamic::{Cavity, Corner, Fill, Filled, MeshRef, Operator, Rejection, SeedId, operator};
use glam::Vec3;

/// The chosen elements, with their priorities: NaN for elements that are not meant.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Chosen<'a> {
    /// One per element of the operator's kind, for as many as there are when it begins.
    pub priority: In<'a, f32>,
    /// Positions; new vertices get one.
    pub x: ValuesMut<'a, Vertex, Vec3>,
}

impl Chosen<'_> {
    #[inline(always)]
    fn priority(&self, seed: impl ElementId) -> Option<f32> {
        if seed.index() as usize >= self.priority.len() {
            return None;
        }
        let p = self.priority.get(seed.index());
        if p.is_nan() { None } else { Some(p) }
    }
    /// The middle of an edge.
    #[inline(always)]
    fn middle(&self, [a, b]: [VertexId; 2]) -> Vec3 {
        0.5 * (self.x.get(a) + self.x.get(b))
    }
    /// The mean of the loop.
    #[inline(always)]
    fn centre<E: Element>(&self, cavity: &Cavity<'_, E>) -> Vec3 {
        let (mut sum, mut i) = (Vec3::ZERO, 0);
        while i < cavity.len() {
            sum += self.x.get(cavity.vertex(i));
            i += 1;
        }
        sum / cavity.len() as f32
    }
}

macro_rules! chosen { ($(
    $(#[$doc:meta])* $name:ident $kind:ident $template:ident $filling:ident { $($more:item)* }
)*) => { $(
    $(#[$doc])*
    #[repr(C)]
    #[derive(Clone, Copy, Parameter)]
    pub struct $name<'a> {
        /// The chosen seeds.
        pub chosen: Chosen<'a>,
    }
    #[operator(seed = $kind, cavity = $template, filling = fillings::$filling)]
    impl Operator for $name<'_> {
        fn priority(&self, _: impl MeshRef, seed: SeedId<Self>) -> Option<f32> {
            self.chosen.priority(seed)
        }
        $($more)*
    }
)* } }

chosen! {
    /// Flips edges.
    Flip Edge FacesOfEdge Flip {}
    /// Splits edges, in the middle.
    SplitEdge Edge FacesOfEdge SplitEdge {
        fn scatter(&self, cavity: &Filled<'_, Edge>, _: &(), _: (), made: &Split) {
            self.chosen.x.set(cavity.vertex_of(made.middle), self.chosen.middle(cavity.ends()));
        }
    }
    /// Splits faces, in their centre.
    SplitFace Face OneFace SplitFace {
        fn scatter(&self, cavity: &Filled<'_, Face>, _: &(), _: (), made: &Corner) {
            self.chosen.x.set(cavity.vertex_of(*made), self.chosen.centre(cavity));
        }
    }
    /// Collapses faces, to the mean of the loop.
    CollapseFace Face StarsOfFace CollapseFace {
        fn scatter(&self, cavity: &Filled<'_, Face>, _: &(), _: (), made: &Corner) {
            self.chosen.x.set(cavity.vertex_of(*made), self.chosen.centre(cavity));
        }
    }
    /// Splits vertices, between the loop's vertices 0 and half.
    SplitVertex Vertex StarOfVertex SplitVertex {
        fn scatter(&self, cavity: &Filled<'_, Vertex>, _: &(), _: (), made: &[Corner; 2]) {
            let (x, centre) = (self.chosen.x, self.chosen.centre(cavity));
            let near = |i: u32| centre + 0.1 * (x.get(cavity.vertex(i)) - centre);
            let [p, q] = [near(0), near(cavity.len() / 2)];
            x.set(cavity.vertex_of(made[0]), p);
            x.set(cavity.vertex_of(made[1]), q);
        }
    }
    /// Deletes vertices with their faces.
    DeleteVertex Vertex StarOfVertex Nothing {}
    /// Deletes edges with their faces.
    DeleteEdge Edge FacesOfEdge Nothing {}
    /// Deletes faces.
    DeleteFace Face OneFace Nothing {}
}

/// Collapses edges to given points, or to their middles if there are no points. An end on the boundary stays
/// there, at its place or at the point given.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct CollapseEdge<'a> {
    /// The chosen edges.
    pub chosen: Chosen<'a>,
    /// One point per edge, or none at all.
    pub points: Values<'a, Edge, Vec3>,
}
#[operator(seed = Edge, cavity = StarsOfEdge, in_place)]
impl Operator for CollapseEdge<'_> {
    /// Whether points are given.
    type Decision = bool;
    type Made = fillings::Collapsed;

    fn priority(&self, _: impl MeshRef, seed: EdgeId) -> Option<f32> {
        self.chosen.priority(seed)
    }
    fn decide(&self, _: impl MeshRef, _: &Cavity<'_, Edge>) -> Result<bool, Rejection> {
        Ok(!self.points.is_empty())
    }
    fn fill(
        cavity: &Cavity<'_, Edge>,
        given: &bool,
        fill: &mut impl Fill,
    ) -> Result<fillings::Collapsed, Rejection> {
        let done = fillings::collapse_edge(cavity, cavity.ends(), fill)?;
        if let Some(end) = done.stays
            && *given
        {
            fill.exclusive(end);
        }
        Ok(done)
    }
    fn scatter(&self, cavity: &Filled<'_, Edge>, given: &bool, _: (), made: &fillings::Collapsed) {
        let vertex = cavity.vertex_of(made.vertex);
        if *given {
            self.chosen.x.set(vertex, self.points.get(cavity.seed()));
        } else if made.stays.is_none() {
            self.chosen.x.set(vertex, self.chosen.middle(cavity.ends()));
        }
    }
}

/// Collapses edges onto one of their ends.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct CollapseOnto<'a> {
    /// The chosen edges.
    pub chosen: Chosen<'a>,
    /// The vertex of each edge that stays; an edge that does not have it is not meant.
    pub onto: Values<'a, Edge, VertexId>,
}
#[operator(seed = Edge, in_place)]
impl Operator for CollapseOnto<'_> {
    /// The vertex that stays.
    type Decision = VertexId;

    fn priority(&self, mesh: impl MeshRef, seed: EdgeId) -> Option<f32> {
        let priority = self.chosen.priority(seed)?;
        let (kept, [a, b]) = (self.onto.get(seed), mesh.ends(seed)?);
        if kept == a || kept == b { Some(priority) } else { None }
    }
    /// The star of the other end.
    fn faces(&self, mesh: impl MeshRef, seed: EdgeId, visit: impl FnMut(HalfEdge)) {
        let kept = self.onto.get(seed);
        let [g, h] = mesh.sides(seed);
        let begins = |h: HalfEdge| if mesh.from(h) != kept { h } else { h.next() };
        templates::star_at(mesh, g.or(h).map(begins), visit)
    }
    fn decide(&self, _: impl MeshRef, cavity: &Cavity<'_, Edge>) -> Result<VertexId, Rejection> {
        Ok(self.onto.get(cavity.seed()))
    }
    fn fill(cavity: &Cavity<'_, Edge>, &kept: &VertexId, fill: &mut impl Fill) -> Result<(), Rejection> {
        let [a, b] = cavity.ends();
        fillings::collapse_onto(cavity, kept, if kept == a { b } else { a }, fill)
    }
}
