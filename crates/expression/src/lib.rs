//! Formulas over fields (Mueller-Roemer 2020, 6.3.3 and 6.3.4): a query such as
//! `(VelocityX^2 + VelocityY^2) / 2 + Pressure` is parsed, checked, simplified, and evaluated for each
//! element of the fields.
//!
//! | to | see |
//! |---|---|
//! | say which fields there are | [`Field`], [`Type`] |
//! | understand a text | [`Expression::parse`]; [`Limits`]; [`Error`] names the bytes and what was expected |
//! | know what it reads and gives | [`Expression::inputs`], [`Expression::result`], [`Expression::of`] |
//! | evaluate it on the CPU | [`Program`] and [`Program::evaluate`], chunk by chunk; [`Column`] |
//! | evaluate it in a kernel | [`Program::words`] and [`evaluate()`], a few elements at a time without memory |
//! | have it compiled for the CPU | `MachineCode`, with the feature `cranelift` |
//! | have it compiled for a GPU | [`Expression::ptx`], text for the driver |
//! | evaluate it as the thesis's interpreter does | [`Expression::walk`] |
//!
//! ```
//! use ribbonmesh_expression::{Column, Expression, Field, Program, Type};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let fields =
//!     [Field::new("Velocity", Type::Vector, "cells"), Field::new("Pressure", Type::Scalar, "cells")];
//! let expression = Expression::parse("mag(Velocity)^2 / 2 + Pressure", &fields)?;
//!
//! let velocity = [3.0, 4.0, 0.0, 0.0, 0.0, 1.0];
//! let pressure = [100.0, 200.0];
//! let program = Program::new(&expression)?;
//! let columns: Vec<_> = program
//!     .inputs()
//!     .iter()
//!     .map(|input| match fields[input.field].name.as_str() {
//!         "Velocity" => Column::interleaved(&velocity, input.component, 3),
//!         _ => Column::new(&pressure),
//!     })
//!     .collect();
//! let mut energy = [0.0; 2];
//! program.evaluate(&columns, 0..2, &mut energy)?;
//! assert_eq!(energy, [112.5, 200.5]);
//!
//! let error = Expression::parse("mag(Velocty)", &fields).unwrap_err();
//! assert_eq!(error.to_string(), "byte 4: no field is called \"Velocty\"; did you mean \"Velocity\"?");
//! # Ok(())
//! # }
//! ```
//!
//! **The same bits.** All ways of evaluation give the same bits on all machines, for all functions: each is
//! defined once, over [`Machine`](machine::Machine), by operations that are correctly rounded. All NaNs count
//! as one value.
//!
//! **Does not know** meshes, devices, files or networks.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(asm_experimental_arch))]

mod evaluate;
mod function;
pub mod machine;
mod operation;
pub use evaluate::{Instruction, REGISTERS, RESULTS, evaluate, evaluate_instructions};
pub use operation::Operation;

#[cfg(not(target_arch = "nvptx64"))]
mod host;
#[cfg(all(not(target_arch = "nvptx64"), feature = "cranelift"))]
pub use host::machine_code::{CompileError, MachineCode};
#[cfg(not(target_arch = "nvptx64"))]
pub use host::{
    column::{Column, EvaluateError},
    error::{Error, ErrorKind},
    expression::{Expression, Input},
    field::{Field, Type},
    limits::Limits,
    program::{Program, ProgramError},
    ptx::{PTX_ENTRY, PtxError},
};
