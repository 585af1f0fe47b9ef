//! Reading VTK legacy files.

use ribbonmesh_io::{
    ReadErrorKind as Kind,
    core::{Cursor, Order, Outcome, fault, quote},
};
use ribbonmesh_mesh::{Precision, Scalar, Scalars};

use super::names::{decoded, scalar};
use crate::{
    DataArray, VolumeData, VolumeNotes,
    builder::{Builder, indices, positions},
    regions,
    shape::Shape,
};

/// The elements to which the data that follow belong.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Table {
    Grid,
    Points(usize),
    Cells(usize),
}

struct Reader<'a> {
    at: Cursor<'a>,
    binary: bool,
    /// Offsets into `words`, one more than there are cells.
    starts: Vec<u32>,
    words: Vec<u32>,
    has_cells: bool,
    table: Table,
    builder: Builder,
    /// Arrays of the grid that have the names of regions.
    regions: Vec<DataArray>,
}

/// Reads a file.
pub(crate) fn read(bytes: &[u8]) -> Outcome<(VolumeData, VolumeNotes)> {
    let mut at = Cursor::words(bytes, 0, false);
    let first = at.line();
    let version = first.trim_ascii().strip_prefix(b"# vtk DataFile Version ").ok_or_else(|| {
        fault(0, Kind::Unexpected { expected: "# vtk DataFile Version", found: quote(first) })
    })?;
    let major: Option<f64> = std::str::from_utf8(version).ok().and_then(|text| text.trim().parse().ok());
    let unclear = || fault(0, Kind::NotANumber { what: "the version", text: quote(version) });
    let major = major.ok_or_else(unclear)?;
    if !(1.0..6.0).contains(&major) {
        return Err(fault(0, Kind::Unsupported { what: format!("version {}", quote(version)) }));
    }
    let title = String::from_utf8_lossy(at.line()).into_owned();
    let (start, encoding) = at.needed("ASCII or BINARY")?;
    let binary = match encoding.to_ascii_uppercase().as_slice() {
        b"ASCII" => false,
        b"BINARY" => true,
        _ => {
            let found = quote(encoding);
            return Err(fault(start, Kind::Unexpected { expected: "ASCII or BINARY", found }));
        }
    };
    let (starts, words, builder) = Default::default();
    let (has_cells, table, regions) = (false, Table::Grid, vec![]);
    let mut reader = Reader { at, binary, starts, words, has_cells, table, builder, regions };
    reader.builder.data.title = title;
    while reader.section()? {}
    reader.finish()
}

impl<'a> Reader<'a> {
    /// Reads a section; false at the end of the file.
    fn section(&mut self) -> Outcome<bool> {
        self.at.next_word();
        let start = self.at.pos;
        let Some(word) = self.at.word() else { return Ok(false) };
        match word.to_ascii_uppercase().as_slice() {
            b"DATASET" => {
                let (at, kind) = self.at.needed("the kind of data set")?;
                if !kind.eq_ignore_ascii_case(b"UNSTRUCTURED_GRID") {
                    let what = format!("a data set of the kind {}", quote(kind));
                    return Err(fault(at, Kind::Unsupported { what }));
                }
            }
            b"POINTS" => self.points(start)?,
            b"CELLS" => self.cells(start)?,
            b"CELL_TYPES" => self.types(start)?,
            b"POINT_DATA" => self.table = Table::Points(self.at.count_of("rows of point data", 0)?),
            b"CELL_DATA" => self.table = Table::Cells(self.at.count_of("rows of cell data", 0)?),
            b"METADATA" => {
                // up to an empty line
                self.at.line();
                while !self.at.rest().is_empty() && !self.at.line().trim_ascii().is_empty() {}
            }
            b"FIELD" => self.field()?,
            b"LOOKUP_TABLE" => {
                let name = self.name("the name of a lookup table")?;
                let rows = self.at.count_of("colours", 1)?;
                self.values(Some(Scalar::U8), 4 * rows, "a colour")?;
                self.builder.notes.skip(format!("lookup table {name}"));
            }
            kind => self.attribute(kind, start)?,
        }
        Ok(true)
    }

