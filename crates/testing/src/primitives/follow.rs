//! A rule for a column of a surface whose triangles change.
use ribbonmesh::device::{Block, In, Quad, Values, ValuesMut, Vertex, VertexId, kernel};
use ribbonmesh::surface::Location;

/// The greatest of the old values at the corners with a weight.
#[kernel(threads = 256)]
pub fn greatest_near<'a>(
    block: &Block,
    n: u32,
    at: In<'a, Quad>,
    faces: In<'a, u32>,
    from: Values<'a, Vertex, f32>,
    to: ValuesMut<'a, Vertex, f32>,
) {
    block.for_each_of_tile(n, |v| {
        let location = Location::from_words(at.get(v));
        let new = match location.vertex() {
            Some(old) => from.get(VertexId::new(old)),
            None => {
                let (mut most, mut k) = (f32::MIN, 0);
                while k < 3 {
                    let value = from.get(VertexId::new(faces.get(3 * location.face + k)));
                    if location.weights[k as usize] > 0.0 && value > most {
                        most = value;
                    }
                    k += 1;
                }
                most
            }
        };
        to.set(VertexId::new(v), new);
    });
}
