//! Reading the mesh into host memory.
use super::mesh::DynamicMesh;
use crate::Result;
use crate::device::NONE;

impl DynamicMesh {
    /// The two vertices of every edge, by id, in the direction of its first dart; `NONE` for deleted edges.
    /// Waits.
    /// # Errors
    /// Errors of earlier kernels or of the driver.
    pub fn read_edges(&self) -> Result<Vec<[u32; 2]>> {
        let darts = self.eh.read_range(0, 2 * self.ids[1] as usize)?;
        let corners = self.fv.read_range(0, 4 * self.ids[2] as usize)?;
        let ends = |h: u32| {
            let (face, corner) = (h & !3, h & 3);
            [corners[h as usize], corners[(face + (corner + 1) % 3) as usize]]
        };
        let of_edge = |sides: &[u32]| match [sides[0], sides[1]] {
            [NONE, NONE] => [NONE; 2],
            [NONE, h] => {
                let [b, a] = ends(h);
                [a, b]
            }
            [h, _] => ends(h),
        };
        Ok(darts.chunks_exact(2).map(of_edge).collect())
    }
    /// For each vertex id, whether the vertex is living; isolated vertices count as living. Waits.
    /// # Errors
    /// Errors of earlier kernels or of the driver.
    pub fn read_living_vertices(&self) -> Result<Vec<bool>> {
        let dead = self.dead.read_range(0, self.ids[0] as usize)?;
        Ok(dead.into_iter().map(|d| d == 0).collect())
    }
}
