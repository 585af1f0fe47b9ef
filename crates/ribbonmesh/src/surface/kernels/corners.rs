//! Corners of the input.
use crate::device::{Each, In, Out, kernel};

/// For each corner of `n` faces by id the corner of the input: `at[3 f + i]`. `faces` has three vertices by
/// id for each face, `input` three in the order of the input, and the other two lead from ids to that order.
/// A face begins with the same vertex in both, but for what construction has turned.
#[kernel(threads = 256)]
pub fn corner_sources<'a>(
    f: Each,
    faces: In<'a, u32>,
    vertex_inputs: In<'a, u32>,
    face_inputs: In<'a, u32>,
    input: In<'a, u32>,
    at: Out<'a, u32>,
) {
    let by_id = [0, 1, 2].map(|i| vertex_inputs.get(faces.get(3 * f + i)));
    let first = 3 * face_inputs.get(f);
    let [a, b, c] = [0, 1, 2].map(|i| input.get(first + i));
    let turned = if [a, b, c] == by_id {
        0
    } else if [b, c, a] == by_id {
        1
    } else if [c, a, b] == by_id {
        2
    } else {
        0
    };
    let mut i = 0;
    while i < 3 {
        at.set(3 * f + i, first + (i + turned) % 3);
        i += 1;
    }
}
