//! glTF to mesh.

use std::{collections::BTreeMap, path::Path, rc::Rc};

use glam::{DMat3, DMat4, DVec3};
use ribbonmesh_mesh::{
    Column, GltfPayload, Material, NONE, Precision, Role, Scalars, TextureOrigin, TriangleMesh,
};
use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use super::{
    ALWAYS, PER_BYTE,
    accessor::{self, Rows},
    build::{Builder, meaning},
    container::{self, Container},
    document::{Document, Extensions, Primitive, part},
    draco,
    resources::{self, Resources},
    scene::{INSTANCING, Instance, instances},
};
use crate::{
    Format, Notes, ReadErrorKind,
    fault::{Fault, Outcome, fault, fault_of_file},
};

/// Extensions that change neither where vertices are nor which faces there are, by the beginnings of their
/// names.
const HARMLESS: [&str; 33] = [
    "KHR_materials_",
    "EXT_materials_",
    "ADOBE_materials_",
    "NV_materials_",
    "KHR_texture_",
    "EXT_texture_",
    "MSFT_texture_",
    "MSFT_packing_",
    "KHR_lights_",
    "EXT_lights_",
    "KHR_environment_map",
    "KHR_animation_",
    "KHR_node_",
    "KHR_audio",
    "KHR_physics_",
    "KHR_interactivity",
    "KHR_technique",
    "KHR_xmp",
    "EXT_mesh_features",
    "EXT_instance_features",
    "EXT_feature_metadata",
    "EXT_structural_metadata",
    "EXT_mesh_manifold",
    "CESIUM_primitive_outline",
    "CESIUM_tile_edges",
    "FB_geometry_metadata",
    "GRIFFEL_bim_data",
    "MOZ_",
    "OMI_",
    "VRM",
    "AGI_",
    "GODOT_",
    "EXT_image_",
];

/// Extensions that are read.
const READ: [&str; 6] = [
    "KHR_mesh_quantization",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
    draco::NAME,
    INSTANCING,
    "CESIUM_RTC",
];

/// Whether an extension that a file requires is read, or changes nothing.
pub(super) fn is_known(name: &str) -> bool {
    READ.contains(&name) || HARMLESS.iter().any(|known| name.starts_with(known))
}

/// A transformation, bit by bit, and the accessors of attributes: the vertices that they give.
type Block = ([u64; 16], BTreeMap<String, usize>);

/// State of the reader: the part of a file that has been read so far.
struct Reader<'a> {
    resources: &'a Resources<'a>,
    builder: Builder,
    notes: Notes,
    /// First vertex and number of vertices, by place and attributes: several nodes may share them.
    blocks: FxHashMap<Block, (usize, usize)>,
    materials: Vec<u32>,
    objects: Vec<u32>,
    names: Vec<String>,
    exact: bool,
    /// Decompressed primitives, by their views.
    decoded: FxHashMap<u64, Rc<draco::Decoded>>,
    /// Most vertices and corners, by the size of the file.
    limit: u64,
}

/// Reads the triangles of the scene: transformed as its nodes say, with the attributes of vertices,
/// materials, textures and images. Vertices of one node at one place become one vertex; where their
/// attributes differ, these become attributes of corners.
///
/// Files that it names are in the folder of `file`.
pub(crate) fn read(
    bytes: &[u8],
    format: Format,
    file: Option<&Path>,
    mut notes: Notes,
) -> Outcome<(TriangleMesh, Notes)> {
    let container = match format {
        Format::Gltf => Container { json: bytes, json_at: 0, binary: &[], trailing: 0 },
        _ => container::open(bytes)?,
    };
    let document: Document = serde_json::from_slice(container.json).map_err(|error| {
        if is_version_1(container.json) {
            let what = "glTF of version 1".into();
            return fault_of_file(ReadErrorKind::Unsupported { what });
        }
        let at = match format {
            // the error knows the line
            Format::Gltf => line_start(bytes, error.line()),
            _ => container.json_at,
        };
        fault(at, ReadErrorKind::Json(error))
    })?;
    for name in &document.extensions_required {
        if !is_known(name) {
            let what = format!("the extension {name:?}, which the file requires,");
            return Err(fault_of_file(ReadErrorKind::Unsupported { what }));
        }
    }
    let resources = Resources::of(&document, container.binary, bytes.len() as u64, file)?;
    notes.trailing_bytes = container.trailing;
    note_what_is_dropped(&document, &mut notes);
    let limit = (PER_BYTE * resources.size).max(ALWAYS);
    let instances = instances(&document, &resources, limit, &mut notes)?;
    let mut reader = Reader {
        resources: &resources,
        builder: Builder::default(),
        notes,
        blocks: FxHashMap::default(),
        materials: vec![],
        objects: vec![],
        names: vec![],
        exact: true,
        decoded: FxHashMap::default(),
        limit,
    };
    for instance in instances {
        reader.instance(&document, &instance)?;
    }
    reader.finish(&document, file)
}

