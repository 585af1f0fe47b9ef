//! Bytecode of an expression.

use super::expression::{Expression, Input};
use super::graph::Node;
use crate::evaluate::{Instruction, REGISTERS, RESULTS};
use thiserror::Error;

/// Bytecode: what an interpreter of the CPU and a kernel evaluate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    words: Vec<u32>,
    inputs: Vec<Input>,
    width: usize,
}

/// An expression that has no bytecode, or words that are none.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// More values are alive at a time than there are registers.
    #[error(
        "the expression needs {needed} registers, and bytecode has {REGISTERS}: split it, or use fewer parts \
         that occur more than once"
    )]
    Registers {
        /// The registers that are needed up to the first value that has none.
        needed: usize,
    },
    /// A word that belongs to no instruction.
    #[error("{0} words are not a whole number of instructions of two words")]
    Length(usize),
    /// An instruction that does not mean anything.
    #[error("instruction {instruction} {problem}")]
    Instruction {
        /// The number of the instruction.
        instruction: usize,
        /// The reason.
        problem: &'static str,
    },
    /// A result that no instruction, or more than one, sets.
    #[error("result {0} is not set once")]
    Result(usize),
}

impl Program {
    /// The bytecode of an expression.
    pub fn new(expression: &Expression) -> Result<Self, ProgramError> {
        let (graph, roots) = (expression.graph(), expression.roots());
        // the last node that reads each node; results are read at once
        let mut last: Vec<_> = (0..graph.len()).collect();
        for (reader, node) in graph.nodes().iter().enumerate() {
            node.operands().iter().for_each(|operand| last[*operand as usize] = reader);
        }
        // the lowest registers are taken first
        let mut free: Vec<u8> = (0..REGISTERS as u8).rev().collect();
        let mut registers = vec![0; graph.len()];
        let mut words = Vec::new();
        for (number, node) in graph.nodes().iter().enumerate() {
            let operands = node.operands();
            for (i, operand) in operands.iter().enumerate() {
                if last[*operand as usize] == number && !operands[..i].contains(operand) {
                    free.push(registers[*operand as usize]);
                }
            }
            let to = free.pop().ok_or(ProgramError::Registers { needed: REGISTERS + 1 })?;
            registers[number] = to;
            let instruction = match *node {
                Node::Constant(bits) => Instruction::Constant { to, bits },
                Node::Input(input) => Instruction::Input { to, input },
                Node::Index => Instruction::Index { to },
                Node::Apply(operation, of) => {
                    let mut registers_of = [0; 3];
                    for (register, operand) in registers_of.iter_mut().zip(of).take(operation.operands()) {
                        *register = registers[operand as usize];
                    }
                    Instruction::Apply { operation, to, operands: registers_of }
                }
            };
            words.extend(instruction.encode());
            for (place, _) in roots.iter().enumerate().filter(|(_, root)| **root as usize == number) {
                words.extend(Instruction::Result { place: place as u8, from: to }.encode());
            }
            if last[number] == number {
                free.push(to);
            }
        }
        Ok(Self { words, inputs: expression.inputs().to_vec(), width: roots.len() })
    }

    /// The bytecode of words from elsewhere, which are checked: registers are written before they are read,
    /// inputs exist, and each of the `width` results is set once.
    pub fn from_words(words: Vec<u32>, inputs: Vec<Input>, width: usize) -> Result<Self, ProgramError> {
        let (instructions, rest) = words.as_chunks();
        if !rest.is_empty() {
            return Err(ProgramError::Length(words.len()));
        }
        let mut written = [false; REGISTERS];
        let mut set = [0; RESULTS];
        for (number, instruction) in instructions.iter().enumerate() {
            let wrong = |problem| ProgramError::Instruction { instruction: number, problem };
            let instruction = Instruction::decode(*instruction).ok_or(wrong("is unknown"))?;
            let read = |register: u8| match written.get(register as usize) {
                None => Err(wrong("reads a register that does not exist")),
                Some(false) => Err(wrong("reads a register that was not written")),
                Some(true) => Ok(()),
            };
            let to = match instruction {
                Instruction::Constant { to, .. } | Instruction::Index { to } => to,
                Instruction::Input { to, input } if (input as usize) < inputs.len() => to,
                Instruction::Input { .. } => return Err(wrong("reads an input that does not exist")),
                Instruction::Result { place, from } => {
                    read(from)?;
                    let place = set[..width.min(RESULTS)].get_mut(place as usize);
                    *place.ok_or(wrong("sets a result that does not exist"))? += 1;
                    continue;
                }
                Instruction::Apply { operation, to, operands } => {
                    operands.iter().take(operation.operands()).try_for_each(|operand| read(*operand))?;
                    to
                }
            };
            *written.get_mut(to as usize).ok_or(wrong("writes a register that does not exist"))? = true;
        }
        if let Some(place) = (0..width.max(1)).find(|place| set.get(*place) != Some(&1)) {
            return Err(ProgramError::Result(place));
        }
        Ok(Self { words, inputs, width })
    }

    /// The words, for [`evaluate`](crate::evaluate()).
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// The instructions.
    pub fn instructions(&self) -> impl Iterator<Item = Instruction> {
        self.words.as_chunks().0.iter().filter_map(|words| Instruction::decode(*words))
    }

    /// The components of fields that are read, in the order of the columns for evaluation.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// The numbers of a result: 1 or 3.
    pub fn width(&self) -> usize {
        self.width
    }
}
