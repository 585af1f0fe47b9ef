//! The part of XML that VTU files need: elements, attributes, text. Document types are refused, so that
//! entities cannot grow.

use ribbonmesh_io::{
    ReadErrorKind as Kind,
    core::{Outcome, fault, quote},
};

/// A piece of a document.
pub(super) enum Event<'a> {
    /// The beginning of an element.
    Open(Tag<'a>),
    /// The end of an element.
    Close,
    /// Text from one offset to another, with neither blanks around it nor entities resolved.
    Text(usize, usize),
    /// The end of the document.
    End,
}

/// The beginning of an element.
pub(super) struct Tag<'a> {
    pub name: &'a str,
    attributes: Vec<(&'a str, String)>,
    /// Whether it ends at once.
    pub empty: bool,
    /// The offset at which it begins.
    pub at: usize,
}

impl Tag<'_> {
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
    pub pos: usize,
    open: Vec<&'a str>,
}

impl<'a> Xml<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, pos: 0, open: vec![] }
    }

    /// Names of the elements that are open, outermost first.
    pub fn path(&self) -> &[&'a str] {
        &self.open
    }

    fn damaged<T>(&self, at: usize, reason: &str) -> Outcome<T> {
        Err(fault(at, Kind::Malformed { reason: format!("not well-formed XML: {reason}") }))
    }

    fn find(&self, end: &[u8], from: usize) -> Outcome<usize> {
        let rest = self.bytes.get(from..).unwrap_or_default();
        let found = memchr::memmem::find(rest, end).map(|at| from + at);
        found.ok_or_else(|| fault(self.bytes.len(), Kind::Truncated { what: "the end of an XML element" }))
    }

    /// The next piece.
    pub fn next(&mut self) -> Outcome<Event<'a>> {
        loop {
            let rest = &self.bytes[self.pos..];
            let Some(blanks) = rest.iter().position(|byte| !byte.is_ascii_whitespace()) else {
                self.pos = self.bytes.len();
                return match self.open.last() {
                    None => Ok(Event::End),
                    Some(_) => Err(fault(self.pos, Kind::Truncated { what: "the end of an XML element" })),
                };
            };
            let start = self.pos + blanks;
            let rest = &self.bytes[start..];
            if rest.starts_with(b"<?") {
                self.pos = self.find(b"?>", start)? + 2;
            } else if rest.starts_with(b"<!--") {
                self.pos = self.find(b"-->", start + 4)? + 3;
            } else if rest.starts_with(b"<!") {
                let what = "XML with a document type or with CDATA".into();
                return Err(fault(start, Kind::Unsupported { what }));
            } else if rest.starts_with(b"</") {
                return self.close(start);
            } else if rest.starts_with(b"<") {
                return self.tag(start).map(Event::Open);
            } else if self.open.is_empty() {
                return self.damaged(start, "text outside of all elements");
            } else {
                let end = start + memchr::memchr(b'<', rest).unwrap_or(rest.len());
                self.pos = end;
                let blanks = self.bytes[start..end].trim_ascii_end().len();
                return Ok(Event::Text(start, start + blanks));
            }
        }
    }

    fn close(&mut self, start: usize) -> Outcome<Event<'a>> {
        let end = self.find(b">", start)?;
        let name = self.bytes[start + 2..end].trim_ascii();
        match self.open.pop() {
            Some(open) if open.as_bytes() == name => {
                self.pos = end + 1;
                Ok(Event::Close)
            }
            Some(open) => self.damaged(start, &format!("{open} ends as {}", quote(name))),
            None => self.damaged(start, &format!("{} ends without having begun", quote(name))),
        }
    }

    fn tag(&mut self, start: usize) -> Outcome<Tag<'a>> {
        let mut at = start + 1;
        let name = self.name(&mut at)?;
        let mut attributes: Vec<(&str, String)> = vec![];
        loop {
            self.blanks(&mut at);
            match self.bytes.get(at..).unwrap_or_default() {
                [b'>', ..] => {
                    if self.open.len() >= DEPTH {
                        return self.damaged(start, "too many elements inside each other");
                    }
                    self.open.push(name);
                    self.pos = at + 1;
                    return Ok(Tag { name, attributes, empty: false, at: start });
                }
                [b'/', b'>', ..] => {
                    self.pos = at + 2;
                    return Ok(Tag { name, attributes, empty: true, at: start });
                }
                [] => return Err(fault(at, Kind::Truncated { what: "the end of an XML element" })),
                _ => {}
            }
            let key_at = at;
            let key = self.name(&mut at)?;
            self.blanks(&mut at);
            if self.bytes.get(at) != Some(&b'=') {
                return self.damaged(at, &format!("attribute {key} has no value"));
            }
            at += 1;
            self.blanks(&mut at);
            let Some(&quotes @ (b'"' | b'\'')) = self.bytes.get(at) else {
                return self.damaged(at, &format!("the value of attribute {key} has no quotes"));
            };
            let end = self.find(&[quotes], at + 1)?;
            let value = self.unescaped(at + 1, end)?;
            if attributes.iter().any(|(known, _)| *known == key) {
                return self.damaged(key_at, &format!("attribute {key} occurs twice"));
            }
            attributes.push((key, value));
            at = end + 1;
        }
    }

    fn blanks(&self, at: &mut usize) {
        while self.bytes.get(*at).is_some_and(u8::is_ascii_whitespace) {
            *at += 1;
        }
    }

    fn name(&self, at: &mut usize) -> Outcome<&'a str> {
        let rest = &self.bytes[*at..];
        let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'=' | b'>' | b'/' | b'<' | b'"');
        let length = rest.iter().position(ends).unwrap_or(rest.len());
        match std::str::from_utf8(&rest[..length]) {
            Ok(name) if !name.is_empty() => {
                *at += length;
                Ok(name)
            }
            _ => self.damaged(*at, "a name is expected"),
        }
    }

    /// The text of an attribute, with the five named entities and numeric character references resolved.
    fn unescaped(&self, start: usize, end: usize) -> Outcome<String> {
        let Ok(mut rest) = std::str::from_utf8(&self.bytes[start..end]) else {
            return self.damaged(start, "an attribute is not UTF-8");
        };
        let mut text = String::with_capacity(rest.len());
        while let Some(at) = rest.find('&') {
            text += &rest[..at];
            let entity = rest[at + 1..].split_once(';').map(|(entity, after)| {
                rest = after;
                entity
            });
            let by_number = |digits: &str| {
                let code = match digits.strip_prefix('x') {
                    Some(digits) => u32::from_str_radix(digits, 16).ok(),
                    None => digits.parse().ok(),
                };
                code.and_then(char::from_u32)
            };
            let character = match entity {
                Some("amp") => Some('&'),
                Some("lt") => Some('<'),
                Some("gt") => Some('>'),
                Some("quot") => Some('"'),
                Some("apos") => Some('\''),
                Some(entity) => entity.strip_prefix('#').and_then(by_number),
                None => None,
            };
            match character {
                Some(character) => text.push(character),
                None => return self.damaged(start, "an unknown entity"),
            }
        }
        Ok(text + rest)
    }
}

/// Text as the value of an attribute.
pub(super) fn escaped(text: &str) -> String {
    let mut to = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => to += "&amp;",
            '<' => to += "&lt;",
            '>' => to += "&gt;",
            '"' => to += "&quot;",
            control if control.is_control() => to += &format!("&#{};", u32::from(control)),
            other => to.push(other),
        }
    }
    to
}