/// Whether a document is of the first version, in which parts have names and not numbers.
fn is_version_1(json: &[u8]) -> bool {
    let document: Value = serde_json::from_slice(json).unwrap_or_default();
    let version = document["asset"]["version"].as_str();
    version.is_some_and(|version| version.starts_with('1')) || document["accessors"].is_object()
}

/// The offset of the first byte of a line; lines are counted from 1.
fn line_start(bytes: &[u8], line: usize) -> usize {
    let ends = memchr::memchr_iter(b'\n', bytes);
    if line < 2 { 0 } else { ends.take(line - 1).last().map_or(0, |end| end + 1) }
}

/// Parts of a document that no mesh holds.
fn note_what_is_dropped(document: &Document, notes: &mut Notes) {
    for (name, parts) in
        [("animations", &document.animations), ("skins", &document.skins), ("cameras", &document.cameras)]
    {
        if !parts.is_empty() {
            notes.skip_statement(name);
        }
    }
    let mut of = |extensions: &Extensions| {
        let dropped = extensions.keys().filter(|name| !READ.contains(&&***name));
        dropped.for_each(|name| notes.skip_statement(name));
    };
    of(&document.extensions);
    document.nodes.iter().for_each(|node| of(&node.extensions));
    let primitives = || document.meshes.iter().flat_map(|mesh| &mesh.primitives);
    primitives().for_each(|primitive| of(&primitive.extensions));
    let said = |extras: &Value| match extras {
        Value::Null => false,
        // this crate's own
        Value::Object(fields) => fields.keys().any(|name| name != "ribbonmesh"),
        _ => true,
    };
    let extras = document.nodes.iter().any(|node| said(&node.extras))
        || document.meshes.iter().any(|mesh| said(&mesh.extras))
        || document.scenes.iter().any(|scene| said(&scene.extras))
        || primitives().any(|primitive| said(&primitive.extras))
        || said(&document.extras);
    if extras {
        notes.skip_statement("extras");
    }
}

fn bad(what: &'static str, index: usize, reason: &'static str) -> Box<Fault> {
    fault_of_file(ReadErrorKind::BadReference { what, index: index as u64, reason })
}

