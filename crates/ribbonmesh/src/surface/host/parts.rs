//! Parts of a surface, borrowed together.
use super::columns::Columns;
use super::surface::Surface;
use crate::{Attribute, Face, Result, StaticMesh, Vertex};
use glam::Vec3;

/// Parts of a [`Surface`] for reading, from [`Surface::parts`].
pub struct Parts<'a> {
    /// The mesh as patches, which answer queries and run kernels.
    pub mesh: &'a StaticMesh,
    /// The positions, relative to [`Surface::origin`].
    pub positions: &'a Attribute<Vertex, Vec3>,
    /// The attributes of vertices.
    pub vertices: Columns<'a, Vertex>,
    /// The attributes of faces.
    pub faces: Columns<'a, Face>,
}

impl Surface {
    /// Patches, positions and attributes together, for kernels that read several of them.
    /// # Errors
    /// As [`Surface::patches`].
    pub fn parts(&mut self) -> Result<Parts<'_>> {
        self.patches()?;
        let (mesh, positions) = self.have_patches()?;
        Ok(Parts { mesh, positions, vertices: self.vertices(), faces: self.faces() })
    }
}
