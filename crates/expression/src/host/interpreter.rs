//! The interpreter of the CPU: each instruction is a loop over a chunk of elements that fits the cache.

use super::column::{Column, EvaluateError, check};
use super::program::Program;
use crate::evaluate::{Instruction, REGISTERS};
use crate::function::angle::FAR;
use crate::machine::Numbers;
use crate::operation::Operation;
use std::ops::Range;

/// Elements that an instruction computes at a time.
const CHUNK: usize = 256;

type Chunk = [f32; CHUNK];

impl Program {
    /// Evaluates elements: `results` receives one or three numbers for each, one after the other. There is a
    /// column for each of [`inputs`](Self::inputs).
    ///
    /// Memory is allocated once per call. For several threads, give each a range of elements and the part of
    /// the results that belongs to it.
    pub fn evaluate(
        &self,
        columns: &[Column<'_>],
        elements: Range<usize>,
        results: &mut [f32],
    ) -> Result<(), EvaluateError> {
        check(columns, self.inputs().len(), &elements, self.width(), results)?;
        let instructions: Vec<_> = self.instructions().collect();
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            // SAFETY: the processor has what the function is compiled for.
            unsafe { with_avx2(&instructions, columns, elements, self.width(), results) };
            return Ok(());
        }
        run(&instructions, columns, elements, self.width(), results);
        Ok(())
    }
}

/// [`run`] with vectors of eight and fused operations.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn with_avx2(
    instructions: &[Instruction],
    columns: &[Column<'_>],
    elements: Range<usize>,
    width: usize,
    results: &mut [f32],
) {
    run(instructions, columns, elements, width, results);
}

#[inline(always)]
fn run(
    instructions: &[Instruction],
    columns: &[Column<'_>],
    elements: Range<usize>,
    width: usize,
    results: &mut [f32],
) {
    let mut registers: Vec<Box<Chunk>> = (0..REGISTERS).map(|_| Box::new([0.0; CHUNK])).collect();
    // a result is written here and exchanged with its register, since that may be an operand
    let mut spare = Box::new([0.0; CHUNK]);
    // registers that are an input's values, which need not be copied
    let mut borrowed: [Option<&Chunk>; REGISTERS] = [None; REGISTERS];
    for (number, results) in results.chunks_mut(CHUNK * width).enumerate() {
        let start = elements.start + number * CHUNK;
        let count = results.len() / width;
        for instruction in instructions {
            let to = match *instruction {
                Instruction::Constant { to, bits } => {
                    spare.fill(f32::from_bits(bits));
                    to
                }
                Instruction::Input { to, input } => {
                    let column = &columns[input as usize];
                    let whole =
                        column.contiguous(start..start + count).and_then(|values| values.try_into().ok());
                    borrowed[to as usize] = whole;
                    if whole.is_some() {
                        continue;
                    }
                    column.gather(start..start + count, &mut *spare);
                    to
                }
                Instruction::Index { to } => {
                    spare.iter_mut().zip(start..).for_each(|(value, index)| *value = index as f32);
                    to
                }
                Instruction::Result { place, from } => {
                    let values = borrowed[from as usize].unwrap_or(&registers[from as usize]);
                    if width == 1 {
                        results.copy_from_slice(&values[..count]);
                    } else {
                        let places = results.iter_mut().skip(place as usize).step_by(width);
                        places.zip(values).for_each(|(result, value)| *result = *value);
                    }
                    continue;
                }
                Instruction::Apply { operation, to, operands } => {
                    let operand = |register: u8| match borrowed[register as usize] {
                        Some(values) => values,
                        None => &*registers[register as usize],
                    };
                    apply(operation, operands.map(operand), &mut spare);
                    to
                }
            };
            borrowed[to as usize] = None;
            std::mem::swap(&mut spare, &mut registers[to as usize]);
        }
    }
}

#[inline(always)]
fn apply(operation: Operation, operands: [&Chunk; 3], results: &mut Chunk) {
    let near = match operation {
        Operation::Sin | Operation::Cos | Operation::Tan => {
            operands[0].iter().fold(true, |near, x| near & ((x.abs() <= FAR) | x.is_nan()))
        }
        _ => true,
    };
    if near {
        operation.apply_each(&Numbers::<true>, operands, results);
    } else {
        operation.apply_each(&Numbers::<false>, operands, results);
    }
}
