//! The surface of a volume with the data of the volume.

use std::collections::HashMap;

use ribbonmesh_mesh::{Column, Role, TriangleMesh};
use ribbonmesh_volume::{Relation, Result, VolumeMesh};

use crate::{DataArray, VolumeData, VolumeLoss};

impl VolumeData {
    /// The surface of the volume as triangles with its data: the triangles of [`VolumeMesh::surface`], with
    /// the columns `volume_vertex`, `volume_face` and `volume_cell`, which say what they belong to. `mesh` is
    /// [this volume on a device](VolumeData::upload).
    ///
    /// Vertices have their positions in double precision and their data; triangles the data of the cell
    /// behind them, and of the face that is listed by itself where there is one: such an array is named
    /// `face_` and its name where cells have one of that name too. Rows of more than four numbers do not fit
    /// a column: these are among the losses.
    ///
    /// # Errors
    /// Errors of [`VolumeMesh::surface`].
    pub fn surface(&self, mesh: &VolumeMesh) -> Result<(TriangleMesh, Vec<VolumeLoss>)> {
        let mut surface = mesh.surface()?.download()?;
        let column = |name: &str, of: ribbonmesh_mesh::Attributes<'_>| {
            of.get::<u32>(name).map(<[u32]>::to_vec).unwrap_or_default()
        };
        let vertices = column("volume_vertex", surface.vertices());
        let cells = column("volume_cell", surface.faces_of());
        for (position, &vertex) in surface.positions.iter_mut().zip(&vertices) {
            if let Some(&own) = self.positions.get(vertex as usize) {
                *position = own;
            }
        }
        surface.precision = self.precision;
        let mut losses = vec![];
        for array in &self.point_data {
            match column_of(array, &array.name, &vertices) {
                // as many rows as vertices
                Some(column) => _ = surface.vertices_mut().insert_column(column),
                None => losses.push(VolumeLoss::Array { element: "point", name: array.name.clone() }),
            }
        }
        for array in &self.cell_data {
            match column_of(array, &array.name, &cells) {
                Some(column) => _ = surface.faces_of_mut().insert_column(column),
                None => losses.push(VolumeLoss::Array { element: "cell", name: array.name.clone() }),
            }
        }
        if !self.face_data.is_empty() {
            let listed = self.listed_faces(mesh, &column("volume_face", surface.faces_of()))?;
            let missing = listed.iter().any(|&face| face as usize >= self.cells.faces());
            for array in &self.face_data {
                let name = match self.of_cells(&array.name) {
                    Some(_) => format!("face_{}", array.name),
                    None => array.name.clone(),
                };
                match column_of(array, &name, &listed) {
                    Some(column) => {
                        _ = surface.faces_of_mut().insert_column(column);
                        if missing {
                            losses.push(VolumeLoss::Filled { element: "face", name });
                        }
                    }
                    None => losses.push(VolumeLoss::Array { element: "face", name: array.name.clone() }),
                }
            }
        }
        Ok((surface, losses))
    }

    /// For each of some faces of the mesh the one that is listed by itself with the same vertices, or
    /// `u32::MAX`.
    fn listed_faces(&self, mesh: &VolumeMesh, faces: &[u32]) -> Result<Vec<u32>> {
        let sorted = |face: &[u32]| {
            let mut own = face.to_vec();
            own.sort_unstable();
            own
        };
        let listed: HashMap<Vec<u32>, u32> =
            (0..self.cells.faces()).rev().map(|face| (sorted(self.cells.face(face)), face as u32)).collect();
        let cycles = mesh.relation(Relation::FV)?.download()?;
        let of = |&face: &u32| {
            let own: Vec<u32> = cycles.row(face as usize).iter().map(|&v| v as u32).collect();
            listed.get(&sorted(&own)).copied().unwrap_or(u32::MAX)
        };
        Ok(faces.iter().map(of).collect())
    }
}

fn column_of(array: &DataArray, name: &str, rows: &[u32]) -> Option<Column> {
    Column::from_scalars(name, Role::Custom, array.width, array.select(rows).scalars)
}
