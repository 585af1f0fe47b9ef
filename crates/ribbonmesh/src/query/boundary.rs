//! Elements on the boundary.
use crate::kernels::query::boundary::{BoundaryEdges, BoundaryFaces, BoundaryVertices};
use crate::{Buffer, Result, StaticMesh};
use ribbonmesh_device::{Element, ElementKind};

impl StaticMesh {
    /// For each element, 1 if it is on the boundary, else 0, in the order of ids: for example
    /// `mesh.boundary::<Vertex>()`. Boundary edges have exactly one face; boundary vertices and faces have
    /// such an edge (thesis 2.1). One launch, linear in the mesh.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn boundary<E: Element>(&self) -> Result<Buffer<u32>> {
        let (device, mesh, patches) = (self.device(), self.view(), self.patches() as u32);
        match E::KIND {
            ElementKind::Vertex => {
                let mut flags = device.zeros(self.vertices())?;
                device.launch(patches, BoundaryVertices { mesh, flags: flags.view_mut() })?;
                Ok(flags)
            }
            ElementKind::Edge => {
                let mut flags = device.zeros(self.edges())?;
                device.launch(patches, BoundaryEdges { mesh, flags: flags.view_mut() })?;
                Ok(flags)
            }
            ElementKind::Face => {
                let mut flags = device.zeros(self.faces())?;
                device.launch(patches, BoundaryFaces { mesh, flags: flags.view_mut() })?;
                Ok(flags)
            }
        }
    }
}
