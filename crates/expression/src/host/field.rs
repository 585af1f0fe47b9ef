//! Fields that an expression may name.

use std::fmt;

/// The type of a field or of a part of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// A number.
    Scalar,
    /// Three numbers: x, y, z.
    Vector,
    /// A symmetric tensor as six numbers: xx, yy, zz, xy, yz, xz.
    Symmetric,
    /// A tensor as nine numbers, row by row: xx, xy, xz, yx, yy, yz, zx, zy, zz.
    Tensor,
}

impl Type {
    /// The number of components.
    pub const fn width(self) -> usize {
        self.components().len()
    }

    /// The names of the components, in their order in memory.
    pub const fn components(self) -> &'static [&'static str] {
        match self {
            Self::Scalar => &[""],
            Self::Vector => &["x", "y", "z"],
            Self::Symmetric => &["xx", "yy", "zz", "xy", "yz", "xz"],
            Self::Tensor => &["xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"],
        }
    }

    /// The component with this name, or with this number.
    pub fn component(self, name: &str) -> Option<usize> {
        if self == Self::Scalar {
            return None;
        }
        // the other half of a symmetric tensor
        let name = match (self, name) {
            (Self::Symmetric, "yx") => "xy",
            (Self::Symmetric, "zy") => "yz",
            (Self::Symmetric, "zx") => "xz",
            (_, name) => name,
        };
        let number = name.parse().ok().filter(|_| name.len() == 1);
        let named = || self.components().iter().position(|component| *component == name);
        number.or_else(named).filter(|component| *component < self.width())
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Scalar => "a scalar",
            Self::Vector => "a vector",
            Self::Symmetric => "a symmetric tensor",
            Self::Tensor => "a tensor",
        })
    }
}

/// A field that expressions may name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// The name. Names that are not letters, digits and `_` are written in back-quotes.
    pub name: String,
    /// The type of its values.
    pub of_type: Type,
    /// The kind of element that has a value each, such as `vertices`; none if there is one value for all
    /// elements, such as a time.
    pub of: Option<String>,
}

impl Field {
    /// A field with a value for each element of the kind `of`.
    pub fn new(name: impl Into<String>, of_type: Type, of: impl Into<String>) -> Self {
        Self { name: name.into(), of_type, of: Some(of.into()) }
    }

    /// A field with the same value for all elements.
    pub fn uniform(name: impl Into<String>, of_type: Type) -> Self {
        Self { name: name.into(), of_type, of: None }
    }
}
