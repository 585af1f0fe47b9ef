//! Simplified tiles: PLY files, which any program for meshes shows.
use crate::disk::{Row, failed};
use crate::{Result, TilesError, disk};
use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use std::fs;
use std::path::Path;

/// A vertex in a file: 20 bytes and a quadric.
#[repr(C, packed)]
#[derive(Clone, Copy, Debug, PartialEq, Zeroable, Pod)]
pub struct Vertex {
    /// In the units of the frame.
    pub position: [f32; 3],
    /// Its number in the level.
    pub id: u32,
    /// 1 where other tiles have faces.
    pub fixed: u32,
    /// Its quadric.
    pub quadric: Row,
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

/// The header; its length depends on the numbers alone.
fn header(vertices: usize, faces: usize, check: u32) -> String {
    let quadric: String = QUADRIC.iter().map(|name| format!("property double quadric_{name}\n")).collect();
    format!(
        "ply\nformat binary_little_endian 1.0\ncomment crc32 {check:08x}\nelement vertex {vertices}\n\
         property float x\nproperty float y\nproperty float z\nproperty uint id\nproperty uint fixed\n{quadric}\
         element face {faces}\nproperty list uchar uint vertex_indices\nend_header\n"
    )
}

fn sum(vertices: &[u8], faces: &[u8]) -> u32 {
    let mut check = crc32fast::Hasher::new();
    check.update(vertices);
    check.update(faces);
    check.finalize()
}

/// The bytes of a tile.
pub fn encode(vertices: &[Vertex], triangles: &[[u32; 3]]) -> Vec<u8> {
    let faces: Vec<Face> = triangles.iter().map(|&vertices| Face { corners: 3, vertices }).collect();
    let (vertices, faces): (&[u8], &[u8]) = (bytemuck::cast_slice(vertices), bytemuck::cast_slice(&faces));
    let header = header(vertices.len() / size_of::<Vertex>(), triangles.len(), sum(vertices, faces));
    [header.as_bytes(), vertices, faces].concat()
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

/// Vertices, and faces by places among them.
pub type Read = (Vec<Vertex>, Vec<[u32; 3]>);

/// Reads a tile; [`None`] where there is none.
/// # Errors
/// [`TilesError::Damaged`]: it is not as it was written.
pub fn read(path: &Path) -> Result<Option<Read>> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(path)(error)),
    };
    parse(&bytes).map(Some).ok_or_else(|| damaged(path))
}

fn parse(bytes: &[u8]) -> Option<Read> {
    const END: &[u8] = b"end_header\n";
    let head = bytes.windows(END.len()).take(4096).position(|some| some == END)? + END.len();
    let text = str::from_utf8(&bytes[..head]).ok()?;
    let number = |key: &str| text.lines().find_map(|line| line.strip_prefix(key));
    let vertices: usize = number("element vertex ")?.parse().ok()?;
    let faces: usize = number("element face ")?.parse().ok()?;
    let check = u32::from_str_radix(number("comment crc32 ")?, 16).ok()?;
    let split = vertices.checked_mul(size_of::<Vertex>())?;
    let (vertices_of, faces_of) = bytes[head..].split_at_checked(split)?;
    let whole = text == header(vertices, faces, check)
        && faces_of.len() == faces.checked_mul(size_of::<Face>())?
        && sum(vertices_of, faces_of) == check;
    let corners = |face: &Face| face.vertices;
    whole.then(|| {
        (
            bytemuck::pod_collect_to_vec(vertices_of),
            bytemuck::cast_slice(faces_of).iter().map(corners).collect(),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_come_back_and_any_other_byte_is_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("0.ply");
        let vertex = |i: u32| Vertex {
            position: [i as f32, 0.5, -1.0],
            id: 7 * i,
            fixed: i % 2,
            quadric: [f64::from(i); 12],
        };
        let vertices: Vec<_> = (0..5).map(vertex).collect();
        let triangles = vec![[0, 1, 2], [2, 3, 4]];
        assert!(read(&path).expect("no file").is_none());
        write(&path, &encode(&vertices, &triangles)).expect("a file");
        assert_eq!(read(&path).expect("a tile"), Some((vertices, triangles)));
        // any reader of PLY files reads it
        let mesh = ribbonmesh_io::read(&path).expect("a mesh").mesh;
        assert_eq!((mesh.positions.len(), mesh.faces), (5, vec![[0, 1, 2], [2, 3, 4]]));
        let bytes = fs::read(&path).expect("a file");
        for place in (0..bytes.len()).step_by(37) {
            let mut other = bytes.clone();
            other[place] ^= 1;
            fs::write(&path, &other).expect("a file");
            assert!(matches!(read(&path), Err(TilesError::Damaged { .. })), "byte {place}");
        }
        fs::write(&path, &bytes[..bytes.len() - 1]).expect("a file");
        assert!(matches!(read(&path), Err(TilesError::Damaged { .. })));
    }
}
