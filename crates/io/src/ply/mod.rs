//! Polygon file format.

mod ascii;
mod binary;
mod header;
mod layout;
mod scalar;
mod store;
mod stream;
mod strip;
pub(crate) mod write;

use ribbonmesh_mesh::{Precision, TriangleMesh};

use crate::{
    Notes, ReadErrorKind,
    fault::{Outcome, fault_of_file},
};
use header::{Encoding, Header, Kind};
use layout::{Target, Task};
use scalar::{BigEndian, LittleEndian, is_single};
pub use stream::PlyStream;

/// Reads vertices, faces and edges with all their scalar properties, and lists of corners.
pub(crate) fn read(bytes: &[u8], mut notes: Notes) -> Outcome<(TriangleMesh, Notes)> {
    let header = Header::parse(bytes)?;
    for (offset, word) in &header.unknown {
        notes.skip_unknown(*offset, word, "a line of a PLY header")?;
    }
    let mut tasks = layout::tasks(&header, bytes.len(), &mut notes)?;
    let mut mesh = TriangleMesh::default();
    mesh.tables.remarks.clone_from(&header.remarks);
    if tasks.iter().any(is_double) {
        mesh.precision = Precision::Double;
    }
    let end = match header.encoding {
        Encoding::Ascii => ascii::read(bytes, header.body, &mut tasks, &mut mesh, &mut notes)?,
        Encoding::Little => {
            binary::read::<LittleEndian>(bytes, header.body, &mut tasks, &mut mesh, &mut notes)?
        }
        Encoding::Big => binary::read::<BigEndian>(bytes, header.body, &mut tasks, &mut mesh, &mut notes)?,
    };
    if bytes[end..].iter().any(|byte| !byte.is_ascii_whitespace()) {
        notes.trailing_bytes = (bytes.len() - end) as u64;
    }
    for task in &mut tasks {
        store::assemble(task, &mut mesh, &mut notes)
            .map_err(|error| fault_of_file(ReadErrorKind::Column(error)))?;
    }
    Ok((mesh, notes))
}

/// Whether coordinates are of a type that single precision does not hold.
fn is_double(task: &Task<'_>) -> bool {
    let axes = (0..3).filter_map(|axis| task.find(Target::Axis(axis)));
    axes.into_iter().any(|axis| matches!(task.kinds[axis], Kind::Scalar(scalar) if !is_single(scalar)))
}

/// Whether a byte belongs to the header, or to the body of an ASCII file.
pub(crate) fn is_text(bytes: &[u8], offset: usize) -> bool {
    Header::parse(bytes).map_or(true, |header| header.encoding == Encoding::Ascii || offset < header.body)
}
