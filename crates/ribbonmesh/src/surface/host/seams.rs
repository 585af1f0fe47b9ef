//! Seams: what applications that change triangles keep as features.
use super::column::Column;
use super::surface::{State, Surface};
use crate::device::{ElementKind, tiles};
use crate::dynamic::{DynamicAttribute, DynamicMesh};
use crate::surface::kernels::seams::{MarkSeams, OF_CORNERS, OF_FACES};
use crate::{Edge, Error, Result};
use ribbonmesh_mesh::{Policy, Role};

impl Surface {
    /// Marks the edges across which attributes jump: where the corners of a vertex have different texture coordinates on both
    /// sides, and where faces belong to different materials, groups, objects or smoothing groups. Columns that go when the
    /// mesh changes do not count. 1 for such an edge, else 0; none if there are no such edges. `mesh` is that of
    /// [`Surface::to_dynamic`], still without changes. Waits.
    /// # Errors
    /// [`Error::OtherMesh`] for a mesh that was not made of this surface, or was renumbered; out of memory; errors of the driver.
    pub fn seams(&self, mesh: &mut DynamicMesh) -> Result<Option<DynamicAttribute<Edge, u32>>> {
        let is_own = match &self.state {
            State::Triangles { topology, .. } => mesh.has_ids_of_flat(topology),
            State::Patches { mesh: patches, .. } => mesh.has_ids_of(patches),
            _ => false,
        };
        if !is_own {
            return Err(Error::OtherMesh { what: "the mesh whose seams are to be marked" });
        }
        let parts = |column: &&Column| {
            matches!(column.head.role, Role::Material | Role::Group | Role::Object | Role::Smoothing)
        };
        let follows = |column: &&Column| column.head.policy != Policy::Drop;
        let of_texture = |column: &&Column| matches!(column.head.role, Role::TextureCoordinate(_));
        let of_faces = self.of_faces.iter().filter(parts).map(|column| (column, OF_FACES));
        let of_corners = self.of_corners.iter().filter(of_texture).map(|column| (column, OF_CORNERS));
        let columns: Vec<_> = of_faces.chain(of_corners).filter(|(column, _)| follows(column)).collect();
        if columns.is_empty() {
            return Ok(None);
        }
        let device = self.device.clone();
        let n = mesh.ids(ElementKind::Edge);
        let mut marks = DynamicAttribute::<Edge, u32>::zeros(mesh)?;
        let mut count = device.zeros::<u32>(1)?;
        for (column, of) in columns {
            let kernel = MarkSeams {
                mesh: mesh.view(),
                n,
                of,
                words: column.head.words() as u32,
                rows: column.rows.view(),
                marks: marks.view_mut(),
                count: count.view_mut(),
            };
            device.launch(tiles(n), kernel)?;
        }
        Ok((count.read()?[0] > 0).then_some(marks))
    }
}
