//! Names that face columns refer to, and what is carried without being looked into.

/// Stands for no material, group or object in a column of indices.
pub const NONE: u32 = u32::MAX;

/// A material.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Material {
    /// Its name; need not be unique.
    pub name: String,
    /// Its definition as JSON of glTF; none where a [`Library`] has it, or nobody.
    pub gltf: Option<String>,
}

/// A file of materials that the mesh refers to: `mtllib` of OBJ.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Library {
    /// The name by which the mesh refers to it.
    pub name: String,
    /// Its bytes; none where they were not read.
    pub bytes: Option<Vec<u8>>,
}

/// What the materials of a GLB file refer to, carried as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GltfPayload {
    /// JSON of an object with `textures`, `images`, `samplers` and the names of extensions, as in the file.
    /// An image inside of the file has its `bufferView` replaced by the number of its blob.
    pub json: String,
    /// The bytes of the images.
    pub blobs: Vec<Vec<u8>>,
}

/// Something that a file said about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// What it is: `comment` or `obj_info` of PLY, `header` of STL.
    pub key: String,
    /// What was said. Need not be UTF-8.
    pub text: Vec<u8>,
}

/// Names that face columns refer to, and what is carried along for them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tables {
    /// Rows that columns with [`Role::Material`](crate::Role::Material) name.
    pub materials: Vec<Material>,
    /// Rows that columns with [`Role::Group`](crate::Role::Group) name.
    pub groups: Vec<String>,
    /// Rows that columns with [`Role::Object`](crate::Role::Object) name.
    pub objects: Vec<String>,
    /// Files of materials.
    pub libraries: Vec<Library>,
    /// Textures and images of GLB.
    pub gltf: Option<GltfPayload>,
    /// Comments and the like.
    pub remarks: Vec<Remark>,
}
