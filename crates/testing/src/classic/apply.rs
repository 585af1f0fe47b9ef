//! The operators, applied to chosen elements.
use super::kernels::*;
use glam::Vec3;
use ribbonmesh::device::{BufferView, ColumnView, Pod};
use ribbonmesh::dynamic::{AttributeSet, DynamicAttribute, DynamicMesh, Limits, Operation, PassReport};
use ribbonmesh::{Buffer, Error, Result, Vertex};

/// A classic operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Classic {
    /// Flips edges.
    FlipEdge,
    /// Splits edges at their midpoint.
    SplitEdge,
    /// Collapses edges to their midpoint, or to an end on the boundary.
    CollapseEdge,
    /// Splits faces into three at their centroid.
    SplitFace,
    /// Collapses faces to the mean of the surrounding vertices.
    CollapseFace,
    /// Splits inner vertices.
    SplitVertex,
    /// Deletes vertices with their faces.
    DeleteVertex,
    /// Deletes edges with their faces.
    DeleteEdge,
    /// Deletes faces.
    DeleteFace,
}

macro_rules! operations { ($($operation:ident $operator:ident $arguments:ident $of_vertices:literal;)*) => { $(
    #[derive(AttributeSet)]
    struct $operation<'m> {
        priority: &'m Buffer<f32>,
        x: &'m mut DynamicAttribute<Vertex, Vec3>,
    }
    impl Operation for $operation<'_> {
        type Operator<'a> = $operator<'a> where Self: 'a;
        const OF_VERTICES: bool = $of_vertices;
        fn operator(&mut self) -> $arguments<'_> {
            $arguments { chosen: ChosenArguments { priority: self.priority.view(), x: self.x.view_mut() } }
        }
    }
)* } }
operations! {
    FlipEdges Flip FlipArguments false;
    SplitEdges SplitEdge SplitEdgeArguments false;
    SplitFaces SplitFace SplitFaceArguments false;
    CollapseFaces CollapseFace CollapseFaceArguments false;
    SplitVertices SplitVertex SplitVertexArguments true;
    DeleteVertices DeleteVertex DeleteVertexArguments true;
    DeleteEdges DeleteEdge DeleteEdgeArguments false;
    DeleteFaces DeleteFace DeleteFaceArguments false;
}

#[derive(AttributeSet)]
struct CollapseEdges<'m> {
    priority: &'m Buffer<f32>,
    points: Option<&'m Buffer<Vec3>>,
    x: &'m mut DynamicAttribute<Vertex, Vec3>,
}
impl Operation for CollapseEdges<'_> {
    type Operator<'a>
        = CollapseEdge<'a>
    where
        Self: 'a;
    fn operator(&mut self) -> CollapseEdgeArguments<'_> {
        let chosen = ChosenArguments { priority: self.priority.view(), x: self.x.view_mut() };
        let points = ColumnView::new(self.points.map_or(BufferView::empty(), Buffer::view));
        CollapseEdgeArguments { chosen, points }
    }
}

#[derive(AttributeSet)]
struct CollapsesOnto<'m> {
    priority: &'m Buffer<f32>,
    onto: &'m Buffer<u32>,
    x: &'m mut DynamicAttribute<Vertex, Vec3>,
}
impl Operation for CollapsesOnto<'_> {
    type Operator<'a>
        = CollapseOnto<'a>
    where
        Self: 'a;
    fn operator(&mut self) -> CollapseOntoArguments<'_> {
        let chosen = ChosenArguments { priority: self.priority.view(), x: self.x.view_mut() };
        CollapseOntoArguments { chosen, onto: ColumnView::new(self.onto.view().wide()) }
    }
}

