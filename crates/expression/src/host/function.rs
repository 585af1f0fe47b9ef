//! The functions of the language: names and arguments.

use super::field::Type;
use crate::operation::Operation;

/// A function of the language.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Function {
    /// A function of numbers that is one operation.
    Scalar(Operation),
    /// The least of two or more numbers, or the greatest.
    Extremum(Operation),
    /// `clamp(x, low, high)`.
    Clamp,
    /// A vector of three numbers.
    Vector,
    /// A function of vectors.
    OfVectors(OfVectors),
    /// A number of a tensor.
    OfTensor(OfTensor),
    /// An eigenvalue of a symmetric tensor.
    Eigenvalue,
}

/// A function of vectors.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum OfVectors {
    Mag,
    Norm1,
    NormInf,
    Dot,
    Cross,
    Normalize,
}

/// A number of a tensor.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum OfTensor {
    Trace,
    SecondInvariant,
    Determinant,
    Mises,
    Tresca,
}

/// Every function, with its name.
pub const FUNCTIONS: &[(&str, Function)] = {
    use Function::{Clamp, Eigenvalue, Extremum, OfTensor as Tensor, OfVectors as Vectors, Scalar, Vector};
    &[
        ("abs", Scalar(Operation::Abs)),
        ("sqrt", Scalar(Operation::Sqrt)),
        ("cbrt", Scalar(Operation::Cbrt)),
        ("exp", Scalar(Operation::Exp)),
        ("log", Scalar(Operation::Log)),
        ("log2", Scalar(Operation::Log2)),
        ("log10", Scalar(Operation::Log10)),
        ("pow", Scalar(Operation::Pow)),
        ("sin", Scalar(Operation::Sin)),
        ("cos", Scalar(Operation::Cos)),
        ("tan", Scalar(Operation::Tan)),
        ("asin", Scalar(Operation::Asin)),
        ("acos", Scalar(Operation::Acos)),
        ("atan", Scalar(Operation::Atan)),
        ("atan2", Scalar(Operation::Atan2)),
        ("sinh", Scalar(Operation::Sinh)),
        ("cosh", Scalar(Operation::Cosh)),
        ("tanh", Scalar(Operation::Tanh)),
        ("floor", Scalar(Operation::Floor)),
        ("ceil", Scalar(Operation::Ceil)),
        ("round", Scalar(Operation::Round)),
        ("sign", Scalar(Operation::Sign)),
        ("mod", Scalar(Operation::Mod)),
        ("hypot", Scalar(Operation::Hypot)),
        ("min", Extremum(Operation::Min)),
        ("max", Extremum(Operation::Max)),
        ("clamp", Clamp),
        ("vec", Vector),
        ("mag", Vectors(OfVectors::Mag)),
        ("norm1", Vectors(OfVectors::Norm1)),
        ("norminf", Vectors(OfVectors::NormInf)),
        ("dot", Vectors(OfVectors::Dot)),
        ("cross", Vectors(OfVectors::Cross)),
        ("normalize", Vectors(OfVectors::Normalize)),
        ("trace", Tensor(OfTensor::Trace)),
        ("i1", Tensor(OfTensor::Trace)),
        ("i2", Tensor(OfTensor::SecondInvariant)),
        ("i3", Tensor(OfTensor::Determinant)),
        ("det", Tensor(OfTensor::Determinant)),
        ("mises", Tensor(OfTensor::Mises)),
        ("tresca", Tensor(OfTensor::Tresca)),
        ("eig", Eigenvalue),
    ]
};

impl Function {
    /// The number of arguments: at least, and at most.
    pub const fn arguments(self) -> (usize, usize) {
        match self {
            Self::Scalar(operation) => (operation.operands(), operation.operands()),
            Self::Extremum(_) => (2, usize::MAX),
            Self::Clamp | Self::Vector => (3, 3),
            Self::OfVectors(OfVectors::Dot | OfVectors::Cross) | Self::Eigenvalue => (2, 2),
            Self::OfVectors(_) | Self::OfTensor(_) => (1, 1),
        }
    }

    /// Why an argument of a type is not accepted: the expected type and a remedy.
    pub const fn refuses(self, argument: usize, found: Type) -> Option<(&'static str, &'static str)> {
        match (self, found) {
            (Self::OfVectors(_), Type::Vector)
            | (Self::OfTensor(OfTensor::Mises | OfTensor::Tresca), Type::Symmetric)
            | (
                Self::OfTensor(OfTensor::Trace | OfTensor::SecondInvariant | OfTensor::Determinant),
                Type::Symmetric | Type::Tensor,
            ) => None,
            (Self::OfVectors(_), Type::Scalar) => Some(("a vector", ": abs is the magnitude of a scalar")),
            (Self::OfVectors(_), _) => Some(("a vector", "")),
            (Self::OfTensor(OfTensor::Mises | OfTensor::Tresca), _) => Some(("a symmetric tensor", "")),
            (Self::OfTensor(_), _) => Some(("a tensor", "")),
            (Self::Eigenvalue, found) if argument == 0 => match found {
                Type::Symmetric => None,
                _ => Some(("a symmetric tensor first", "")),
            },
            (_, Type::Scalar) => None,
            (_, Type::Vector) => Some(("a scalar", ": mag(v) is the length of a vector, v.x a component")),
            (_, _) => Some(("a scalar", ": choose a component such as .xx")),
        }
    }

    /// The type of the result.
    pub const fn result(self) -> Type {
        match self {
            Self::Vector | Self::OfVectors(OfVectors::Cross | OfVectors::Normalize) => Type::Vector,
            _ => Type::Scalar,
        }
    }
}
