//! The state before phases, to be restored where they have made faces that intersect others.
use super::values::Values;
use crate::check::Search;
use glam::Vec3;
use ribbonmesh::dynamic::{DynamicAttribute, DynamicMesh, Gaps, Snapshot};
use ribbonmesh::{Buffer, Edge, Result, Vertex};
use ribbonmesh_solid::intersections::HeldBack;

/// The state before collapses, flips and moves, as far as they change it; without the barred vertices.
pub struct Before {
    mesh: Snapshot,
    x: DynamicAttribute<Vertex, Vec3>,
    kind: DynamicAttribute<Vertex, u32>,
    size: Option<DynamicAttribute<Vertex, f32>>,
    near: Option<DynamicAttribute<Vertex, u32>>,
    moved: Option<DynamicAttribute<Vertex, f32>>,
    marks: Option<DynamicAttribute<Edge, u32>>,
    pub gaps: Gaps,
    pub merged: u64,
}
impl Before {
    /// Copies the state. `gaps` and `merged` are those of the remesher.
    pub fn new(mesh: &DynamicMesh, values: &Values, gaps: Gaps, merged: u64) -> Result<Self> {
        Ok(Self {
            mesh: mesh.snapshot()?,
            x: values.x.try_clone()?,
            kind: values.kind.try_clone()?,
            size: values.size.as_ref().map(DynamicAttribute::try_clone).transpose()?,
            near: values.near.as_ref().map(DynamicAttribute::try_clone).transpose()?,
            moved: values.moved.as_ref().map(DynamicAttribute::try_clone).transpose()?,
            marks: values.marks.as_ref().map(DynamicAttribute::try_clone).transpose()?,
            gaps,
            merged,
        })
    }
    /// Goes back to the state.
    pub fn restore(&self, mesh: &mut DynamicMesh, values: &mut Values) -> Result<()> {
        mesh.restore(&self.mesh)?;
        values.x.restore(&self.x)?;
        values.kind.restore(&self.kind)?;
        if let (Some(size), Some(copy)) = (&mut values.size, &self.size) {
            size.restore(copy)?;
        }
        if let (Some(near), Some(copy)) = (&mut values.near, &self.near) {
            near.restore(copy)?;
        }
        if let (Some(moved), Some(copy)) = (&mut values.moved, &self.moved) {
            moved.restore(copy)?;
        }
        if let (Some(marks), Some(copy)) = (&mut values.marks, &self.marks) {
            marks.restore(copy)?;
        }
        Ok(())
    }
}

/// Holds back moves of vertices from `rest`, if there have been any; returns the number of vertices for which
/// that was done. Also tells whether some of the faces that passes from `pass` on have made intersect others
/// nevertheless, and sets the bits of `bar` for their vertices. Waits.
pub fn crossing(
    search: &mut Search,
    mesh: &DynamicMesh,
    values: &mut Values,
    rest: Option<Buffer<Vec3>>,
    pass: u32,
    bar: u32,
) -> Result<(u64, bool)> {
    let mut held = HeldBack::default();
    if let Some(rest) = rest {
        let mut to = values.x.to_buffer(mesh)?;
        held = search.hold_back(mesh, &rest, &mut to)?;
        if held.suspects == 0 {
            return Ok((0, false));
        }
        if held.vertices > 0 {
            values.x = DynamicAttribute::from_buffer(mesh, &to)?;
        }
    }
    let crossing = search.crossing(mesh, pass, &values.x)?;
    if let (Some(crossing), Some(barred)) = (&crossing, &mut values.barred) {
        crossing.bar(barred, bar)?;
    }
    Ok((held.vertices, crossing.is_some()))
}
