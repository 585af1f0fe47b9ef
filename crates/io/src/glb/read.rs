//! GLB to mesh.

use std::collections::BTreeMap;

use glam::{DMat3, DMat4, DVec3};
use ribbonmesh_mesh::{Column, GltfPayload, Material, NONE, Precision, Role, Scalars, TriangleMesh};
use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use super::{
    PER_BYTE,
    accessor::{self, Rows},
    build::{Builder, meaning},
    container,
    document::{Document, Primitive, part},
    scene::{Instance, instances},
};
use crate::{
    Notes, ReadErrorKind,
    text::{Fault, Outcome, fault, fault_of_file},
};

/// Extensions that change neither where vertices are nor which faces there are.
const HARMLESS: [&str; 6] = [
    "KHR_materials_",
    "KHR_texture_transform",
    "KHR_texture_basisu",
    "EXT_texture_webp",
    "EXT_texture_avif",
    "KHR_mesh_quantization",
];

/// A transformation, bit by bit, and the accessors of attributes: the vertices that they give.
type Block = ([u64; 16], BTreeMap<String, usize>);

/// What of a file has been read so far.
struct Reader<'a> {
    document: Document,
    binary: &'a [u8],
    builder: Builder,
    notes: Notes,
    /// First vertex and number of vertices, by place and attributes: several nodes may share them.
    blocks: FxHashMap<Block, (usize, usize)>,
    materials: Vec<u32>,
    objects: Vec<u32>,
    names: Vec<String>,
    exact: bool,
    /// Most vertices and corners, by the size of the file.
    limit: u64,
}

