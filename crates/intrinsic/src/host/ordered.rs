//! The triangles of a surface in the order of its output.
use crate::device::lengths::OrderFaces;
use glam::DVec3;
use ribbonmesh::{Buffer, Result, Surface};

/// Positions and faces in the order in which the surface is downloaded: nothing that is computed of them
/// depends on what was asked of the surface before.
pub struct Ordered {
    /// Positions.
    pub positions: Buffer<DVec3>,
    /// Vertices of faces, three each, the least first.
    pub faces: Buffer<u32>,
}

impl Ordered {
    /// Copies the triangles. Does not wait.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn of(surface: &Surface) -> Result<Self> {
        let (device, triangles) = (surface.device(), surface.triangles());
        let positions = surface.exact_positions()?;
        let mut faces = device.unspecified::<u32>(triangles.faces().len())?;
        let (vertex_places, face_places) = (triangles.vertex_places()?, triangles.face_places()?);
        let order = OrderFaces {
            faces: triangles.faces().view(),
            vertex_places: vertex_places.view(),
            face_places: face_places.view(),
            to: faces.view_mut(),
        };
        device.launch_each((triangles.faces().len() / 3) as u32, order)?;
        Ok(Self { positions, faces })
    }
}
