//! Reading.

use glam::DVec3;
use ribbonmesh_io::{
    ReadErrorKind as Kind,
    core::{Cursor, Fault, Outcome, fault, quote},
};
use ribbonmesh_mesh::Precision;

use super::TYPES;
use crate::{
    DataArray, VolumeData, VolumeNotes,
    builder::{Builder, not_finite},
};

/// Lists of indices, one after the other.
struct Lists {
    starts: Vec<usize>,
    all: Vec<u32>,
}

impl Lists {
    fn new() -> Self {
        Self { starts: vec![0], all: vec![] }
    }
    fn end(&mut self) {
        self.starts.push(self.all.len());
    }
    fn len(&self) -> usize {
        self.starts.len() - 1
    }
    fn of(&self, i: usize) -> &[u32] {
        &self.all[self.starts[i]..self.starts[i + 1]]
    }
}

/// Reads a file.
pub(crate) fn read(bytes: &[u8]) -> Outcome<(VolumeData, VolumeNotes)> {
    let mut at = Cursor::words(bytes, 0, true);
    at.expect("OVM")?;
    let (start, form) = at.needed("ASCII")?;
    if form.eq_ignore_ascii_case(b"BINARY") {
        return Err(fault(start, Kind::Unsupported { what: "the binary form".into() }));
    }
    if !form.eq_ignore_ascii_case(b"ASCII") {
        return Err(fault(start, Kind::Unexpected { expected: "ASCII", found: quote(form) }));
    }
    let mut builder = Builder::default();
    builder.data.precision = Precision::Double;
    builder.data.positions = vertices(&mut at)?;
    let vertices = builder.data.positions.len() as u64;

    at.expect("Edges")?;
    let count = at.count_of("edges", 4)?;
    let mut edges = Vec::with_capacity(count);
    for edge in 0..count {
        let mut end = || index(&mut at, &|| format!("edge {edge}"), "vertex", vertices);
        edges.push([end()?, end()?]);
    }

    at.expect("Faces")?;
    let count = at.count_of("faces", 8)?;
    let (mut faces, mut used) = (Lists::new(), vec![false; edges.len()]);
    for face in 0..count {
        at.next_word();
        let start = at.pos;
        let sides = valence(&mut at, "half-edges of a face")?;
        let mut last = None;
        for _ in 0..sides {
            let side = index(&mut at, &|| format!("face {face}"), "half-edge", 2 * edges.len() as u64)?;
            let [from, to] = edges[side as usize / 2];
            used[side as usize / 2] = true;
            let [from, to] = if side % 2 == 0 { [from, to] } else { [to, from] };
            if last.is_some_and(|last| last != from) {
                return Err(no_cycle(start, face));
            }
            faces.all.push(from);
            last = Some(to);
        }
        if last != faces.all.get(faces.starts[face]).copied() {
            return Err(no_cycle(start, face));
        }
        faces.end();
    }
    let alone = used.iter().filter(|used| !**used).count() as u64;
    if alone > 0 {
        builder.notes.skip_elements("edges without faces", alone);
    }

    at.expect("Polyhedra")?;
    let count = at.count_of("cells", 2)?;
    let (mut cells, mut has_cell) = (Lists::new(), vec![false; faces.len()]);
    for cell in 0..count {
        for _ in 0..valence(&mut at, "half-faces of a cell")? {
            let side = index(&mut at, &|| format!("cell {cell}"), "half-face", 2 * faces.len() as u64)?;
            has_cell[side as usize / 2] = true;
            cells.all.push(side);
        }
        cells.end();
    }
    let outward = look_outward(&builder.data.positions, &faces, &cells);
    for cell in 0..cells.len() {
        let own = cells.of(cell).iter().map(|&side| {
            let mut face = faces.of(side as usize / 2).to_vec();
            if (side % 2 == 0) != outward {
                face.reverse();
            }
            face
        });
        builder.data.cells.push_faces(&own.collect::<Vec<_>>());
    }

    let listed =
        properties(&mut at, &mut builder, [vertices as usize, edges.len(), faces.len(), cells.len()])?;
    for face in (0..faces.len()).filter(|&face| listed || !has_cell[face]) {
        builder.data.cells.push_face(faces.of(face));
    }
    builder.finish()
}

