//! Names to which face columns refer, and opaque data of files.

/// Stands for no material, group or object in a column of indices.
pub const NONE: u32 = u32::MAX;

/// A material.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Material {
    /// The name; it need not be unique.
    pub name: String,
    /// The definition as glTF JSON, which for OBJ is made of that in a [`Library`]; `None` if it is
    /// undefined.
    pub gltf: Option<String>,
}

/// A material file to which the mesh refers: `mtllib` of OBJ.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Library {
    /// The name by which the mesh refers to it.
    pub name: String,
    /// Its bytes; `None` if they were not read.
    pub bytes: Option<Vec<u8>>,
}

/// Data to which the materials of a GLB file refer, stored unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GltfPayload {
    /// JSON of an object with `textures`, `images`, `samplers` and the names of extensions, as in the file.
    /// An image inside of the file has its `bufferView` replaced by the number of its blob.
    pub json: String,
    /// The bytes of the images.
    pub blobs: Vec<Vec<u8>>,
}

/// The origin of texture coordinates.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TextureOrigin {
    /// At the bottom left of the picture, with the second coordinate upward: OBJ, PLY and OFF.
    #[default]
    Bottom,
    /// At the top left, with the second coordinate downward: glTF.
    Top,
}

/// A comment or header of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// The kind: `comment` or `obj_info` of PLY, `header` of STL.
    pub key: String,
    /// The text, not necessarily UTF-8.
    pub text: Vec<u8>,
}

/// Names to which face columns refer, and opaque data of files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tables {
    /// Rows that columns with [`Role::Material`](crate::Role::Material) name.
    pub materials: Vec<Material>,
    /// Rows that columns with [`Role::Group`](crate::Role::Group) name.
    pub groups: Vec<String>,
    /// Rows that columns with [`Role::Object`](crate::Role::Object) name.
    pub objects: Vec<String>,
    /// Material files.
    pub libraries: Vec<Library>,
    /// Textures and images of GLB.
    pub gltf: Option<GltfPayload>,
    /// The origin of texture coordinates. Writers flip them for formats with another origin.
    pub texture_origin: TextureOrigin,
    /// Comments and headers.
    pub remarks: Vec<Remark>,
}