impl Reader<'_> {
    fn instance(&mut self, document: &Document, instance: &Instance) -> Outcome<()> {
        let mesh = part(&document.meshes, "mesh", instance.mesh)?;
        let object = match &instance.name {
            Some(name) => {
                self.names.push(name.clone());
                self.names.len() as u32 - 1
            }
            None => NONE,
        };
        let mut places = FxHashMap::default();
        let mirrored = instance.transform.determinant() < 0.0;
        for primitive in &mesh.primitives {
            let mode = primitive.mode.unwrap_or(4);
            match mode {
                0..=3 => {
                    self.notes.points_and_lines_skipped += 1;
                    continue;
                }
                4..=6 => {}
                _ => return Err(bad("mesh", instance.mesh, "has a primitive of an unknown mode")),
            }
            if !primitive.targets.is_empty() {
                self.notes.skip_statement("morph targets");
            }
            if let Some(material) = primitive.material {
                part(&document.materials, "material", material as usize)?;
            }
            let decoded = self.decoded(document, primitive)?;
            let decoded = decoded.as_deref();
            let (first, count) = self.vertices(document, instance, primitive, decoded, &mut places)?;
            let before = self.builder.faces.len();
            self.faces(document, primitive, decoded, mode, first, count)?;
            if mirrored {
                self.builder.faces[before..].iter_mut().for_each(|face| face.swap(1, 2));
            }
            self.materials.resize(self.builder.faces.len(), primitive.material.unwrap_or(NONE));
            self.objects.resize(self.builder.faces.len(), object);
        }
        Ok(())
    }

    /// Decodes the part of a primitive that Draco has compressed.
    fn decoded(&mut self, document: &Document, primitive: &Primitive) -> Outcome<Option<Rc<draco::Decoded>>> {
        let Some(extension) = primitive.extensions.get(draco::NAME) else { return Ok(None) };
        let view = extension["bufferView"].as_u64().unwrap_or(u64::MAX);
        if let Some(known) = self.decoded.get(&view) {
            return Ok(Some(Rc::clone(known)));
        }
        let decoded = Rc::new(draco::decode(document, self.resources, extension, self.limit)?);
        self.decoded.insert(view, Rc::clone(&decoded));
        Ok(Some(decoded))
    }

    /// An attribute of a primitive.
    fn rows(
        &self,
        document: &Document,
        decoded: Option<&draco::Decoded>,
        semantic: &str,
        index: usize,
    ) -> Outcome<Rows> {
        if let Some(decoded) = decoded
            && let Some(rows) = decoded.rows(document, semantic, index)?
        {
            return Ok(rows);
        }
        accessor::read(document, self.resources, index, self.limit)
    }

    /// The vertices of a primitive: the first, and how many. Primitives that name the same accessors share
    /// them.
    fn vertices(
        &mut self,
        document: &Document,
        instance: &Instance,
        primitive: &Primitive,
        decoded: Option<&draco::Decoded>,
        places: &mut FxHashMap<[u64; 3], u32>,
    ) -> Outcome<(usize, usize)> {
        let place = instance.transform.to_cols_array().map(f64::to_bits);
        let key = (place, primitive.attributes.clone());
        if let Some(&block) = self.blocks.get(&key) {
            return Ok(block);
        }
        let Some(&positions) = primitive.attributes.get("POSITION") else {
            return Err(bad("mesh", instance.mesh, "has a primitive without POSITION"));
        };
        let rows = self.rows(document, decoded, "POSITION", positions)?;
        if rows.width != 3 {
            return Err(bad("accessor", positions, "holds positions and is not of type VEC3"));
        }
        self.within_limit(rows.count as u64)?;
        let first = self.builder.positions.len();
        let identity = instance.transform == DMat4::IDENTITY;
        self.exact &= identity && matches!(rows.scalars, Scalars::F32(_));
        for row in 0..rows.count {
            let local = DVec3::from_array([0, 1, 2].map(|axis| rows.float(3 * row + axis)));
            let place = if identity { local } else { instance.transform.transform_point3(local) };
            if !place.as_vec3().is_finite() {
                let text = format!("{local}");
                self.notes.leave_out(fault_of_file(ReadErrorKind::NotFinite { text }))?;
            }
            self.builder.positions.push(place);
        }
        for (semantic, &index) in primitive.attributes.iter().filter(|(name, _)| *name != "POSITION") {
            let Some((name, role)) = meaning(semantic) else {
                self.notes.skip_statement(semantic);
                continue;
            };
            let values = self.rows(document, decoded, semantic, index)?;
            if values.count != rows.count {
                return Err(bad("accessor", index, "has another count than the positions"));
            }
            let values = transformed(values, &name, role, &instance.transform);
            if !self.builder.attribute(first, name, role, values.width, &values.scalars) {
                self.notes.skip_statement(semantic);
            }
        }
        self.builder.complete();
        let own = &primitive.extras["ribbonmesh"];
        let numbers = match (own["vertices"].as_u64(), own["welded"].as_bool()) {
            (Some(index), _) => match accessor::read(document, self.resources, index as usize, self.limit)? {
                Rows { scalars: Scalars::U32(numbers), width: 1, .. } => Some(numbers),
                _ => None,
            },
            (None, Some(true)) => Some((0..rows.count as u32).collect()),
            _ => None,
        };
        if !numbers.is_some_and(|numbers| self.builder.restore(first, &numbers)) {
            self.builder.weld(first, places);
        }
        self.blocks.insert(key, (first, rows.count));
        Ok((first, rows.count))
    }

    fn faces(
        &mut self,
        document: &Document,
        primitive: &Primitive,
        decoded: Option<&draco::Decoded>,
        mode: u32,
        first: usize,
        count: usize,
    ) -> Outcome<()> {
        let indices: Vec<u32> = match primitive.indices {
            _ if decoded.is_some() => decoded.map(draco::Decoded::indices).unwrap_or_default(),
            None => (0..count as u32).collect(),
            Some(index) => {
                let rows = accessor::read(document, self.resources, index, self.limit)?;
                match rows.scalars {
                    _ if rows.width != 1 => {
                        return Err(bad("accessor", index, "holds indices and is not a SCALAR"));
                    }
                    Scalars::U8(values) => values.into_iter().map(u32::from).collect(),
                    Scalars::U16(values) => values.into_iter().map(u32::from).collect(),
                    Scalars::U32(values) => values,
                    _ => return Err(bad("accessor", index, "holds indices and is not of an unsigned type")),
                }
            }
        };
        if let Some(&index) = indices.iter().find(|&&index| index as usize >= count) {
            let (index, vertices) = (i64::from(index), count as u64);
            let kind = ReadErrorKind::IndexOutOfRange { index, vertices, relative: false };
            return Err(fault_of_file(kind));
        }
        self.within_limit(indices.len() as u64)?;
        let global = |corners: [u32; 3]| corners.map(|index| first as u32 + index);
        let faces = &mut self.builder.faces;
        match mode {
            // decompressed strips are triangles
            _ if decoded.is_some() => {
                faces.extend(indices.as_chunks::<3>().0.iter().map(|corners| global(*corners)));
            }
            4 => faces.extend(indices.as_chunks::<3>().0.iter().map(|corners| global(*corners))),
            5 => faces.extend(
                indices
                    .windows(3)
                    .enumerate()
                    .map(|(i, w)| global(if i % 2 == 0 { [w[0], w[1], w[2]] } else { [w[1], w[0], w[2]] })),
            ),
            _ => faces.extend(indices.windows(2).skip(1).map(|w| global([indices[0], w[0], w[1]]))),
        }
        Ok(())
    }

    /// Refuses a scene that would fill the memory: a small file that uses a mesh many times.
    fn within_limit(&self, more: u64) -> Outcome<()> {
        let count = (self.builder.positions.len() + 3 * self.builder.faces.len()) as u64 + more;
        if count > self.limit.min(u32::MAX.into()) {
            let what = format!("a scene of {count} vertices and corners in {} bytes", self.resources.size);
            return Err(fault_of_file(ReadErrorKind::Unsupported { what }));
        }
        Ok(())
    }

    fn finish(mut self, document: &Document, file: Option<&Path>) -> Outcome<(TriangleMesh, Notes)> {
        let column_error = |error| fault_of_file(ReadErrorKind::Column(error));
        let mut mesh = self.builder.finish(&mut self.notes).map_err(column_error)?;
        mesh.precision = if self.exact { Precision::Single } else { Precision::Double };
        for (name, role, values) in
            [("material", Role::Material, self.materials), ("object", Role::Object, self.objects)]
        {
            if values.iter().any(|value| *value != NONE) {
                let column = Column::with_role(name, role, values);
                mesh.faces_of_mut().insert_column(column).map_err(column_error)?;
            }
        }
        mesh.tables.objects = self.names;
        mesh.tables.materials = document.materials.iter().map(material).collect();
        if document.textures.len() + document.images.len() + document.samplers.len() > 0
            || !document.extensions_used.is_empty() && !document.materials.is_empty()
        {
            mesh.tables.gltf = Some(payload(document, self.resources, file, &mut self.notes)?);
        }
        let textures = |column: &Column| matches!(column.role(), Role::TextureCoordinate(_));
        if mesh.vertices().iter().chain(mesh.corners()).any(textures) {
            mesh.tables.texture_origin = TextureOrigin::Top;
        }
        Ok((mesh, self.notes))
    }
}

