//! The kernel that evaluates bytecode of formulas.
use super::fields::Fields;
use ribbonmesh::device::{Block, In, Out, kernel};
use ribbonmesh_expression::{REGISTERS, evaluate_instructions};

/// Threads of a block.
const THREADS: u32 = 256;

/// The value of a formula for each of `n` elements, `width` numbers each. `code` is a program; an input reads
/// the three words that it has in `inputs`: the field, and the first place and the stride in it. Blocks: any
/// number.
#[kernel(threads = 256, requires(to.len() >= n as usize * width as usize))]
pub fn evaluate<'a>(
    block: &Block,
    n: u32,
    width: u32,
    code: In<'a, u32>,
    inputs: In<'a, u32>,
    fields: Fields<'a>,
    to: Out<'a, f32>,
) {
    let instructions = code.wide::<u64>();
    block.for_each_nosync(THREADS, |thread| {
        // cleared once for all elements of the thread
        let mut registers = [[0.0; 1]; REGISTERS];
        let mut element = block.index() as u64 * THREADS as u64 + thread as u64;
        while element < n as u64 {
            let i = element as u32;
            let words = (0..instructions.len() as u32).map(|k| {
                let words = instructions.get(k);
                [words as u32, (words >> 32) as u32]
            });
            let input = |input: u32, element: u32| {
                let [field, first, stride] =
                    [inputs.get(3 * input), inputs.get(3 * input + 1), inputs.get(3 * input + 2)];
                fields.get(field, first + stride * element)
            };
            let results = evaluate_instructions(words, [i], &mut registers, input);
            let mut k = 0;
            while k < width {
                to.set(width * i + k, results[k as usize % 3][0]);
                k += 1;
            }
            element += block.count() as u64 * THREADS as u64;
        }
    });
}
