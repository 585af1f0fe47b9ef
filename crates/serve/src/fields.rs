//! Columns of a mesh and data of a volume as fields on a device.

use ribbonmesh::glam::DVec3;
use ribbonmesh::{Buffer, Device, Error};
use ribbonmesh_expression::{Field, Type};
use ribbonmesh_mesh::{Scalars, TriangleMesh};
use ribbonmesh_rixels::DeviceColumn;
use ribbonmesh_stream::Served;
use ribbonmesh_volume_io::VolumeData;

/// Fields, and where their values are.
#[derive(Default)]
pub(crate) struct Fields {
    pub served: Vec<Served>,
    buffers: Vec<Buffer<f32>>,
    /// Buffer, first number and stride of each field.
    places: Vec<(usize, u32, u32)>,
}

impl Fields {
    /// The columns of all fields, in their order.
    pub fn columns(&self) -> Vec<Option<DeviceColumn<'_>>> {
        let column = |&(buffer, first, stride): &(usize, u32, u32)| {
            Some(DeviceColumn::interleaved(&self.buffers[buffer], first, stride))
        };
        self.places.iter().map(column).collect()
    }

    /// Adds rows of `width` numbers as a field, or as one for each number where no type has so many.
    fn add(
        &mut self,
        name: &str,
        of: &str,
        width: usize,
        numbers: &[f32],
        device: &Device,
    ) -> Result<(), Error> {
        let buffer = self.buffers.len();
        self.buffers.push(device.upload(numbers)?);
        let of_type = [Type::Scalar, Type::Vector, Type::Symmetric, Type::Tensor]
            .into_iter()
            .find(|of_type| of_type.width() == width);
        let stride = width as u32;
        match of_type {
            Some(of_type) => self.place(name.to_owned(), of_type, of, numbers, (buffer, 0, stride)),
            None => (0..stride).for_each(|part| {
                self.place(format!("{name}_{part}"), Type::Scalar, of, numbers, (buffer, part, stride));
            }),
        }
        Ok(())
    }

    /// A name, with a prefix if there is a field of that name.
    fn free_name(&self, name: &str, prefix: &str) -> String {
        let taken = self.served.iter().any(|served| served.field.name == name);
        if taken { format!("{prefix}{name}") } else { name.to_owned() }
    }

    /// Adds `position`, `x`, `y` and `z` of vertices where no other field has the name.
    fn add_places(&mut self, positions: &[DVec3], device: &Device) -> Result<(), Error> {
        let numbers: Vec<f32> = positions.iter().flat_map(|p| p.as_vec3().to_array()).collect();
        let buffer = self.buffers.len();
        self.add("position", "vertices", 3, &numbers, device)?;
        for (part, name) in ["x", "y", "z"].into_iter().enumerate() {
            self.place(name.into(), Type::Scalar, "vertices", &numbers, (buffer, part as u32, 3));
        }
        Ok(())
    }

    /// Adds a field, unless there is one of that name.
    fn place(
        &mut self,
        name: String,
        of_type: Type,
        of: &str,
        numbers: &[f32],
        (buffer, first, stride): (usize, u32, u32),
    ) {
        if self.served.iter().any(|served| served.field.name == name) {
            return;
        }
        let rows = numbers.chunks_exact(stride.max(1) as usize);
        let count = rows.len() as u64;
        let range = (of_type == Type::Scalar).then(|| ends(rows.map(|row| row[first as usize]))).flatten();
        let field = Field::new(name, of_type, of);
        self.served.push(Served { range, ..Served::new(field, count) });
        self.places.push((buffer, first, stride));
    }
}

/// The fields of a mesh: columns of vertices, columns of faces, then [places](Fields::add_places). A column of
/// faces with the name of one of vertices gets `face_` before it.
pub(crate) fn fields_of(device: &Device, mesh: &TriangleMesh) -> Result<Fields, Error> {
    let mut fields = Fields::default();
    for column in mesh.vertices() {
        fields.add(column.name(), "vertices", column.width(), &numbers(column.scalars()), device)?;
    }
    for column in mesh.faces_of() {
        let name = fields.free_name(column.name(), "face_");
        fields.add(&name, "faces", column.width(), &numbers(column.scalars()), device)?;
    }
    fields.add_places(&mesh.positions, device)?;
    Ok(fields)
}

/// The fields of a volume: data of vertices, data of cells, then places. Data of cells with the name of those
/// of vertices get `cell_` before it.
pub(crate) fn fields_of_volume(device: &Device, volume: &VolumeData) -> Result<Fields, Error> {
    let mut fields = Fields::default();
    for array in &volume.point_data {
        fields.add(&array.name, "vertices", array.width, &numbers(&array.scalars), device)?;
    }
    for array in &volume.cell_data {
        let name = fields.free_name(&array.name, "cell_");
        fields.add(&name, "cells", array.width, &numbers(&array.scalars), device)?;
    }
    fields.add_places(&volume.positions, device)?;
    Ok(fields)
}

/// The numbers in single precision.
fn numbers(scalars: &Scalars) -> Vec<f32> {
    (0..scalars.len()).map(|i| scalars.as_f64(i).unwrap_or(f64::NAN) as f32).collect()
}

/// The least and the greatest finite number.
fn ends(numbers: impl Iterator<Item = f32>) -> Option<[f32; 2]> {
    let finite = numbers.filter(|x| x.is_finite());
    let start = [f32::INFINITY, f32::NEG_INFINITY];
    let ends = finite.fold(start, |[low, high], x| [low.min(x), high.max(x)]);
    (ends[0] <= ends[1]).then_some(ends)
}
