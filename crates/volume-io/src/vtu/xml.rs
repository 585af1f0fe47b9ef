//! The part of XML that VTU files need: elements, attributes, text. Document types are refused, so that
//! entities cannot grow.

use std::fmt::{Display, Write};

use quick_xml::{
    Reader, XmlVersion, escape,
    events::{BytesStart, Event as Piece},
};
use ribbonmesh_io::{
    ReadErrorKind as Kind,
    core::{Fault, Outcome, fault, quote},
};

/// A piece of a document.
pub(super) enum Event {
    /// The beginning of an element.
    Open(Tag),
    /// The end of an element.
    Close,
    /// Text from one offset to another, without blanks around it.
    Text(usize, usize),
    /// The end of the document.
    End,
}

/// The beginning of an element.
pub(super) struct Tag {
    pub name: String,
    attributes: Vec<(String, String)>,
    /// Whether it ends at once.
    pub empty: bool,
    /// The offset at which it begins.
    pub at: usize,
}

impl Tag {
    fn new(tag: &BytesStart<'_>, empty: bool, at: usize) -> Outcome<Self> {
        let mut attributes = vec![];
        for attribute in tag.attributes() {
            let attribute = attribute.map_err(|error| damaged(at, error))?;
            let value = attribute.normalized_value(XmlVersion::default());
            let value = value.map_err(|error| damaged(at, error))?;
            attributes.push((attribute.key.as_ref().to_owned(), value.into_owned()));
        }
        Ok(Self { name: tag.name().as_ref().to_owned(), attributes, empty, at })
    }

    /// The value of an attribute.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    /// The value of an attribute that must be there, as a whole number.
    pub fn number(&self, name: &'static str) -> Outcome<u64> {
        let Some(text) = self.get(name) else {
            let what = format!("attribute {name} of {}", self.name);
            return Err(fault(self.at, Kind::Absent { what }));
        };
        text.trim()
            .parse()
            .map_err(|_| fault(self.at, Kind::NotANumber { what: name, text: quote(text.as_bytes()) }))
    }
}

/// Most elements inside each other.
const DEPTH: usize = 64;

/// Goes through a document.
pub(super) struct Xml<'a> {
    bytes: &'a [u8],
    reader: Reader<&'a [u8]>,
    open: Vec<String>,
}

impl<'a> Xml<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, reader: Reader::from_reader(bytes), open: vec![] }
    }

    /// The offset behind the last piece; the reader's own one leaves out a byte-order mark.
    pub fn pos(&self) -> usize {
        self.bytes.len() - self.reader.get_ref().len()
    }

    /// The name of the innermost element that is open.
    pub fn around(&self) -> &str {
        self.open.last().map_or("", String::as_str)
    }

    /// Whether an element of that name is open.
    pub fn is_in(&self, name: &str) -> bool {
        self.open.iter().any(|open| open == name)
    }

    /// The next piece.
    pub fn next(&mut self) -> Outcome<Event> {
        loop {
            let start = self.pos();
            match self.reader.read_event().map_err(|error| damaged(start, error))? {
                Piece::Start(tag) => {
                    if self.open.len() >= DEPTH {
                        return Err(damaged(start, "too many elements inside each other"));
                    }
                    let tag = Tag::new(&tag, false, start)?;
                    self.open.push(tag.name.clone());
                    return Ok(Event::Open(tag));
                }
                Piece::Empty(tag) => return Tag::new(&tag, true, start).map(Event::Open),
                Piece::End(_) => {
                    self.open.pop();
                    return Ok(Event::Close);
                }
                Piece::Text(_) => {
                    let text = &self.bytes[start..self.pos()];
                    let (from, length) = (text.trim_ascii_start().len(), text.trim_ascii().len());
                    if length > 0 && self.open.is_empty() {
                        return Err(damaged(start, "text outside of all elements"));
                    }
                    if length > 0 {
                        let start = self.pos() - from;
                        return Ok(Event::Text(start, start + length));
                    }
                }
                Piece::Eof if self.open.is_empty() => return Ok(Event::End),
                Piece::Eof => {
                    return Err(fault(start, Kind::Truncated { what: "the end of an XML element" }));
                }
                Piece::DocType(_) | Piece::CData(_) => {
                    let what = "XML with a document type or with CDATA".into();
                    return Err(fault(start, Kind::Unsupported { what }));
                }
                Piece::GeneralRef(_) if self.around() == "DataArray" => {
                    let (expected, found) = ("a number of an array", "&".into());
                    return Err(fault(start, Kind::Unexpected { expected, found }));
                }
                Piece::Comment(_) | Piece::Decl(_) | Piece::PI(_) | Piece::GeneralRef(_) => {}
            }
        }
    }
}

/// An error of the XML.
#[cold]
fn damaged(at: usize, reason: impl Display) -> Box<Fault> {
    fault(at, Kind::Malformed { reason: format!("XML: {reason}") })
}

/// Text as the value of an attribute; readers would make blanks of line ends and tabs.
pub(crate) fn escaped(text: &str) -> String {
    let mut to = String::with_capacity(text.len());
    for character in escape::escape(text).chars() {
        if character.is_control() {
            // a `String` takes all text
            _ = write!(to, "&#{};", u32::from(character));
        } else {
            to.push(character);
        }
    }
    to
}
