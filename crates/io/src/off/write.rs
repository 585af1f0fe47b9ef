//! Mesh to OFF.

use std::io;

use crate::{TriangleMesh, WriteOptions, sink::Sink};

/// OFF, or NOFF where there are normals.
pub(crate) fn write(sink: &mut Sink<'_>, mesh: &TriangleMesh, options: &WriteOptions) -> io::Result<()> {
    let normals = options.normals.as_deref();
    sink.bytes(if normals.is_some() { b"NOFF\n" } else { b"OFF\n" });
    sink.comments("# ", &options.comments)?;
    sink.integer(mesh.positions.len());
    sink.bytes(b" ");
    sink.integer(mesh.faces.len());
    sink.bytes(b" 0\n");
    for (vertex, position) in mesh.positions.iter().enumerate() {
        sink.vector(position);
        if let Some(normals) = normals {
            sink.bytes(b" ");
            sink.vector(&normals[vertex]);
        }
        sink.line()?;
    }
    for face in &mesh.faces {
        sink.bytes(b"3");
        for &corner in face {
            sink.bytes(b" ");
            sink.integer(corner);
        }
        sink.line()?;
    }
    Ok(())
}