    fn points(&mut self, start: usize) -> Outcome<()> {
        if !self.builder.data.positions.is_empty() {
            return Err(fault(start, Kind::Duplicate { what: "the list of points".into() }));
        }
        let count = self.at.count_of("points", 3)?;
        let (at, name) = self.at.needed("the type of coordinates")?;
        let found = scalar(name);
        let of =
            found.ok_or_else(|| fault(at, Kind::Unsupported { what: format!("type {}", quote(name)) }))?;
        let before = self.at.clone();
        // text may have more digits than its type
        let read_as = if self.binary || of == Scalar::F32 { of } else { Scalar::F64 };
        let coordinates = self.values(Some(read_as), count.saturating_mul(3), "a coordinate")?;
        let data = &mut self.builder.data;
        data.positions = positions(&coordinates, 0, |i| locate(before.clone(), self.binary, of.size(), i))?;
        let exact = matches!(of, Scalar::F64 | Scalar::I64 | Scalar::U64 | Scalar::I32 | Scalar::U32);
        data.precision = if exact { Precision::Double } else { Precision::Single };
        Ok(())
    }

    fn cells(&mut self, start: usize) -> Outcome<()> {
        if self.has_cells {
            return Err(fault(start, Kind::Duplicate { what: "the list of cells".into() }));
        }
        self.has_cells = true;
        let rows = self.at.count_of("cells", 1)?;
        self.at.next_word();
        let size_at = self.at.pos;
        let size = self.at.count_of("numbers of cells", 1)?;
        let mut ahead = self.at.clone();
        if ahead.word().is_some_and(|word| word.eq_ignore_ascii_case(b"OFFSETS")) {
            self.at = ahead;
            let starts = self.indices(rows, "an offset of a cell")?;
            self.at.expect("CONNECTIVITY")?;
            self.words = self.indices(size, "a vertex of a cell")?;
            let ascending = starts.windows(2).position(|pair| pair[0] > pair[1]);
            let wrong = match (starts.first(), starts.last()) {
                (None, _) | (_, None) => size > 0,
                (Some(&first), Some(&last)) => first != 0 || last as usize != size,
            };
            if let Some(cell) = ascending {
                let reason = format!("the offsets of cells descend after cell {cell}");
                return Err(fault(start, Kind::Malformed { reason }));
            }
            if wrong {
                let (found, expected) = (starts.last().copied().unwrap_or_default().into(), size as u64);
                return Err(fault(
                    size_at,
                    Kind::Length { what: "the list of vertices".into(), expected, found },
                ));
            }
            self.starts = if starts.is_empty() { vec![0] } else { starts };
            return Ok(());
        }
        let words = match self.values(Some(Scalar::I32), size, "a vertex of a cell")? {
            Scalars::I32(words) => words,
            _ => vec![],
        };
        self.starts = vec![0];
        let mut at = 0;
        for cell in 0..rows {
            let length = words.get(at).copied().unwrap_or(-1);
            let own = usize::try_from(length).ok().and_then(|n| words.get(at + 1..)?.get(..n));
            let Some(own) = own else {
                let reason = format!("the list of vertices of cell {cell} is longer than all lists together");
                return Err(fault(size_at, Kind::Malformed { reason }));
            };
            for &vertex in own {
                self.words.push(u32::try_from(vertex).map_err(|_| {
                    let (element, index) = (format!("cell {cell}"), vertex.into());
                    let count = self.builder.data.positions.len() as u64;
                    fault(start, Kind::OutOfRange { element, what: "vertex", index, count })
                })?);
            }
            at += 1 + own.len();
            self.starts.push(self.words.len() as u32);
        }
        if at != words.len() {
            let (expected, found) = (at as u64, words.len() as u64);
            return Err(fault(size_at, Kind::Length { what: "the list of cells".into(), expected, found }));
        }
        Ok(())
    }