fn one_each<T>(what: &'static str, priority: &Buffer<f32>, values: &Buffer<T>) -> Result<()>
where
    T: Pod,
{
    let (expected, found) = (priority.len(), values.len());
    if expected == found { Ok(()) } else { Err(Error::Length { what, expected, found }) }
}

/// Classic operators of a dynamic mesh.
pub trait Apply {
    /// Collapses edges in one pass, by priorities as in [`Apply::apply`], each to a given point. One
    /// end of the edge remains and moves to the point: the end on the boundary if there is exactly one; the
    /// first end of a boundary edge.
    /// # Errors
    /// [`Error::Length`] unless there is a point for each priority; as [`DynamicMesh::run`].
    fn collapse_to(
        &mut self,
        points: &Buffer<Vec3>,
        priority: &Buffer<f32>,
        x: &mut DynamicAttribute<Vertex, Vec3>,
    ) -> Result<PassReport>;
    /// Collapses edges in one pass, by priorities as in [`Apply::apply`], each onto the end that `onto`
    /// names. Edges for which `onto` names no end are skipped. The vertex keeps its id and its attributes.
    /// # Errors
    /// [`Error::Length`] unless there is a vertex for each priority; as [`DynamicMesh::run`].
    fn collapse_onto(
        &mut self,
        onto: &Buffer<u32>,
        priority: &Buffer<f32>,
        x: &mut DynamicAttribute<Vertex, Vec3>,
    ) -> Result<PassReport>;
    /// Applies a classic operator in one pass to elements of its kind. `priority` has a number for each id;
    /// NaN skips the element. Of elements in conflict, only the one of greater priority is changed. New
    /// vertices get positions.
    /// # Errors
    /// As [`DynamicMesh::run`].
    fn apply(
        &mut self,
        operator: Classic,
        priority: &Buffer<f32>,
        x: &mut DynamicAttribute<Vertex, Vec3>,
    ) -> Result<PassReport>;
    /// As [`Apply::apply`], in as many passes as `limits` allow. `priority` may have entries for the
    /// ids of elements that are made during the run.
    /// # Errors
    /// As [`DynamicMesh::run`].
    fn apply_within(
        &mut self,
        operator: Classic,
        priority: &Buffer<f32>,
        x: &mut DynamicAttribute<Vertex, Vec3>,
        limits: Limits,
    ) -> Result<PassReport>;
}

impl Apply for DynamicMesh {
    fn collapse_to(
        &mut self,
        points: &Buffer<Vec3>,
        priority: &Buffer<f32>,
        x: &mut DynamicAttribute<Vertex, Vec3>,
    ) -> Result<PassReport> {
        one_each("points to collapse edges to", priority, points)?;
        self.run(&mut CollapseEdges { priority, points: Some(points), x }, Limits::passes(1))
    }
    fn collapse_onto(
        &mut self,
        onto: &Buffer<u32>,
        priority: &Buffer<f32>,
        x: &mut DynamicAttribute<Vertex, Vec3>,
    ) -> Result<PassReport> {
        one_each("vertices to collapse edges onto", priority, onto)?;
        self.run(&mut CollapsesOnto { priority, onto, x }, Limits::passes(1))
    }
    fn apply(
        &mut self,
        operator: Classic,
        priority: &Buffer<f32>,
        x: &mut DynamicAttribute<Vertex, Vec3>,
    ) -> Result<PassReport> {
        self.apply_within(operator, priority, x, Limits::passes(1))
    }

    fn apply_within(
        &mut self,
        operator: Classic,
        priority: &Buffer<f32>,
        x: &mut DynamicAttribute<Vertex, Vec3>,
        limits: Limits,
    ) -> Result<PassReport> {
        macro_rules! run { ($($name:ident $operation:ident),*) => {
            match operator {
                Classic::CollapseEdge => self.run(&mut CollapseEdges { priority, points: None, x }, limits),
                $(Classic::$name => self.run(&mut $operation { priority, x }, limits)),*
            }
        } }
        run!(
            FlipEdge FlipEdges, SplitEdge SplitEdges, SplitFace SplitFaces,
            CollapseFace CollapseFaces, SplitVertex SplitVertices, DeleteVertex DeleteVertices,
            DeleteEdge DeleteEdges, DeleteFace DeleteFaces
        )
    }
}
