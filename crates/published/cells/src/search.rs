//! The search by a hash of cells, with tables that grow.
use crate::measured::{Measured, MeshPair};
use crate::pairs::{FindInCells, InsertFaces};
use crate::table::{CellTable, TableSize};
use ribbonmesh::device::tiles;
use ribbonmesh::{Error, Result};
use ribbonmesh_solid::intersections::{Intersections, Marks, TRIANGLES, Triangles, Wanted, collect};

/// The pairs of faces of a mesh that intersect, by a hash of cells; the result is that of
/// [`ribbonmesh_solid::intersections::self_intersections`]. Waits.
///
/// Memory on the device: the hash (68 to 136 bytes per face); 8 bytes per face, 24 per pair.
/// # Errors
/// As that function.
pub fn self_intersections(mesh: Triangles<'_>) -> Result<Intersections> {
    in_cells(MeshPair { first: mesh, second: None }, TableSize::of(mesh.len()))
}

/// The pairs of a face of one mesh and a face of another mesh that intersect, by one hash of both; the result
/// is that of [`ribbonmesh_solid::intersections::intersections_between`]. Waits.
/// # Errors
/// As that function.
pub fn intersections_between(first: Triangles<'_>, second: Triangles<'_>) -> Result<Intersections> {
    if !second.device().same(first.device()) {
        return Err(Error::OtherDevice { what: "the second mesh" });
    }
    let size = TableSize::of(first.len().saturating_add(second.len()));
    in_cells(MeshPair { first, second: Some(second) }, size)
}

/// Finds the pairs, with a table that begins with this size. If an entry finds no slot, the table grows and
/// the search is repeated. Waits once, if neither table nor pairs need more room.
fn in_cells(meshes: MeshPair<'_>, size: TableSize) -> Result<Intersections> {
    let (device, mut size) = (meshes.first.device(), size);
    let mut measured = Measured::of(meshes)?;
    let n = measured.faces();
    let (first, second) = (meshes.first.len(), meshes.second.map(|mesh| mesh.len()));
    let wanted = Wanted { first, second: second.unwrap_or(first) };
    loop {
        let mut marks = Marks::new(device, first, second)?;
        let mut table = CellTable::new(device, size)?;
        let (view, facts) = (meshes.view(n), measured.view_mut());
        device.launch(tiles(n), InsertFaces { meshes: view, table: table.view_mut(), facts })?;
        let found = collect(device, wanted, &mut marks, |room| {
            let found = room.found();
            let (table, facts) = (table.view_mut(), measured.view_mut());
            let kernel = FindInCells { meshes: meshes.view(n), table, facts, found };
            device.launch(n.div_ceil(TRIANGLES), kernel)?;
            measured.is_complete()
        })?;
        if found.is_some() {
            return marks.with(found);
        }
        size = TableSize::grown(n);
        measured.forget()?;
    }
}

/// The table of [`self_intersections`] alone, without a search: to know what it takes. Waits.
/// # Errors
/// As [`self_intersections`].
pub fn table_of(triangles: Triangles<'_>) -> Result<CellTable> {
    let meshes = MeshPair { first: triangles, second: None };
    let (mut measured, device) = (Measured::new(triangles)?, triangles.device());
    let n = measured.faces();
    let mut size = TableSize::of(n);
    loop {
        let mut table = CellTable::new(device, size)?;
        let (view, facts) = (meshes.view(n), measured.view_mut());
        device.launch(tiles(n), InsertFaces { meshes: view, table: table.view_mut(), facts })?;
        if measured.is_complete()? {
            return Ok(table);
        }
        size = TableSize::grown(n);
        measured.forget()?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
        let expected = ribbonmesh_solid::intersections::self_intersections(first)
            .expect("pairs")
            .pairs
            .read()
            .expect("pairs");
        assert!(expected.len() > 100);
        for size in [
            TableSize { cells: 1, tries: 1 },
            TableSize { cells: 64, tries: 2 },
            TableSize { cells: 512, tries: 1 },
        ] {
            let found = in_cells(meshes, size).expect("pairs");
            assert_eq!(found.pairs.read().expect("pairs"), expected, "{size:?}");
        }
        let usual = in_cells(meshes, TableSize::of(first.len())).expect("pairs");
        assert_eq!(usual.pairs.read().expect("pairs"), expected);
    }
}
