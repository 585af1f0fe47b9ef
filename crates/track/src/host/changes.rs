//! Splits, flips and collapses that are made elsewhere.
use super::error::TrackError;
use super::options::{Method, TrackOptions};
use super::report::StepReport;
use super::tracker::Tracker;
use super::values::{Row, Rows, Values};
use crate::values::Criteria;
use glam::Vec3;
use ribbonmesh::dynamic::{DynamicAttribute, DynamicMesh, Operations};
use ribbonmesh::{Error, FlatTopology};
use ribbonmesh_mesh::AnyError;

/// A surface on the host, whose connectivity others change.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Handed {
    /// Positions of vertices.
    pub points: Vec<Vec3>,
    /// Faces: three vertices each.
    pub faces: Vec<[u32; 3]>,
    /// Rows of columns, each with a value for every vertex: those of a new vertex are the means of what it is
    /// made of.
    pub rows: Rows,
}

/// Operations of a step.
#[derive(Clone, Debug, Default)]
pub struct Made {
    /// Splits.
    pub split: Operations,
    /// Flips.
    pub flip: Operations,
    /// Collapses.
    pub collapse: Operations,
}
impl Made {
    /// Whether anything was done.
    pub fn any(&self) -> bool {
        [&self.split, &self.flip, &self.collapse].iter().any(|done| done.executed > 0)
    }
}

/// Splits, flips and collapses of a step that are made elsewhere than on the tracker's mesh: see
/// [`Tracker::change_by`].
pub trait Changes: Send {
    /// Splits edges of a surface that are longer than [`Criteria::longest`], flips edges, and collapses those
    /// shorter than [`Criteria::shortest`]. The result has to be a manifold; if nothing was done, the surface
    /// has to be as it was. Between two calls, vertices move, and nothing else changes.
    /// # Errors
    /// Any error ends the step.
    fn change(&mut self, surface: &mut Handed, criteria: &Criteria) -> Result<Made, AnyError>;
}

impl Tracker {
    /// From now on, splits, flips and collapses of a step are made by others, and the tracker moves, smooths
    /// and measures. Each step copies the positions and the faces to the host, and a changed surface back;
    /// the mesh is then another one, and ids of vertices change.
    /// # Errors
    /// [`Error::Option`] with options that need the tracker's own operators: [`Method::GridFree`],
    /// [`TrackOptions::collisions`], [`TrackOptions::correct_volume`], [`TrackOptions::adaptive`].
    pub fn change_by(&mut self, changes: Box<dyn Changes>) -> Result<(), TrackError> {
        let TrackOptions { method, collisions, correct_volume, adaptive, .. } = &self.options;
        let own = [
            ("method", *method == Method::GridFree),
            ("collisions", *collisions),
            ("correct volume", *correct_volume),
            ("adaptive", adaptive.is_some()),
        ];
        if let Some((option, _)) = own.into_iter().find(|(_, given)| *given) {
            let expected = "what changes that are made elsewhere know";
            return Err(Error::Option { option, value: "on".into(), expected }.into());
        }
        self.changes = Some(changes);
        Ok(())
    }
    /// Has the operations of a step made by others. Waits.
    pub(super) fn change_elsewhere(
        &mut self,
        changes: &mut dyn Changes,
        report: &mut StepReport,
    ) -> Result<(), TrackError> {
        self.compact()?;
        let rows = self.values.rows.iter().map(|row| row.read(&self.mesh)).collect::<Result<_, _>>()?;
        let (points, faces) = (self.values.x.read(&self.mesh)?, self.mesh.read_faces()?);
        let mut surface = Handed { points, faces, rows };
        let made = changes.change(&mut surface, &self.values.criteria).map_err(TrackError::Changes)?;
        if made.any() {
            let (mesh, values, _) = self.made_of(&surface.points, &surface.faces, &surface.rows)?;
            // the Euler characteristic stays
            self.put(mesh, values, self.before);
        }
        (report.split, report.flip, report.collapse) = (made.split, made.flip, made.collapse);
        Ok(())
    }
    /// A mesh with its values, but for labels, and its flat topology.
    pub(super) fn made_of(
        &self,
        points: &[Vec3],
        faces: &[[u32; 3]],
        rows: &Rows,
    ) -> Result<(DynamicMesh, Values, FlatTopology), TrackError> {
        let flat = FlatTopology::new(self.device(), points.len(), faces)?;
        let mesh = DynamicMesh::from_flat(&flat, self.options.spare)?;
        let x = DynamicAttribute::from_ids(&mesh, points)?;
        let mut values = Values::new(&mesh, x, self.values.criteria)?;
        for row in rows {
            values.rows.push(Row::from_ids(&mesh, row)?);
        }
        Ok((mesh, values, flat))
    }
}