fn material(value: &Value) -> Material {
    let name = value["name"].as_str().unwrap_or_default().to_owned();
    Material { name, gltf: Some(value.to_string()) }
}

/// Textures, samplers, and images with their bytes, including images in other files.
fn payload(
    document: &Document,
    resources: &Resources<'_>,
    file: Option<&Path>,
    notes: &mut Notes,
) -> Outcome<GltfPayload> {
    let mut blobs = Vec::new();
    let mut images = document.images.clone();
    for image in &mut images {
        let Some(fields) = image.as_object_mut() else { continue };
        if let Some(index) = fields.get("bufferView").and_then(Value::as_u64) {
            let bytes = resources.view(document, index as usize)?;
            fields.insert("bufferView".into(), json!(blobs.len()));
            blobs.push(bytes.to_vec());
            continue;
        }
        let Some(uri) = fields.get("uri").and_then(Value::as_str).map(str::to_owned) else { continue };
        let inside = resources::data_of(&uri);
        let is_inside = inside.is_some();
        let bytes = inside.or_else(|| std::fs::read(resources::beside(file, &uri)?).ok());
        let Some((bytes, kind)) =
            bytes.and_then(|bytes| Some((media_type(&bytes)?, bytes))).map(|(k, b)| (b, k))
        else {
            // named as it was
            if !uri.starts_with("data:") {
                notes.libraries_missing.push(uri);
            }
            continue;
        };
        fields.remove("uri");
        if !is_inside {
            fields.entry("name").or_insert_with(|| json!(uri));
        }
        fields.insert("mimeType".into(), json!(kind));
        fields.insert("bufferView".into(), json!(blobs.len()));
        blobs.push(bytes);
    }
    let mut parts = serde_json::Map::new();
    for (name, values) in
        [("textures", &document.textures), ("images", &images), ("samplers", &document.samplers)]
    {
        if !values.is_empty() {
            parts.insert(name.into(), json!(values));
        }
    }
    // extensions of the parts that are kept
    let mut used = std::collections::BTreeSet::new();
    let kept = parts.values().chain(&document.materials);
    kept.for_each(|part| extensions_in(part, &mut used));
    for (name, values) in
        [("extensionsUsed", &document.extensions_used), ("extensionsRequired", &document.extensions_required)]
    {
        let kept: Vec<&String> = values.iter().filter(|name| used.contains(*name)).collect();
        if !kept.is_empty() {
            parts.insert(name.into(), json!(kept));
        }
    }
    Ok(GltfPayload { json: Value::Object(parts).to_string(), blobs })
}

