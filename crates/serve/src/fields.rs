//! Numbers on a device as fields.

use crate::moment::Given;
use ribbonmesh::Buffer;
use ribbonmesh::device::Pod;
use ribbonmesh::glam::{Vec2, Vec3, Vec4};
use ribbonmesh_expression::{Field, Type};
use ribbonmesh_rixels::DeviceColumn;
use ribbonmesh_stream::Served;

/// Numbers of single precision that a field has for each element: one number, a vector, the components of a
/// tensor.
pub trait Row: Pod + Send + Sync {}
impl Row for f32 {}
impl<const N: usize> Row for [f32; N] where [f32; N]: Pod {}
impl Row for Vec2 {}
impl Row for Vec3 {}
impl Row for Vec4 {}

/// A buffer of rows of any type.
pub(crate) trait Numbers: Send {
    /// How many numbers there are.
    fn count(&self) -> usize;
    /// The column whose component `first` is the first of `width` in each row.
    fn column(&self, first: u32, width: u32) -> DeviceColumn<'_>;
    /// Whether the buffer is on that device.
    fn is_on(&self, device: &ribbonmesh::Device) -> bool;
}
impl<T: Row> Numbers for Buffer<T> {
    fn count(&self) -> usize {
        self.bytes() / size_of::<f32>()
    }
    fn column(&self, first: u32, width: u32) -> DeviceColumn<'_> {
        DeviceColumn::interleaved(self, first, width)
    }
    fn is_on(&self, device: &ribbonmesh::Device) -> bool {
        self.device().same(device)
    }
}

/// The type of rows of so many numbers.
pub(crate) fn type_of(width: usize) -> Option<Type> {
    let all = [Type::Scalar, Type::Vector, Type::Symmetric, Type::Tensor];
    all.into_iter().find(|of_type| of_type.width() == width)
}

/// The buffer that a field is in.
#[derive(Clone, Copy)]
enum At {
    /// One that was given, by its place.
    Given(usize),
    /// That of the positions.
    Positions,
}

/// Fields, and where their values are.
#[derive(Default)]
pub(crate) struct Fields {
    pub served: Vec<Served>,
    buffers: Vec<Box<dyn Numbers>>,
    /// Buffer, first number and stride of each field.
    places: Vec<(At, u32, u32)>,
}

impl Fields {
    /// Fields of a mesh or a volume: those that are given, then `position`, `x`, `y` and `z` of its vertices
    /// where none has the name; they are read from the buffer of positions unless another one is given. A
    /// field of faces or cells with the name of one before it gets `face_` or `cell_` before its name.
    pub fn new(given: Vec<Given>, vertices: u64, positions: Option<Buffer<f32>>) -> Self {
        let mut fields = Self::given(given);
        let at = match positions {
            Some(positions) => {
                fields.buffers.push(Box::new(positions));
                At::Given(fields.buffers.len() - 1)
            }
            None => At::Positions,
        };
        fields.place("position".into(), Type::Vector, "vertices", (at, 0, 3), (vertices, None));
        for (part, name) in (0..).zip(["x", "y", "z"]) {
            fields.place(name.into(), Type::Scalar, "vertices", (at, part, 3), (vertices, None));
        }
        fields
    }

    /// Fields that are given, and no others.
    pub fn given(given: Vec<Given>) -> Self {
        let mut fields = Self::default();
        for Given { name, of, width, numbers, ranges } in given {
            let taken = of != "vertices" && fields.served.iter().any(|served| served.field.name == name);
            let name = if taken { format!("{}_{name}", of.trim_end_matches('s')) } else { name };
            let at = At::Given(fields.buffers.len());
            let count = (numbers.count() / width.max(1) as usize) as u64;
            fields.buffers.push(numbers);
            fields.add(&name, of, (at, width), count, &ranges);
        }
        fields
    }

    /// The columns of all fields, in their order; none for places where there are no positions.
    pub fn columns<'a>(&'a self, positions: Option<&'a Buffer<Vec3>>) -> Vec<Option<DeviceColumn<'a>>> {
        let column = |&(at, first, stride): &(At, u32, u32)| {
            let numbers: &dyn Numbers = match at {
                At::Given(buffer) => &*self.buffers[buffer],
                At::Positions => positions?,
            };
            Some(numbers.column(first, stride))
        };
        self.places.iter().map(column).collect()
    }

    /// Names and types, as expressions know them.
    pub fn layout(&self) -> Vec<Field> {
        self.served.iter().map(|served| served.field.clone()).collect()
    }

    /// Adds rows as a field, or as one for each number where no type has so many.
    fn add(
        &mut self,
        name: &str,
        of: &'static str,
        (at, width): (At, u32),
        count: u64,
        ranges: &[Option<[f32; 2]>],
    ) {
        let range = |part: u32| ranges.get(part as usize).copied().flatten();
        match type_of(width as usize) {
            Some(of_type) => {
                let range = range(0).filter(|_| of_type == Type::Scalar);
                self.place(name.to_owned(), of_type, of, (at, 0, width), (count, range));
            }
            None => (0..width).for_each(|part| {
                let name = format!("{name}_{part}");
                self.place(name, Type::Scalar, of, (at, part, width), (count, range(part)));
            }),
        }
    }

    /// Adds a field, unless there is one of that name.
    fn place(
        &mut self,
        name: String,
        of_type: Type,
        of: &str,
        place: (At, u32, u32),
        (count, range): (u64, Option<[f32; 2]>),
    ) {
        if self.served.iter().any(|served| served.field.name == name) {
            return;
        }
        let field = Field::new(name, of_type, of);
        self.served.push(Served { range, ..Served::new(field, count) });
        self.places.push(place);
    }
}
