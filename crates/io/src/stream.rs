//! Files that are read piece by piece, whatever their format.

use std::{fs::File, io::Read, path::Path};

use glam::DVec3;

use crate::{
    Compression, Format, GlbStream, ObjStream, Place, PlyStream, ReadError, ReadErrorKind, StlStream,
    pieces::{error, of_system},
    sniff,
};

/// A file of triangles that is never in memory as a whole, by its format.
///
/// Vertices and faces are those that [`read`](crate::read()) gives, in the same order, where corners of STL
/// and rows of GLB with equal keys become one vertex: the first gives its place in the order.
#[derive(Debug)]
pub enum MeshStream {
    /// Binary PLY.
    Ply(PlyStream),
    /// OBJ.
    Obj(ObjStream),
    /// Binary STL.
    Stl(StlStream),
    /// GLB.
    Glb(GlbStream),
}

impl MeshStream {
    /// Opens a file in the format of its first bytes or its extension, and reads its header; an OBJ file is
    /// read once.
    ///
    /// # Errors
    /// [`ReadError`]: the file cannot be read, or is of a format or a kind that is not read piece by piece:
    /// OFF, glTF, text of PLY and STL, compressed files.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ReadError> {
        Self::open_with(path.as_ref(), false)
    }

    /// The same, where faces of fewer than three corners and unknown lines of OBJ are refused.
    ///
    /// # Errors
    /// As [`MeshStream::open`]; and those elements.
    pub fn open_strict(path: impl AsRef<Path>) -> Result<Self, ReadError> {
        Self::open_with(path.as_ref(), true)
    }

    fn open_with(path: &Path, strict: bool) -> Result<Self, ReadError> {
        let told = |kind| ReadError { file: path.into(), place: Place::File, kind };
        let mut head = vec![];
        let file = File::open(path).map_err(|cause| error(path, of_system(cause)))?;
        file.take(512).read_to_end(&mut head).map_err(|cause| error(path, of_system(cause)))?;
        if Compression::of(&head).is_some() || Compression::from_path(path).is_some() {
            return Err(told(ReadErrorKind::CompressedInPieces));
        }
        let named = Format::from_path(path);
        let format = sniff::format_of(&head, *named.as_ref().unwrap_or(&Format::Obj));
        match (format, named) {
            // nothing in a file shows that it is OBJ
            (Format::Obj, Err(unknown)) => Err(told(unknown.into())),
            // binary files may begin as text does
            (_, Ok(Format::Stl)) | (Format::Stl, _) => StlStream::open(path).map(Self::Stl),
            (Format::Ply, _) => PlyStream::open(path).map(Self::Ply),
            (Format::Obj, _) => ObjStream::open(path, strict).map(Self::Obj),
            (Format::Glb, _) => GlbStream::open(path).map(Self::Glb),
            (Format::Off | Format::Gltf, _) => {
                Err(told(ReadErrorKind::NotInPieces { what: format!("a file of {format}") }))
            }
        }
    }

    /// Number of faces.
    pub fn faces(&self) -> u64 {
        match self {
            Self::Ply(stream) => stream.faces(),
            Self::Obj(stream) => stream.faces(),
            Self::Stl(stream) => stream.faces(),
            Self::Glb(stream) => stream.faces(),
        }
    }

    /// Whether single precision holds every coordinate, as [`read`](crate::read()) finds.
    pub fn is_single(&self) -> bool {
        match self {
            Self::Ply(stream) => stream.is_single(),
            Self::Obj(stream) => stream.is_single(),
            Self::Stl(_) => true,
            Self::Glb(stream) => stream.is_single(),
        }
    }

    /// The contents that no pass gives, by name.
    pub fn left_out(&self) -> Vec<String> {
        match self {
            Self::Ply(stream) => stream.left_out(),
            Self::Obj(stream) => stream.left_out(),
            Self::Stl(stream) => stream.left_out(),
            Self::Glb(stream) => stream.left_out(),
        }
    }

    /// Gives the position of each vertex to `visit`, of STL and GLB those of corners and rows that become
    /// one.
    ///
    /// # Errors
    /// Those of `visit`; [`ReadError`]: the file cannot be read or ends early, or a coordinate is not finite.
    pub fn each_position<E: From<ReadError>>(
        &self,
        mut visit: impl FnMut(DVec3) -> Result<(), E>,
    ) -> Result<(), E> {
        match self {
            Self::Ply(stream) => stream.each_vertex(visit),
            Self::Obj(stream) => stream.each_vertex(visit),
            Self::Stl(stream) => stream.each_corner(|_, position| visit(position)),
            Self::Glb(stream) => stream.each_row(|_, position| visit(position)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::{WriteOptions, read, write};
    use ribbonmesh_mesh::{TriangleMesh, shapes};

    /// The vertices, and those of the faces, where rows with equal keys are one.
    fn whole(stream: &MeshStream) -> Result<TriangleMesh, ReadError> {
        let (mut positions, mut faces) = (vec![], vec![]);
        let (mut known, mut rows) = (HashMap::new(), vec![]);
        let mut row = |key: [u64; 4], p| {
            let next = positions.len() as u32;
            let vertex = *known.entry(key).or_insert(next);
            if vertex == next {
                positions.push(p);
            }
            rows.push(vertex);
            Ok::<_, ReadError>(())
        };
        let mut face = |corners| {
            faces.push(corners);
            Ok::<_, ReadError>(())
        };
        match stream {
            MeshStream::Ply(stream) => {
                stream.each_vertex(|p| row([rows_of(p), 0, 0, 0], p))?;
                stream.each_face(&mut face)?;
            }
            MeshStream::Obj(stream) => {
                stream.each_vertex(|p| row([rows_of(p), 0, 0, 0], p))?;
                stream.each_face(&mut face)?;
            }
            MeshStream::Stl(stream) => {
                stream.each_corner(|[x, y, z], p| row([x.into(), y.into(), z.into(), 0], p))?;
                faces.extend(rows.as_chunks::<3>().0);
            }
            MeshStream::Glb(stream) => {
                stream.each_row(&mut row)?;
                stream.each_face(|corners| face(corners.map(|corner| rows[corner as usize])))?;
            }
        }
        Ok(TriangleMesh::new(positions, faces))
    }
    /// The vertices of the test differ in a hash of their coordinates.
    fn rows_of(p: glam::DVec3) -> u64 {
        let [x, y, z] = p.to_array().map(f64::to_bits);
        x ^ y.rotate_left(21) ^ z.rotate_left(42)
    }

    #[test]
    fn gives_what_the_reader_gives() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut mesh = shapes::bumpy_sphere(4, 1).expect("small");
        let heat = vec![0.5_f32; mesh.positions.len()];
        mesh.vertices_mut().insert("heat", heat).expect("rows");
        let mut double = mesh.clone();
        double.positions.iter_mut().for_each(|p| *p += glam::DVec3::new(4.5e6, 0.1, 0.0));
        double.precision = ribbonmesh_mesh::Precision::Double;
        for (mesh, single) in [(&mesh, true), (&double, false)] {
            for name in ["a.ply", "a.obj", "a.stl", "a.glb"] {
                if name == "a.stl" && !single {
                    continue;
                }
                let path = folder.path().join(name);
                write(&path, mesh, &WriteOptions::default()).expect("a file");
                let known = read(&path).expect("a mesh").mesh;
                let stream = MeshStream::open(&path).expect("a header");
                let found = whole(&stream).expect("a mesh");
                assert_eq!((found.positions, found.faces), (known.positions, known.faces), "{name}");
                assert_eq!(stream.faces(), mesh.faces.len() as u64, "{name}");
                let exact = known.precision == ribbonmesh_mesh::Precision::Single;
                assert_eq!(stream.is_single(), exact, "{name}");
            }
        }
    }

    #[test]
    fn corners_with_attributes_of_their_own_are_one_vertex() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.glb");
        let mut mesh = shapes::icosphere(2).expect("small");
        let values = (0..3 * mesh.faces.len()).map(|corner| (corner % 3) as f32).collect::<Vec<_>>();
        mesh.corners_mut().insert("value", values).expect("rows");
        write(&path, &mesh, &WriteOptions::default()).expect("a file");
        let known = read(&path).expect("a mesh").mesh;
        let stream = MeshStream::open(&path).expect("a header");
        let found = whole(&stream).expect("a mesh");
        assert_eq!((found.positions, found.faces), (known.positions, known.faces));
        assert_eq!(stream.left_out(), ["_value"]);
    }

    #[test]
    fn text_is_the_same_in_pieces_of_any_kind() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.obj");
        // more than two pieces, with comments, continued lines, names and relative numbers
        let mut text = String::from("\u{feff}# comment\no name\n");
        for i in 0..60_000 {
            text += &format!("v {i} \\\n {}.5 0.25\r\nvn 0 0 1\n", i % 7);
            if i >= 2 {
                text += "f -1//1 -2//1 -3//1\n";
            }
        }
        assert!(text.len() > 2 << 20);
        for ends in ["\n", "\r"] {
            std::fs::write(&path, text.replace("\r\n", "\n").replace('\n', ends)).expect("a file");
            let known = read(&path).expect("a mesh").mesh;
            let found = whole(&MeshStream::open(&path).expect("a mesh")).expect("a mesh");
            assert_eq!((found.positions, found.faces), (known.positions, known.faces));
        }
    }

    #[test]
    fn leaves_out_what_the_reader_leaves_out() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.obj");
        let text = "$ a line\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\nf 1 2 3\nt 1\n";
        std::fs::write(&path, text).expect("a file");
        let known = read(&path).expect("a mesh").mesh;
        let stream = MeshStream::open(&path).expect("a mesh");
        assert_eq!(stream.left_out(), ["$", "t", "faces of fewer than three corners (1)"]);
        let found = whole(&stream).expect("a mesh");
        assert_eq!((found.positions, found.faces), (known.positions, known.faces));
        let refused = |text: &str| {
            std::fs::write(&path, text).expect("a file");
            MeshStream::open_strict(&path).expect_err("refused").to_string()
        };
        assert!(refused(text).contains("line 1: found \"$\" where an OBJ statement is expected"));
        assert!(refused(&text.replace("$ a line\n", "")).contains("line 4: a face has 2 corners"));
    }

    #[test]
    fn refuses_what_it_cannot_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let refused = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).expect("a file");
            let opened = MeshStream::open(&path);
            opened.and_then(|stream| whole(&stream)).expect_err("refused").to_string()
        };
        let quad = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
        assert!(
            refused("a.obj", quad.as_bytes())
                .contains("line 5: a face of 4 corners cannot be read in pieces")
        );
        let far = "v 0 0 0\nf 1 2 3\n";
        assert!(refused("a.obj", far.as_bytes()).contains("vertex index 3 is out of range (of 1 vertices)"));
        assert!(refused("a.obj", b"v 0 0 nan\nf 1 1 1\n").contains("line 1: coordinate nan is not finite"));
        assert!(
            refused("a.stl", b"solid a\nfacet normal 0 0 0\n").contains("of text cannot be read in pieces")
        );
        assert!(refused("a.stl", &[0; 84]).contains("no vertices"));
        let mut short = vec![0; 84];
        short[80] = 2;
        assert!(refused("a.stl", &short).contains("2 triangles need at least 100 bytes"));
        assert!(refused("a.off", b"OFF\n0 0 0\n").contains("a file of OFF cannot be read in pieces"));
        assert!(refused("a.ply.gz", &[0x1f, 0x8b, 8, 0]).contains("compressed"));
        assert!(refused("a.xyz", b"0 0 0\n").contains("xyz"));
        assert!(refused("a.glb", b"glTF\x02\0\0\0\x0c\0\0\0").contains("the chunk JSON"));
    }
}
