//! A cursor over a text file.

use glam::DVec3;
use ribbonmesh_mesh::{Number, Scalar, Scalars};

use crate::{Notes, ReadErrorKind, decimal::Decimals};

/// An error at a byte offset, before the file's name and line are known.
#[derive(Debug)]
pub(crate) struct Fault {
    /// Offset of the byte at fault; `None` if the file as a whole is at fault.
    pub offset: Option<usize>,
    /// The error there.
    pub kind: ReadErrorKind,
}

pub(crate) type Outcome<T> = Result<T, Box<Fault>>;

/// An error at a byte offset.
#[cold]
pub(crate) fn fault(offset: usize, kind: ReadErrorKind) -> Box<Fault> {
    Box::new(Fault { offset: Some(offset), kind })
}

/// An error of the file as a whole.
#[cold]
pub(crate) fn fault_of_file(kind: ReadErrorKind) -> Box<Fault> {
    Box::new(Fault { offset: None, kind })
}

/// Longest piece of a file that an error message quotes, in bytes.
const QUOTE: usize = 40;

/// Part of the file that an error message quotes.
pub(crate) fn quote(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(QUOTE)]).into_owned()
}

/// The line, counted from 1, that holds a byte. Files whose lines end in a lone carriage return are counted
/// too.
pub(crate) fn line_of(bytes: &[u8], offset: usize) -> u64 {
    let end = if memchr::memchr(b'\n', bytes).is_some() { b'\n' } else { b'\r' };
    1 + memchr::memchr_iter(end, &bytes[..offset.min(bytes.len())]).count() as u64
}

/// A cursor over a text file of lines and blank-separated tokens. Lines end in `\n`, `\r\n` or `\r`.
pub(crate) struct Text<'a> {
    bytes: &'a [u8],
    /// Offset of the next byte.
    pub pos: usize,
    /// Whether `#` begins a comment.
    comments: bool,
    /// Whether a backslash at the end of a line joins it to the next.
    continues: bool,
    /// Whether a number that is not on this line may be on a later one.
    pub free: bool,
    /// The precision in which coordinates are read, and whether one so far needs double precision.
    pub decimals: Decimals,
}

impl<'a> Text<'a> {
    pub fn new(bytes: &'a [u8], pos: usize, comments: bool, continues: bool) -> Self {
        Self { bytes, pos, comments, continues, free: false, decimals: Decimals::Double }
    }

    /// The cursor that reads coordinates that way; a new one reads them in double precision.
    pub fn with(self, decimals: Decimals) -> Self {
        Self { decimals, ..self }
    }

