//! Mesh to GLB.

use std::io;

use glam::DVec3;
use ribbonmesh_mesh::{ColourSpace, Column, Element, GltfPayload, NONE, Role, Scalar, Scalars, TriangleMesh};
use serde_json::{Map, Value, json};

use super::{build::semantic, split::Split};
use crate::{Format, Loss, WriteErrorKind, losses::Losses, sink::Sink};

const UNSIGNED_INT: u32 = 5125;
const FLOAT: u32 = 5126;
const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;

/// The binary chunk, and what the JSON says about its parts.
#[derive(Default)]
struct Parts {
    binary: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Parts {
    /// Adds bytes, from a multiple of four on.
    fn view(&mut self, bytes: &[u8], stride: Option<usize>, target: Option<u32>) -> usize {
        self.binary.resize(self.binary.len().next_multiple_of(4), 0);
        let mut view = json!({ "buffer": 0, "byteOffset": self.binary.len(), "byteLength": bytes.len() });
        if let Some(stride) = stride {
            view["byteStride"] = json!(stride);
        }
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        self.binary.extend_from_slice(bytes);
        self.views.push(view);
        self.views.len() - 1
    }

    /// Adds an array; gives the number of its accessor.
    fn array(&mut self, view: usize, component: u32, count: usize, width: usize) -> usize {
        let kind = ["SCALAR", "VEC2", "VEC3", "VEC4"][width - 1];
        self.accessors
            .push(json!({ "bufferView": view, "componentType": component, "count": count, "type": kind }));
        self.accessors.len() - 1
    }

    fn indices(&mut self, values: &[u32], target: Option<u32>) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let view = self.view(&bytes, None, target);
        self.array(view, UNSIGNED_INT, values.len(), 1)
    }
}

/// One array of vertices; a node for each object, with a primitive for each of its materials. A mesh far from the origin
/// stands around the origin, and its nodes move it to its place. The file is put together in memory.
pub(crate) fn write(
    sink: &mut Sink<'_>,
    mesh: &TriangleMesh,
    losses: &mut Losses<'_>,
) -> Result<(), WriteErrorKind> {
    let of_corners: Vec<(&Column, String, Scalar)> = named(mesh, Element::Corner, &[]);
    let taken: Vec<&str> = of_corners.iter().map(|(_, semantic, _)| semantic.as_str()).collect();
    let of_vertices = named(mesh, Element::Vertex, &taken);
    let columns: Vec<&Column> = of_corners.iter().map(|(column, ..)| *column).collect();
    let split = Split::of(mesh, &columns);

    let mut parts = Parts::default();
    let origin = mesh.local_origin();
    let mut attributes = Map::new();
    attributes.insert("POSITION".into(), json!(positions(&mut parts, mesh, &split, origin, losses)));
    let (vertices, corners) = (&split.vertices, &split.corners);
    for (columns, element, rows) in
        [(&of_vertices, Element::Vertex, vertices), (&of_corners, Element::Corner, corners)]
    {
        for (column, semantic, kind) in columns {
            let accessor = attribute(&mut parts, column, *kind, rows, element, losses);
            attributes.insert(semantic.clone(), json!(accessor));
        }
    }
    let extras = if split.vertices.len() > mesh.positions.len() {
        json!({ "ribbonmesh": { "vertices": parts.indices(&split.vertices, None) } })
    } else {
        json!({ "ribbonmesh": { "welded": true } })
    };
    let materials = materials(mesh, losses);
    let (meshes, nodes) =
        nodes(&mut parts, mesh, &split, origin, &attributes, &extras, materials.len(), losses);
    let mut document = json!({
        "asset": { "version": "2.0", "generator": concat!("ribbonmesh-io ", env!("CARGO_PKG_VERSION")) },
        "scene": 0,
        "scenes": [{ "nodes": (0..nodes.len()).collect::<Vec<_>>() }],
        "nodes": nodes,
        "meshes": meshes,
    });
    if !materials.is_empty() {
        document["materials"] = json!(materials);
    }
    if let Some(payload) = &mesh.tables.gltf {
        add_payload(&mut document, payload, &mut parts)?;
    }
    document["buffers"] = json!([{ "byteLength": parts.binary.len() }]);
    document["bufferViews"] = json!(parts.views);
    document["accessors"] = json!(parts.accessors);
    chunks(sink, &document, parts.binary)
}

