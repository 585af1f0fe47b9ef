//! Mesh to glTF.

use std::{borrow::Cow, cell::OnceCell, io};

use base64::Engine;
use glam::DVec3;
use ribbonmesh_mesh::{
    ColourSpace, Column, Element, GltfPayload, NONE, Role, Scalar, Scalars, TextureOrigin, TriangleMesh,
};
use serde_json::{Map, Value, json};

use super::{build::semantic, split::Split};
use crate::{Format, Loss, WriteErrorKind, colour, losses::Losses, sink::Sink, texture};

const UNSIGNED_INT: u32 = 5125;
const FLOAT: u32 = 5126;
const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;

/// The binary chunk, and the entries of the JSON for its parts.
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

/// One array of vertices; a node for each object, with a primitive for each of its materials. A mesh far from
/// the origin is written around the origin, and its nodes move it back. The file is put together in memory.
pub(crate) fn write(
    sink: &mut Sink<'_>,
    mesh: &TriangleMesh,
    format: Format,
    losses: &mut Losses<'_>,
) -> Result<(), WriteErrorKind> {
    let mut of_corners: Vec<(&Column, String, Scalar)> = named(mesh, Element::Corner, &[]);
    let taken: Vec<&str> = of_corners.iter().map(|(_, semantic, _)| semantic.as_str()).collect();
    let mut of_vertices = named(mesh, Element::Vertex, &taken);
    let sets = make_valid(&mut of_corners, &mut of_vertices);
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
            let turned = texture::turned(mesh, Cow::Borrowed(*column), element, TextureOrigin::Top, losses);
            let place = Place { semantic, mesh, vertices, element, rows };
            let accessor = attribute(&mut parts, &turned, *kind, &place, losses);
            attributes.insert(semantic.clone(), json!(accessor));
        }
    }
    let extras = if split.vertices.len() > mesh.positions.len() {
        json!({ "ribbonmesh": { "vertices": parts.indices(&split.vertices, None) } })
    } else {
        json!({ "ribbonmesh": { "welded": true } })
    };
    let tangents = attributes.contains_key("TANGENT");
    let materials = materials(mesh, sets, tangents, losses);
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
    if let Some(payload) = mesh.tables.gltf.as_ref().filter(|_| !materials.is_empty()) {
        add_payload(&mut document, payload, &mut parts)?;
    }
    let mut buffer = json!({ "byteLength": parts.binary.len() });
    if format == Format::Gltf {
        let data = base64::engine::general_purpose::STANDARD.encode(&parts.binary);
        buffer["uri"] = json!(format!("data:application/octet-stream;base64,{data}"));
    }
    document["buffers"] = json!([buffer]);
    document["bufferViews"] = json!(parts.views);
    document["accessors"] = json!(parts.accessors);
    match format {
        Format::Gltf => {
            sink.bytes(&serde_json::to_vec(&document).map_err(io::Error::from)?);
            Ok(sink.line()?)
        }
        _ => chunks(sink, &document, parts.binary),
    }
}

