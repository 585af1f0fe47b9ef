//! The search by a hash of cells: what the kernels need, and tables that grow.
use crate::broad::Broad;
use crate::cells::MOST_FACES;
use crate::find::{Intersections, Triangles};
use crate::hash::kernels::{
    ChooseCells, ExamineFaces, ExaminePositions, FACTS, FindInCells, InsertFaces, LOST, MeshesArguments,
    NOT_FINITE, OUT_OF_RANGE, USED,
};
use crate::kernels::TRIANGLES;
use crate::pairs::{Marks, Wanted, collect};
use crate::table::{CellTable, TableSize};
use ribbonmesh::device::tiles;
use ribbonmesh::{Buffer, Error, Result};

/// One mesh, or two whose faces are compared with those of the other one.
#[derive(Clone, Copy)]
pub struct MeshPair<'a> {
    pub first: Triangles<'a>,
    pub second: Option<Triangles<'a>>,
}
impl<'a> MeshPair<'a> {
    fn meshes(&self) -> impl Iterator<Item = Triangles<'a>> + use<'a> {
        std::iter::once(self.first).chain(self.second)
    }
    /// Number of faces of both.
    fn checked_len(&self) -> Result<u32> {
        self.meshes().try_for_each(|mesh| mesh.check_lengths())?;
        let (count, limit) = (self.meshes().map(|mesh| u64::from(mesh.len())).sum(), u64::from(MOST_FACES));
        for mesh in self.meshes() {
            let (count, limit) = (mesh.positions.len() as u64, u64::from(u32::MAX));
            if count > limit {
                return Err(Error::TooMany { what: "vertices", count, limit });
            }
        }
        match count > limit {
            true => Err(Error::TooMany { what: "faces", count, limit }),
            false => Ok(count as u32),
        }
    }
    fn view(&self, n: u32) -> MeshesArguments<'_> {
        MeshesArguments {
            first: self.first.view(),
            second: self.second.as_ref().unwrap_or(&self.first).view(),
            split: self.first.len(),
            n,
        }
    }
    /// The error about what the kernels found wrong.
    fn refuse(&self, facts: &[u32]) -> Result<()> {
        for (i, mesh) in self.meshes().enumerate() {
            let [out_of_range, not_finite] = [OUT_OF_RANGE, NOT_FINITE].map(|word| facts[word as usize + i]);
            if out_of_range != 0 {
                let (face, vertices) = (!out_of_range as usize, mesh.positions.len());
                let corners = mesh.faces.read_range(3 * face, 3)?;
                let vertex = corners.into_iter().find(|&v| v as usize >= vertices).unwrap_or_default();
                return Err(Error::IndexOutOfRange { face, vertex, vertices });
            }
            if not_finite != 0 {
                return Err(Error::NotFinite { vertex: !not_finite as usize });
            }
        }
        Ok(())
    }
}

/// The pairs, by a table that begins with this size. Where an entry finds no slot the table grows and all is done again; with
/// [`Broad::Automatic`] there is no result then. Waits once, if neither table nor pairs need more room.
pub fn in_cells(meshes: MeshPair<'_>, size: TableSize, broad: Broad) -> Result<Option<Intersections>> {
    let (device, n, mut size) = (meshes.first.device(), meshes.checked_len()?, size);
    let mut facts = device.zeros::<u32>(FACTS)?;
    for (second, mesh) in (0..).zip(meshes.meshes()) {
        let (positions, n) = (mesh.positions.view(), mesh.positions.len() as u32);
        device.launch(tiles(n), ExaminePositions { positions, n, second, facts: facts.view_mut() })?;
    }
    device.launch(tiles(n), ExamineFaces { meshes: meshes.view(n), facts: facts.view_mut() })?;
    device.launch(1, ChooseCells { meshes: meshes.view(n), facts: facts.view_mut() })?;
    let (first, second) = (meshes.first.len(), meshes.second.map(|mesh| mesh.len()));
    let wanted = Wanted { first, second: second.unwrap_or(first) };
    loop {
        let mut marks = Marks::new(device, first, second)?;
        let mut table = CellTable::new(device, size.cells, size.tries)?;
        let kernel = InsertFaces { meshes: meshes.view(n), table: table.view_mut(), facts: facts.view_mut() };
        device.launch(tiles(n), kernel)?;
        let found = collect(device, wanted, &mut marks, |found| {
            let kernel = FindInCells {
                meshes: meshes.view(n),
                table: table.view_mut(),
                facts: facts.view_mut(),
                found,
            };
            device.launch(n.div_ceil(TRIANGLES), kernel)?;
            is_complete(&meshes, &facts)
        })?;
        if found.is_some() {
            return marks.with(found, Broad::Hash).map(Some);
        }
        if broad == Broad::Automatic {
            return Ok(None);
        }
        size = TableSize::grown(n);
        facts.write_range(USED as usize, &[0])?;
    }
}

/// Whether all entries have found slots; an error if the triangles are none.
fn is_complete(meshes: &MeshPair<'_>, facts: &Buffer<u32>) -> Result<bool> {
    let facts = facts.read()?;
    meshes.refuse(&facts)?;
    Ok(facts[USED as usize] & LOST == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find::self_intersections_by;
    use glam::Vec3;
    use ribbonmesh::Device;
    use ribbonmesh_mesh::shapes;

    /// Two spheres through each other.
    fn spheres() -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let sphere = shapes::icosphere(3).expect("small");
        let (mut x, n) = (sphere.points(), sphere.positions.len() as u32);
        x.extend(sphere.points().into_iter().map(|p| p + Vec3::new(0.7, 0.31, -0.2)));
        let others: Vec<_> = sphere.faces.iter().map(|face| face.map(|v| v + n)).collect();
        (x, [sphere.faces, others].concat())
    }

    #[test]
    fn tables_grow_until_all_is_in_them() {
        let device = Device::cpu();
        let (x, faces) = spheres();
        let (x, faces) =
            (device.upload(&x).expect("memory"), device.upload(faces.as_flattened()).expect("memory"));
        let first = Triangles { positions: &x, faces: &faces };
        let meshes = MeshPair { first, second: None };
        let expected = self_intersections_by(first, Broad::Tree).expect("pairs").pairs.read().expect("pairs");
        assert!(expected.len() > 100);
        for size in [
            TableSize { cells: 1, tries: 1 },
            TableSize { cells: 64, tries: 2 },
            TableSize { cells: 512, tries: 1 },
        ] {
            let found = in_cells(meshes, size, Broad::Hash).expect("pairs").expect("no tree is made");
            assert_eq!(found.pairs.read().expect("pairs"), expected, "{size:?}");
            assert_eq!(found.broad, Broad::Hash);
            // no part of the result, but none
            assert!(in_cells(meshes, size, Broad::Automatic).expect("no pairs").is_none(), "{size:?}");
        }
        let usual = in_cells(meshes, TableSize::of(first.len()), Broad::Automatic).expect("pairs");
        assert_eq!(usual.expect("few in each cell").pairs.read().expect("pairs"), expected);
    }
}
