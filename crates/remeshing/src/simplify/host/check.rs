//! Stages that are undone if faces intersect others.
use super::values::Values;
use crate::check::Search;
use crate::simplify::check::{HoldEdges, MarkCollapsed, MarkRefused, Refuse};
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
/// everywhere else. The vertices of these faces are held from the next stage on. Returns how many edges were
/// refused. Waits.
pub fn refuse(search: &mut Search, mesh: &DynamicMesh, values: &mut Values, pass: u32) -> Result<u64> {
    let device = mesh.device().clone();
    let Some(crossing) = search.crossing(mesh, pass, &values.x)? else { return Ok(0) };
    if let Some(held) = &mut values.held {
        crossing.bar(held, 1)?;
    }
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

/// Stages of which the last one tries edges at held vertices.
const HELD: u32 = 16;

/// Vertices of faces that intersect others: [`Values::held`]. Edges at them are tried in one of [`HELD`]
/// stages only, and when nothing else is left: they would be refused in nearly every stage, and each time the
/// stage would be repeated.
#[derive(Clone, Default)]
pub struct Holds {
    /// Stages since edges at held vertices were tried.
    stages: u32,
    /// Whether they are tried: until a stage collapses something, so that each of them has its turn.
    open: bool,
}
impl Holds {
    /// Excludes edges at held vertices from the selection of a stage, or lets them be selected again if that
    /// is due.
    pub fn begin(&mut self, search: &mut Search, mesh: &mut DynamicMesh, values: &mut Values) -> Result<()> {
        if values.held.is_none() {
            find_held(search, mesh, values)?;
        }
        if self.open {
            return Ok(());
        }
        self.open = self.stages >= HELD;
        let (device, n) = (mesh.device().clone(), mesh.ids(ElementKind::Edge));
        let release = self.open.into();
        device.launch_each(n, HoldEdges { mesh: mesh.view(), values: values.view(), release })
    }
    /// Ends a stage that has collapsed this number of edges. If it tried those at held vertices, and
    /// collapsed any, faces are searched for vertices to hold from now on.
    pub fn end(
        &mut self,
        search: &mut Search,
        mesh: &DynamicMesh,
        values: &mut Values,
        collapsed: u64,
    ) -> Result<()> {
        self.stages += 1;
        if self.open && collapsed > 0 {
            *self = Self::default();
            find_held(search, mesh, values)?;
        }
        Ok(())
    }
    /// Whether none of the next stages, so many, tries edges at held vertices.
    pub fn are_closed_for(&self, stages: u32) -> bool {
        !self.open && self.stages + stages <= HELD
    }
    /// Makes the next stage try edges at held vertices; false if the last one did.
    pub fn release(&mut self) -> bool {
        self.stages = HELD;
        !self.open
    }
}
/// Holds the vertices of all faces that intersect others, and no other ones.
fn find_held(search: &mut Search, mesh: &DynamicMesh, values: &mut Values) -> Result<()> {
    let mut held = DynamicAttribute::zeros(mesh)?;
    search.bar_all(mesh, &values.x, &mut held, 1)?;
    values.held = Some(held);
    Ok(())
}
