//! The structure of a VTU file: what arrays there are, and where.

use ribbonmesh_io::{
    ReadErrorKind as Kind,
    core::{Order, Outcome, fault, fault_of_file},
};
use ribbonmesh_mesh::Scalar;

use super::xml::{Event, Tag, Xml};
use crate::{VolumeNotes, regions};

/// The place of the numbers of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Storage {
    /// As text between two offsets.
    Ascii(usize, usize),
    /// In base64 between two offsets.
    Inline(usize, usize),
    /// At this offset in bytes or digits from the beginning of the appended data.
    Appended(u64),
}

/// An array.
#[derive(Debug, Clone)]
pub(super) struct Array {
    pub name: String,
    pub scalar: Scalar,
    pub width: usize,
    pub storage: Storage,
    /// The offset of its element.
    pub at: usize,
}

/// A part of the grid.
#[derive(Debug, Default)]
pub(super) struct Piece {
    pub points: u64,
    pub cells: u64,
    pub at: usize,
    pub positions: Vec<Array>,
    pub topology: Vec<Array>,
    pub point_data: Vec<Array>,
    pub cell_data: Vec<Array>,
}

/// The compression of blocks of data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compressor {
    Zlib,
    /// Blocks without a frame.
    Lz4,
    /// Streams of the format xz.
    Lzma,
}

/// A whole file.
pub(super) struct Document {
    pub pieces: Vec<Piece>,
    pub order: Order,
    /// Bytes of a number in the headers of arrays.
    pub header: usize,
    pub compressor: Option<Compressor>,
    /// The offset of appended data, and whether they are in base64.
    pub appended: Option<(usize, bool)>,
    /// Arrays of the grid that have the names of regions.
    pub regions: Vec<Array>,
}

/// Finds out what arrays there are.
pub(super) fn structure(bytes: &[u8], notes: &mut VolumeNotes) -> Outcome<Document> {
    let (pieces, order) = (vec![], Order::Little);
    let regions = vec![];
    let mut document = Document { pieces, order, header: 4, compressor: None, appended: None, regions };
    let mut xml = Xml::new(bytes);
    let mut array: Option<(Array, bool)> = None;
    let mut seen = false;
    loop {
        match xml.next()? {
            Event::End => break,
            Event::Close => {
                if let Some((done, _)) = array.take_if(|_| !xml.is_in("DataArray")) {
                    document.add(done, xml.around(), notes);
                }
            }
            Event::Text(start, end) => {
                // an array may have elements in it, such as its range
                if let Some((array, empty)) = &mut array
                    && *empty
                    && xml.around() == "DataArray"
                {
                    *empty = false;
                    match &mut array.storage {
                        Storage::Ascii(from, to) | Storage::Inline(from, to) => (*from, *to) = (start, end),
                        Storage::Appended(_) => {}
                    }
                }
            }
            Event::Open(tag) => match tag.name.as_str() {
                "VTKFile" => {
                    document.head(&tag)?;
                    seen = true;
                }
                "Piece" => {
                    let (points, cells) = (tag.number("NumberOfPoints")?, tag.number("NumberOfCells")?);
                    document.pieces.push(Piece { points, cells, at: tag.at, ..Piece::default() });
                }
                "DataArray" => {
                    let found = data_array(&tag, xml.pos(), notes)?;
                    match found {
                        Some(found) if tag.empty => document.add(found, xml.around(), notes),
                        Some(found) => array = Some((found, true)),
                        None => {}
                    }
                }
                "Array" => notes.skip(format!("array {:?}", tag.get("Name").unwrap_or_default())),
                "AppendedData" => {
                    let raw = match tag.get("encoding") {
                        Some("raw") => true,
                        Some("base64") => false,
                        other => {
                            let what =
                                format!("the encoding {:?} of appended data", other.unwrap_or_default());
                            return Err(fault(tag.at, Kind::Unsupported { what }));
                        }
                    };
                    let rest = &bytes[xml.pos()..];
                    let Some(mark) =
                        memchr::memchr(b'_', rest).filter(|&at| rest[..at].trim_ascii().is_empty())
                    else {
                        let (expected, found) = ("an underscore", String::new());
                        return Err(fault(xml.pos(), Kind::Unexpected { expected, found }));
                    };
                    document.appended = Some((xml.pos() + mark + 1, !raw));
                    break;
                }
                _ => {}
            },
        }
    }
    if !seen {
        return Err(fault_of_file(Kind::Absent { what: "the element VTKFile".into() }));
    }
    Ok(document)
}