    #[inline(always)]
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.pos).copied()
    }

    /// True after the last byte.
    #[inline(always)]
    pub fn at_end(&self) -> bool {
        self.pos >= self.bytes.len()
    }

    /// The bytes that are left.
    pub fn rest(&self) -> &'a [u8] {
        &self.bytes[self.pos.min(self.bytes.len())..]
    }

    /// The bytes from an offset to the cursor.
    pub fn between(&self, start: usize) -> &'a [u8] {
        &self.bytes[start..self.pos]
    }

    /// The bytes from the cursor to the next blank or line end.
    pub fn rest_of_word(&self) -> &'a [u8] {
        let rest = self.rest();
        &rest[..rest.iter().position(|byte| byte.is_ascii_whitespace()).unwrap_or(rest.len())]
    }

    /// The word that ends at the cursor.
    pub fn before(&self) -> &'a [u8] {
        let read = &self.bytes[..self.pos];
        let start = read.iter().rposition(u8::is_ascii_whitespace).map_or(0, |blank| blank + 1);
        &read[start..]
    }

    /// Length of the line continuation at the cursor, 0 where there is none.
    #[cold]
    fn continuation(&self) -> usize {
        match self.rest() {
            [b'\\', b'\r', b'\n', ..] if self.continues => 3,
            [b'\\', b'\n' | b'\r', ..] if self.continues => 2,
            _ => 0,
        }
    }

    /// Passes over blanks within a line.
    #[inline(always)]
    pub fn skip_blanks(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t') => self.pos += 1,
                Some(b'\\') => match self.continuation() {
                    0 => return,
                    length => self.pos += length,
                },
                _ => return,
            }
        }
    }

    /// Passes over blanks, and returns whether the line, except for a comment, ends there.
    #[inline(always)]
    pub fn line_ends(&mut self) -> bool {
        self.skip_blanks();
        match self.peek() {
            None | Some(b'\n' | b'\r') => true,
            Some(b'#') => self.comments,
            _ => false,
        }
    }

    /// Passes over blanks, and says whether no number follows: on this line, or where lines do not count, at
    /// all.
    #[inline(always)]
    fn ends(&mut self) -> bool {
        self.line_ends() && !(self.free && self.next_line())
    }

    /// Passes over the rest of the line and its end.
    pub fn skip_line(&mut self) {
        let commented = self.comments && self.peek() == Some(b'#');
        while let Some(end) = memchr::memchr2(b'\n', b'\r', self.rest()) {
            let continued = end > 0 && self.rest()[end - 1] == b'\\' && self.continues && !commented;
            self.pos += end + 1;
            if self.bytes[self.pos - 1] == b'\r' && self.peek() == Some(b'\n') {
                self.pos += 1;
            }
            if !continued {
                return;
            }
        }
        self.pos = self.bytes.len();
    }

    /// Passes over blank lines and comments to the next token; false at the end of the file.
    #[inline(always)]
    pub fn next_line(&mut self) -> bool {
        loop {
            self.skip_blanks();
            match self.peek() {
                None => return false,
                Some(b'\n' | b'\r') => self.pos += 1,
                Some(b'#') if self.comments => self.skip_line(),
                Some(_) => return true,
            }
        }
    }

    /// The bytes up to the next blank or line end.
    pub fn token(&mut self) -> &'a [u8] {
        let rest = self.rest();
        let length = rest.iter().position(|byte| byte.is_ascii_whitespace()).unwrap_or(rest.len());
        self.pos += length;
        &rest[..length]
    }

    /// The words that are left on this line, with one blank between them; the cursor stays before the line's
    /// end.
    pub fn words(&mut self) -> Vec<u8> {
        let mut words = Vec::new();
        while !self.line_ends() {
            let word = self.token();
            if word.is_empty() {
                // blanks that do not separate words elsewhere, such as form feeds
                self.pos += 1;
                continue;
            }
            if !words.is_empty() {
                words.push(b' ');
            }
            words.extend_from_slice(word);
        }
        words
    }

    /// Error, at the cursor: the line or the file ends too early.
    #[cold]
    pub fn too_short(&self, what: &'static str) -> Box<Fault> {
        let kind = if self.at_end() {
            ReadErrorKind::Truncated { what }
        } else {
            ReadErrorKind::LineTooShort { what }
        };
        fault(self.pos.min(self.bytes.len()), kind)
    }

    /// Error, at the cursor: not a number, or not finite.
    #[cold]
    fn bad_number(&self, what: &'static str) -> Box<Fault> {
        let mut ahead = Text::new(self.bytes, self.pos, self.comments, self.continues);
        let token = ahead.token();
        let number = lexical_core::parse::<f64>(token).is_ok() || is_not_finite(token);
        let text = quote(token);
        let kind = if number && what == COORDINATE {
            ReadErrorKind::NotFinite { text }
        } else {
            ReadErrorKind::NotANumber { what, text }
        };
        fault(self.pos, kind)
    }

    /// Whether a token may end at an offset.
    #[inline(always)]
    fn token_ends(&self, offset: usize) -> bool {
        match self.bytes.get(offset) {
            None | Some(b' ' | b'\n' | b'\r' | b'\t') => true,
            Some(b'\\') => self.continues,
            Some(_) => false,
        }
    }

    /// Whether a token may end at the cursor.
    #[inline(always)]
    pub fn token_ends_here(&self) -> bool {
        self.token_ends(self.pos)
    }

    /// Passes over one byte if it is the given one.
    pub fn take(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.pos += usize::from(there);
        there
    }

    /// Reads a coordinate on this line that is finite in single precision, too, as [`Text::decimals`] says.
    #[inline(always)]
    pub fn coordinate(&mut self) -> Outcome<f64> {
        if self.ends() {
            return Err(self.too_short(COORDINATE));
        }
        match lexical_core::parse_partial::<f64>(&self.bytes[self.pos..]) {
            Ok((value, length)) if (value as f32).is_finite() && self.token_ends(self.pos + length) => {
                let value = self.decimals.round(value, &self.bytes[self.pos..self.pos + length]);
                self.pos += length;
                Ok(value)
            }
            _ => Err(self.bad_number(COORDINATE)),
        }
    }

    /// Reads a coordinate on this line, in double precision or rounded to single.
    #[inline(always)]
    pub fn coordinate_of(&mut self, double: bool) -> Outcome<f64> {
        if double {
            return self.coordinate();
        }
        if self.ends() {
            return Err(self.too_short(COORDINATE));
        }
        match lexical_core::parse_partial::<f32>(&self.bytes[self.pos..]) {
            Ok((value, length)) if value.is_finite() && self.token_ends(self.pos + length) => {
                self.pos += length;
                Ok(value.into())
            }
            _ => Err(self.bad_number(COORDINATE)),
        }
    }

    /// Reads a number and appends it. A whole number may be written with a point.
    pub fn push_number(&mut self, scalars: &mut Scalars, what: &'static str) -> Outcome<()> {
        macro_rules! push {
            ($($variant:ident)*) => {
                match scalars {
                    $(Scalars::$variant(values) => values.push(self.whole(what)?),)*
                    Scalars::F32(values) => values.push(self.number(what)?),
                    Scalars::F64(values) => values.push(self.number(what)?),
                }
            };
        }
        push!(U8 I8 U16 I16 U32 I32 U64 I64);
        Ok(())
    }

    fn whole<N>(&mut self, what: &'static str) -> Outcome<N>
    where
        N: lexical_core::FromLexical + Number + TryFrom<i64>,
    {
        let start = self.pos;
        if let Ok(value) = self.number(what) {
            return Ok(value);
        }
        self.pos = start;
        let float: f64 = self.number(what)?;
        let exact = float == float.trunc() && float.abs() < 9e15 && N::SCALAR != Scalar::F32;
        let value = if exact { N::try_from(float as i64).ok() } else { None };
        value.ok_or_else(|| {
            self.pos = start;
            self.skip_blanks();
            self.bad_number(what)
        })
    }

    /// Reads a number of any kind, infinite ones included, rounded to the type's bits.
    pub fn number<N: lexical_core::FromLexical>(&mut self, what: &'static str) -> Outcome<N> {
        if self.ends() {
            return Err(self.too_short(what));
        }
        match lexical_core::parse_partial::<N>(&self.bytes[self.pos..]) {
            Ok((value, length)) if self.token_ends(self.pos + length) => {
                self.pos += length;
                Ok(value)
            }
            _ => self.odd_number(what),
        }
    }

    /// Reads the words that C libraries print for a number that is not finite, as NaN.
    #[cold]
    fn odd_number<N: lexical_core::FromLexical>(&mut self, what: &'static str) -> Outcome<N> {
        let start = self.pos;
        match lexical_core::parse::<N>(b"nan") {
            Ok(nan) if is_not_finite(self.token()) => Ok(nan),
            _ => {
                self.pos = start;
                Err(self.bad_number(what))
            }
        }
    }

    /// Reads the three coordinates of a position on this line. One that is not finite is noted.
    #[inline(always)]
    pub fn position(&mut self, notes: &mut Notes) -> Outcome<DVec3> {
        self.skip_blanks();
        let start = self.pos;
        let mut read = || Ok(DVec3::new(self.coordinate()?, self.coordinate()?, self.coordinate()?));
        match read() {
            Ok(position) => Ok(position),
            Err(fault) => self.not_finite(start, fault, notes),
        }
    }

    /// Passes over a position that is not finite, from `start` on.
    #[cold]
    fn not_finite(&mut self, start: usize, fault: Box<Fault>, notes: &mut Notes) -> Outcome<DVec3> {
        notes.leave_out(fault)?;
        self.pos = start;
        for _ in 0..3 {
            self.number::<f64>(COORDINATE)?;
        }
        Ok(DVec3::NAN)
    }

    /// Passes over a number of any kind, infinite ones included.
    pub fn skip_number(&mut self, what: &'static str) -> Outcome<()> {
        if self.ends() {
            return Err(self.too_short(what));
        }
        match lexical_core::parse_partial::<f64>(&self.bytes[self.pos..]) {
            Ok((_, length)) if self.token_ends(self.pos + length) => {
                self.pos += length;
                Ok(())
            }
            _ => self.odd_number::<f64>(what).map(drop),
        }
    }

    /// Reads an integer, up to the first byte that is not a digit.
    #[inline(always)]
    pub fn integer_part(&mut self, what: &'static str) -> Outcome<i64> {
        match lexical_core::parse_partial::<i64>(&self.bytes[self.pos..]) {
            Ok((value, length)) if length > 0 => {
                self.pos += length;
                Ok(value)
            }
            _ => Err(self.bad_number(what)),
        }
    }

    /// Reads an integer on this line.
    #[inline(always)]
    pub fn integer(&mut self, what: &'static str) -> Outcome<i64> {
        if self.ends() {
            return Err(self.too_short(what));
        }
        let start = self.pos;
        let value = self.integer_part(what)?;
        if !self.token_ends(self.pos) {
            self.pos = start;
            return Err(self.bad_number(what));
        }
        Ok(value)
    }

    /// Reads a count on this line, which is not negative.
    #[inline(always)]
    pub fn count(&mut self, what: &'static str) -> Outcome<u64> {
        _ = self.ends();
        let start = self.pos;
        u64::try_from(self.integer(what)?).map_err(|_| {
            self.pos = start;
            self.bad_number(what)
        })
    }
}

/// Whether a word is one that a C library prints for a number that is not finite: `nan`, `-nan(ind)`,
/// `1.#IND`, `inf`.
fn is_not_finite(word: &[u8]) -> bool {
    let word = word.strip_prefix(b"-").or(word.strip_prefix(b"+")).unwrap_or(word).to_ascii_lowercase();
    let tail = |prefix: &[u8]| word.strip_prefix(prefix);
    let words: [&[u8]; 6] = [b"nan", b"inf", b"infinity", b"nanq", b"nans", b"qnan"];
    words.contains(&&*word)
        || tail(b"nan(").is_some_and(|rest| rest.ends_with(b")"))
        || tail(b"1.#").is_some_and(|rest| {
            let rest = rest.trim_ascii_end();
            [&b"ind"[..], b"inf", b"qnan", b"snan", b"io", b"qo", b"j"]
                .iter()
                .any(|kind| rest.starts_with(kind))
        })
}

/// Name of a coordinate in messages.
const COORDINATE: &str = "a coordinate";
