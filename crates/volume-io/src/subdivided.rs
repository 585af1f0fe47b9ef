//! A subdivided volume with the data of the volume.

use glam::DVec3;
use ribbonmesh_mesh::Scalars;
use ribbonmesh_volume::{Relation, Result, TcsrRows, VolumeMesh};

use crate::{DataArray, VolumeData, VolumeLoss};

impl VolumeData {
    /// A step of subdivision with its data: `finer` is what [`VolumeMesh::subdivide`] makes of `mesh`, which
    /// is [this volume on a device](VolumeData::upload), its positions relative to `origin`.
    ///
    /// New cells have the data of the cell that they are parts of. New vertices have the means of
    /// floating-point data of their edge, face or cell; the data of the old vertices stay. Whole numbers of
    /// vertices, and faces that are listed by themselves with their data, are among the losses.
    ///
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn subdivided(
        &self,
        mesh: &VolumeMesh,
        finer: &VolumeMesh,
        origin: DVec3,
    ) -> Result<(Self, Vec<VolumeLoss>)> {
        let rows = |relation| mesh.relation(relation)?.download();
        // new vertices are made from old vertices, edges, faces, cells; new cells are the corners of the old
        // ones
        let parts = [rows(Relation::EV)?, rows(Relation::FV)?, rows(Relation::CV)?];
        let parents: Vec<u32> = (0..parts[2].len())
            .flat_map(|cell| std::iter::repeat_n(cell as u32, parts[2].row(cell).len()))
            .collect();
        let mut losses = vec![];
        let mut point_data = vec![];
        for array in &self.point_data {
            match means(array, &parts) {
                Some(array) => point_data.push(array),
                None => losses.push(VolumeLoss::Array { element: "point", name: array.name.clone() }),
            }
        }
        for array in &self.face_data {
            losses.push(VolumeLoss::Array { element: "face", name: array.name.clone() });
        }
        let x = finer.positions().read()?;
        let volume = Self {
            positions: x.iter().map(|&x| origin + x.as_dvec3()).collect(),
            precision: self.precision,
            cells: finer.to_cells()?,
            point_data,
            cell_data: self.cell_data.iter().map(|array| array.select(&parents)).collect(),
            face_data: vec![],
            regions: self.regions.iter().filter(|region| region.dimension == 3).cloned().collect(),
            title: self.title.clone(),
        };
        let names = self.regions.len() - volume.regions.len();
        if names > 0 {
            losses.push(VolumeLoss::RegionNames { count: names });
        }
        Ok((volume, losses))
    }
}

/// Rows of floating-point numbers: the rows themselves, and the means of each row of `parts`. EV has signs.
fn means(array: &DataArray, parts: &[TcsrRows]) -> Option<DataArray> {
    let mut scalars = array.scalars.clone();
    if !matches!(scalars, Scalars::F32(_) | Scalars::F64(_)) {
        return None;
    }
    for part in parts {
        for row in 0..part.len() {
            let n = part.row(row).len().max(1) as f64;
            let sum = |k: usize| -> f64 {
                let at = |(v, _): (u32, i32)| array.scalars.as_f64(v as usize * array.width + k);
                part.signed(row).filter_map(at).sum()
            };
            let mean: Vec<f64> = (0..array.width).map(|k| sum(k) / n).collect();
            scalars.push_rounded(&mean);
        }
    }
    Some(DataArray { name: array.name.clone(), width: array.width, scalars })
}
