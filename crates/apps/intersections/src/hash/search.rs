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
        let kernel =
            InsertFaces { meshes: meshes.view(n), table: table.view_mut(), facts: facts.view_mut() };
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
        size = size.grown(n);
        facts.write_range(USED as usize, &[0])?;
    }
}

/// Whether all entries have found slots; an error if the triangles are none.
fn is_complete(meshes: &MeshPair<'_>, facts: &Buffer<u32>) -> Result<bool> {
    let facts = facts.read()?;
    meshes.refuse(&facts)?;
    Ok(facts[USED as usize] & LOST == 0)
}
