//! The attributes on the host's side, and the operators with them.
use crate::remesh::collapse::{Collapse, CollapseArguments};
use crate::remesh::flip::{Flip, FlipArguments};
use crate::remesh::split::{Split, SplitArguments};
use crate::remesh::values as device;
use glam::Vec3;
use ribbonmesh::device::ColumnViewMut;
use ribbonmesh::dynamic::{AttributeSet, DynamicAttribute, DynamicMesh, operations};
use ribbonmesh::features::MarksArguments;
use ribbonmesh::{Edge, Result, Vertex};

/// The attributes.
#[derive(AttributeSet)]
pub struct Values {
    pub x: DynamicAttribute<Vertex, Vec3>,
    pub kind: DynamicAttribute<Vertex, u32>,
    pub size: Option<DynamicAttribute<Vertex, f32>>,
    pub near: Option<DynamicAttribute<Vertex, u32>>,
    pub moved: Option<DynamicAttribute<Vertex, f32>>,
    pub marks: Option<DynamicAttribute<Edge, u32>>,
    /// Vertices of faces that intersected others, if that is checked.
    pub barred: Option<DynamicAttribute<Vertex, u32>>,
    /// Scratch space; has no meaning between phases.
    pub y: DynamicAttribute<Vertex, Vec3>,
    /// Excess valences; they have no meaning between phases.
    pub excess: DynamicAttribute<Vertex, u32>,
    pub length: f32,
    pub merge: f32,
    pub fixed: bool,
    pub held: bool,
}
impl Values {
    pub fn new(mesh: &DynamicMesh, x: DynamicAttribute<Vertex, Vec3>) -> Result<Self> {
        Ok(Self {
            x,
            kind: DynamicAttribute::zeros(mesh)?,
            size: None,
            near: None,
            moved: None,
            marks: None,
            barred: None,
            y: DynamicAttribute::zeros(mesh)?,
            excess: DynamicAttribute::zeros(mesh)?,
            length: 0.0,
            merge: 0.0,
            fixed: false,
            held: false,
        })
    }
    /// The view for kernels.
    pub fn view(&mut self) -> device::ValuesArguments<'_> {
        self.views().0
    }
    /// The view for kernels, and the scratch space for positions.
    pub fn views(&mut self) -> (device::ValuesArguments<'_>, ColumnViewMut<'_, Vertex, Vec3>) {
        let flag = |on: bool, flag: u32| if on { flag } else { 0 };
        let flags = flag(self.fixed, device::FIXED)
            | flag(self.size.is_some(), device::SIZED)
            | flag(self.near.is_some(), device::PROJECTED)
            | flag(self.held, device::HELD)
            | flag(self.moved.is_some(), device::SHARP)
            | flag(self.barred.is_some(), device::CHECKED);
        let values = device::ValuesArguments {
            x: self.x.view_mut(),
            kind: self.kind.view_mut(),
            size: DynamicAttribute::view_mut_or_empty(self.size.as_mut()),
            near: DynamicAttribute::view_mut_or_empty(self.near.as_mut()),
            moved: DynamicAttribute::view_mut_or_empty(self.moved.as_mut()),
            excess: self.excess.view_mut(),
            barred: DynamicAttribute::view_mut_or_empty(self.barred.as_mut()),
            marks: MarksArguments::new(self.marks.as_mut()),
            length: self.length,
            merge: self.merge,
            flags,
        };
        (values, self.y.view_mut())
    }
}

operations! {
    Values, Values::view;
    /// Operator that splits long edges.
    Splits Split SplitArguments;
    /// Operator that collapses short edges.
    Collapses Collapse CollapseArguments;
    /// Operator that flips edges.
    Flips Flip FlipArguments;
}
