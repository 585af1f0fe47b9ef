//! The classic operators on chosen elements.
use super::attribute::DynamicAttribute;
use super::mesh::{Capacity, DynamicMesh};
use super::run::{Limits, Operation, PassReport};
use glam::Vec3;
use ribbonmesh::{Buffer, Result, Vertex};
use ribbonmesh_classic::chosen::Chosen;
use ribbonmesh_classic::chosen::*;

/// A classic operator, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Classic {
    /// Flips edges.
    FlipEdge,
    /// Splits edges in the middle.
    SplitEdge,
    /// Collapses edges: to the mean of the vertices around, or onto the end on the boundary.
    CollapseEdge,
    /// Splits faces into three, in the middle of their vertices.
    SplitFace,
    /// Collapses faces to the mean of the vertices around.
    CollapseFace,
    /// Splits vertices inside of the surface.
    SplitVertex,
    /// Deletes vertices with their faces.
    DeleteVertex,
    /// Deletes edges with their faces.
    DeleteEdge,
    /// Deletes faces.
    DeleteFace,
}

macro_rules! operations { ($($operation:ident $operator:ident $of_vertices:literal;)*) => { $(
    struct $operation<'m> {
        priority: &'m Buffer<f32>,
        x: &'m mut DynamicAttribute<Vertex, Vec3>,
    }
    impl Operation for $operation<'_> {
        type Operator<'a> = $operator<'a> where Self: 'a;
        const OF_VERTICES: bool = $of_vertices;
        fn operator(&mut self) -> $operator<'_> {
            $operator(Chosen { priority: self.priority.view(), x: self.x.view_mut() })
        }
        fn resize(&mut self, capacity: Capacity) -> Result<()> {
            self.x.resize(capacity)
        }
    }
)* } }
operations! {
    FlipEdges Flip false;
    SplitEdges SplitEdge false;
    CollapseEdges CollapseEdge false;
    SplitFaces SplitFace false;
    CollapseFaces CollapseFace false;
    SplitVertices SplitVertex true;
    DeleteVertices DeleteVertex true;
    DeleteEdges DeleteEdge false;
    DeleteFaces DeleteFace false;
}

impl DynamicMesh {
    /// Applies a classic operator in one pass to elements of its kind, by their priority, not a number for those that
    /// are not meant; those in conflict with others of greater priority are left as they are. New vertices get
    /// positions.
    /// # Errors
    /// As [`DynamicMesh::run`].
    pub fn apply(
        &mut self,
        operator: Classic,
        priority: &Buffer<f32>,
        x: &mut DynamicAttribute<Vertex, Vec3>,
    ) -> Result<PassReport> {
        self.apply_within(operator, priority, x, Limits::passes(1))
    }

    /// As [`DynamicMesh::apply`], in as many passes as `limits` allow. `priority` may have entries for elements that are
    /// made on the way.
    /// # Errors
    /// As [`DynamicMesh::run`].
    pub fn apply_within(
        &mut self,
        operator: Classic,
        priority: &Buffer<f32>,
        x: &mut DynamicAttribute<Vertex, Vec3>,
        limits: Limits,
    ) -> Result<PassReport> {
        macro_rules! run { ($($name:ident $operation:ident),*) => {
            match operator { $(Classic::$name => self.run(&mut $operation { priority, x }, limits)),* }
        } }
        run!(
            FlipEdge FlipEdges, SplitEdge SplitEdges, CollapseEdge CollapseEdges, SplitFace SplitFaces,
            CollapseFace CollapseFaces, SplitVertex SplitVertices, DeleteVertex DeleteVertices,
            DeleteEdge DeleteEdges, DeleteFace DeleteFaces
        )
    }
}
