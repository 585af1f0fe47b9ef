//! Elements at rest.
use super::elements::Elements;
use super::error::{EnergyError, Result, length};
use crate::device::rest::{RestOfFlatTriangles, RestOfSprings, RestOfTetrahedra};
use ribbonmesh::Buffer;
use ribbonmesh::device::NONE;

/// How elements rest at positions of vertices, three coordinates for each: what the energy of their kind
/// keeps in its `rest`.
impl Elements {
    /// The lengths of edges, for [`Springs`](crate::Springs). Waits.
    /// # Errors
    /// [`EnergyError::AtRest`] names the first edge without length; [`EnergyError::OtherElements`];
    /// [`ribbonmesh::Error::Length`]; out of memory; errors of the driver.
    pub fn springs_at_rest(&self, x: &Buffer<f64>) -> Result<Buffer<f64>> {
        let (mut rest, mut wrong) = self.room_at_rest(2, 1, x)?;
        let (corners, x) = (self.corners().view(), x.view());
        let kernel = RestOfSprings { corners, x, rest: rest.view_mut(), wrong: wrong.view_mut() };
        self.device().launch_each(self.len() as u32, kernel)?;
        proper(&wrong)?;
        Ok(rest)
    }
    /// Triangles of a surface, each laid into the plane, for
    /// [`SymmetricDirichlet`](crate::SymmetricDirichlet). Waits.
    /// # Errors
    /// As [`Elements::springs_at_rest`], for a triangle without area.
    pub fn flat_triangles_at_rest(&self, x: &Buffer<f64>) -> Result<Buffer<f64>> {
        let (mut rest, mut wrong) = self.room_at_rest(3, 5, x)?;
        let (corners, x) = (self.corners().view(), x.view());
        let kernel = RestOfFlatTriangles { corners, x, rest: rest.view_mut(), wrong: wrong.view_mut() };
        self.device().launch_each(self.len() as u32, kernel)?;
        proper(&wrong)?;
        Ok(rest)
    }
    /// Tetrahedra, for [`NeoHookean`](crate::NeoHookean). Waits.
    /// # Errors
    /// As [`Elements::springs_at_rest`], for a tetrahedron without volume or turned inside out.
    pub fn tetrahedra_at_rest(&self, x: &Buffer<f64>) -> Result<Buffer<f64>> {
        let (mut rest, mut wrong) = self.room_at_rest(4, 10, x)?;
        let (corners, x) = (self.corners().view(), x.view());
        let kernel = RestOfTetrahedra { corners, x, rest: rest.view_mut(), wrong: wrong.view_mut() };
        self.device().launch_each(self.len() as u32, kernel)?;
        proper(&wrong)?;
        Ok(rest)
    }
    fn room_at_rest(&self, of: usize, each: usize, x: &Buffer<f64>) -> Result<(Buffer<f64>, Buffer<u32>)> {
        self.check_vertices(of)?;
        length("coordinates of vertices", 3 * self.vertices(), x.len())?;
        Ok((self.device().unspecified(each * self.len())?, self.device().upload(&[NONE])?))
    }
}
fn proper(wrong: &Buffer<u32>) -> Result<()> {
    match wrong.read()?[0] {
        NONE => Ok(()),
        element => Err(EnergyError::AtRest { element: element as usize }),
    }
}
