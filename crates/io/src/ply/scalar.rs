//! Numbers of PLY files.

/// Types of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    /// The type of that name, old or new.
    pub fn of(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"char" | b"int8" => Self::I8,
            b"uchar" | b"uint8" => Self::U8,
            b"short" | b"int16" => Self::I16,
            b"ushort" | b"uint16" => Self::U16,
            b"int" | b"int32" => Self::I32,
            b"uint" | b"uint32" => Self::U32,
            b"float" | b"float32" => Self::F32,
            b"double" | b"float64" => Self::F64,
            _ => return None,
        })
    }

    /// Bytes that a number takes in a binary file.
    pub fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// Whether it is a type of integers.
    pub fn is_integer(self) -> bool {
        !matches!(self, Self::F32 | Self::F64)
    }
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
        Scalar::F32 => f32::from_bits(O::word(head(bytes))) as i64,
        Scalar::F64 => f64::from_bits(O::long(head(bytes))) as i64,
    }
}

/// Types that numbers of any [`Scalar`] are rounded to.
pub(super) trait Float: lexical_core::FromLexical {
    /// The number at the head of `bytes`, which hold at least [`Scalar::size`] of them.
    fn read<O: Order>(scalar: Scalar, bytes: &[u8]) -> Self;
}

impl Float for f32 {
    fn read<O: Order>(scalar: Scalar, bytes: &[u8]) -> Self {
        float::<O>(scalar, bytes)
    }
}

impl Float for f64 {
    fn read<O: Order>(scalar: Scalar, bytes: &[u8]) -> Self {
        match scalar {
            Scalar::F32 => f32::from_bits(O::word(head(bytes))).into(),
            Scalar::F64 => f64::from_bits(O::long(head(bytes))),
            _ => integer::<O>(scalar, bytes) as f64,
        }
    }
}

/// The number at the head of `bytes`, which hold at least [`Scalar::size`] of them, rounded to 32 bits.
#[inline(always)]
pub(super) fn float<O: Order>(scalar: Scalar, bytes: &[u8]) -> f32 {
    match scalar {
        Scalar::F32 => f32::from_bits(O::word(head(bytes))),
        Scalar::F64 => f64::from_bits(O::long(head(bytes))) as f32,
        _ => integer::<O>(scalar, bytes) as f32,
    }
}
