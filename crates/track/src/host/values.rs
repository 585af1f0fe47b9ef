//! The attributes on the host, and the operators with them.
use crate::collapse::{Collapse, CollapseArguments};
use crate::flip::{Flip, FlipArguments};
use crate::split::{Split, SplitArguments};
use crate::values::{ColumnsArguments, Criteria, ROW, SIZED, ValuesArguments};
use glam::Vec3;
use ribbonmesh::device::ColumnViewMut;
use ribbonmesh::dynamic::{AttributeSet, DynamicAttribute, DynamicMesh, operations};
use ribbonmesh::{Result, Vertex};

/// A row of numbers of columns.
pub type Row = DynamicAttribute<Vertex, [f32; ROW]>;
/// Rows on the host.
pub type Rows = Vec<Vec<[f32; ROW]>>;
/// A row entry of zeros.
pub const ROW_OF_ZEROS: [f32; ROW] = [0.0; ROW];

/// The attributes.
#[derive(AttributeSet)]
pub struct Values {
    pub x: DynamicAttribute<Vertex, Vec3>,
    /// Scratch space; has no meaning between phases.
    pub y: DynamicAttribute<Vertex, Vec3>,
    pub rank: DynamicAttribute<Vertex, u32>,
    pub rows: Vec<DynamicAttribute<Vertex, [f32; ROW]>>,
    /// The component of each vertex, if components are tracked.
    pub labels: Option<DynamicAttribute<Vertex, u32>>,
    /// Factors of lengths, made if lengths depend on curvature; they have no meaning between steps.
    pub scale: Option<DynamicAttribute<Vertex, f32>>,
    pub curvature: Option<DynamicAttribute<Vertex, f32>>,
    /// Velocities, made when a flow needs them; they have no meaning between steps.
    pub velocities: Option<DynamicAttribute<Vertex, Vec3>>,
    /// Sums of velocities, made when a flow needs them; they have no meaning between steps.
    pub sums: Option<DynamicAttribute<Vertex, Vec3>>,
    pub criteria: Criteria,
}
impl Values {
    pub fn new(mesh: &DynamicMesh, x: DynamicAttribute<Vertex, Vec3>, criteria: Criteria) -> Result<Self> {
        Ok(Self {
            x,
            y: DynamicAttribute::zeros(mesh)?,
            rank: DynamicAttribute::zeros(mesh)?,
            rows: Vec::new(),
            labels: None,
            scale: None,
            curvature: None,
            velocities: None,
            sums: None,
            criteria,
        })
    }
    /// The view for kernels.
    pub fn view(&mut self) -> ValuesArguments<'_> {
        let rows = self.rows.len() as u32;
        let mut views = self.rows.iter_mut().map(|row| row.view_mut());
        let mut next = || views.next().unwrap_or(ColumnViewMut::empty());
        let columns = ColumnsArguments { a: next(), b: next(), c: next(), d: next(), rows };
        let labels = DynamicAttribute::view_mut_or_empty(self.labels.as_mut());
        let mut criteria = self.criteria;
        if self.scale.is_none() {
            criteria.flags &= !SIZED;
        }
        let scale = DynamicAttribute::view_mut_or_empty(self.scale.as_mut());
        let (x, rank) = (self.x.view_mut(), self.rank.view_mut());
        ValuesArguments { x, rank, columns, labels, scale, criteria }
    }
}

operations! {
    Values, Values::view;
    /// Operator that splits long edges.
    Splits Split SplitArguments;
    /// Operator that flips edges.
    Flipping Flip FlipArguments;
    /// Operator that collapses short edges.
    Collapses Collapse CollapseArguments;
}
