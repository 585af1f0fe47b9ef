//! Numbers of PLY files.

use ribbonmesh_mesh::{Scalar, Scalars};

/// The type of a number by its name, old or new.
pub(super) fn scalar_of(name: &[u8]) -> Option<Scalar> {
    Some(match name {
        b"char" | b"int8" => Scalar::I8,
        b"uchar" | b"uint8" => Scalar::U8,
        b"short" | b"int16" => Scalar::I16,
        b"ushort" | b"uint16" => Scalar::U16,
        b"int" | b"int32" => Scalar::I32,
        b"uint" | b"uint32" => Scalar::U32,
        b"float" | b"float32" => Scalar::F32,
        b"double" | b"float64" => Scalar::F64,
        // not in the format, but written
        b"int64" | b"longlong" | b"long" => Scalar::I64,
        b"uint64" | b"ulonglong" | b"ulong" => Scalar::U64,
        _ => return None,
    })
}

/// The name of a type in a file; PLY has no integers of 64 bits, which become floating point.
pub(super) fn name_of(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::I8 => "char",
        Scalar::U8 => "uchar",
        Scalar::I16 => "short",
        Scalar::U16 => "ushort",
        Scalar::I32 => "int",
        Scalar::U32 => "uint",
        Scalar::F32 => "float",
        Scalar::F64 | Scalar::I64 | Scalar::U64 => "double",
    }
}

/// Whether single precision holds every number of a type.
pub(super) fn is_single(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::I8 | Scalar::U8 | Scalar::I16 | Scalar::U16 | Scalar::F32)
}

/// An order of bytes.
pub(super) trait Order {
    fn pair(bytes: [u8; 2]) -> u16;
    fn word(bytes: [u8; 4]) -> u32;
    fn long(bytes: [u8; 8]) -> u64;
}

/// Least significant byte first.
pub(super) struct LittleEndian;
/// Most significant byte first.
pub(super) struct BigEndian;

impl Order for LittleEndian {
    fn pair(bytes: [u8; 2]) -> u16 {
        u16::from_le_bytes(bytes)
    }
    fn word(bytes: [u8; 4]) -> u32 {
        u32::from_le_bytes(bytes)
    }
    fn long(bytes: [u8; 8]) -> u64 {
        u64::from_le_bytes(bytes)
    }
}

impl Order for BigEndian {
    fn pair(bytes: [u8; 2]) -> u16 {
        u16::from_be_bytes(bytes)
    }
    fn word(bytes: [u8; 4]) -> u32 {
        u32::from_be_bytes(bytes)
    }
    fn long(bytes: [u8; 8]) -> u64 {
        u64::from_be_bytes(bytes)
    }
}

/// The first `N` bytes of a slice that has been checked to hold them, zeros where it does not.
#[inline(always)]
pub(super) fn head<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.first_chunk::<N>().copied().unwrap_or([0; N])
}

/// The integer at the head of `bytes`, which hold at least [`Scalar::size`] of them. Floating point is
/// truncated.
#[inline(always)]
pub(super) fn integer<O: Order>(scalar: Scalar, bytes: &[u8]) -> i64 {
    match scalar {
        Scalar::I8 => i64::from(head::<1>(bytes)[0] as i8),
        Scalar::U8 => i64::from(head::<1>(bytes)[0]),
        Scalar::I16 => i64::from(O::pair(head(bytes)) as i16),
        Scalar::U16 => i64::from(O::pair(head(bytes))),
        Scalar::I32 => i64::from(O::word(head(bytes)) as i32),
        Scalar::U32 => i64::from(O::word(head(bytes))),
        Scalar::I64 | Scalar::U64 => O::long(head(bytes)) as i64,
        Scalar::F32 => f32::from_bits(O::word(head(bytes))) as i64,
        Scalar::F64 => f64::from_bits(O::long(head(bytes))) as i64,
    }
}

/// The number at the head of `bytes`, which hold at least [`Scalar::size`] of them.
#[inline(always)]
pub(super) fn float<O: Order>(scalar: Scalar, bytes: &[u8]) -> f64 {
    match scalar {
        Scalar::F32 => f32::from_bits(O::word(head(bytes))).into(),
        Scalar::F64 => f64::from_bits(O::long(head(bytes))),
        _ => integer::<O>(scalar, bytes) as f64,
    }
}

/// Appends the numbers that each of `items` begins with, which must hold one of the type of `scalars`.
pub(super) fn append<'a, O: Order>(scalars: &mut Scalars, items: impl Iterator<Item = &'a [u8]>) {
    match scalars {
        Scalars::U8(values) => values.extend(items.map(|bytes| head::<1>(bytes)[0])),
        Scalars::I8(values) => values.extend(items.map(|bytes| head::<1>(bytes)[0] as i8)),
        Scalars::U16(values) => values.extend(items.map(|bytes| O::pair(head(bytes)))),
        Scalars::I16(values) => values.extend(items.map(|bytes| O::pair(head(bytes)) as i16)),
        Scalars::U32(values) => values.extend(items.map(|bytes| O::word(head(bytes)))),
        Scalars::I32(values) => values.extend(items.map(|bytes| O::word(head(bytes)) as i32)),
        Scalars::U64(values) => values.extend(items.map(|bytes| O::long(head(bytes)))),
        Scalars::I64(values) => values.extend(items.map(|bytes| O::long(head(bytes)) as i64)),
        Scalars::F32(values) => values.extend(items.map(|bytes| f32::from_bits(O::word(head(bytes))))),
        Scalars::F64(values) => values.extend(items.map(|bytes| f64::from_bits(O::long(head(bytes))))),
    }
}
