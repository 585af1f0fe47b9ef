//! Primitives that Draco has compressed.
//!
//! Source: Khronos Group, *KHR_draco_mesh_compression*, 2018.

use draco_core::{DataType, DecodeLimits, DecoderBuffer, Mesh, MeshDecoder, PointIndex};
use ribbonmesh_mesh::Scalars;
use serde_json::Value;

use super::{
    accessor::Rows,
    document::{Document, part},
    resources::Resources,
};
use crate::{
    ReadErrorKind,
    fault::{Fault, Outcome, fault_of_file},
};

/// The name of the extension.
pub(super) const NAME: &str = "KHR_draco_mesh_compression";

/// A decompressed primitive.
pub(super) struct Decoded {
    mesh: Mesh,
    attributes: Value,
}

fn damaged(error: impl std::fmt::Display) -> Box<Fault> {
    fault_of_file(ReadErrorKind::Malformed { reason: format!("the Draco data are damaged: {error}") })
}

/// Decompresses the data that the extension of a primitive names. It may have at most `limit` vertices and
/// faces.
pub(super) fn decode(
    document: &Document,
    resources: &Resources<'_>,
    extension: &Value,
    limit: u64,
) -> Outcome<Decoded> {
    let Some(view) = extension["bufferView"].as_u64() else { return Err(damaged("no bufferView is named")) };
    let bytes = resources.view(document, view as usize)?;
    let limits = DecodeLimits::default().with_max_points(limit).with_max_faces(limit);
    let limits = limits.with_max_decoded_bytes(limit.saturating_mul(64));
    let mut mesh = Mesh::new();
    let mut buffer = DecoderBuffer::new(bytes).with_limits(limits);
    MeshDecoder::new().decode(&mut buffer, &mut mesh).map_err(damaged)?;
    Ok(Decoded { mesh, attributes: extension["attributes"].clone() })
}

impl Decoded {
    /// The corners of the triangles.
    pub fn indices(&self) -> Vec<u32> {
        self.mesh.faces().iter().flat_map(|face| face.map(|point| point.0)).collect()
    }

    /// An attribute by its semantic; `None` if it is not compressed. Its accessor says of which type it is.
    pub fn rows(&self, document: &Document, semantic: &str, accessor: usize) -> Outcome<Option<Rows>> {
        let Some(id) = self.attributes[semantic].as_u64().and_then(|id| u32::try_from(id).ok()) else {
            return Ok(None);
        };
        let accessor = part(&document.accessors, "accessor", accessor)?;
        let Some(attribute) = self.mesh.attribute_by_unique_id(id) else {
            return Err(damaged(format!("there is no attribute {id}")));
        };
        let width = usize::from(attribute.num_components());
        let (count, stride) = (self.mesh.num_points(), attribute.byte_stride() as usize);
        if !(1..=4).contains(&width) || stride < width * attribute.data_type().byte_length() {
            return Err(damaged(format!("attribute {id} has {width} numbers a row")));
        }
        let data = attribute.buffer().data();
        let mut missing = false;
        let mut row = |point: usize| {
            let value = attribute.mapped_index(PointIndex(point as u32)).0 as usize;
            let bytes = value.checked_mul(stride).and_then(|at| data.get(at..at + stride));
            missing |= bytes.is_none();
            bytes.unwrap_or(&[])
        };
        macro_rules! read {
            ($variant:ident, $number:ty, $size:literal) => {{
                let mut values: Vec<$number> = Vec::with_capacity(count * width);
                for point in 0..count {
                    let numbers = row(point).as_chunks::<$size>().0.iter().take(width);
                    values.extend(numbers.map(|bytes| <$number>::from_le_bytes(*bytes)));
                }
                Scalars::$variant(values)
            }};
        }
        let scalars = match attribute.data_type() {
            DataType::Int8 => read!(I8, i8, 1),
            DataType::Uint8 => read!(U8, u8, 1),
            DataType::Int16 => read!(I16, i16, 2),
            DataType::Uint16 => read!(U16, u16, 2),
            DataType::Int32 => read!(I32, i32, 4),
            DataType::Uint32 => read!(U32, u32, 4),
            DataType::Float32 => read!(F32, f32, 4),
            _ => return Err(damaged(format!("attribute {id} is of a type that glTF does not have"))),
        };
        if missing || scalars.len() != count * width {
            return Err(damaged(format!("attribute {id} lacks values")));
        }
        Ok(Some(Rows { scalars, width, count, normalized: accessor.normalized }))
    }
}
