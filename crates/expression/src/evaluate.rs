//! The evaluator of bytecode for one element. Compiled for the GPU too: it does not allocate, recurse or
//! panic.

use crate::machine::Numbers;
use crate::operation::Operation;

/// Registers of the bytecode. A program that needs more is refused when it is made.
pub const REGISTERS: usize = 32;

/// Numbers of a result at most: a vector.
pub const RESULTS: usize = 3;

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
            0 => Some(Self::Constant { to, bits: second }),
            1 => Some(Self::Input { to, input: second }),
            2 => Some(Self::Index { to }),
            3 => Some(Self::Result { place: to, from: a }),
            _ => match Operation::from_number(code) {
                Some(operation) => Some(Self::Apply { operation, to, operands: [a, b, second as u8] }),
                None => None,
            },
        }
    }

    /// The two words of the instruction.
    pub const fn encode(self) -> [u32; 2] {
        let (bytes, second) = match self {
            Self::Constant { to, bits } => ([0, to, 0, 0], bits),
            Self::Input { to, input } => ([1, to, 0, 0], input),
            Self::Index { to } => ([2, to, 0, 0], 0),
            Self::Result { place, from } => ([3, place, from, 0], 0),
            Self::Apply { operation, to, operands: [a, b, c] } => ([operation as u8, to, a, b], c as u32),
        };
        [u32::from_le_bytes(bytes), second]
    }
}

/// Runs bytecode for the element `element`, with the values of inputs that `input` gives.
///
/// The registers need no particular values before, and the same array serves many elements. Of any words it
/// makes some result: numbers of registers and results are taken modulo how many there are, unknown
/// instructions do nothing. [`Program`](crate::Program) has words that mean something.
#[inline]
pub fn evaluate(
    words: &[u32],
    element: u32,
    registers: &mut [f32; REGISTERS],
    input: impl Fn(u32) -> f32,
) -> [f32; RESULTS] {
    let mut results = [0.0; RESULTS];
    for &instruction in words.as_chunks().0 {
        let Some(instruction) = Instruction::decode(instruction) else { continue };
        let (to, value) = match instruction {
            Instruction::Constant { to, bits } => (to, f32::from_bits(bits)),
            Instruction::Input { to, input: number } => (to, input(number)),
            Instruction::Index { to } => (to, element as f32),
            Instruction::Result { place, from } => {
                results[place as usize % RESULTS] = registers[from as usize % REGISTERS];
                continue;
            }
            Instruction::Apply { operation, to, operands: [a, b, c] } => {
                let [a, b, c] = [a as usize, b as usize, c as usize];
                let operands = [registers[a % REGISTERS], registers[b % REGISTERS], registers[c % REGISTERS]];
                (to, operation.apply(&Numbers::<false>, operands))
            }
        };
        registers[to as usize % REGISTERS] = value;
    }
    results
}
