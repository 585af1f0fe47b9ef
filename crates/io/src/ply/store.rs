//! Columns with a role, made from the properties of PLY files.

use ribbonmesh_mesh::{ColourSpace, Column, ColumnError, Element, Role, Scalars, TriangleMesh};

use super::layout::{self, Store, Target, Task};
use crate::{Notes, colour};

impl Store {
    /// Begins the list of a face.
    pub fn begin(&mut self) {
        self.start = self.scalars.len();
    }

    /// Makes a row for each triangle of a polygon, or for each of their corners, of the polygon's row.
    #[inline(always)]
    pub fn finish_face(&mut self, targets: &[Target], corners: usize) {
        match targets[self.property] {
            // a face that is left out
            Target::PerCorner(_) if corners < 3 => self.scalars.truncate(self.start),
            Target::PerCorner(_) => self.spread(corners),
            _ if corners < 3 => self.scalars.truncate(self.scalars.len() - 1),
            _ if corners > 3 => {
                let row = self.scalars.len() - 1;
                (3..corners).for_each(|_| self.scalars.push_copy(row, 1));
            }
            _ => {}
        }
    }

    /// Takes the list of a polygon apart into rows of the corners of its fan.
    fn spread(&mut self, corners: usize) {
        let length = self.scalars.len() - self.start;
        let width = length / corners;
        let fits = length.is_multiple_of(corners) && (1..=4).contains(&width);
        if self.broken || !fits || *self.width.get_or_insert(width) != width {
            self.broken = true;
            self.scalars.truncate(0);
            return;
        }
        if corners == 3 {
            return;
        }
        // the rows of the triangles follow the rows of the polygon, and then replace them
        let first = self.start / width;
        for i in 1..corners - 1 {
            for corner in [0, i, i + 1] {
                self.scalars.push_copy(first + corner, width);
            }
        }
        self.scalars.remove(self.start, length);
    }
}

/// Names of properties that make one column, its name, and its role. Other names with the endings `_x`, `_y`,
/// `_z`, `_w` make vectors.
const KNOWN: [(&[&str], &str, Role); 10] = [
    (&["nx", "ny", "nz"], "normal", Role::Normal),
    (&["red", "green", "blue", "alpha"], "colour", Role::Colour(ColourSpace::Srgb)),
    (&["red", "green", "blue"], "colour", Role::Colour(ColourSpace::Srgb)),
    (&["s", "t"], "texcoord", Role::TextureCoordinate(0)),
    (&["u", "v"], "texcoord", Role::TextureCoordinate(0)),
    (&["texture_u", "texture_v"], "texcoord", Role::TextureCoordinate(0)),
    (&["texture_s", "texture_t"], "texcoord", Role::TextureCoordinate(0)),
    (&["diffuse_red", "diffuse_green", "diffuse_blue"], "colour", Role::Colour(ColourSpace::Srgb)),
    (&["r", "g", "b"], "colour", Role::Colour(ColourSpace::Srgb)),
    (&["quality"], "quality", Role::Quality),
];
const ENDINGS: [&str; 4] = ["_x", "_y", "_z", "_w"];

/// The role of a column of corners, or of one without a group, by its name.
fn role_of(name: &str) -> Role {
    match name {
        "normal" => Role::Normal,
        "colour" => Role::Colour(ColourSpace::Srgb),
        "colour_linear" => Role::Colour(ColourSpace::Linear),
        "texcoord" => Role::TextureCoordinate(0),
        "quality" => Role::Quality,
        "smoothing" => Role::Smoothing,
        _ => match name.strip_prefix("texcoord_").and_then(|set| set.parse().ok()) {
            Some(set) if set > 0 => Role::TextureCoordinate(set),
            _ => Role::Custom,
        },
    }
}

