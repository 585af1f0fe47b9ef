//! Names of arrays and types in VTK legacy files.

use ribbonmesh_mesh::Scalar;

/// The type of a name; `bit` is none.
pub(super) fn scalar(name: &[u8]) -> Option<Scalar> {
    Some(match name.to_ascii_lowercase().as_slice() {
        b"unsigned_char" | b"vtktypeuint8" => Scalar::U8,
        b"char" | b"signed_char" | b"vtktypeint8" => Scalar::I8,
        b"unsigned_short" | b"vtktypeuint16" => Scalar::U16,
        b"short" | b"vtktypeint16" => Scalar::I16,
        b"unsigned_int" | b"vtktypeuint32" => Scalar::U32,
        b"int" | b"vtkidtype" | b"vtktypeint32" => Scalar::I32,
        b"unsigned_long" | b"unsigned_long_long" | b"vtktypeuint64" => Scalar::U64,
        b"long" | b"long_long" | b"vtktypeint64" => Scalar::I64,
        b"float" => Scalar::F32,
        b"double" => Scalar::F64,
        _ => return None,
    })
}

/// The name of a type.
pub(super) fn name(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::U8 => "unsigned_char",
        Scalar::I8 => "char",
        Scalar::U16 => "unsigned_short",
        Scalar::I16 => "short",
        Scalar::U32 => "unsigned_int",
        Scalar::I32 => "int",
        Scalar::U64 => "vtktypeuint64",
        Scalar::I64 => "vtktypeint64",
        Scalar::F32 => "float",
        Scalar::F64 => "double",
    }
}

/// An array's name without the `%20` by which VTK writes blanks and other characters.
pub(super) fn decoded(name: &[u8]) -> String {
    let mut bytes = Vec::with_capacity(name.len());
    let mut at = 0;
    while at < name.len() {
        let digits = name.get(at + 1..at + 3).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) if name[at] == b'%' => {
                bytes.push(byte);
                at += 3;
            }
            _ => {
                bytes.push(name[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The opposite of [`decoded`].
pub(super) fn encoded(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for byte in name.bytes() {
        if (33..127).contains(&byte) && !matches!(byte, b'%' | b'"') {
            text.push(byte.into());
        } else {
            text += &format!("%{byte:02X}");
        }
    }
    text
}
