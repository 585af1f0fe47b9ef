//! Stages that are undone if faces intersect others.
use super::values::Values;
use crate::check::Search;
use crate::simplify::check::{MarkCollapsed, MarkRefused, Refuse};
use crate::simplify::quadric::Record;
use glam::Vec3;
use ribbonmesh::device::{ElementKind, tiles};
use ribbonmesh::dynamic::{DynamicAttribute, DynamicMesh, Snapshot};
use ribbonmesh::{Edge, Result, Vertex, array};

/// The state before a stage, as far as the stage changes it. The costs are not restored, so that edges that
/// were rejected once are not tried again before something around them changes.
pub struct Before {
    mesh: Snapshot,
    x: DynamicAttribute<Vertex, Vec3>,
    quadrics: DynamicAttribute<Vertex, Record>,
    kind: DynamicAttribute<Vertex, u32>,
    input: DynamicAttribute<Vertex, u32>,
    marks: Option<DynamicAttribute<Edge, u32>>,
}
impl Before {
    pub fn new(mesh: &DynamicMesh, values: &Values) -> Result<Self> {
        Ok(Self {
            mesh: mesh.snapshot()?,
            x: values.x.try_clone()?,
            quadrics: values.quadrics.try_clone()?,
            kind: values.kind.try_clone()?,
            input: values.input.try_clone()?,
            marks: values.marks.as_ref().map(DynamicAttribute::try_clone).transpose()?,
        })
    }
    pub fn restore(&self, mesh: &mut DynamicMesh, values: &mut Values) -> Result<()> {
        mesh.restore(&self.mesh)?;
        values.x.restore(&self.x)?;
        values.quadrics.restore(&self.quadrics)?;
        values.kind.restore(&self.kind)?;
        values.input.restore(&self.input)?;
        if let (Some(marks), Some(copy)) = (&mut values.marks, &self.marks) {
            marks.restore(copy)?;
        }
        Ok(())
    }
}

/// Refuses the edges whose collapse in a pass made faces that intersect others: they are not selected until
/// faces around them are made. A repetition of the stage may collapse the others, so it does the same
/// everywhere else. Returns how many were refused. Waits.
pub fn refuse(search: &mut Search, mesh: &DynamicMesh, values: &mut Values, pass: u32) -> Result<u64> {
    let device = mesh.device().clone();
    let Some(crossing) = search.crossing(mesh, pass, &values.x)? else { return Ok(0) };
    let mut refused = device.zeros::<u32>(mesh.ids(ElementKind::Edge) as usize)?;
    let mark = MarkRefused {
        corners: crossing.corners.view().wide(),
        made: crossing.list.view(),
        intersects: crossing.intersects.view(),
        values: values.view(),
        refused: refused.view_mut(),
    };
    device.launch(tiles(crossing.list.len() as u32), mark)?;
    values.again = Some(DynamicAttribute::zeros(mesh)?);
    let n = mesh.ids(ElementKind::Vertex);
    device.launch_each(n, MarkCollapsed { values: values.view() })?;
    let refuse = Refuse { refused: refused.view(), rejected: mesh.rejected(), values: values.view() };
    device.launch(tiles(refused.len() as u32), refuse)?;
    array::sum(&refused)
}
