//! Parts of a volume.
use super::error::Result;
use super::mesh::VolumeMesh;
use super::relation::Relation;
use ribbonmesh_mesh::UnionFind;

impl VolumeMesh {
    /// The part of each cell: the smallest cell that it hangs together with through faces. Cells that share
    /// vertices or edges alone, as at a hinge, are in different parts. On the host, in almost linear time;
    /// makes FC; waits.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn parts(&self) -> Result<Vec<u32>> {
        let faces = self.relation(Relation::FC)?.download()?;
        let mut parts = UnionFind::new(self.cells());
        for face in 0..faces.len() {
            let mut own = faces.signed(face).map(|(cell, _)| cell);
            let Some(first) = own.next() else { continue };
            own.for_each(|other| _ = parts.join(first, other));
        }
        Ok(parts.roots())
    }
}
