//! Mesh to GLB: glTF 2.0 in its binary container.

use std::io;

use serde_json::{Value, json};

use crate::{Format, TriangleMesh, WriteErrorKind, WriteOptions, sink::Sink};

const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;

/// One node with one mesh of one triangle list: positions, normals if any, 32-bit indices.
///
/// Source: Khronos Group, *glTF 2.0 Specification*, 2021, chapter 4 and sections 3.6, 3.7.
pub(crate) fn write(
    sink: &mut Sink<'_>,
    mesh: &TriangleMesh,
    options: &WriteOptions,
) -> Result<(), WriteErrorKind> {
    let vertices = 12 * mesh.positions.len() as u64;
    let normals = if options.normals.is_some() { vertices } else { 0 };
    let binary = vertices + normals + 12 * mesh.faces.len() as u64;
    let mut header = serde_json::to_vec(&document(mesh, vertices, normals)).map_err(io::Error::from)?;
    header.resize(header.len().next_multiple_of(4), b' ');
    let total = 12 + 8 + header.len() as u64 + 8 + binary;
    let Ok(length) = u32::try_from(total) else {
        let (format, what, limit) = (Format::Glb, "bytes", u64::from(u32::MAX));
        return Err(WriteErrorKind::TooLarge { format, what, count: total, limit });
    };
    sink.bytes(b"glTF");
    sink.bytes(&2_u32.to_le_bytes());
    sink.bytes(&length.to_le_bytes());
    sink.bytes(&(header.len() as u32).to_le_bytes());
    sink.bytes(b"JSON");
    sink.bytes(&header);
    sink.bytes(&(binary as u32).to_le_bytes());
    sink.bytes(b"BIN\0");
    for row in mesh.positions.iter().chain(options.normals.iter().flatten()) {
        row.iter().for_each(|value| sink.bytes(&value.to_le_bytes()));
        sink.settle()?;
    }
    for face in &mesh.faces {
        face.iter().for_each(|corner| sink.bytes(&corner.to_le_bytes()));
        sink.settle()?;
    }
    Ok(())
}

fn document(mesh: &TriangleMesh, vertices: u64, normals: u64) -> Value {
    let count = mesh.positions.len();
    let fold = |pick: fn(f32, f32) -> f32| {
        mesh.positions.iter().copied().reduce(|a, b| [0, 1, 2].map(|axis| pick(a[axis], b[axis])))
    };
    let indices = json!({
        "bufferView": 0, "componentType": UNSIGNED_INT, "count": 3 * mesh.faces.len(), "type": "SCALAR",
    });
    let positions = json!({
        "bufferView": 1, "componentType": FLOAT, "count": count, "type": "VEC3",
        "min": fold(f32::min), "max": fold(f32::max),
    });
    let mut attributes = json!({ "POSITION": 1 });
    let mut accessors = vec![indices, positions];
    let mut views =
        vec![view(vertices + normals, 12 * mesh.faces.len() as u64, INDICES), view(0, vertices, VERTICES)];
    if normals > 0 {
        attributes["NORMAL"] = json!(2);
        views.push(view(vertices, normals, VERTICES));
        accessors.push(json!({ "bufferView": 2, "componentType": FLOAT, "count": count, "type": "VEC3" }));
    }
    json!({
        "asset": { "version": "2.0", "generator": concat!("ribbonmesh-io ", env!("CARGO_PKG_VERSION")) },
        "scene": 0,
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "mesh": 0 }],
        "meshes": [{ "primitives": [{ "attributes": attributes, "indices": 0 }] }],
        "buffers": [{ "byteLength": vertices + normals + 12 * mesh.faces.len() as u64 }],
        "bufferViews": views,
        "accessors": accessors,
    })
}

fn view(offset: u64, length: u64, target: u32) -> Value {
    json!({ "buffer": 0, "byteOffset": offset, "byteLength": length, "target": target })
}
