//! Faces in the order in which they are given out.
use crate::device::{Block, In, Out, kernel};

/// The vertices of `n` faces by their places: face `at[i]` becomes `i`. If `turn` is 1, a face begins with
/// its vertex of the least place. `corners` gets the old corner of each new one, unless it is empty.
#[kernel(threads = 256)]
pub fn faces_in_order<'a>(
    block: &Block,
    n: u32,
    at: In<'a, u32>,
    faces: In<'a, u32>,
    places: In<'a, u32>,
    turn: u32,
    to: Out<'a, u32>,
    corners: Out<'a, u32>,
) {
    let with_corners = !corners.is_empty();
    block.for_each_of_tile(n, |i| {
        let f = at.get(i);
        let [a, b, c] = [0, 1, 2].map(|k| places.get(faces.get(3 * f + k)));
        let first = if turn == 0 || a < b && a < c {
            0
        } else if b < c {
            1
        } else {
            2
        };
        let mut k = 0;
        while k < 3 {
            let corner = (first + k) % 3;
            let place = if corner == 0 {
                a
            } else if corner == 1 {
                b
            } else {
                c
            };
            to.set(3 * i + k, place);
            if with_corners {
                corners.set(3 * i + k, 3 * f + corner);
            }
            k += 1;
        }
    });
}
