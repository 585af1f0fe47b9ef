//! A cursor over the bytes of a file: lines, words, numbers as text and as bytes.

use std::borrow::Cow;

use glam::DVec3;
use lexical_core::FromLexical;
use ribbonmesh_mesh::{Number, Scalar, Scalars};

use crate::{
    Notes, ReadErrorKind,
    decimal::Decimals,
    fault::{Fault, Outcome, fault, quote},
};

/// Byte orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Least significant byte first.
    Little,
    /// Most significant byte first.
    Big,
}

/// A cursor over a file of lines and words with blanks between them, or of binary numbers. Lines end in `\n`,
/// `\r\n` or `\r`.
#[derive(Debug, Clone)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    /// Offset of the next byte.
    pub pos: usize,
    /// Whether `#` begins a comment.
    comments: bool,
    /// Whether a backslash at the end of a line joins it to the next.
    continues: bool,
    /// Whether a number that is not on this line may be on a later one.
    pub(crate) free: bool,
    /// The precision in which coordinates are read, and whether one so far needs double precision.
    pub(crate) decimals: Decimals,
}

impl<'a> Cursor<'a> {
    /// A cursor over lines; `comments` says whether `#` begins a comment, `continues` whether a backslash at
    /// the end of a line joins it to the next.
    pub(crate) fn new(bytes: &'a [u8], pos: usize, comments: bool, continues: bool) -> Self {
        Self { bytes, pos, comments, continues, free: false, decimals: Decimals::Double }
    }

    /// A cursor over words, for which line ends are blanks; `comments` says whether `#` begins a comment.
    pub fn words(bytes: &'a [u8], pos: usize, comments: bool) -> Self {
        Self { free: true, ..Self::new(bytes, pos, comments, false) }
    }

    /// The cursor that reads coordinates that way; a new one reads them in double precision.
    pub(crate) fn with(self, decimals: Decimals) -> Self {
        Self { decimals, ..self }
    }

