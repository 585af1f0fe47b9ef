//! Numbers of any type in one array.

use std::fmt;

macro_rules! scalars {
    ($($variant:ident $type:ty, $name:literal, $doc:literal;)*) => {
        /// The type of a number.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Scalar {
            $(#[doc = $doc] $variant,)*
        }

        impl Scalar {
            /// All types.
            pub const ALL: [Self; 10] = [$(Self::$variant),*];

            /// The name that Rust gives the type.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// Bytes of one number.
            pub fn size(self) -> usize {
                match self {
                    $(Self::$variant => size_of::<$type>(),)*
                }
            }
        }

        /// An array of numbers of one type.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Scalars {
            $(#[doc = $doc] $variant(Vec<$type>),)*
        }

        impl Scalars {
            /// An empty array with room for `capacity` numbers.
            pub fn with_capacity(scalar: Scalar, capacity: usize) -> Self {
                match scalar {
                    $(Scalar::$variant => Self::$variant(Vec::with_capacity(capacity)),)*
                }
            }

            /// The type of the numbers.
            pub fn scalar(&self) -> Scalar {
                match self {
                    $(Self::$variant(_) => Scalar::$variant,)*
                }
            }

            /// Number of numbers.
            pub fn len(&self) -> usize {
                match self {
                    $(Self::$variant(values) => values.len(),)*
                }
            }

            /// A number, converted to `f64`; 64-bit integers beyond 2⁵³ are rounded. None behind the end.
            pub fn as_f64(&self, index: usize) -> Option<f64> {
                match self {
                    $(Self::$variant(values) => values.get(index).map(|value| *value as f64),)*
                }
            }

            /// The bytes of the numbers, in the byte order of this machine.
            pub fn bytes(&self) -> &[u8] {
                match self {
                    $(Self::$variant(values) => bytemuck::cast_slice(values),)*
                }
            }

            /// Numbers of a type from their bytes, in the byte order of this machine; bytes of an incomplete
            /// number at the end are left out.
            pub fn from_bytes(scalar: Scalar, bytes: &[u8]) -> Self {
                match scalar {
                    $(Scalar::$variant => Self::$variant({
                        let whole = bytes.len() / size_of::<$type>() * size_of::<$type>();
                        bytemuck::pod_collect_to_vec(&bytes[..whole])
                    }),)*
                }
            }

            /// Appends `count` zeros.
            pub fn push_zeros(&mut self, count: usize) {
                match self {
                    $(Self::$variant(values) => values.resize(values.len() + count, Default::default()),)*
                }
            }

            /// Appends the row `row` of `width` numbers of this array once more.
            pub fn push_copy(&mut self, row: usize, width: usize) {
                match self {
                    $(Self::$variant(values) => values.extend_from_within(row * width..(row + 1) * width),)*
                }
            }

            /// Takes `count` numbers out from `start` on; nothing where there are not as many.
            pub fn remove(&mut self, start: usize, count: usize) {
                match self {
                    $(Self::$variant(values) if start + count <= values.len() => {
                        values.drain(start..start + count);
                    })*
                    _ => {}
                }
            }

            /// Appends the numbers of an array of the same type; false, and nothing, for one of another type.
            pub fn append(&mut self, other: &Self) -> bool {
                match (self, other) {
                    $((Self::$variant(values), Self::$variant(others)) => values.extend_from_slice(others),)*
                    _ => return false,
                }
                true
            }

            /// Appends the rows of `width` numbers that `rows` names, of an array of the same type; rows that
            /// do not exist become zeros. False, and nothing, for an array of another type.
            pub fn append_rows(&mut self, other: &Self, width: usize, rows: &[u32]) -> bool {
                match (self, other) {
                    $((Self::$variant(values), Self::$variant(others)) => for &row in rows {
                        let start = row as usize * width;
                        match others.get(start..start + width) {
                            Some(row) => values.extend_from_slice(row),
                            None => values.resize(values.len() + width, Default::default()),
                        }
                    })*
                    _ => return false,
                }
                true
            }

            /// Keeps the first `count` numbers.
            pub fn truncate(&mut self, count: usize) {
                match self {
                    $(Self::$variant(values) => values.truncate(count),)*
                }
            }

            /// The rows of `width` numbers that `rows` names, in that order.
            pub(crate) fn select(&self, width: usize, rows: impl ExactSizeIterator<Item = usize>) -> Self {
                match self {
                    $(Self::$variant(values) => {
                        let mut chosen = Vec::with_capacity(rows.len() * width);
                        for row in rows {
                            chosen.extend_from_slice(&values[row * width..(row + 1) * width]);
                        }
                        Self::$variant(chosen)
                    })*
                }
            }

            /// Exchanges two rows of `width` numbers.
            pub(crate) fn swap(&mut self, width: usize, a: usize, b: usize) {
                match self {
                    $(Self::$variant(values) => {
                        (0..width).for_each(|i| values.swap(a * width + i, b * width + i));
                    })*
                }
            }

            /// Puts arrays of one type and length side by side: row i has the i-th number of each. `None`
            /// where types or lengths differ, or there is no array.
            pub fn interleaved(arrays: &[Self]) -> Option<Self> {
                match arrays.first()? {
                    $(Self::$variant(first) => {
                        let mut columns = Vec::with_capacity(arrays.len());
                        for array in arrays {
                            match array {
                                Self::$variant(values) if values.len() == first.len() => columns.push(values),
                                _ => return None,
                            }
                        }
                        let mut all = Vec::with_capacity(first.len() * columns.len());
                        for row in 0..first.len() {
                            all.extend(columns.iter().map(|column| column[row]));
                        }
                        Some(Self::$variant(all))
                    })*
                }
            }
        }

        $(
            impl From<Vec<$type>> for Scalars {
                fn from(values: Vec<$type>) -> Self {
                    Self::$variant(values)
                }
            }

            impl Number for $type {
                const SCALAR: Scalar = Scalar::$variant;
                fn of(scalars: &Scalars) -> Option<&[Self]> {
                    match scalars {
                        Scalars::$variant(values) => Some(values),
                        _ => None,
                    }
                }
                fn wrap(values: Vec<Self>) -> Scalars {
                    Scalars::$variant(values)
                }
                fn of_mut(scalars: &mut Scalars) -> Option<&mut [Self]> {
                    match scalars {
                        Scalars::$variant(values) => Some(values),
                        _ => None,
                    }
                }
            }
        )*
    };
}

