//! The evaluator of bytecode for a few elements. Compiled for the GPU too: it does not allocate, recurse or
//! panic.

use crate::machine::Numbers;
use crate::operation::Operation;

/// Registers of the bytecode. A program that needs more is refused when it is made.
pub const REGISTERS: usize = 32;

/// Numbers of a result at most: a vector.
pub const RESULTS: usize = 3;

/// Codes of instructions that are no operations.
const CONSTANT: u8 = 0;
const INPUT: u8 = 1;
const INDEX: u8 = 2;
const RESULT: u8 = 3;

/// An instruction as two words: the code, the target and two operands in the bytes of the first, from the
/// lowest on, and a third operand or bits in the second.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Instruction {
    /// `to` = these bits.
    Constant {
        /// The register.
        to: u8,
        /// The bits of the number.
        bits: u32,
    },
    /// `to` = the element's value of an input.
    Input {
        /// The register.
        to: u8,
        /// The number of the input.
        input: u32,
    },
    /// `to` = the number of the element.
    Index {
        /// The register.
        to: u8,
    },
    /// The result number `place` = `from`.
    Result {
        /// The place in the result.
        place: u8,
        /// The register.
        from: u8,
    },
    /// `to` = an operation on registers. Operands that the operation lacks are those of register 0.
    Apply {
        /// The operation.
        operation: Operation,
        /// The register.
        to: u8,
        /// The registers of the operands.
        operands: [u8; 3],
    },
}

impl Instruction {
    /// The instruction of two words; none if the code is unknown.
    #[inline(always)]
    pub const fn decode([first, second]: [u32; 2]) -> Option<Self> {
        let [code, to, a, b] = first.to_le_bytes();
        match code {
            CONSTANT => Some(Self::Constant { to, bits: second }),
            INPUT => Some(Self::Input { to, input: second }),
            INDEX => Some(Self::Index { to }),
            RESULT => Some(Self::Result { place: to, from: a }),
            _ => match Operation::from_number(code) {
                Some(operation) => Some(Self::Apply { operation, to, operands: [a, b, second as u8] }),
                None => None,
            },
        }
    }

    /// The two words of the instruction.
    pub const fn encode(self) -> [u32; 2] {
        let (bytes, second) = match self {
            Self::Constant { to, bits } => ([CONSTANT, to, 0, 0], bits),
            Self::Input { to, input } => ([INPUT, to, 0, 0], input),
            Self::Index { to } => ([INDEX, to, 0, 0], 0),
            Self::Result { place, from } => ([RESULT, place, from, 0], 0),
            Self::Apply { operation, to, operands: [a, b, c] } => ([operation as u8, to, a, b], c as u32),
        };
        [u32::from_le_bytes(bytes), second]
    }
}

/// Runs bytecode for `N` elements at once, with the values of inputs that `input(number, element)` gives. The
/// results are the numbers of the first component, of the second, and of the third.
///
/// A kernel should take one element at a time: more share reading and decoding, but took longer on an H200
/// (decision 63).
///
/// The registers need no particular values before, and the same array serves many elements. Of any words it
/// makes some result: numbers of registers and results are taken modulo how many there are, unknown
/// instructions do nothing. [`Program`](crate::Program) has words that mean something.
#[inline]
pub fn evaluate<const N: usize>(
    words: &[u32],
    elements: [u32; N],
    registers: &mut [[f32; N]; REGISTERS],
    input: impl Fn(u32, u32) -> f32,
) -> [[f32; N]; RESULTS] {
    evaluate_instructions(words.as_chunks().0.iter().copied(), elements, registers, input)
}

/// As [`evaluate()`], with the two words of each instruction from an iterator, for words that are in no
/// slice.
#[inline(always)]
pub fn evaluate_instructions<const N: usize>(
    instructions: impl Iterator<Item = [u32; 2]>,
    elements: [u32; N],
    registers: &mut [[f32; N]; REGISTERS],
    input: impl Fn(u32, u32) -> f32,
) -> [[f32; N]; RESULTS] {
    let mut results = [[0.0; N]; RESULTS];
    for [first, second] in instructions {
        let [code, to, a, b] = first.to_le_bytes();
        let [a, b, c] = [a as usize % REGISTERS, b as usize % REGISTERS, second as usize % REGISTERS];
        let mut value = [0.0; N];
        // operations first, by one jump
        match Operation::from_number(code) {
            Some(operation) => {
                let operands = [&registers[a], &registers[b], &registers[c]];
                operation.apply_each(&Numbers::<false>, operands, &mut value);
            }
            None => match code {
                CONSTANT => value = [f32::from_bits(second); N],
                INPUT => {
                    for (value, element) in value.iter_mut().zip(elements) {
                        *value = input(second, element);
                    }
                }
                INDEX => {
                    for (value, element) in value.iter_mut().zip(elements) {
                        *value = element as f32;
                    }
                }
                RESULT => {
                    results[to as usize % RESULTS] = registers[a];
                    continue;
                }
                _ => continue,
            },
        }
        registers[to as usize % REGISTERS] = value;
    }
    results
}