/// The columns of an element with the names that they have in the file, each name once.
fn named<'m>(mesh: &'m TriangleMesh, element: Element, taken: &[&str]) -> Vec<(&'m Column, String, Scalar)> {
    let mut named: Vec<(&Column, String, Scalar)> = Vec::new();
    for column in mesh.attributes(element) {
        if let Some((semantic, kind)) = semantic(column)
            && !taken.contains(&semantic.as_str())
            && named.iter().all(|(_, known, _)| *known != semantic)
        {
            named.push((column, semantic, kind));
        }
    }
    named
}

fn positions(
    parts: &mut Parts,
    mesh: &TriangleMesh,
    split: &Split,
    origin: DVec3,
    losses: &mut Losses<'_>,
) -> usize {
    let points = mesh.points_around(origin);
    if points.iter().zip(&mesh.positions).any(|(point, position)| origin + point.as_dvec3() != *position) {
        losses.add(Loss::Positions);
    }
    let rows = split.vertices.iter().flat_map(|&vertex| points[vertex as usize].to_array());
    let bytes: Vec<u8> = rows.flat_map(f32::to_le_bytes).collect();
    let view = parts.view(&bytes, None, Some(VERTICES));
    let accessor = parts.array(view, FLOAT, split.vertices.len(), 3);
    let low = points.iter().copied().reduce(|a, b| a.min(b)).unwrap_or_default();
    let high = points.iter().copied().reduce(|a, b| a.max(b)).unwrap_or_default();
    parts.accessors[accessor]["min"] = json!(low.to_array());
    parts.accessors[accessor]["max"] = json!(high.to_array());
    accessor
}

/// Writes a column, row by row as `rows` says, padded to multiples of four bytes.
fn attribute(
    parts: &mut Parts,
    column: &Column,
    kind: Scalar,
    rows: &[u32],
    element: Element,
    losses: &mut Losses<'_>,
) -> usize {
    let width = column.width();
    let size = kind.size() * width;
    let stride = size.next_multiple_of(4);
    let mut bytes = Vec::with_capacity(stride * rows.len());
    let linear = column.role() == Role::Colour(ColourSpace::Srgb);
    let mut rounded = linear || kind != column.scalar();
    for &row in rows {
        for channel in 0..width {
            let index = row as usize * width + channel;
            if row == NONE {
                bytes.extend(std::iter::repeat_n(0, kind.size()));
                continue;
            }
            match column.scalars() {
                Scalars::U8(values) if kind == Scalar::U8 => bytes.push(values[index]),
                Scalars::I8(values) if kind == Scalar::I8 => bytes.push(values[index] as u8),
                Scalars::U16(values) if kind == Scalar::U16 => bytes.extend(values[index].to_le_bytes()),
                Scalars::I16(values) if kind == Scalar::I16 => bytes.extend(values[index].to_le_bytes()),
                scalars => {
                    let value = scalars.as_f64(index).unwrap_or(0.0);
                    let value = if linear { to_linear(value, column.scalar(), channel) } else { value };
                    // no reader expects something else than numbers
                    let missing = !value.is_finite() && column.role() != Role::Custom;
                    rounded |= missing;
                    bytes.extend(if missing { 0.0 } else { value as f32 }.to_le_bytes());
                }
            }
        }
        bytes.resize(bytes.len().next_multiple_of(4), 0);
    }
    if rounded {
        losses.round(element, column.name());
    } else {
        losses.keep(element, column.name());
    }
    let padded = (stride != size).then_some(stride);
    let view = parts.view(&bytes, padded, Some(VERTICES));
    let component = match kind {
        Scalar::I8 => 5120,
        Scalar::U8 => 5121,
        Scalar::I16 => 5122,
        Scalar::U16 => 5123,
        _ => FLOAT,
    };
    let accessor = parts.array(view, component, rows.len(), width);
    if matches!(column.role(), Role::Colour(_)) && kind.is_integer() {
        parts.accessors[accessor]["normalized"] = json!(true);
    }
    accessor
}

/// A channel of a colour in sRGB as one that is proportional to light; opacity is so already.
fn to_linear(value: f64, kind: Scalar, channel: usize) -> f64 {
    let value = match kind {
        Scalar::U8 => value / 255.0,
        Scalar::U16 => value / 65535.0,
        _ => value,
    };
    match value {
        _ if channel == 3 => value,
        ..=0.04045 => value / 12.92,
        _ => ((value + 0.055) / 1.055).powf(2.4),
    }
}

