//! The mesh of a store as it is.
use super::attribute::PatchAttribute;
use super::error::StoreError;
use super::rows::StoreOp;
use super::store::PatchStore;
use ribbonmesh::Vertex;
use ribbonmesh::device::{ElementKind, NONE, Vec3};
use ribbonmesh_mesh::TriangleMesh;

impl PatchStore {
    /// The number of each place's owned element of a kind, counted from the first place on; [`NONE`] where
    /// there is none. It is the order of [`PatchStore::triangles`] and of [`PatchAttribute::values`].
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn order(&self, kind: ElementKind) -> Result<Vec<u32>, StoreError> {
        let mut number = 0;
        let number = self.handles(kind)?.into_iter().map(|handle| {
            handle.map_or(NONE, |_| {
                number += 1;
                number - 1
            })
        });
        Ok(number.collect())
    }
    /// The faces, with vertices and faces in the order of places.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn triangles(&self) -> Result<Vec<[u32; 3]>, StoreError> {
        self.triangles_by(&[self.order(ElementKind::Vertex)?, self.order(ElementKind::Face)?])
    }
    /// The faces by the orders of vertices and faces.
    pub(super) fn triangles_by(&self, [vertex, face]: &[Vec<u32>; 2]) -> Result<Vec<[u32; 3]>, StoreError> {
        let rows = self.query(StoreOp::FV)?.download()?;
        let faces = face.iter().enumerate().filter(|(_, number)| **number != NONE).map(|(place, _)| {
            let row = rows.row(place);
            [0, 1, 2].map(|i| vertex[row[i] as usize])
        });
        Ok(faces.collect())
    }
    /// The faces with their positions.
    /// # Errors
    /// [`StoreError::OtherStore`]; out of memory; errors of the driver.
    pub fn to_mesh(&self, x: &PatchAttribute<Vertex, Vec3>) -> Result<TriangleMesh, StoreError> {
        let positions = x.values(self)?.into_iter().map(|x| x.as_dvec3()).collect();
        Ok(TriangleMesh::new(positions, self.triangles()?))
    }
}
