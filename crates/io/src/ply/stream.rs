//! Binary PLY files that are read piece by piece.

use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

use glam::DVec3;
use ribbonmesh_mesh::Scalar;

use super::{
    header::{Element, Encoding, Header, Kind},
    layout::{Role, Target, roles},
    scalar::{BigEndian, LittleEndian, Order, float, integer, is_single},
};
use crate::{
    Notes, ReadError, ReadErrorKind,
    fault::Fault,
    pieces::{PIECE, Pieces, at, error, of_system},
};

/// The longest header.
const LONGEST: usize = 1 << 24;

/// A binary PLY file of triangles that is never in memory as a whole: each pass reads it from its beginning,
/// a mebibyte at a time. Only positions and faces are read.
#[derive(Debug)]
pub struct PlyStream {
    file: PathBuf,
    header: Header,
    targets: Vec<(Role, Vec<Target>)>,
}

impl PlyStream {
    /// Reads the header.
    ///
    /// # Errors
    /// [`ReadError`]: the file cannot be read, is no PLY file, is a text, has no vertices or no faces, or has
    /// more vertices than 32-bit indices can name.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ReadError> {
        let path = path.as_ref();
        let open = || {
            let header = header_of(path)?;
            if header.encoding == Encoding::Ascii {
                let what = "a PLY file of text".into();
                return Err(at(0, ReadErrorKind::NotInPieces { what }));
            }
            let mut notes = Notes::default();
            let of_element = |element| roles(element, false, &mut notes).map_err(|fault| *fault);
            let targets = header.elements.iter().map(of_element).collect::<Result<Vec<_>, _>>()?;
            Ok(Self { file: path.into(), header, targets })
        };
        let stream: Self = open().map_err(|fault| error(path, fault))?;
        let (vertices, faces) = (stream.vertices(), stream.faces());
        let refused = if vertices == 0 {
            ReadErrorKind::NoVertices
        } else if faces == 0 {
            ReadErrorKind::NoFaces { vertices }
        } else if vertices > u64::from(u32::MAX) {
            ReadErrorKind::TooMany { what: "vertices", count: vertices }
        } else {
            return Ok(stream);
        };
        Err(error(path, Fault { offset: None, kind: refused }))
    }

    /// Number of vertices.
    pub fn vertices(&self) -> u64 {
        self.element(Role::Vertices).map_or(0, |(_, element)| element.count)
    }

    /// Number of faces.
    pub fn faces(&self) -> u64 {
        self.element(Role::Faces).map_or(0, |(_, element)| element.count)
    }

    /// Whether single precision holds every coordinate by its type.
    pub fn is_single(&self) -> bool {
        let Some((place, element)) = self.element(Role::Vertices) else { return true };
        let types = element.properties.iter().zip(&self.targets[place].1);
        types
            .filter(|(_, target)| matches!(target, Target::Axis(_)))
            .all(|(property, _)| matches!(property.kind, Kind::Scalar(scalar) if is_single(scalar)))
    }

    /// The properties and elements that no pass gives, as `vertex.red`.
    pub fn left_out(&self) -> Vec<String> {
        let of_element = |(element, (role, targets)): (&Element, &(Role, Vec<Target>))| {
            let (name, whole) = (element.name.clone(), !matches!(role, Role::Vertices | Role::Faces));
            let other = |target: &Target| !matches!(target, Target::Axis(_) | Target::Corners);
            let of = element.properties.iter().zip(targets.clone());
            let names: Vec<String> = of
                .filter(|(_, target)| !whole && other(target))
                .map(|(property, _)| format!("{name}.{}", property.name))
                .collect();
            if whole { vec![name] } else { names }
        };
        self.header.elements.iter().zip(&self.targets).flat_map(of_element).collect()
    }

    /// Gives the position of each vertex to `visit`, in the order of the file.
    ///
    /// # Errors
    /// Those of `visit`; [`ReadError`]: the file cannot be read or ends early, or a coordinate is not finite.
    pub fn each_vertex<E: From<ReadError>>(
        &self,
        mut visit: impl FnMut(DVec3) -> Result<(), E>,
    ) -> Result<(), E> {
        match self.header.encoding {
            Encoding::Big => self.vertices_in::<BigEndian, E>(&mut visit),
            _ => self.vertices_in::<LittleEndian, E>(&mut visit),
        }
    }

    fn vertices_in<O: Order, E: From<ReadError>>(
        &self,
        visit: &mut impl FnMut(DVec3) -> Result<(), E>,
    ) -> Result<(), E> {
        let told = |fault| E::from(error(&self.file, fault));
        let Some((place, element)) = self.element(Role::Vertices) else { return Ok(()) };
        let mut pieces = self.pieces_at::<O>(place).map_err(told)?;
        let targets = &self.targets[place].1;
        for _ in 0..element.count {
            let mut position = [0.0; 3];
            for (property, target) in element.properties.iter().zip(targets) {
                match (property.kind, target) {
                    (Kind::Scalar(scalar), Target::Axis(axis)) => {
                        let from = pieces.offset();
                        let value = float::<O>(scalar, pieces.take(scalar.size()).map_err(told)?);
                        if !(value as f32).is_finite() {
                            let text = value.to_string();
                            return Err(told(at(from, ReadErrorKind::NotFinite { text })));
                        }
                        position[*axis] = value;
                    }
                    (kind, _) => pieces.pass::<O>(kind).map_err(told)?,
                }
            }
            visit(DVec3::from_array(position))?;
        }
        Ok(())
    }

    /// Gives the corners of each face to `visit`, in the order of the file.
    ///
    /// # Errors
    /// Those of `visit`; [`ReadError`]: the file cannot be read or ends early, a face is not a triangle, or a
    /// corner names no vertex.
    pub fn each_face<E: From<ReadError>>(
        &self,
        mut visit: impl FnMut([u32; 3]) -> Result<(), E>,
    ) -> Result<(), E> {
        match self.header.encoding {
            Encoding::Big => self.faces_in::<BigEndian, E>(&mut visit),
            _ => self.faces_in::<LittleEndian, E>(&mut visit),
        }
    }

    fn faces_in<O: Order, E: From<ReadError>>(
        &self,
        visit: &mut impl FnMut([u32; 3]) -> Result<(), E>,
    ) -> Result<(), E> {
        let told = |fault| E::from(error(&self.file, fault));
        let Some((place, element)) = self.element(Role::Faces) else { return Ok(()) };
        let vertices = self.vertices();
        let mut pieces = self.pieces_at::<O>(place).map_err(told)?;
        let targets = &self.targets[place].1;
        for face in 0..element.count {
            for (property, target) in element.properties.iter().zip(targets) {
                match (property.kind, target) {
                    (Kind::List { count, item }, Target::Corners) => {
                        let corners = pieces.corners::<O>([count, item], face, vertices).map_err(told)?;
                        visit(corners)?;
                    }
                    (kind, _) => pieces.pass::<O>(kind).map_err(told)?,
                }
            }
        }
        Ok(())
    }

    fn element(&self, role: Role) -> Option<(usize, &Element)> {
        let place = self.targets.iter().position(|(of, _)| *of == role)?;
        Some((place, &self.header.elements[place]))
    }

    /// The file from the records of an element on.
    fn pieces_at<O: Order>(&self, place: usize) -> Result<Pieces, Fault> {
        let mut pieces = Pieces::open(&self.file, self.header.body as u64)?;
        for element in &self.header.elements[..place] {
            let size = |kind| match kind {
                Kind::Scalar(scalar) => Some(scalar.size() as u64),
                Kind::List { .. } => None,
            };
            let stride: Option<u64> = element.properties.iter().map(|property| size(property.kind)).sum();
            if let Some(length) = stride.and_then(|stride| stride.checked_mul(element.count)) {
                pieces = Pieces::open(&self.file, (pieces.offset() as u64).saturating_add(length))?;
                continue;
            }
            for _ in 0..element.count {
                for property in &element.properties {
                    pieces.pass::<O>(property.kind)?;
                }
            }
        }
        Ok(pieces)
    }
}

