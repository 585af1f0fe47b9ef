//! OpenVolumeMesh files, as text: vertices; edges by their vertices; faces by half-edges; cells by
//! half-faces; properties of all these.

pub(crate) mod read;
pub(crate) mod write;

use ribbonmesh_mesh::Scalar;

/// Types of properties that are numbers: the name in the file, numbers per row.
const TYPES: [(&str, Scalar, usize); 18] = [
    ("float", Scalar::F32, 1),
    ("double", Scalar::F64, 1),
    ("int", Scalar::I32, 1),
    ("unsigned_int", Scalar::U32, 1),
    ("long", Scalar::I64, 1),
    ("unsigned_long", Scalar::U64, 1),
    ("vec2f", Scalar::F32, 2),
    ("vec3f", Scalar::F32, 3),
    ("vec4f", Scalar::F32, 4),
    ("vec2d", Scalar::F64, 2),
    ("vec3d", Scalar::F64, 3),
    ("vec4d", Scalar::F64, 4),
    ("vec2i", Scalar::I32, 2),
    ("vec3i", Scalar::I32, 3),
    ("vec4i", Scalar::I32, 4),
    ("vec2ui", Scalar::U32, 2),
    ("vec3ui", Scalar::U32, 3),
    ("vec4ui", Scalar::U32, 4),
];