    fn types(&mut self, start: usize) -> Outcome<()> {
        let count = self.at.count_of("types of cells", 1)?;
        let cells = self.starts.len().saturating_sub(1);
        if count != cells || self.builder.elements() > 0 {
            let (expected, found) = (cells as u64, count as u64);
            return Err(fault(start, Kind::Length { what: "the list of types".into(), expected, found }));
        }
        let before = self.at.clone();
        let types = self.values(Some(Scalar::I32), count, "the type of a cell")?;
        for cell in 0..count {
            let number = types.as_f64(cell).unwrap_or(-1.0);
            let binary = self.binary;
            let place = || locate(before.clone(), binary, 4, cell);
            let Some((shape, higher)) = Shape::of_vtk(number as u64).filter(|_| number >= 0.0) else {
                let what = format!("type {number} of cell {cell}");
                return Err(fault(place(), Kind::Unsupported { what }));
            };
            let own = &self.words[self.starts[cell] as usize..self.starts[cell + 1] as usize];
            check_length(shape, higher, own.len(), cell, &place)?;
            self.builder.notes.higher_order += u64::from(higher);
            self.builder.element(shape, own, &place)?;
        }
        Ok(())
    }

    /// An attribute that has a section of its own.
    fn attribute(&mut self, kind: &[u8], start: usize) -> Outcome<()> {
        let (Table::Points(rows) | Table::Cells(rows)) = self.table else {
            return Err(fault(start, Kind::Unexpected { expected: "a section", found: quote(kind) }));
        };
        let name = match kind {
            b"SCALARS"
            | b"COLOR_SCALARS"
            | b"VECTORS"
            | b"NORMALS"
            | b"TENSORS"
            | b"TENSORS6"
            | b"TEXTURE_COORDINATES"
            | b"GLOBAL_IDS"
            | b"PEDIGREE_IDS"
            | b"EDGE_FLAGS" => self.name("the name of an array")?,
            _ => return Err(fault(start, Kind::Unexpected { expected: "a section", found: quote(kind) })),
        };
        let mut width = match kind {
            b"VECTORS" | b"NORMALS" => 3,
            b"TENSORS" => 9,
            b"TENSORS6" => 6,
            b"COLOR_SCALARS" | b"TEXTURE_COORDINATES" => self.at.count_of("numbers per row", 0)?,
            _ => 1,
        };
        let scalar = if kind == b"COLOR_SCALARS" {
            // whole numbers in binary files, from 0 to 1 in text
            Some(if self.binary { Scalar::U8 } else { Scalar::F32 })
        } else {
            self.data_type()?
        };
        if kind == b"SCALARS" {
            let next = self.at.peek_word();
            if next.is_some_and(|word| word.first().is_some_and(u8::is_ascii_digit)) {
                width = self.at.count_of("numbers per row", 0)?;
            }
            if self.at.peek_word().is_some_and(|word| word.eq_ignore_ascii_case(b"LOOKUP_TABLE")) {
                self.at.word();
                let table = self.name("the name of a lookup table")?;
                if table != "default" {
                    self.builder.notes.skip(format!("use of lookup table {table}"));
                }
            }
        }
        self.array(name, width, rows, scalar, start)
    }

    /// Arrays in one section.
    fn field(&mut self) -> Outcome<()> {
        let _ = self.name("the name of a field")?;
        let arrays = self.at.count_of("arrays", 1)?;
        for _ in 0..arrays {
            while self.at.peek_word().is_some_and(|word| word == b"METADATA") {
                self.section()?;
            }
            self.at.next_word();
            let name_at = self.at.pos;
            let name = self.name("the name of an array")?;
            let width = self.at.count_of("numbers per row", 0)?;
            let rows = self.at.count_of("rows", 0)?;
            if self.at.peek_word().is_some_and(|word| word.eq_ignore_ascii_case(b"string")) {
                let what = format!("the array {name:?} of texts");
                return Err(fault(self.at.pos, Kind::Unsupported { what }));
            }
            let scalar = self.data_type()?;
            self.array(name, width, rows, scalar, name_at)?;
        }
        Ok(())
    }

