//! Mesh to OBJ.

use std::io;

use crate::{TriangleMesh, WriteOptions, sink::Sink};

/// `v` lines, `vn` lines where there are normals, `f` lines. Vertex `i` has normal `i`.
pub(crate) fn write(sink: &mut Sink<'_>, mesh: &TriangleMesh, options: &WriteOptions) -> io::Result<()> {
    sink.comments("# ", &options.comments)?;
    for position in &mesh.positions {
        sink.bytes(b"v ");
        sink.row(position)?;
    }
    for normal in options.normals.iter().flatten() {
        sink.bytes(b"vn ");
        sink.row(normal)?;
    }
    for face in &mesh.faces {
        sink.bytes(b"f");
        for &corner in face {
            let number = u64::from(corner) + 1;
            sink.bytes(b" ");
            sink.integer(number);
            if options.normals.is_some() {
                sink.bytes(b"//");
                sink.integer(number);
            }
        }
        sink.line()?;
    }
    Ok(())
}