impl Pieces {
    fn length<O: Order>(&mut self, count: Scalar) -> Result<u64, Fault> {
        let from = self.offset();
        let length = integer::<O>(count, self.take(count.size())?);
        let negative =
            |_| at(from, ReadErrorKind::Malformed { reason: format!("a list has {length} items") });
        u64::try_from(length).map_err(negative)
    }
    /// Passes over the value of a property.
    fn pass<O: Order>(&mut self, kind: Kind) -> Result<(), Fault> {
        match kind {
            Kind::Scalar(scalar) => self.take(scalar.size()).map(drop),
            Kind::List { count, item } => {
                for _ in 0..self.length::<O>(count)? {
                    self.take(item.size())?;
                }
                Ok(())
            }
        }
    }
    /// The corners of a face.
    #[inline]
    fn corners<O: Order>(
        &mut self,
        [count, item]: [Scalar; 2],
        face: u64,
        vertices: u64,
    ) -> Result<[u32; 3], Fault> {
        let from = self.offset();
        let corners = self.length::<O>(count)?;
        if corners < 3 {
            return Err(at(from, ReadErrorKind::TooFewCorners { corners }));
        }
        if corners > 3 {
            let what = format!("face {face}, of {corners} corners,");
            return Err(at(from, ReadErrorKind::NotInPieces { what }));
        }
        let size = item.size();
        let bytes = self.take(3 * size)?;
        let indices = [0, 1, 2].map(|corner| integer::<O>(item, &bytes[corner * size..]));
        match indices.iter().find(|&&index| index < 0 || index as u64 >= vertices) {
            Some(&index) => {
                Err(at(from, ReadErrorKind::IndexOutOfRange { index, vertices, relative: false }))
            }
            None => Ok(indices.map(|index| index as u32)),
        }
    }
}

