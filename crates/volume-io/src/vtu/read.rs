//! Reading VTU files.

use ribbonmesh_io::{
    ReadErrorKind as Kind,
    core::{Outcome, fault, fault_of_file},
};
use ribbonmesh_mesh::{Precision, Scalar, Scalars};

use super::document::{Array, Document, Piece, structure};
use crate::{
    DataArray, VolumeData, VolumeNotes,
    builder::{Builder, indices, positions},
    regions,
    shape::Shape,
    vtk::read::check_length,
};

/// Reads a file.
pub(crate) fn read(bytes: &[u8]) -> Outcome<(VolumeData, VolumeNotes)> {
    let mut builder = Builder::default();
    let document = structure(bytes, &mut builder.notes)?;
    if document.pieces.is_empty() {
        return Err(fault_of_file(Kind::Absent { what: "the element Piece".into() }));
    }
    let reader = Reader { bytes, document: &document };
    for piece in &document.pieces {
        reader.piece(piece, &mut builder)?;
    }
    let mut named = vec![];
    for array in &document.regions {
        let scalars = document.numbers(bytes, array)?;
        named.push(DataArray { name: array.name.clone(), width: 1, scalars });
    }
    regions::take(&named, &mut builder.data, &mut builder.notes);
    if document.pieces.len() > 1 {
        builder.notes.pieces_joined = document.pieces.len() as u64;
    }
    for (array, at) in reader.joined("point", |piece| &piece.point_data, &mut builder.notes)? {
        builder.of_points(array, at)?;
    }
    for (array, at) in reader.joined("cell", |piece| &piece.cell_data, &mut builder.notes)? {
        builder.of_elements(array, at)?;
    }
    builder.finish()
}

struct Reader<'a> {
    bytes: &'a [u8],
    document: &'a Document,
}

/// An array that must be there.
fn needed<'p>(piece: &Piece, list: &'p [Array], name: &str) -> Outcome<&'p Array> {
    list.iter()
        .find(|array| array.name == name)
        .ok_or_else(|| fault(piece.at, Kind::Absent { what: format!("the array {name:?} of the cells") }))
}

/// Refuses a list of another length.
fn length(array: &Array, expected: u64, found: usize) -> Outcome<()> {
    if found as u64 == expected {
        return Ok(());
    }
    let (what, found) = (format!("array {:?}", array.name), found as u64);
    Err(fault(array.at, Kind::Length { what, expected, found }))
}

/// Ends of lists: they ascend, and the last is not beyond the end.
fn ascending(array: &Array, ends: &[u32], most: usize) -> Outcome<()> {
    let bad =
        ends.windows(2).any(|pair| pair[0] > pair[1]) || ends.last().is_some_and(|&end| end as usize > most);
    if !bad {
        return Ok(());
    }
    let reason = format!("the numbers of array {:?} do not ascend, or exceed {most}", array.name);
    Err(fault(array.at, Kind::Malformed { reason }))
}

