//! Faces in the order in which they are given out.
use crate::device::{Block, Each, In, Out, kernel};
use glam::Vec3;

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

/// For each corner of copies of faces the corner that it is a copy of: in faces that are marked, the second
/// and the third exchange theirs.
#[kernel(threads = 256)]
pub fn corners_in_order<'a>(f: Each, of: In<'a, u32>, turned: In<'a, u32>, at: Out<'a, u32>) {
    let from = of.get(f);
    let turn = turned.get(from) & 1;
    at.set(3 * f, 3 * from);
    at.set(3 * f + 1, 3 * from + 1 + turn);
    at.set(3 * f + 2, 3 * from + 2 - turn);
}

/// Positions in double precision, three numbers for each.
#[kernel(threads = 256)]
pub fn widen<'a>(v: Each, origin: [f64; 3], from: In<'a, Vec3>, to: Out<'a, f64>) {
    let p = from.get(v);
    to.set(3 * v, origin[0] + p.x as f64);
    to.set(3 * v + 1, origin[1] + p.y as f64);
    to.set(3 * v + 2, origin[2] + p.z as f64);
}

/// Copies words behind others, with a number added to each.
#[kernel(threads = 256)]
pub fn put_behind<'a>(i: Each, from: In<'a, u32>, first: u32, add: u32, to: Out<'a, u32>) {
    to.set(first + i, from.get(i).wrapping_add(add));
}
/// Changes the signs of floating-point rows of the corners of listed faces: three rows of `words` words for
/// each face, the signs in every word or in every second one.
#[kernel(threads = 256)]
pub fn reverse_rows<'a>(i: Each, list: In<'a, u32>, words: u32, double: u32, rows: Out<'a, u32>) {
    let first = 3 * words * list.get(i);
    let mut k = double;
    while k < 3 * words {
        rows.set(first + k, rows.get(first + k) ^ 1 << 31);
        k += 1 + double;
    }
}
