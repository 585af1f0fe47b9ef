//! Tiles that are done: PLY files, which any program for meshes shows.
use crate::disk::{Row, failed};
use crate::{Result, TilesError, disk};
use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use std::fs;
use std::path::Path;

/// A vertex in a file: 20 bytes, which a quadric or a target length may follow.
#[repr(C, packed)]
#[derive(Clone, Copy, Debug, PartialEq, Zeroable, Pod)]
pub struct Vertex {
    /// In the units of the frame.
    pub position: [f32; 3],
    /// Its number in the level.
    pub id: u32,
    /// [`SHARED`](crate::level::SHARED), [`MARKED`](crate::level::MARKED), both, or none.
    pub fixed: u32,
}
impl Vertex {
    /// The position.
    pub fn at(&self) -> Vec3 {
        Vec3::from_array(self.position)
    }
}

/// A face in a file.
#[repr(C, packed)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Zeroable, Pod)]
struct Face {
    corners: u8,
    vertices: [u32; 3],
}

const QUADRIC: [&str; 12] = ["xx", "xy", "xz", "yy", "yz", "zz", "bx", "by", "bz", "c", "area", "drift"];

/// The property of a target length.
const LENGTH: &str = "property float target_length\n";

/// The values that follow a vertex.
#[derive(Clone, Copy)]
struct Behind {
    quadric: bool,
    length: bool,
}
impl Behind {
    fn bytes(self) -> [usize; 2] {
        let bytes = |is: bool, bytes| if is { bytes } else { 0 };
        [bytes(self.quadric, size_of::<Row>()), bytes(self.length, size_of::<f32>())]
    }
}

/// The header; its length depends on the numbers alone.
fn header(vertices: usize, faces: usize, behind: Behind, check: u32) -> String {
    let names = if behind.quadric { &QUADRIC[..] } else { &[] };
    let quadric: String = names.iter().map(|name| format!("property double quadric_{name}\n")).collect();
    let length = if behind.length { LENGTH } else { "" };
    format!(
        "ply\nformat binary_little_endian 1.0\ncomment crc32 {check:08x}\nelement vertex {vertices}\n\
         property float x\nproperty float y\nproperty float z\nproperty uint id\nproperty uint fixed\n{quadric}{length}\
         element face {faces}\nproperty list uchar uint vertex_indices\nend_header\n"
    )
}

fn sum(vertices: &[u8], faces: &[u8]) -> u32 {
    let mut check = crc32fast::Hasher::new();
    check.update(vertices);
    check.update(faces);
    check.finalize()
}

/// A tile that is done.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Done {
    pub vertices: Vec<Vertex>,
    /// The quadrics of vertices; empty where they carry none.
    pub quadrics: Vec<Row>,
    /// The target lengths of vertices; empty where they carry none.
    pub lengths: Vec<f32>,
    /// Faces by places among the vertices.
    pub triangles: Vec<[u32; 3]>,
}
impl Done {
    /// The bytes of the file.
    pub fn encode(&self) -> Vec<u8> {
        let Self { vertices, quadrics, lengths, triangles } = self;
        let faces: Vec<Face> = triangles.iter().map(|&vertices| Face { corners: 3, vertices }).collect();
        let faces: &[u8] = bytemuck::cast_slice(&faces);
        let behind = size_of_val(&quadrics[..]) + size_of_val(&lengths[..]);
        let mut rows = Vec::with_capacity(vertices.len() * size_of::<Vertex>() + behind);
        for (v, vertex) in vertices.iter().enumerate() {
            rows.extend_from_slice(bytemuck::bytes_of(vertex));
            rows.extend_from_slice(quadrics.get(v).map_or(&[], |quadric| bytemuck::bytes_of(quadric)));
            rows.extend_from_slice(lengths.get(v).map_or(&[], |length| bytemuck::bytes_of(length)));
        }
        let check = sum(&rows, faces);
        let behind = Behind { quadric: !quadrics.is_empty(), length: !lengths.is_empty() };
        let header = header(vertices.len(), triangles.len(), behind, check);
        [header.as_bytes(), &rows, faces].concat()
    }
}

