//! How large a mesh is.
use glam::{DVec3, Vec3};
use ribbonmesh::{Attribute, Error, Result, StaticMesh, Vertex};

/// Positions in host memory, and their size.
pub struct Extent {
    /// Positions by id.
    pub points: Vec<Vec3>,
    /// The length of the diagonal of the box around them.
    pub diagonal: f64,
    /// The power of two that brings the diagonal near 1, so that squares of areas fit an `f32`. To multiply positions by
    /// it, and to divide them by it again, is exact.
    pub scale: f64,
}
impl Extent {
    /// Reads the positions of a mesh that is to be changed, and checks them. `what` names the mesh in errors. Waits.
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
        let points = positions.buffer().read()?;
        let mut corners = [DVec3::INFINITY, DVec3::NEG_INFINITY];
        for (v, p) in points.iter().enumerate() {
            if !p.is_finite() {
                let vertex = mesh.vertex_inputs().read_range(v, 1)?[0] as usize;
                return Err(Error::NotFinite { vertex });
            }
            corners = [corners[0].min(p.as_dvec3()), corners[1].max(p.as_dvec3())];
        }
        let diagonal = (corners[1] - corners[0]).length();
        let scale = if diagonal > 0.0 { (-diagonal.log2().floor()).clamp(-126.0, 126.0).exp2() } else { 1.0 };
        Ok(Self { points, diagonal, scale })
    }
}
