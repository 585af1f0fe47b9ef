//! Values per vertex or face that go into a file beside the mesh.

/// A named value for each vertex, or for each face.
#[derive(Debug, Clone, PartialEq)]
pub struct Property {
    /// The name in the file: ASCII letters, digits and underscores.
    pub name: String,
    /// One value per vertex or face.
    pub values: PropertyValues,
}

/// The values of a [`Property`], one per element.
#[derive(Debug, Clone, PartialEq)]
pub enum PropertyValues {
    /// Numbers. Infinities and NaN are written as they are.
    F32(Vec<f32>),
    /// Small counts, channels of colours.
    U8(Vec<u8>),
    /// Counts, labels.
    U32(Vec<u32>),
    /// Signed integers.
    I32(Vec<i32>),
    /// Vectors. PLY gets three columns: a name of one letter, such as `n`, gives `nx`, `ny`, `nz`; a longer
    /// one, such as `force`, gives `force_x`, `force_y`, `force_z`.
    Vec3(Vec<[f32; 3]>),
}

impl Property {
    /// A property of that name and those values.
    pub fn new(name: impl Into<String>, values: PropertyValues) -> Self {
        Self { name: name.into(), values }
    }

    /// The names of the columns that the property takes.
    pub(crate) fn columns(&self) -> Vec<String> {
        let name = &self.name;
        let gap = if name.len() == 1 { "" } else { "_" };
        match self.values {
            PropertyValues::Vec3(_) => ["x", "y", "z"].map(|axis| format!("{name}{gap}{axis}")).to_vec(),
            _ => vec![name.clone()],
        }
    }
}

impl PropertyValues {
    /// Number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::F32(values) => values.len(),
            Self::U8(values) => values.len(),
            Self::U32(values) => values.len(),
            Self::I32(values) => values.len(),
            Self::Vec3(values) => values.len(),
        }
    }

    /// True where there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
