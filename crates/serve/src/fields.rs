//! Columns of a mesh as fields on a device.

use ribbonmesh::glam::Vec3;
use ribbonmesh::{Buffer, Device, Error};
use ribbonmesh_expression::{Field, Type};
use ribbonmesh_mesh::{Column, TriangleMesh};
use ribbonmesh_rixels::DeviceColumn;
use ribbonmesh_stream::Served;

/// Fields, and where their values are.
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

/// The fields of a mesh: columns of vertices, columns of faces, then `position`, `x`, `y` and `z` of vertices
/// where no column has the name. A column of faces with the name of one of vertices gets `face_` before it.
pub(crate) fn fields_of(device: &Device, mesh: &TriangleMesh) -> Result<Fields, Error> {
    let mut fields = Fields { served: vec![], buffers: vec![], places: vec![] };
    for column in mesh.vertices() {
        fields.add(column.name(), "vertices", column.width(), &numbers(column), device)?;
    }
    for column in mesh.faces_of() {
        let taken = fields.served.iter().any(|served| served.field.name == column.name());
        let name = if taken { format!("face_{}", column.name()) } else { column.name().to_owned() };
        fields.add(&name, "faces", column.width(), &numbers(column), device)?;
    }
    let places: Vec<Vec3> = mesh.positions.iter().map(|p| p.as_vec3()).collect();
    let numbers: Vec<f32> = places.iter().flat_map(|p| p.to_array()).collect();
    let buffer = fields.buffers.len();
    fields.add("position", "vertices", 3, &numbers, device)?;
    for (part, name) in ["x", "y", "z"].into_iter().enumerate() {
        fields.place(name.into(), Type::Scalar, "vertices", &numbers, (buffer, part as u32, 3));
    }
    Ok(fields)
}

/// The numbers of a column in single precision.
fn numbers(column: &Column) -> Vec<f32> {
    let number = |i| column.scalars().as_f64(i).unwrap_or(f64::NAN) as f32;
    (0..column.rows() * column.width()).map(number).collect()
}

/// The least and the greatest finite number.
fn ends(numbers: impl Iterator<Item = f32>) -> Option<[f32; 2]> {
    let finite = numbers.filter(|x| x.is_finite());
    let start = [f32::INFINITY, f32::NEG_INFINITY];
    let ends = finite.fold(start, |[low, high], x| [low.min(x), high.max(x)]);
    (ends[0] <= ends[1]).then_some(ends)
}