/// Names that glTF allows only together with others: sets of texture coordinates and colours are numbered
/// without gaps, and tangents need normals. Sets behind a gap get names of their own, and tangents without
/// normals are left out. Returns the number of sets of texture coordinates.
fn make_valid<'m>(
    of_corners: &mut Vec<(&'m Column, String, Scalar)>,
    of_vertices: &mut Vec<(&'m Column, String, Scalar)>,
) -> usize {
    let has = |corners: &[(&Column, String, Scalar)], vertices: &[(&Column, String, Scalar)], name: &str| {
        corners.iter().chain(vertices).any(|(_, semantic, _)| semantic == name)
    };
    if !has(of_corners, of_vertices, "NORMAL") {
        of_corners.retain(|(_, semantic, _)| semantic != "TANGENT");
        of_vertices.retain(|(_, semantic, _)| semantic != "TANGENT");
    }
    let mut sets = 0;
    for prefix in ["TEXCOORD_", "COLOR_"] {
        let count = (0..).take_while(|n| has(of_corners, of_vertices, &format!("{prefix}{n}"))).count();
        if prefix == "TEXCOORD_" {
            sets = count;
        }
        for (column, semantic, _) in of_corners.iter_mut().chain(of_vertices.iter_mut()) {
            let number = semantic.strip_prefix(prefix).and_then(|number| number.parse::<usize>().ok());
            if number.is_some_and(|number| number >= count) {
                *semantic = format!("_{}", column.name());
            }
        }
    }
    sets
}

/// The vertices and the element for which the values of an attribute are written.
struct Place<'a> {
    semantic: &'a str,
    mesh: &'a TriangleMesh,
    /// The vertex of the mesh of each vertex of the file.
    vertices: &'a [u32],
    element: Element,
    /// The row of the column of each vertex of the file; [`NONE`] for one of no face.
    rows: &'a [u32],
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

/// Writes a column, row by row as the place says, padded to multiples of four bytes. What glTF demands of an
/// attribute with a meaning is put right: directions of unit length, colours from 0 to 1, numbers that are
/// finite.
fn attribute(
    parts: &mut Parts,
    column: &Column,
    kind: Scalar,
    place: &Place<'_>,
    losses: &mut Losses<'_>,
) -> usize {
    let rows = place.rows;
    let width = match place.semantic {
        semantic if semantic.starts_with("TEXCOORD_") => 2,
        _ => column.width(),
    };
    let stride = (kind.size() * width).next_multiple_of(4);
    let mut bytes = Vec::with_capacity(stride * rows.len());
    let direction = matches!(place.semantic, "NORMAL" | "TANGENT");
    let linear = column.role() == Role::Colour(ColourSpace::Srgb);
    let colour = place.semantic.starts_with("COLOR_");
    let mut rounded = linear || kind != column.scalar() || width < column.width();
    let normals = OnceCell::new();
    for (vertex, &row) in rows.iter().enumerate() {
        let start = bytes.len();
        if direction {
            let row = (row != NONE).then_some(row as usize);
            let found = [0, 1, 2, 3].map(|i| {
                let index = row.filter(|_| i < width).map(|row| row * width + i);
                index.and_then(|index| column.scalars().as_f64(index)).unwrap_or(0.0)
            });
            let instead = || {
                let normals = normals.get_or_init(|| place.mesh.vertex_normals());
                let normal = normals.get(place.vertices[vertex] as usize).copied().unwrap_or_default();
                DVec3::from_array(normal.map(f64::from))
            };
            let right = directed(found, place.semantic == "TANGENT", instead);
            rounded |= row.is_some() && found[..width] != right[..width];
            right[..width].iter().for_each(|value| bytes.extend((*value as f32).to_le_bytes()));
            continue;
        }
        for channel in 0..width {
            let index = row as usize * column.width() + channel;
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
                    let value = match linear {
                        true if channel < 3 => colour::to_linear(colour::fraction(scalars, index)),
                        true => colour::fraction(scalars, index),
                        false => scalars.as_f64(index).unwrap_or(0.0),
                    };
                    let allowed = if colour { value.clamp(0.0, 1.0) } else { value };
                    // glTF has no numbers that are not finite
                    let allowed = if (allowed as f32).is_finite() { allowed } else { 0.0 };
                    rounded |= allowed != value;
                    bytes.extend((allowed as f32).to_le_bytes());
                }
            }
        }
        bytes.resize(start + stride, 0);
    }
    if rounded {
        losses.round(place.element, column.name());
    } else {
        losses.keep(place.element, column.name());
    }
    let padded = (stride != kind.size() * width).then_some(stride);
    let view = parts.view(&bytes, padded, Some(VERTICES));
    let component = match kind {
        Scalar::I8 => 5120,
        Scalar::U8 => 5121,
        Scalar::I16 => 5122,
        Scalar::U16 => 5123,
        _ => FLOAT,
    };
    let accessor = parts.array(view, component, rows.len(), width);
    if colour && kind.is_integer() {
        parts.accessors[accessor]["normalized"] = json!(true);
    }
    accessor
}