impl Reader<'_> {
    fn piece(&self, piece: &Piece, builder: &mut Builder) -> Outcome<()> {
        let first = builder.data.positions.len();
        if piece.points == 0 && piece.cells == 0 {
            return Ok(());
        }
        let [points] = piece.positions.as_slice() else {
            let what = "the array of points, once".into();
            return Err(fault(piece.at, Kind::Absent { what }));
        };
        let coordinates = self.document.numbers(self.bytes, points)?;
        length(points, piece.points.saturating_mul(3), coordinates.len())?;
        let exact =
            !matches!(points.scalar, Scalar::F32 | Scalar::U8 | Scalar::I8 | Scalar::U16 | Scalar::I16);
        if exact {
            builder.data.precision = Precision::Double;
        }
        let more = positions(&coordinates, first, |_| points.at)?;
        if u32::try_from(first + more.len()).is_err() {
            let (what, count) = ("vertices", (first + more.len()) as u64);
            return Err(fault(points.at, Kind::TooMany { what, count }));
        }
        builder.data.positions.extend(more);
        if piece.cells == 0 {
            return Ok(());
        }
        self.cells(piece, first as u32, builder)
    }

    /// Whole numbers of an array of the topology.
    fn list(&self, piece: &Piece, name: &'static str) -> Outcome<(Array, Vec<u32>)> {
        let array = needed(piece, &piece.topology, name)?;
        let numbers = indices(&self.document.numbers(self.bytes, array)?, name, array.at)?;
        Ok((array.clone(), numbers))
    }

    fn cells(&self, piece: &Piece, first: u32, builder: &mut Builder) -> Outcome<()> {
        let names: Vec<&str> = piece.topology.iter().map(|array| array.name.as_str()).collect();
        if let Some(twice) =
            names.iter().enumerate().find_map(|(i, name)| names[..i].contains(name).then_some(i))
        {
            let (what, at) = (format!("array {:?} of the cells", names[twice]), piece.topology[twice].at);
            return Err(fault(at, Kind::Duplicate { what }));
        }
        let (offsets, ends) = self.list(piece, "offsets")?;
        let (types, numbers) = self.list(piece, "types")?;
        let (connectivity, words) = self.list(piece, "connectivity")?;
        length(&types, piece.cells, numbers.len())?;
        length(&offsets, piece.cells, ends.len())?;
        ascending(&offsets, &ends, words.len())?;
        let streams = if numbers.contains(&42) { Some(self.streams(piece)?) } else { None };
        let mut start = 0;
        let mut nodes = vec![];
        for (cell, (&number, &end)) in numbers.iter().zip(&ends).enumerate() {
            let number = u64::from(number);
            let Some((shape, higher)) = Shape::of_vtk(number) else {
                let what = format!("type {number} of cell {cell}");
                return Err(fault(types.at, Kind::Unsupported { what }));
            };
            let own = &words[start..end as usize];
            start = end as usize;
            let at = || connectivity.at;
            let shifted = |v: &u32| v.saturating_add(first);
            nodes.clear();
            if shape == Shape::Polyhedron {
                let stream = streams.as_ref().and_then(|streams| streams.get(cell));
                let stream = stream.map(Vec::as_slice).unwrap_or_default();
                let mut rest = stream.split_first().map(|(count, rest)| {
                    nodes.push(*count);
                    rest
                });
                while let Some((&count, after)) = rest.and_then(<[u32]>::split_first) {
                    let face = &after[..after.len().min(count as usize)];
                    nodes.push(count);
                    nodes.extend(face.iter().map(shifted));
                    rest = Some(&after[face.len()..]);
                }
            } else {
                check_length(shape, higher, own.len(), cell, &at)?;
                nodes.extend(own.iter().map(shifted));
            }
            builder.notes.higher_order += u64::from(higher);
            builder.element(shape, &nodes, &at)?;
        }
        if start < words.len() {
            length(&connectivity, start as u64, words.len())?;
        }
        Ok(())
    }

    /// For each cell the list of its faces, empty unless it is a polyhedron.
    fn streams(&self, piece: &Piece) -> Outcome<Vec<Vec<u32>>> {
        if piece.topology.iter().any(|array| array.name == "polyhedron_offsets") {
            return self.streams_of_shared_faces(piece);
        }
        let (faces, words) = self.list(piece, "faces")?;
        let array = needed(piece, &piece.topology, "faceoffsets")?;
        let ends = self.document.numbers(self.bytes, array)?;
        length(array, piece.cells, ends.len())?;
        let (mut start, mut streams) = (0, vec![]);
        for cell in 0..ends.len() {
            let end = ends.as_f64(cell).unwrap_or(-1.0);
            if end < 0.0 {
                streams.push(vec![]);
                continue;
            }
            let Some(own) = words.get(start..end as usize) else {
                let (element, index, count) = (format!("cell {cell}"), end as i64, words.len() as u64);
                return Err(fault(
                    faces.at,
                    Kind::OutOfRange { element, what: "the end of faces", index, count },
                ));
            };
            streams.push(own.to_vec());
            start = end as usize;
        }
        Ok(streams)
    }

    /// As [`Reader::streams`], in files of version 2.3 and later, where polyhedra name faces.
    fn streams_of_shared_faces(&self, piece: &Piece) -> Outcome<Vec<Vec<u32>>> {
        let (of_cells, cell_ends) = self.list(piece, "polyhedron_offsets")?;
        let (of_lists, lists) = self.list(piece, "polyhedron_to_faces")?;
        let (of_faces, face_ends) = self.list(piece, "face_offsets")?;
        let (_, vertices) = self.list(piece, "face_connectivity")?;
        length(&of_cells, piece.cells, cell_ends.len())?;
        ascending(&of_cells, &cell_ends, lists.len())?;
        ascending(&of_faces, &face_ends, vertices.len())?;
        let face = |face: u32| {
            let end = *face_ends.get(face as usize)? as usize;
            let start = face.checked_sub(1).map_or(0, |before| face_ends[before as usize] as usize);
            Some(&vertices[start..end])
        };
        let (mut start, mut streams) = (0, vec![]);
        for (cell, &end) in cell_ends.iter().enumerate() {
            let own = &lists[start..end as usize];
            start = end as usize;
            let mut stream = if own.is_empty() { vec![] } else { vec![own.len() as u32] };
            for &number in own {
                let Some(corners) = face(number) else {
                    let (element, what) = (format!("cell {cell}"), "face");
                    let (index, count) = (number.into(), face_ends.len() as u64);
                    return Err(fault(of_lists.at, Kind::OutOfRange { element, what, index, count }));
                };
                stream.push(corners.len() as u32);
                stream.extend(corners);
            }
            streams.push(stream);
        }
        Ok(streams)
    }

    /// The arrays of all pieces, joined by name; arrays that differ between pieces, or are not in all, are
    /// noted.
    fn joined(
        &self,
        element: &str,
        list: impl Fn(&Piece) -> &Vec<Array>,
        notes: &mut VolumeNotes,
    ) -> Outcome<Vec<(DataArray, usize)>> {
        let element_count = |piece: &Piece| if element == "point" { piece.points } else { piece.cells };
        let pieces: Vec<&Piece> =
            self.document.pieces.iter().filter(|piece| element_count(piece) > 0).collect();
        let Some((first, others)) = pieces.split_first() else { return Ok(vec![]) };
        for array in others.iter().flat_map(|piece| list(piece)) {
            if list(first).iter().all(|known| known.name != array.name) {
                notes.skip(format!("{element} data {:?}, which not all pieces have", array.name));
            }
        }
        let mut all = vec![];
        for array in list(first) {
            let mut scalars = self.document.numbers(self.bytes, array)?;
            let expected = element_count(first).saturating_mul(array.width as u64);
            length(array, expected, scalars.len())?;
            let mut whole = true;
            for piece in others {
                let alike = |other: &&Array| {
                    other.name == array.name && other.width == array.width && other.scalar == array.scalar
                };
                let Some(other) = list(piece).iter().find(alike) else {
                    whole = false;
                    break;
                };
                let more: Scalars = self.document.numbers(self.bytes, other)?;
                length(other, element_count(piece).saturating_mul(array.width as u64), more.len())?;
                scalars.append(&more);
            }
            if whole {
                all.push((DataArray { name: array.name.clone(), width: array.width, scalars }, array.at));
            } else {
                notes.skip(format!("{element} data {:?}, which not all pieces have", array.name));
            }
        }
        Ok(all)
    }
}