    #[inline(always)]
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.pos).copied()
    }

    /// True after the last byte.
    #[inline(always)]
    pub(crate) fn at_end(&self) -> bool {
        self.pos >= self.bytes.len()
    }

    /// The bytes that are left.
    pub fn rest(&self) -> &'a [u8] {
        &self.bytes[self.pos.min(self.bytes.len())..]
    }

    /// The bytes from an offset to the cursor.
    pub(crate) fn between(&self, start: usize) -> &'a [u8] {
        &self.bytes[start..self.pos]
    }

    /// The bytes from the cursor to the next blank or line end.
    pub(crate) fn rest_of_word(&self) -> &'a [u8] {
        let rest = self.rest();
        &rest[..rest.iter().position(|byte| byte.is_ascii_whitespace()).unwrap_or(rest.len())]
    }

    /// The word that ends at the cursor.
    pub(crate) fn before(&self) -> &'a [u8] {
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
    pub(crate) fn skip_blanks(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\x0c') => self.pos += 1,
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
    pub(crate) fn line_ends(&mut self) -> bool {
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
        self.line_ends() && !(self.free && self.next_word())
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

    /// Passes over blanks, line ends and comments to the next word; false at the end of the file.
    #[inline(always)]
    pub fn next_word(&mut self) -> bool {
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
        let word = self.rest_of_word();
        self.pos += word.len();
        word
    }

    /// The words that are left on this line, with one blank between them; the cursor stays before the line's
    /// end.
    pub(crate) fn words_of_line(&mut self) -> Vec<u8> {
        let mut words = Vec::new();
        while !self.line_ends() {
            if !words.is_empty() {
                words.push(b' ');
            }
            words.extend_from_slice(self.token());
        }
        words
    }

    /// The next word; none at the end of the file.
    pub fn word(&mut self) -> Option<&'a [u8]> {
        self.next_word().then(|| self.token())
    }

    /// The next word without passing over it; the cursor is at its beginning afterwards.
    pub fn peek_word(&mut self) -> Option<&'a [u8]> {
        self.next_word().then(|| self.rest_of_word())
    }

    /// The next word, and where it begins.
    pub fn needed(&mut self, what: &'static str) -> Outcome<(usize, &'a [u8])> {
        if !self.next_word() {
            return Err(self.too_short(what));
        }
        Ok((self.pos, self.token()))
    }

    /// Passes over a word that must be there, in upper or lower case.
    pub fn expect(&mut self, word: &'static str) -> Outcome<()> {
        let (start, found) = self.needed(word)?;
        if found.eq_ignore_ascii_case(word.as_bytes()) {
            return Ok(());
        }
        Err(fault(start, ReadErrorKind::Unexpected { expected: word, found: quote(found) }))
    }

    /// The rest of the line, without its end; the cursor is behind it.
    pub fn line(&mut self) -> &'a [u8] {
        let start = self.pos;
        self.skip_line();
        let line = self.between(start);
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        line.strip_suffix(b"\r").unwrap_or(line)
    }

    /// Error, at the end of the file.
    #[cold]
    pub fn truncated(&self, what: &'static str) -> Box<Fault> {
        fault(self.bytes.len(), ReadErrorKind::Truncated { what })
    }

    /// Error, at the cursor: the line or the file ends too early.
    #[cold]
    pub(crate) fn too_short(&self, what: &'static str) -> Box<Fault> {
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
        let mut ahead = Cursor::new(self.bytes, self.pos, self.comments, self.continues);
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
            None | Some(b' ' | b'\n' | b'\r' | b'\t' | b'\x0c') => true,
            Some(b'\\') => self.continues,
            Some(_) => false,
        }
    }

    /// Whether a token may end at the cursor.
    #[inline(always)]
    pub(crate) fn token_ends_here(&self) -> bool {
        self.token_ends(self.pos)
    }

    /// Passes over one byte if it is the given one.
    pub(crate) fn accept(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.pos += usize::from(there);
        there
    }

    /// Reads a coordinate on this line that is finite in single precision, too, as [`Text::decimals`] says.
    #[inline(always)]
    pub(crate) fn coordinate(&mut self) -> Outcome<f64> {
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
    pub(crate) fn coordinate_of(&mut self, double: bool) -> Outcome<f64> {
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
    pub(crate) fn push_number(&mut self, scalars: &mut Scalars, what: &'static str) -> Outcome<()> {
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
        N: FromLexical + Number + TryFrom<i64>,
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
    pub fn number<N: FromLexical>(&mut self, what: &'static str) -> Outcome<N> {
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
    fn odd_number<N: FromLexical>(&mut self, what: &'static str) -> Outcome<N> {
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
    pub(crate) fn position(&mut self, notes: &mut Notes) -> Outcome<DVec3> {
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
    pub(crate) fn skip_number(&mut self, what: &'static str) -> Outcome<()> {
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
    pub(crate) fn integer_part(&mut self, what: &'static str) -> Outcome<i64> {
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
    pub(crate) fn integer(&mut self, what: &'static str) -> Outcome<i64> {
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

    /// Reads a count, which is not negative.
    #[inline(always)]
    pub fn count(&mut self, what: &'static str) -> Outcome<u64> {
        _ = self.ends();
        let start = self.pos;
        u64::try_from(self.integer(what)?).map_err(|_| {
            self.pos = start;
            self.bad_number(what)
        })
    }

    /// Reads a count of things that need at least `each` bytes each in the rest of the file.
    pub fn count_of(&mut self, what: &'static str, each: usize) -> Outcome<usize> {
        self.next_word();
        let start = self.pos;
        let count = self.count(what)?;
        self.room(start, what, count, each)
    }

    /// Compares a count, which is at `start`, with the rest of the file.
    #[inline(always)]
    pub fn room(&self, start: usize, what: &'static str, count: u64, each: usize) -> Outcome<usize> {
        let (available, needed) = (self.rest().len() as u64, count.saturating_mul(each as u64));
        if needed > available {
            let what = what.into();
            return Err(fault(start, ReadErrorKind::CountTooLarge { what, count, needed, available }));
        }
        Ok(count as usize)
    }

    /// Reads numbers as text.
    pub fn numbers(&mut self, scalar: Scalar, count: usize, what: &'static str) -> Outcome<Scalars> {
        self.room(self.pos, what, count as u64, 1)?;
        macro_rules! read {
            ($($variant:ident)*) => {
                match scalar {
                    $(Scalar::$variant => {
                        let mut values = Vec::with_capacity(count);
                        for _ in 0..count {
                            values.push(self.number(what)?);
                        }
                        Scalars::$variant(values)
                    })*
                }
            };
        }
        Ok(read!(U8 I8 U16 I16 U32 I32 U64 I64 F32 F64))
    }

    /// The next bytes.
    #[inline(always)]
    pub fn bytes(&mut self, count: usize, what: &'static str) -> Outcome<&'a [u8]> {
        match self.rest().get(..count) {
            Some(bytes) => {
                self.pos += count;
                Ok(bytes)
            }
            None => Err(self.truncated(what)),
        }
    }

    /// The next `count` records of `size` bytes.
    #[inline(always)]
    pub fn records(&mut self, count: u64, size: usize, what: &'static str) -> Outcome<&'a [u8]> {
        let length = count.saturating_mul(size as u64);
        self.bytes(usize::try_from(length).unwrap_or(usize::MAX), what)
    }

    /// The next bytes, as many as a number has, with the least significant one first.
    #[inline(always)]
    fn little<const N: usize>(&mut self, order: Order, what: &'static str) -> Outcome<[u8; N]> {
        let mut bytes: [u8; N] = self.bytes(N, what)?.try_into().unwrap_or([0; N]);
        if order == Order::Big {
            bytes.reverse();
        }
        Ok(bytes)
    }

    /// Reads a whole number of 32 bits.
    #[inline(always)]
    pub fn int(&mut self, order: Order, what: &'static str) -> Outcome<i32> {
        self.little(order, what).map(i32::from_le_bytes)
    }

    /// Reads a whole number of 64 bits.
    #[inline(always)]
    pub fn long(&mut self, order: Order, what: &'static str) -> Outcome<u64> {
        self.little(order, what).map(u64::from_le_bytes)
    }

    /// Reads a number in single precision.
    #[inline(always)]
    pub fn float(&mut self, order: Order, what: &'static str) -> Outcome<f32> {
        self.little(order, what).map(f32::from_le_bytes)
    }

    /// Reads a number in double precision.
    #[inline(always)]
    pub fn double(&mut self, order: Order, what: &'static str) -> Outcome<f64> {
        self.little(order, what).map(f64::from_le_bytes)
    }

    /// Reads numbers as bytes.
    pub fn binary(
        &mut self,
        scalar: Scalar,
        count: usize,
        order: Order,
        what: &'static str,
    ) -> Outcome<Scalars> {
        let length = self.room(self.pos, what, count as u64, scalar.size())? * scalar.size();
        Ok(from_bytes(scalar, self.bytes(length, what)?, order))
    }
}

/// Numbers from their bytes.
pub fn from_bytes(scalar: Scalar, bytes: &[u8], order: Order) -> Scalars {
    Scalars::from_bytes(scalar, &turned(bytes, scalar.size(), order))
}

/// Bytes of numbers.
pub fn to_bytes(scalars: &Scalars, order: Order) -> Cow<'_, [u8]> {
    turned(scalars.bytes(), scalars.scalar().size(), order)
}

/// Bytes of numbers of one order in that of this machine, or the other way round.
fn turned(bytes: &[u8], size: usize, order: Order) -> Cow<'_, [u8]> {
    let native = if cfg!(target_endian = "big") { Order::Big } else { Order::Little };
    if order == native || size == 1 {
        return bytes.into();
    }
    let mut turned = bytes.to_vec();
    turned.chunks_exact_mut(size).for_each(<[u8]>::reverse);
    turned.into()
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