/// Writes the bytes of a tile, whole or not at all. A machine that fails may leave a part of it, which
/// [`read`] finds.
/// # Errors
/// [`TilesError::Damaged`]: they are no tile.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    if parse(bytes).is_none() {
        return Err(damaged(path));
    }
    disk::write_whole(path, &[bytes], false)
}

fn damaged(file: &Path) -> TilesError {
    TilesError::Damaged { file: file.into(), reason: "the file is not as it was written".into() }
}

/// Reads a tile; [`None`] where there is none.
/// # Errors
/// [`TilesError::Damaged`]: it is not as it was written.
pub fn read(path: &Path) -> Result<Option<Done>> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(path)(error)),
    };
    parse(&bytes).map(Some).ok_or_else(|| damaged(path))
}

fn parse(bytes: &[u8]) -> Option<Done> {
    const END: &[u8] = b"end_header\n";
    let head = bytes.windows(END.len()).take(4096).position(|some| some == END)? + END.len();
    let text = str::from_utf8(&bytes[..head]).ok()?;
    let number = |key: &str| text.lines().find_map(|line| line.strip_prefix(key));
    let vertices: usize = number("element vertex ")?.parse().ok()?;
    let faces: usize = number("element face ")?.parse().ok()?;
    let check = u32::from_str_radix(number("comment crc32 ")?, 16).ok()?;
    let behind =
        Behind { quadric: number("property double ").is_some(), length: number(LENGTH.trim_end()).is_some() };
    let [of_quadric, of_length] = behind.bytes();
    let row = size_of::<Vertex>() + of_quadric + of_length;
    let (rows, faces_of) = bytes[head..].split_at_checked(vertices.checked_mul(row)?)?;
    let whole = text == header(vertices, faces, behind, check)
        && faces_of.len() == faces.checked_mul(size_of::<Face>())?
        && sum(rows, faces_of) == check;
    if !whole {
        return None;
    }
    let vertex = |row: &[u8]| bytemuck::pod_read_unaligned(&row[..size_of::<Vertex>()]);
    let quadric = |row: &[u8]| bytemuck::pod_read_unaligned(&row[size_of::<Vertex>()..][..of_quadric]);
    let length = |row: &[u8]| bytemuck::pod_read_unaligned(&row[row.len() - of_length..]);
    let corners = |face: &Face| face.vertices;
    let rows = || rows.chunks_exact(row);
    Some(Done {
        vertices: rows().map(vertex).collect(),
        quadrics: rows().filter(|_| behind.quadric).map(quadric).collect(),
        lengths: rows().filter(|_| behind.length).map(length).collect(),
        triangles: bytemuck::cast_slice(faces_of).iter().map(corners).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_come_back_and_any_other_byte_is_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("0.ply");
        let vertex = |i: u32| Vertex { position: [i as f32, 0.5, -1.0], id: 7 * i, fixed: i % 2 };
        let quadrics = (0..5).map(|i| [f64::from(i); 12]).collect();
        let vertices = (0..5).map(vertex).collect();
        let triangles = vec![[0, 1, 2], [2, 3, 4]];
        let mut done = Done { vertices, quadrics, lengths: vec![], triangles };
        assert!(read(&path).expect("no file").is_none());
        for lengths in [vec![], vec![0.5, 1.0, 2.0, 4.0, 8.0]] {
            done.lengths = lengths;
            write(&path, &done.encode()).expect("a file");
            assert_eq!(read(&path).expect("a tile").as_ref(), Some(&done));
            changes_are_found(&path);
            done.quadrics.clear();
        }
    }

    fn changes_are_found(path: &Path) {
        // any reader of PLY files reads it
        let mesh = ribbonmesh_io::read(path).expect("a mesh").mesh;
        assert_eq!((mesh.positions.len(), mesh.faces), (5, vec![[0, 1, 2], [2, 3, 4]]));
        let bytes = fs::read(path).expect("a file");
        for place in (0..bytes.len()).step_by(37) {
            let mut other = bytes.clone();
            other[place] ^= 1;
            fs::write(path, &other).expect("a file");
            assert!(matches!(read(path), Err(TilesError::Damaged { .. })), "byte {place}");
        }
        fs::write(path, &bytes[..bytes.len() - 1]).expect("a file");
        assert!(matches!(read(path), Err(TilesError::Damaged { .. })));
    }
}