/// A direction of unit length, as it is where it has that; `instead` gives the surface's where it has none.
/// The fourth number of a tangent is 1 or -1.
fn directed(found: [f64; 4], tangent: bool, instead: impl Fn() -> DVec3) -> [f64; 4] {
    let vector = DVec3::new(found[0], found[1], found[2]);
    let side = if found[3] < 0.0 { -1.0 } else { 1.0 };
    let unit = vector.is_finite() && (vector.length_squared() - 1.0).abs() < 1e-4;
    let vector = if unit { vector } else { vector.normalize_or_zero() };
    let vector = match (vector == DVec3::ZERO, tangent) {
        (false, _) => vector,
        (true, false) => Some(instead()).filter(|normal| *normal != DVec3::ZERO).unwrap_or(DVec3::Z),
        // any that is at right angles
        (true, true) => instead().any_orthogonal_vector().try_normalize().unwrap_or(DVec3::X),
    };
    [vector.x, vector.y, vector.z, side]
}

/// Definitions of the materials, without the parts that need missing data of the mesh: pictures without
/// texture coordinates, of which there are `sets` sets, and directions of a surface without tangents.
fn materials(mesh: &TriangleMesh, sets: usize, tangents: bool, losses: &mut Losses<'_>) -> Vec<Value> {
    losses.keep_materials();
    let defined = mesh.tables.materials.iter().any(|material| material.gltf.is_some());
    if defined || mesh.tables.libraries.iter().all(|library| library.bytes.is_none()) {
        losses.keep_definitions();
    }
    let payload = mesh.tables.gltf.as_ref().and_then(|payload| serde_json::from_str(&payload.json).ok());
    let payload: Value = payload.unwrap_or_default();
    let textures = payload["textures"].as_array().map_or(0, Vec::len);
    let mut count = 0;
    let materials = mesh.tables.materials.iter().map(|material| {
        let known = material.gltf.as_deref().and_then(|text| serde_json::from_str::<Value>(text).ok());
        let mut known = known.filter(Value::is_object).unwrap_or_else(|| json!({ "name": material.name }));
        let mut reduced = reduce(&mut known, sets, textures);
        if !tangents && !known["normalTexture"].is_object() {
            let extensions = known.get_mut("extensions").and_then(Value::as_object_mut);
            let rest = extensions.map(|all| (all.remove("KHR_materials_anisotropy").is_some(), all.len()));
            reduced |= rest.is_some_and(|(removed, _)| removed);
            if let (Some((true, 0)), Some(fields)) = (rest, known.as_object_mut()) {
                fields.remove("extensions");
            }
        }
        count += usize::from(reduced);
        known
    });
    let materials = materials.collect();
    if count > 0 {
        losses.add(Loss::Textures { count });
    }
    materials
}

/// Takes the textures of a material out that need more sets of texture coordinates or are not there, and
/// parts that are not objects; says whether there are any.
fn reduce(part: &mut Value, sets: usize, textures: usize) -> bool {
    let mut taken = false;
    match part {
        Value::Array(parts) => parts.iter_mut().for_each(|part| taken |= reduce(part, sets, textures)),
        Value::Object(fields) => {
            let fits = |name: &str, field: &Value| {
                let extension = name.starts_with(|c: char| c.is_ascii_uppercase()) && name.contains('_');
                if extension || matches!(name, "pbrMetallicRoughness" | "extensions") {
                    return field.is_object();
                }
                if !name.ends_with("Texture") {
                    return true;
                }
                let other = &field["extensions"]["KHR_texture_transform"]["texCoord"];
                let set = other.as_u64().or(field["texCoord"].as_u64()).unwrap_or(0);
                field["index"].as_u64().is_some_and(|index| index < textures as u64) && set < sets as u64
            };
            let before = fields.len();
            fields.retain(|name, field| fits(name, field));
            taken = fields.len() < before;
            fields.values_mut().for_each(|field| taken |= reduce(field, sets, textures));
        }
        _ => {}
    }
    taken
}

/// The meshes of all objects, and the nodes that have them.
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
        let (format, what, limit) = (Format::Glb.to_string(), "bytes", u64::from(u32::MAX));
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
