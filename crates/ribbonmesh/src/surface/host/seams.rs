//! Seams: what applications that change triangles keep as features.
use super::charts::Charts;
use super::column::Column;
use super::kept::Kept;
use super::surface::Surface;
use crate::device::{ElementKind, tiles};
use crate::dynamic::{DynamicAttribute, DynamicMesh};
use crate::surface::kernels::charts::MarkWalls;
use crate::surface::kernels::seams::MarkSeams;
use crate::{Buffer, Edge, Error, Result};
use ribbonmesh_mesh::{Policy, Role};

/// Where the attributes of a surface jump.
pub struct Seams {
    /// 1 for each edge across which they do, else 0.
    pub marks: DynamicAttribute<Edge, u32>,
    /// 3 for each vertex, by id, at which texture coordinates differ from face to face, as at the poles of a
    /// sphere that a map of the world covers, else 0: a vertex to be kept, of which the edges are no seams.
    /// Begins the count of edges of curves at each vertex, by which corners are found
    /// ([`crate::features::find::mark`]).
    pub poles: Buffer<u32>,
}

impl Surface {
    /// Finds the edges across which attributes jump: where the corners of a vertex have different texture
    /// coordinates on both sides, and where faces belong to different materials, groups, objects or smoothing
    /// groups. Columns that go when the mesh changes do not count. `None` if there are no such edges, nor
    /// poles. `mesh` is that of [`Surface::to_dynamic`], still without changes. Waits.
    /// # Errors
    /// [`Error::OtherMesh`] for a mesh that was not made of this surface, or was renumbered; out of memory;
    /// errors of the driver.
    pub fn seams(&mut self, mesh: &mut DynamicMesh) -> Result<Option<Seams>> {
        let Kept { edges, patches, .. } = &self.kept;
        let is_own = edges.as_ref().is_some_and(|edges| mesh.has_ids_of_flat(edges))
            || patches.as_ref().is_some_and(|patches| mesh.has_ids_of(patches));
        if !is_own {
            return Err(Error::OtherMesh { what: "the mesh whose seams are to be marked" });
        }
        let parts = |column: &&Column| {
            matches!(column.head.role, Role::Material | Role::Group | Role::Object | Role::Smoothing)
                && column.head.policy != Policy::Drop
        };
        let charts = Charts::of(self)?;
        let columns: Vec<_> = self.of_faces.iter().filter(parts).collect();
        if columns.is_empty() && charts.is_none() {
            return Ok(None);
        }
        let device = self.device.clone();
        let [v, n] = [ElementKind::Vertex, ElementKind::Edge].map(|kind| mesh.ids(kind));
        let mut marks = DynamicAttribute::<Edge, u32>::zeros(mesh)?;
        let mut count = device.zeros::<u32>(1)?;
        for column in columns {
            let kernel = MarkSeams {
                mesh: mesh.view(),
                n,
                words: column.head.words() as u32,
                rows: column.rows.view(),
                marks: marks.view_mut(),
                count: count.view_mut(),
            };
            device.launch(tiles(n), kernel)?;
        }
        if let Some(charts) = &charts {
            let (open, marks, count) = (charts.open.view(), marks.view_mut(), count.view_mut());
            device.launch(tiles(n), MarkWalls { mesh: mesh.view(), n, open, marks, count })?;
        }
        match charts {
            Some(Charts { poles, .. }) => Ok(Some(Seams { marks, poles })),
            None if count.read()?[0] > 0 => Ok(Some(Seams { marks, poles: device.zeros(v as usize)? })),
            None => Ok(None),
        }
    }
}
