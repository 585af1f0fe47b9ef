//! Vertices of several primitives become one mesh: vertices at the same position become one vertex.

use glam::DVec3;
use ribbonmesh_mesh::{Column, ColumnError, Role, Scalar, Scalars, TriangleMesh};
use rustc_hash::FxHashMap;

use crate::Notes;

/// An attribute of the vertices so far.
pub(super) struct Attribute {
    pub name: String,
    pub role: Role,
    pub width: usize,
    pub scalars: Scalars,
}

/// Vertices as they are in the file, and the mesh's vertex of each.
#[derive(Default)]
pub(super) struct Builder {
    pub positions: Vec<DVec3>,
    pub attributes: Vec<Attribute>,
    /// The vertex of the mesh.
    pub vertex_of: Vec<u32>,
    /// Number of vertices of the mesh.
    pub vertices: u32,
    /// Faces, of vertices of the file.
    pub faces: Vec<[u32; 3]>,
    pub welded: u64,
}

impl Builder {
    /// Takes an attribute of the vertices from `first` on. Says whether that was possible: all parts of a
    /// file must agree on the type.
    pub fn attribute(
        &mut self,
        first: usize,
        name: String,
        role: Role,
        width: usize,
        scalars: &Scalars,
    ) -> bool {
        let kind = scalars.scalar();
        if !self.attributes.iter().any(|known| known.name == name) {
            self.attributes.push(Attribute {
                name: name.clone(),
                role,
                width,
                scalars: Scalars::with_capacity(kind, 0),
            });
        }
        let Some(known) = self.attributes.iter_mut().find(|known| known.name == name) else { return false };
        if (known.width, known.scalars.scalar()) != (width, kind) {
            return false;
        }
        fill(&mut known.scalars, first * width, role);
        known.scalars.append(scalars)
    }

    /// Makes every attribute as long as there are vertices.
    pub fn complete(&mut self) {
        for attribute in &mut self.attributes {
            fill(&mut attribute.scalars, self.positions.len() * attribute.width, attribute.role);
        }
    }

    /// Gives the vertices from `first` on the numbers that they had in the mesh that was written, if that is
    /// what `numbers` can be: all up to the largest are there, and vertices with the same number have the
    /// same position.
    pub fn restore(&mut self, first: usize, numbers: &[u32]) -> bool {
        let positions = &self.positions[first..];
        let count = numbers.iter().max().map_or(0, |&last| last as usize + 1);
        if numbers.len() != positions.len() || count > numbers.len() {
            return false;
        }
        let mut places: Vec<Option<DVec3>> = vec![None; count];
        for (&number, &position) in numbers.iter().zip(positions) {
            let place = *places[number as usize].get_or_insert(position);
            if place.to_array().map(f64::to_bits) != position.to_array().map(f64::to_bits) {
                return false;
            }
        }
        if places.iter().any(Option::is_none) {
            return false;
        }
        self.vertex_of.extend(numbers.iter().map(|number| self.vertices + number));
        self.vertices += count as u32;
        true
    }

    /// Makes one vertex of the vertices from `first` on that have the same position.
    pub fn weld(&mut self, first: usize, places: &mut FxHashMap<[u64; 3], u32>) {
        for position in &self.positions[first..] {
            let key = position.to_array().map(|value| if value == 0.0 { 0 } else { value.to_bits() });
            let vertex = *places.entry(key).or_insert(self.vertices);
            if vertex == self.vertices {
                self.vertices += 1;
            } else {
                self.welded += 1;
            }
            self.vertex_of.push(vertex);
        }
    }

    /// The mesh, with attributes of vertices where all vertices of the file that are one agree, or else of
    /// corners.
    pub fn finish(mut self, notes: &mut Notes) -> Result<TriangleMesh, ColumnError> {
        self.complete();
        notes.corners_welded = self.welded;
        let mut source = vec![u32::MAX; self.vertices as usize];
        for (raw, &vertex) in self.vertex_of.iter().enumerate().rev() {
            source[vertex as usize] = raw as u32;
        }
        let positions = source.iter().map(|&raw| self.positions[raw as usize]).collect();
        let faces = self.faces.iter().map(|face| face.map(|raw| self.vertex_of[raw as usize])).collect();
        let mut mesh = TriangleMesh::new(positions, faces);
        for Attribute { name, role, width, scalars } in self.attributes {
            let row = scalars.scalar().size() * width;
            let bytes = scalars.bytes();
            let of = |raw: usize| &bytes[raw * row..(raw + 1) * row];
            let function = (0..self.vertex_of.len())
                .all(|raw| of(raw) == of(source[self.vertex_of[raw] as usize] as usize));
            let raws: &[u32] = if function { &source } else { self.faces.as_flattened() };
            let mut chosen = Scalars::with_capacity(scalars.scalar(), raws.len() * width);
            chosen.append_rows(&scalars, width, raws);
            let Some(column) = Column::from_scalars(name, role, width, chosen) else { continue };
            if function {
                mesh.vertices_mut().insert_column(column)?;
            } else {
                mesh.corners_mut().insert_column(column)?;
            }
        }
        Ok(mesh)
    }
}

