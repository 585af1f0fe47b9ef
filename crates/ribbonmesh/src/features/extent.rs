//! How large a mesh is.
use crate::{Attribute, Bounds, Error, Result, StaticMesh, Vertex};
use glam::Vec3;

/// The size of a mesh.
pub struct Extent {
    /// The length of the diagonal of the box around the vertices.
    pub diagonal: f64,
    /// The power of two that brings the diagonal near 1, so that squares of areas fit an `f32`. To multiply positions by
    /// it, and to divide them by it again, is exact.
    pub scale: f64,
}
impl Extent {
    /// Measures and checks the positions of a mesh that is to be changed, on its device. `what` names the mesh in errors.
    /// Waits.
    /// # Errors
    /// [`Error::OtherDevice`]; [`Error::OtherMesh`]; [`Error::NoFaces`]; [`Error::NotFinite`] names a vertex in input
    /// order; what the driver says.
    pub fn of(mesh: &StaticMesh, positions: &Attribute<Vertex, Vec3>, what: &'static str) -> Result<Self> {
        if !positions.device().same(mesh.device()) {
            return Err(Error::OtherDevice { what: "the attribute of positions" });
        }
        if !positions.belongs_to(mesh) {
            return Err(Error::OtherMesh { what: "the attribute of positions" });
        }
        if mesh.faces() == 0 {
            return Err(Error::NoFaces { what });
        }
        let (around, wrong) = positions.bounds()?;
        if let Some(id) = wrong {
            let vertex = mesh.vertex_inputs().read_range(id as usize, 1)?[0] as usize;
            return Err(Error::NotFinite { vertex });
        }
        let Bounds { low, high } = around.unwrap_or(Bounds { low: Vec3::ZERO, high: Vec3::ZERO });
        let diagonal = (high.as_dvec3() - low.as_dvec3()).length();
        let scale = if diagonal > 0.0 { (-diagonal.log2().floor()).clamp(-126.0, 126.0).exp2() } else { 1.0 };
        Ok(Self { diagonal, scale })
    }
}
