//! The attributes on the host, and the operator with them.
use crate::simplify::collapse::{QuadricCollapse, QuadricCollapseArguments};
use crate::simplify::quadric::Record;
use crate::simplify::{select, values as device};
use glam::Vec3;
use ribbonmesh::device::Quad;
use ribbonmesh::dynamic::{AttributeSet, DynamicAttribute, DynamicMesh, operations};
use ribbonmesh::features::MarksArguments;
use ribbonmesh::{Buffer, Edge, Face, Result, Vertex};

/// The attributes.
#[derive(AttributeSet)]
pub struct Values {
    pub x: DynamicAttribute<Vertex, Vec3>,
    pub quadrics: DynamicAttribute<Vertex, Record>,
    pub kind: DynamicAttribute<Vertex, u32>,
    pub input: DynamicAttribute<Vertex, u32>,
    /// A face of the input for each face: collapses leave it with the face's id.
    pub face_input: DynamicAttribute<Face, u32>,
    pub cost: DynamicAttribute<Edge, u32>,
    pub place: DynamicAttribute<Edge, Quad>,
    pub marks: Option<DynamicAttribute<Edge, u32>>,
    /// Edge whose collapse left each vertex; used if collapses whose faces intersect others are undone.
    #[attributes]
    pub seeds: Option<DynamicAttribute<Vertex, u32>>,
    /// The edges that a repeated stage may collapse.
    #[attributes]
    pub again: Option<DynamicAttribute<Edge, u32>>,
    /// 1 for vertices of faces that intersect others, where collapses are undone for that.
    #[attributes]
    pub held: Option<DynamicAttribute<Vertex, u32>>,
    pub selection: Buffer<u32>,
    pub bound: Option<f32>,
    pub turn: f32,
}
impl Values {
    pub fn new(mesh: &DynamicMesh, x: DynamicAttribute<Vertex, Vec3>) -> Result<Self> {
        Ok(Self {
            x,
            quadrics: DynamicAttribute::zeros(mesh)?,
            kind: DynamicAttribute::zeros(mesh)?,
            input: DynamicAttribute::of_ids(mesh)?,
            face_input: DynamicAttribute::of_ids(mesh)?,
            cost: DynamicAttribute::zeros(mesh)?,
            place: DynamicAttribute::zeros(mesh)?,
            marks: None,
            seeds: None,
            again: None,
            held: None,
            selection: mesh.device().zeros(select::WORDS as usize)?,
            bound: None,
            turn: 0.0,
        })
    }
    /// The views for kernels.
    pub fn view(&mut self) -> device::ValuesArguments<'_> {
        let bounded = if self.bound.is_some() { device::BOUNDED } else { 0 };
        let checked = if self.seeds.is_some() { device::CHECKED } else { 0 };
        let repeated = if self.again.is_some() { device::REPEATED } else { 0 };
        device::ValuesArguments {
            x: self.x.view_mut(),
            quadrics: self.quadrics.view_mut(),
            kind: self.kind.view_mut(),
            input: self.input.view_mut(),
            cost: self.cost.view_mut(),
            place: self.place.view_mut(),
            seeds: DynamicAttribute::view_mut_or_empty(self.seeds.as_mut()),
            again: DynamicAttribute::view_mut_or_empty(self.again.as_mut()),
            held: DynamicAttribute::view_mut_or_empty(self.held.as_mut()),
            marks: MarksArguments::new(self.marks.as_mut()),
            selection: self.selection.view_mut(),
            flags: bounded | checked | repeated,
            bound: self.bound.unwrap_or(f32::INFINITY),
            turn: self.turn,
        }
    }
}

operations! {
    Values, Values::view;
    /// Operator that collapses the selected edges.
    Collapses QuadricCollapse QuadricCollapseArguments;
}