/// The names of the extensions in a part.
fn extensions_in(part: &Value, names: &mut std::collections::BTreeSet<String>) {
    match part {
        Value::Array(parts) => parts.iter().for_each(|part| extensions_in(part, names)),
        Value::Object(fields) => {
            if let Some(Value::Object(extensions)) = fields.get("extensions") {
                names.extend(extensions.keys().cloned());
            }
            fields.values().for_each(|part| extensions_in(part, names));
        }
        _ => {}
    }
}

/// The type of a picture that glTF may hold.
pub(crate) fn media_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        [0xab, b'K', b'T', b'X', b' ', b'2', b'0', ..] => Some("image/ktx2"),
        _ => None,
    }
}

/// Normals and tangents turn with their node, and fractions become floating point except for colours.
fn transformed(rows: Rows, name: &str, role: Role, transform: &DMat4) -> Rows {
    let integer = rows.scalars.scalar().is_integer();
    let textures = matches!(role, Role::TextureCoordinate(_));
    let direction = role == Role::Normal && rows.width == 3 || name == "tangent" && rows.width == 4;
    let fractions = integer && (rows.normalized && !matches!(role, Role::Colour(_)) || textures || direction);
    let turn = DMat3::from_mat4(*transform);
    let turned = direction && turn != DMat3::IDENTITY;
    if !fractions && !turned {
        return rows;
    }
    let mut values: Vec<f32> = (0..rows.scalars.len()).map(|index| rows.float(index) as f32).collect();
    if direction && rows.width == 3 {
        let turn = turn.inverse().transpose();
        for normal in values.as_chunks_mut::<3>().0 {
            let vector = turn * DVec3::from_array(normal.map(f64::from));
            *normal = vector.normalize_or_zero().as_vec3().to_array();
        }
    } else if direction {
        let side = if turn.determinant() < 0.0 { -1.0 } else { 1.0 };
        for [x, y, z, w] in values.as_chunks_mut::<4>().0 {
            let vector = turn * DVec3::new((*x).into(), (*y).into(), (*z).into());
            [*x, *y, *z] = vector.normalize_or_zero().as_vec3().to_array();
            *w *= side;
        }
    }
    Rows { scalars: Scalars::F32(values), normalized: false, ..rows }
}
