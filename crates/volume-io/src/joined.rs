//! Data of cells and faces in one table, as VTK has them: cells first.

use ribbonmesh_mesh::{Scalar, Scalars};

use crate::{DataArray, VolumeData, VolumeLoss};

/// The arrays of cells and faces, joined by name. Elements without a value get NaN or zero; an array of faces
/// whose type differs from that of cells is left out.
pub(crate) fn joined(data: &VolumeData, losses: &mut Vec<VolumeLoss>) -> Vec<DataArray> {
    let (cells, faces) = (data.cells.len(), data.cells.faces());
    let mut all = Vec::with_capacity(data.cell_data.len());
    for array in &data.cell_data {
        let mut scalars = array.scalars.clone();
        match data.of_faces(&array.name) {
            Some(more) if more.width == array.width && scalars.append(&more.scalars) => {}
            found => {
                let name = array.name.clone();
                if faces > 0 {
                    let loss = match found {
                        Some(_) => VolumeLoss::Array { element: "face", name },
                        None => VolumeLoss::Filled { element: "face", name },
                    };
                    losses.push(loss);
                }
                scalars.append(&empty(scalars.scalar(), faces * array.width));
            }
        }
        all.push(DataArray { scalars, ..array.clone() });
    }
    for array in data.face_data.iter().filter(|array| data.of_cells(&array.name).is_none()) {
        let mut scalars = empty(array.scalars.scalar(), cells * array.width);
        scalars.append(&array.scalars);
        losses.push(VolumeLoss::Filled { element: "cell", name: array.name.clone() });
        all.push(DataArray { name: array.name.clone(), width: array.width, scalars });
    }
    all
}

/// NaN or zero.
pub(crate) fn empty(scalar: Scalar, count: usize) -> Scalars {
    match scalar {
        Scalar::F32 => Scalars::F32(vec![f32::NAN; count]),
        Scalar::F64 => Scalars::F64(vec![f64::NAN; count]),
        _ => {
            let mut zeros = Scalars::with_capacity(scalar, count);
            zeros.push_zeros(count);
            zeros
        }
    }
}