/// Appends the values of vertices for which an attribute has none: no coordinates, no normal, white, or 0.
fn fill(scalars: &mut Scalars, length: usize, role: Role) {
    let missing = length.saturating_sub(scalars.len());
    match (role, &mut *scalars) {
        (Role::TextureCoordinate(_), Scalars::F32(values)) => values.extend(vec![f32::NAN; missing]),
        (Role::Colour(_), Scalars::F32(values)) => values.extend(vec![1.0; missing]),
        (Role::Colour(_), Scalars::U8(values)) => values.extend(vec![u8::MAX; missing]),
        (Role::Colour(_), Scalars::U16(values)) => values.extend(vec![u16::MAX; missing]),
        _ => scalars.push_zeros(missing),
    }
}

/// Attributes by their name in the file: name and role in the mesh. `None` for attributes that mean nothing
/// without a skeleton.
pub(super) fn meaning(semantic: &str) -> Option<(String, Role)> {
    use ribbonmesh_mesh::ColourSpace::Linear;
    let numbered = |name: &str, number: u32| match number {
        0 => name.to_owned(),
        number => format!("{name}_{number}"),
    };
    let number = |prefix: &str| semantic.strip_prefix(prefix).and_then(|number| number.parse::<u32>().ok());
    if let Some(number) = number("COLOR_") {
        return Some((numbered("colour", number), Role::Colour(Linear)));
    }
    if let Some(number) = number("TEXCOORD_") {
        return Some((numbered("texcoord", number), Role::TextureCoordinate(number)));
    }
    match semantic {
        "NORMAL" => Some(("normal".into(), Role::Normal)),
        "TANGENT" => Some(("tangent".into(), Role::Custom)),
        _ => {
            let name = semantic.strip_prefix('_').filter(|name| !name.is_empty())?;
            // a set of texture coordinates without those before it
            let set = name.strip_prefix("texcoord_").and_then(|set| set.parse().ok()).filter(|set| *set > 0);
            Some((name.into(), set.map_or(Role::Custom, Role::TextureCoordinate)))
        }
    }
}

/// The name in the file of a column, and the type in which it is written there.
pub(super) fn semantic(column: &Column) -> Option<(String, Scalar)> {
    let kind = column.scalar();
    let small = !matches!(kind, Scalar::U32 | Scalar::I32 | Scalar::U64 | Scalar::I64 | Scalar::F64);
    let own = |kind| Some((format!("_{}", column.name()), kind));
    match meaning_of(column) {
        Some(semantic) => match column.role() {
            Role::Colour(ribbonmesh_mesh::ColourSpace::Srgb) => Some((semantic, Scalar::F32)),
            Role::Colour(_) if matches!(kind, Scalar::U8 | Scalar::U16) => Some((semantic, kind)),
            _ => Some((semantic, Scalar::F32)),
        },
        None if column.name().is_empty() => None,
        None => own(if small { kind } else { Scalar::F32 }),
    }
}

/// The name of a column that has a meaning in glTF.
fn meaning_of(column: &Column) -> Option<String> {
    let number = |prefix: &str| match column.name().strip_prefix(prefix)? {
        "" => Some(0),
        rest => rest.strip_prefix('_')?.parse::<u32>().ok().filter(|number| *number > 0),
    };
    let float = !column.scalar().is_integer();
    match (column.role(), column.width()) {
        (Role::Normal, 3) if float && column.name() == "normal" => Some("NORMAL".into()),
        (Role::TextureCoordinate(set), 2 | 3) if float => Some(format!("TEXCOORD_{set}")),
        (Role::Colour(_), 3 | 4) if float || matches!(column.scalar(), Scalar::U8 | Scalar::U16) => {
            number("colour").map(|number| format!("COLOR_{number}"))
        }
        (Role::Custom, 4) if float && column.name() == "tangent" => Some("TANGENT".into()),
        _ => None,
    }
}