    fn array(
        &mut self,
        name: String,
        width: usize,
        rows: usize,
        scalar: Option<Scalar>,
        offset: usize,
    ) -> Outcome<()> {
        let scalars = self.values(scalar, width.saturating_mul(rows), "a number of an array")?;
        let array = DataArray { name, width, scalars };
        match self.table {
            Table::Grid if regions::is_one(&array.name) && width == 1 => self.regions.push(array),
            Table::Grid => self.builder.notes.skip(format!("data {:?} of the grid", array.name)),
            Table::Points(_) => self.builder.of_points(array, offset)?,
            Table::Cells(_) => self.builder.of_elements(array, offset)?,
        }
        Ok(())
    }

    fn name(&mut self, what: &'static str) -> Outcome<String> {
        self.at.needed(what).map(|(_, name)| decoded(name))
    }

    /// A type; `None` for bits.
    fn data_type(&mut self) -> Outcome<Option<Scalar>> {
        let (start, name) = self.at.needed("the type of an array")?;
        match scalar(name) {
            None if name.eq_ignore_ascii_case(b"bit") => Ok(None),
            None => Err(fault(start, Kind::Unsupported { what: format!("type {}", quote(name)) })),
            some => Ok(some),
        }
    }

    /// Indices with their type before them.
    fn indices(&mut self, count: usize, what: &'static str) -> Outcome<Vec<u32>> {
        let scalar = self.data_type()?;
        let start = self.at.pos;
        let values = self.values(scalar, count, what)?;
        indices(&values, what, start)
    }

    /// Numbers of a type, or bits, behind the line that announces them.
    fn values(&mut self, scalar: Option<Scalar>, count: usize, what: &'static str) -> Outcome<Scalars> {
        if !self.binary {
            return self.at.numbers(scalar.unwrap_or(Scalar::U8), count, what);
        }
        self.at.line();
        let Some(scalar) = scalar else {
            let bytes = self.at.bytes(count.div_ceil(8), what)?;
            return Ok(Scalars::U8((0..count).map(|i| bytes[i / 8] >> (7 - i % 8) & 1).collect()));
        };
        self.at.binary(scalar, count, Order::Big, what)
    }

    fn finish(mut self) -> Outcome<(VolumeData, VolumeNotes)> {
        if self.has_cells && self.starts.len() != self.builder.elements() + 1 {
            let what = "the list of types of cells".into();
            return Err(ribbonmesh_io::core::fault_of_file(Kind::Absent { what }));
        }
        regions::take(&self.regions, &mut self.builder.data, &mut self.builder.notes);
        self.builder.finish()
    }
}

/// The offset of value `i` after a cursor.
fn locate(mut at: Cursor<'_>, binary: bool, size: usize, i: usize) -> usize {
    if binary {
        at.line();
        return at.pos + size * i;
    }
    for _ in 0..i {
        at.word();
    }
    at.next_word();
    at.pos
}

/// Refuses an element whose number of nodes does not fit its kind.
pub(crate) fn check_length(
    shape: Shape,
    higher: bool,
    found: usize,
    cell: usize,
    offset: &dyn Fn() -> usize,
) -> Outcome<()> {
    match shape.corners() {
        Some(expected) if (found != expected && !higher) || found < expected => {
            let what = format!("the list of vertices of cell {cell}");
            let (expected, found) = (expected as u64, found as u64);
            Err(fault(offset(), Kind::Length { what, expected, found }))
        }
        _ => Ok(()),
    }
}