/// A type of numbers that columns hold.
pub trait Number: bytemuck::Pod {
    /// The type.
    const SCALAR: Scalar;
    #[doc(hidden)]
    fn of(scalars: &Scalars) -> Option<&[Self]>;
    #[doc(hidden)]
    fn of_mut(scalars: &mut Scalars) -> Option<&mut [Self]>;
    #[doc(hidden)]
    fn wrap(values: Vec<Self>) -> Scalars;
}

scalars! {
    U8 u8, "u8", "8 bits without sign.";
    I8 i8, "i8", "8 bits with sign.";
    U16 u16, "u16", "16 bits without sign.";
    I16 i16, "i16", "16 bits with sign.";
    U32 u32, "u32", "32 bits without sign.";
    I32 i32, "i32", "32 bits with sign.";
    U64 u64, "u64", "64 bits without sign.";
    I64 i64, "i64", "64 bits with sign.";
    F32 f32, "f32", "Floating point of 32 bits.";
    F64 f64, "f64", "Floating point of 64 bits.";
}

impl Scalars {
    /// Appends numbers, rounded and clamped to the type of the array.
    pub fn push_rounded(&mut self, numbers: &[f64]) {
        macro_rules! integers {
            ($($variant:ident $type:ty),*) => {
                match self {
                    Self::F32(values) => values.extend(numbers.iter().map(|x| *x as f32)),
                    Self::F64(values) => values.extend(numbers),
                    $(Self::$variant(values) => values.extend(numbers.iter().map(|x| x.round() as $type)),)*
                }
            };
        }
        integers!(U8 u8, I8 i8, U16 u16, I16 i16, U32 u32, I32 i32, U64 u64, I64 i64);
    }
}

impl Scalar {
    /// The type of a row of `width` numbers, such as `f32 × 3`.
    pub fn of_width(self, width: usize) -> String {
        if width == 1 { self.name().to_owned() } else { format!("{self} × {width}") }
    }

    /// Whether it is a type of integers.
    pub fn is_integer(self) -> bool {
        !matches!(self, Self::F32 | Self::F64)
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Scalars {
    /// True where there are no numbers.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
