//! Parts of a volume.
use super::error::Result;
use super::mesh::VolumeMesh;
use super::relation::Relation;

impl VolumeMesh {
    /// The part of each cell: the smallest cell that it hangs together with through faces. Cells that share
    /// vertices or edges alone, as at a hinge, are in different parts. On the host, in almost linear time;
    /// makes FC; waits.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn parts(&self) -> Result<Vec<u32>> {
        let faces = self.relation(Relation::FC)?.download()?;
        let mut parent: Vec<u32> = (0..self.cells() as u32).collect();
        for face in 0..faces.len() {
            let mut own = faces.signed(face).map(|(cell, _)| cell);
            let Some(first) = own.next() else { continue };
            for other in own {
                let (a, b) = (root(&mut parent, first), root(&mut parent, other));
                parent[a.max(b) as usize] = a.min(b);
            }
        }
        Ok((0..self.cells() as u32).map(|cell| root(&mut parent, cell)).collect())
    }
}
fn root(parent: &mut [u32], mut v: u32) -> u32 {
    while parent[v as usize] != v {
        parent[v as usize] = parent[parent[v as usize] as usize];
        v = parent[v as usize];
    }
    v
}