impl Document {
    fn head(&mut self, tag: &Tag) -> Outcome<()> {
        let unsupported = |what: String| Err(fault(tag.at, Kind::Unsupported { what }));
        match tag.get("type") {
            Some("UnstructuredGrid") => {}
            other => return unsupported(format!("a VTK file of type {:?}", other.unwrap_or_default())),
        }
        self.order = match tag.get("byte_order") {
            None | Some("LittleEndian") => Order::Little,
            Some("BigEndian") => Order::Big,
            Some(other) => return unsupported(format!("the byte order {other:?}")),
        };
        self.header = match tag.get("header_type") {
            None | Some("UInt32") => 4,
            Some("UInt64") => 8,
            Some(other) => return unsupported(format!("the header type {other:?}")),
        };
        self.compressor = match tag.get("compressor") {
            None | Some("") => None,
            Some("vtkZLibDataCompressor") => Some(Compressor::Zlib),
            Some("vtkLZ4DataCompressor") => Some(Compressor::Lz4),
            Some("vtkLZMADataCompressor") => Some(Compressor::Lzma),
            Some(other) => return unsupported(format!("data compressed by {other}")),
        };
        Ok(())
    }

    /// Puts an array where the elements around it say.
    fn add(&mut self, array: Array, around: &str, notes: &mut VolumeNotes) {
        let list = self.pieces.last_mut().and_then(|piece| match around {
            "Points" => Some(&mut piece.positions),
            "Cells" => Some(&mut piece.topology),
            "PointData" => Some(&mut piece.point_data),
            "CellData" => Some(&mut piece.cell_data),
            _ => None,
        });
        match list {
            _ if around == "FieldData" && regions::is_one(&array.name) => self.regions.push(array),
            Some(list) => list.push(array),
            None => notes.skip(format!("{around} {:?}", array.name)),
        }
    }
}

/// An array by its element; `None` for texts.
fn data_array(tag: &Tag, pos: usize, notes: &mut VolumeNotes) -> Outcome<Option<Array>> {
    let name = tag.get("Name").unwrap_or_default().to_owned();
    let scalar = match tag.get("type").unwrap_or_default() {
        "Int8" => Scalar::I8,
        "UInt8" => Scalar::U8,
        "Int16" => Scalar::I16,
        "UInt16" => Scalar::U16,
        "Int32" => Scalar::I32,
        "UInt32" => Scalar::U32,
        "Int64" => Scalar::I64,
        "UInt64" => Scalar::U64,
        "Float32" => Scalar::F32,
        "Float64" => Scalar::F64,
        // texts are bytes
        "String" if name == regions::NAME => Scalar::U8,
        "String" => {
            notes.skip(format!("array {name:?}"));
            return Ok(None);
        }
        other => return Err(fault(tag.at, Kind::Unsupported { what: format!("type {other:?}") })),
    };
    let width = match tag.get("NumberOfComponents") {
        None => 1,
        Some(_) => tag.number("NumberOfComponents")?.max(1),
    };
    let Ok(width) = u32::try_from(width) else {
        let (what, text) = ("a number of components", width.to_string());
        return Err(fault(tag.at, Kind::NotANumber { what, text }));
    };
    let storage = match tag.get("format").unwrap_or("ascii") {
        "ascii" => Storage::Ascii(pos, pos),
        "binary" => Storage::Inline(pos, pos),
        "appended" => Storage::Appended(tag.number("offset")?),
        other => return Err(fault(tag.at, Kind::Unsupported { what: format!("the format {other:?}") })),
    };
    Ok(Some(Array { name, scalar, width: width as usize, storage, at: tag.at }))
}
