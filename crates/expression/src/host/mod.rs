//! The language, its graph, and evaluation on the CPU.

pub mod check;
pub mod column;
pub mod compose;
pub mod emit;
pub mod error;
pub mod expression;
pub mod field;
pub mod function;
pub mod graph;
pub mod interpreter;
pub mod limits;
#[cfg(feature = "cranelift")]
pub mod machine_code;
pub mod parse;
pub mod program;
pub mod ptx;
pub mod schedule;
pub mod simplify;
pub mod syntax;
pub mod tensor;
pub mod tree;
pub mod walk;