/// Reads as much of the file as its header needs.
fn header_of(path: &Path) -> Result<Header, Fault> {
    let mut file = File::open(path).map_err(of_system)?;
    let mut bytes = Vec::new();
    loop {
        let more = Read::by_ref(&mut file).take(PIECE as u64).read_to_end(&mut bytes).map_err(of_system)?;
        match Header::parse(&bytes) {
            Err(fault) if !matches!(fault.kind, ReadErrorKind::Truncated { .. }) => return Err(*fault),
            Err(fault) if more == 0 || bytes.len() > LONGEST => return Err(*fault),
            Err(_) => {}
            Ok(header) => return Ok(header),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PlyEncoding, WriteOptions, read, write};
    use ribbonmesh_mesh::shapes;

    type Read = (Vec<DVec3>, Vec<[u32; 3]>);

    fn whole(stream: &PlyStream) -> Result<Read, ReadError> {
        let (mut positions, mut faces) = (vec![], vec![]);
        stream.each_vertex(|position| {
            positions.push(position);
            Ok::<_, ReadError>(())
        })?;
        stream.each_face(|face| {
            faces.push(face);
            Ok::<_, ReadError>(())
        })?;
        Ok((positions, faces))
    }

    #[test]
    fn gives_what_the_reader_gives() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.ply");
        let mut mesh = shapes::bumpy_sphere(4, 1).expect("small");
        let heat = vec![0.5_f32; mesh.positions.len()];
        mesh.vertices_mut().insert("heat", heat).expect("rows");
        for ply_encoding in [PlyEncoding::Little, PlyEncoding::Big] {
            write(&path, &mesh, &WriteOptions { ply_encoding, ..WriteOptions::default() }).expect("a file");
            let known = read(&path).expect("a mesh").mesh;
            let stream = PlyStream::open(&path).expect("a header");
            assert_eq!(whole(&stream).expect("a mesh"), (known.positions, known.faces));
            assert_eq!(stream.left_out(), ["vertex.heat"]);
            assert!(stream.is_single());
        }
    }

    #[test]
    fn refuses_what_it_cannot_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.ply");
        let head = "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty float x\nproperty float y\n\
                    property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n";
        let body = |corners: &[u8]| {
            let mut bytes = head.as_bytes().to_vec();
            bytes.extend([0; 12]);
            bytes.extend(corners);
            std::fs::write(&path, bytes).expect("a file");
            whole(&PlyStream::open(&path).expect("a header")).expect_err("refused").to_string()
        };
        assert!(
            body(&[3, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0])
                .ends_with("vertex index 1 is out of range (of 1 vertices)")
        );
        assert!(body(&[4]).contains("face 0, of 4 corners, cannot be read in pieces"));
        assert!(body(&[3, 0]).contains("the file ends where"));
        std::fs::write(&path, "ply\nformat ascii 1.0\nend_header\n").expect("a file");
        assert!(PlyStream::open(&path).expect_err("text").to_string().contains("of text"));
    }
}