/// Reads the triangles of the scene: transformed as its nodes say, with the attributes of vertices, materials, textures
/// and images. Vertices of one node at one place become one vertex; where their attributes differ, these become attributes
/// of corners.
pub(crate) fn read(bytes: &[u8]) -> Outcome<(TriangleMesh, Notes)> {
    let container = container::open(bytes)?;
    let document: Document = serde_json::from_slice(container.json)
        .map_err(|error| fault(container.json_at, ReadErrorKind::Json(error)))?;
    let required = document.extensions_required.iter();
    if let Some(name) =
        required.into_iter().find(|name| !HARMLESS.iter().any(|known| name.starts_with(known)))
    {
        return Err(fault_of_file(ReadErrorKind::Unsupported { what: format!("the extension {name:?}") }));
    }
    let notes = Notes { trailing_bytes: container.trailing, ..Notes::default() };
    let mut reader = Reader {
        document,
        binary: container.binary,
        builder: Builder::default(),
        notes,
        blocks: FxHashMap::default(),
        materials: vec![],
        objects: vec![],
        names: vec![],
        exact: true,
        limit: PER_BYTE * bytes.len() as u64,
    };
    let document = std::mem::take(&mut reader.document);
    for (name, parts) in
        [("animations", &document.animations), ("skins", &document.skins), ("cameras", &document.cameras)]
    {
        if !parts.is_empty() {
            reader.notes.skip_statement(name);
        }
    }
    for instance in instances(&document)? {
        reader.instance(&document, &instance)?;
    }
    reader.finish(&document)
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
            let (first, count) = self.vertices(document, instance, primitive, &mut places)?;
            let before = self.builder.faces.len();
            self.faces(document, primitive, mode, first, count)?;
            if instance.transform.determinant() < 0.0 {
                self.builder.faces[before..].iter_mut().for_each(|face| face.swap(1, 2));
            }
            self.materials.resize(self.builder.faces.len(), primitive.material.unwrap_or(NONE));
            self.objects.resize(self.builder.faces.len(), object);
        }
        Ok(())
    }

    /// The vertices of a primitive: the first, and how many. Primitives that name the same accessors share them.
    fn vertices(
        &mut self,
        document: &Document,
        instance: &Instance,
        primitive: &Primitive,
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
        let rows = accessor::read(document, self.binary, positions)?;
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
                return Err(fault_of_file(ReadErrorKind::NotFinite { text }));
            }
            self.builder.positions.push(place);
        }
        for (semantic, &index) in primitive.attributes.iter().filter(|(name, _)| *name != "POSITION") {
            let Some((name, role)) = meaning(semantic) else {
                self.notes.skip_statement(semantic);
                continue;
            };
            let values = accessor::read(document, self.binary, index)?;
            if values.count != rows.count {
                return Err(bad("accessor", index, "has another count than the positions"));
            }
            let values = transformed(values, role, &instance.transform);
            if !self.builder.attribute(first, name, role, values.width, &values.scalars) {
                self.notes.skip_statement(semantic);
            }
        }
        self.builder.complete();
        let own = &primitive.extras["ribbonmesh"];
        let numbers = match (own["vertices"].as_u64(), own["welded"].as_bool()) {
            (Some(index), _) => match accessor::read(document, self.binary, index as usize)? {
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
        mode: u32,
        first: usize,
        count: usize,
    ) -> Outcome<()> {
        let indices: Vec<u32> = match primitive.indices {
            None => (0..count as u32).collect(),
            Some(index) => {
                let rows = accessor::read(document, self.binary, index)?;
                match rows.scalars {
                    _ if rows.width != 1 => {
                        return Err(bad("accessor", index, "holds indices and is no SCALAR"));
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

    /// Refuses what would fill the memory: a small file that uses a mesh many times.
    fn within_limit(&self, more: u64) -> Outcome<()> {
        let count = (self.builder.positions.len() + 3 * self.builder.faces.len()) as u64 + more;
        if count > self.limit.min(u32::MAX.into()) {
            let what = format!(
                "a scene of {count} vertices and corners in a file of {} bytes",
                self.limit / PER_BYTE
            );
            return Err(fault_of_file(ReadErrorKind::Unsupported { what }));
        }
        Ok(())
    }

    fn finish(mut self, document: &Document) -> Outcome<(TriangleMesh, Notes)> {
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
            mesh.tables.gltf = Some(payload(document, self.binary)?);
        }
        Ok((mesh, self.notes))
    }
}

fn material(value: &Value) -> Material {
    let name = value["name"].as_str().unwrap_or_default().to_owned();
    Material { name, gltf: Some(value.to_string()) }
}

/// Textures, samplers, and images with their bytes.
fn payload(document: &Document, binary: &[u8]) -> Outcome<GltfPayload> {
    let mut blobs = Vec::new();
    let mut images = document.images.clone();
    for image in &mut images {
        if let Some(index) = image["bufferView"].as_u64() {
            let bytes = accessor::view(document, binary, index as usize)?;
            image["bufferView"] = json!(blobs.len());
            blobs.push(bytes.to_vec());
        }
    }
    let mut parts = serde_json::Map::new();
    for (name, values) in
        [("textures", &document.textures), ("images", &images), ("samplers", &document.samplers)]
    {
        if !values.is_empty() {
            parts.insert(name.into(), json!(values));
        }
    }
    for (name, values) in
        [("extensionsUsed", &document.extensions_used), ("extensionsRequired", &document.extensions_required)]
    {
        let kept: Vec<&String> = values.iter().filter(|name| *name != "KHR_mesh_quantization").collect();
        if !kept.is_empty() {
            parts.insert(name.into(), json!(kept));
        }
    }
    Ok(GltfPayload { json: Value::Object(parts).to_string(), blobs })
}

/// Normals turn with their node, and fractions become floating point but for colours.
fn transformed(rows: Rows, role: Role, transform: &DMat4) -> Rows {
    let integer = rows.scalars.scalar().is_integer();
    let fractions = integer && rows.normalized && !matches!(role, Role::Colour(_));
    let turn = DMat3::from_mat4(*transform);
    let turned = role == Role::Normal && rows.width == 3 && turn != DMat3::IDENTITY;
    if !fractions && !turned {
        return rows;
    }
    let mut values: Vec<f32> = (0..rows.scalars.len()).map(|index| rows.float(index) as f32).collect();
    if turned {
        let turn = turn.inverse().transpose();
        for normal in values.as_chunks_mut::<3>().0 {
            let vector = turn * DVec3::from_array(normal.map(f64::from));
            *normal = vector.normalize_or_zero().as_vec3().to_array();
        }
    }
    Rows { scalars: Scalars::F32(values), normalized: false, ..rows }
}