/// Puts the data of an element into columns of the mesh.
pub(super) fn assemble(
    task: &mut Task<'_>,
    mesh: &mut TriangleMesh,
    notes: &mut Notes,
) -> Result<(), ColumnError> {
    let element = match task.role {
        layout::Role::Vertices => Element::Vertex,
        layout::Role::Faces => Element::Face,
        layout::Role::Edges => Element::Edge,
        layout::Role::Strips | layout::Role::Other => return Ok(()),
    };
    let properties = &task.element.properties;
    let mut stores: Vec<Option<Store>> = std::mem::take(&mut task.stores).into_iter().map(Some).collect();
    for number in 0..stores.len() {
        let Some(store) = &stores[number] else { continue };
        let name = properties[store.property].name.as_str();
        if let Target::PerCorner(_) = task.targets[store.property] {
            let property = format!("{}.{name}", task.element.name);
            let name = name.strip_prefix("corner_").filter(|name| !name.is_empty()).unwrap_or(name);
            let role = role_of(name);
            let Some(store) = stores[number].take() else { continue };
            let free = mesh.corners().column(name).is_none();
            match store.width.filter(|_| free && !store.broken) {
                Some(width) => {
                    if let Some(column) = Column::from_scalars(name, role, width, store.scalars) {
                        mesh.corners_mut().insert_column(column)?;
                    }
                }
                None => notes.properties_skipped.push(property),
            }
            continue;
        }
        let known = KNOWN.iter().filter(|(names, ..)| names[0] == name).map(|(names, name, role)| {
            (names.iter().map(|name| (*name).to_owned()).collect(), (*name).to_owned(), *role)
        });
        let stem = name.strip_suffix("_x").filter(|stem| !stem.is_empty());
        let vectors = stem.into_iter().flat_map(|stem| {
            let names = |width: usize| ENDINGS[..width].iter().map(|e| format!("{stem}{e}")).collect();
            [4, 3, 2].map(|width| (names(width), stem.to_owned(), role_of(stem)))
        });
        let groups: Vec<(Vec<String>, String, Role)> = known.chain(vectors).collect();
        let attributes = mesh.attributes(element);
        let group = groups.into_iter().find_map(|(names, column, role)| {
            let free = attributes.column(&column).is_none();
            let members: Option<Vec<usize>> =
                names.iter().map(|n| member(&stores, task, number, n)).collect();
            Some((members.filter(|_| free)?, column, role))
        });
        let (members, column, role) =
            group.unwrap_or_else(|| (vec![number], name.to_owned(), role_of_scalar(name)));
        let arrays: Vec<Scalars> =
            members.iter().filter_map(|&m| stores[m].take()).map(|store| store.scalars).collect();
        let width = arrays.len();
        if mesh.attributes(element).column(&column).is_some() {
            notes.properties_skipped.push(format!("{}.{column}", task.element.name));
            continue;
        }
        let scalars = if width == 1 { arrays.into_iter().next() } else { Scalars::interleaved(&arrays) };
        let scalars = match role {
            Role::Colour(_) => scalars.map(|scalars| colours(scalars, width, notes)),
            _ => scalars,
        };
        if let Some(column) = scalars.and_then(|s| Column::from_scalars(column, role, width, s)) {
            mesh.attributes_mut(element).insert_column(column)?;
        }
    }
    Ok(())
}

/// Colours from 0 to 255 in other types than bytes: wide integers become bytes, and floating point fractions.
fn colours(scalars: Scalars, width: usize, notes: &mut Notes) -> Scalars {
    let rows = (scalars.len() / width) as u64;
    let wide = !matches!(scalars, Scalars::U8(_) | Scalars::U16(_) | Scalars::I8(_));
    if scalars.scalar().is_integer() && wide {
        let value = |index| scalars.as_f64(index).unwrap_or(-1.0);
        if (0..scalars.len()).all(|index| (0.0..=255.0).contains(&value(index))) {
            notes.colours_of_bytes += rows;
            return Scalars::U8((0..scalars.len()).map(|index| value(index) as u8).collect());
        }
        return scalars;
    }
    match scalars {
        Scalars::F32(mut values) if colour::are_bytes(&values) => {
            notes.colours_of_bytes += rows;
            values.iter_mut().for_each(|value| *value /= 255.0);
            Scalars::F32(values)
        }
        Scalars::F64(values) if colour::are_bytes(&single(&values)) => {
            notes.colours_of_bytes += rows;
            Scalars::F64(values.into_iter().map(|value| value / 255.0).collect())
        }
        scalars => scalars,
    }
}

fn single(values: &[f64]) -> Vec<f32> {
    values.iter().map(|value| *value as f32).collect()
}

fn role_of_scalar(name: &str) -> Role {
    match role_of(name) {
        role @ (Role::Quality | Role::Smoothing) => role,
        _ => Role::Custom,
    }
}

/// The store of the property of that name, if it has not been used and has the type of the first.
fn member(stores: &[Option<Store>], task: &Task<'_>, first: usize, name: &str) -> Option<usize> {
    let kind = task.kinds[stores[first].as_ref()?.property];
    stores.iter().position(|store| {
        store.as_ref().is_some_and(|store| {
            task.element.properties[store.property].name == name
                && task.kinds[store.property] == kind
                && matches!(task.targets[store.property], Target::Store(_))
        })
    })
}