/// Definitions of the materials.
fn materials(mesh: &TriangleMesh, losses: &mut Losses<'_>) -> Vec<Value> {
    losses.keep_materials();
    if mesh.tables.libraries.iter().all(|library| library.bytes.is_none()) {
        losses.keep_definitions();
    }
    let materials = mesh.tables.materials.iter().map(|material| {
        let known = material.gltf.as_deref().and_then(|text| serde_json::from_str::<Value>(text).ok());
        known.filter(Value::is_object).unwrap_or_else(|| json!({ "name": material.name }))
    });
    materials.collect()
}

/// The meshes of all objects, and the nodes that they stand at.
#[expect(clippy::too_many_arguments, reason = "everything that a node refers to")]
fn nodes(
    parts: &mut Parts,
    mesh: &TriangleMesh,
    split: &Split,
    origin: DVec3,
    attributes: &Map<String, Value>,
    extras: &Value,
    materials: usize,
    losses: &mut Losses<'_>,
) -> (Vec<Value>, Vec<Value>) {
    let column = |role| mesh.faces_of().with_role(role).and_then(|c| Some((c, c.values::<u32>()?)));
    let (objects, of_materials) = (column(Role::Object), column(Role::Material));
    for (column, _) in [objects, of_materials].into_iter().flatten() {
        losses.keep(Element::Face, column.name());
    }
    if objects.is_some() {
        losses.keep_objects();
    }
    let key = |face: usize| {
        let of = |column: Option<(&Column, &[u32])>| column.map_or(NONE, |(_, values)| values[face]);
        (of(objects), of(of_materials))
    };
    let mut order: Vec<u32> = (0..mesh.faces.len() as u32).collect();
    order.sort_by_key(|&face| key(face as usize));
    if !order.is_sorted() {
        losses.add(Loss::FaceOrder);
    }
    let (mut meshes, mut nodes) = (Vec::new(), Vec::new());
    for of_object in order.chunk_by(|&a, &b| key(a as usize).0 == key(b as usize).0) {
        let mut primitives = Vec::new();
        for faces in of_object.chunk_by(|&a, &b| key(a as usize) == key(b as usize)) {
            let corners = faces.iter().flat_map(|&face| [3 * face, 3 * face + 1, 3 * face + 2]);
            let indices: Vec<u32> = corners.map(|corner| split.indices[corner as usize]).collect();
            let accessor = parts.indices(&indices, Some(INDICES));
            let mut primitive = json!({ "attributes": attributes, "indices": accessor, "extras": extras });
            let material = key(faces[0] as usize).1;
            if (material as usize) < materials {
                primitive["material"] = json!(material);
            }
            primitives.push(primitive);
        }
        let mut node = json!({ "mesh": meshes.len() });
        if let Some(name) = mesh.tables.objects.get(key(of_object[0] as usize).0 as usize) {
            node["name"] = json!(name);
        }
        if origin != DVec3::ZERO {
            node["translation"] = json!(origin.to_array());
        }
        meshes.push(json!({ "primitives": primitives }));
        nodes.push(node);
    }
    (meshes, nodes)
}

/// Adds textures and images.
fn add_payload(document: &mut Value, payload: &GltfPayload, parts: &mut Parts) -> Result<(), WriteErrorKind> {
    let mut content: Map<String, Value> = serde_json::from_str(&payload.json).map_err(io::Error::from)?;
    let views: Vec<usize> = payload.blobs.iter().map(|blob| parts.view(blob, None, None)).collect();
    if let Some(images) = content.get_mut("images").and_then(Value::as_array_mut) {
        for image in images {
            let view = image.get("bufferView").and_then(Value::as_u64);
            if let Some(view) = view.and_then(|blob| views.get(blob as usize)) {
                image["bufferView"] = json!(view);
            }
        }
    }
    for (name, value) in content {
        document[name] = value;
    }
    Ok(())
}

fn chunks(sink: &mut Sink<'_>, document: &Value, mut binary: Vec<u8>) -> Result<(), WriteErrorKind> {
    let mut header = serde_json::to_vec(document).map_err(io::Error::from)?;
    header.resize(header.len().next_multiple_of(4), b' ');
    binary.resize(binary.len().next_multiple_of(4), 0);
    let total = 12 + 8 + header.len() as u64 + 8 + binary.len() as u64;
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
    sink.bytes(&(binary.len() as u32).to_le_bytes());
    sink.bytes(b"BIN\0");
    for piece in binary.chunks(1 << 20) {
        sink.bytes(piece);
        sink.settle()?;
    }
    Ok(())
}