fn vertices(at: &mut Cursor<'_>) -> Outcome<Vec<DVec3>> {
    at.expect("Vertices")?;
    let count = at.count_of("vertices", 6)?;
    let mut positions = Vec::with_capacity(count);
    for vertex in 0..count {
        let mut position = [0.0; 3];
        for value in &mut position {
            at.next_word();
            let offset = at.pos;
            *value = at.number::<f64>("a coordinate")?;
            if !(*value as f32).is_finite() {
                return Err(not_finite(offset, vertex, *value));
            }
        }
        positions.push(DVec3::from_array(position));
    }
    Ok(positions)
}

/// An index below `count`, of an element that has such a thing.
fn index(at: &mut Cursor<'_>, element: &dyn Fn() -> String, what: &'static str, count: u64) -> Outcome<u32> {
    at.next_word();
    let offset = at.pos;
    let index: i64 = at.number("an index")?;
    match u32::try_from(index) {
        Ok(small) if u64::from(small) < count => Ok(small),
        _ => Err(fault(offset, Kind::OutOfRange { element: element(), what, index, count })),
    }
}

/// The number of elements that follow; three at least.
fn valence(at: &mut Cursor<'_>, what: &'static str) -> Outcome<usize> {
    at.next_word();
    let start = at.pos;
    let count = at.count_of(what, 2)?;
    if count < 3 {
        let (what, found) = (what.to_owned(), count as u64);
        return Err(fault(start, Kind::Length { what, expected: 3, found }));
    }
    Ok(count)
}

#[cold]
fn no_cycle(offset: usize, face: usize) -> Box<Fault> {
    fault(offset, Kind::Malformed { reason: format!("the half-edges of face {face} are not a cycle") })
}

/// Whether the half-faces of most cells look out of them: their volumes, added up, are not negative.
fn look_outward(positions: &[DVec3], faces: &Lists, cells: &Lists) -> bool {
    let volume = |cell: usize| -> f64 {
        let origin = positions[faces.of(cells.of(cell)[0] as usize / 2)[0] as usize];
        let of = |&side: &u32| -> f64 {
            let face = faces.of(side as usize / 2);
            let x = |i: usize| positions[face[i] as usize] - origin;
            let fan = (1..face.len() - 1).map(|i| x(0).dot(x(i).cross(x(i + 1))));
            let sum: f64 = fan.sum();
            if side % 2 == 0 { sum } else { -sum }
        };
        cells.of(cell).iter().map(of).sum()
    };
    let signs = (0..cells.len()).map(|cell| match volume(cell) {
        x if x < 0.0 => -1_i64,
        x if x > 0.0 => 1,
        _ => 0,
    });
    signs.sum::<i64>() >= 0
}

/// Reads all properties: how many vertices, edges, faces and cells there are. Returns whether there are data
/// of faces.
fn properties(at: &mut Cursor<'_>, builder: &mut Builder, counts: [usize; 4]) -> Outcome<bool> {
    let [vertices, edges, faces, cells] = counts;
    let mut of_faces = false;
    while at.next_word() {
        let start = at.pos;
        let (_, entity) = at.needed("a property")?;
        let entity = entity.to_ascii_lowercase();
        let (_, kind) = at.needed("the type of a property")?;
        let name = String::from_utf8_lossy(at.line()).trim().trim_matches('"').to_owned();
        let rows = match &entity[..] {
            b"vprop" => vertices,
            b"eprop" => edges,
            b"heprop" => 2 * edges,
            b"fprop" => faces,
            b"hfprop" => 2 * faces,
            b"cprop" => cells,
            b"mprop" => 1,
            _ => {
                return Err(fault(start, Kind::Unexpected { expected: "a property", found: quote(&entity) }));
            }
        };
        let known = TYPES.iter().find(|(name, ..)| kind.eq_ignore_ascii_case(name.as_bytes()));
        let arrays = match &entity[..] {
            b"vprop" => Some(&mut builder.data.point_data),
            b"fprop" => Some(&mut builder.data.face_data),
            b"cprop" => Some(&mut builder.data.cell_data),
            _ => None,
        };
        let (Some(&(_, scalar, width)), Some(arrays)) = (known, arrays) else {
            // one row on each line
            (0..rows).for_each(|_| _ = at.line());
            builder.notes.skip(format!("{} {name:?}", String::from_utf8_lossy(&entity)));
            continue;
        };
        if arrays.iter().any(|known| known.name == name) {
            return Err(fault(start, Kind::Duplicate { what: format!("the property {name:?}") }));
        }
        let scalars = at.numbers(scalar, rows * width, "a number of a property")?;
        arrays.push(DataArray::of_width(name, width, scalars));
        of_faces |= entity == b"fprop";
    }
    Ok(of_faces)
}
