//! Mesh to STL.

use std::io;

use crate::{StlEncoding, TriangleMesh, WriteOptions, sink::Sink};

/// The head of a binary file; it must not begin with `solid`.
const TITLE: &[u8; 80] = b"binary STL                                                                      ";

/// Triangles with their normals. Isolated vertices, and which corners share a vertex, are lost.
pub(crate) fn write(sink: &mut Sink<'_>, mesh: &TriangleMesh, options: &WriteOptions) -> io::Result<()> {
    let triangles = mesh.faces.iter().map(|face| face.map(|corner| mesh.positions[corner as usize]));
    match options.stl_encoding {
        StlEncoding::Binary => {
            sink.bytes(TITLE);
            sink.bytes(&(mesh.faces.len() as u32).to_le_bytes());
            for triangle in triangles {
                for value in normal(triangle).iter().chain(triangle.as_flattened()) {
                    sink.bytes(&value.to_le_bytes());
                }
                sink.bytes(&[0, 0]);
                sink.settle()?;
            }
        }
        StlEncoding::Ascii => {
            sink.bytes(b"solid mesh\n");
            for triangle in triangles {
                sink.bytes(b"facet normal ");
                sink.row(&normal(triangle))?;
                sink.bytes(b"outer loop\n");
                for position in &triangle {
                    sink.bytes(b"vertex ");
                    sink.row(position)?;
                }
                sink.bytes(b"endloop\nendfacet\n");
            }
            sink.bytes(b"endsolid mesh\n");
        }
    }
    Ok(())
}

/// The unit normal of a triangle, zero where it has no area.
fn normal(triangle: [[f32; 3]; 3]) -> [f32; 3] {
    let [a, b, c] = triangle.map(|position| position.map(f64::from));
    let side = |to: [f64; 3]| [to[0] - a[0], to[1] - a[1], to[2] - a[2]];
    let (u, v) = (side(b), side(c));
    let cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let length = cross.iter().map(|value| value * value).sum::<f64>().sqrt();
    if length > 0.0 { cross.map(|value| (value / length) as f32) } else { [0.0; 3] }
}
