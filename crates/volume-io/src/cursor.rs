//! A cursor over the bytes of a file: words, lines and binary numbers.

use lexical_core::FromLexical;
use ribbonmesh_mesh::{Scalar, Scalars};

use crate::{
    VolumeReadErrorKind as Kind,
    error::{Fault, Outcome, fault, quote},
};

/// Byte orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    Little,
    Big,
}

/// A cursor over a file. Words are separated by blanks and line ends.
#[derive(Clone)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    /// Offset of the next byte.
    pub pos: usize,
    /// Whether `#` begins a comment.
    comments: bool,
}

impl<'a> Cursor<'a> {
    pub fn new(bytes: &'a [u8], pos: usize) -> Self {
        Self { bytes, pos, comments: false }
    }

    /// As [`Cursor::new`], and a `#` begins a comment.
    pub fn with_comments(bytes: &'a [u8]) -> Self {
        Self { bytes, pos: 0, comments: true }
    }

    /// The bytes that are left.
    pub fn rest(&self) -> &'a [u8] {
        &self.bytes[self.pos.min(self.bytes.len())..]
    }

    /// Passes over blanks, line ends and comments; false at the end of the file.
    pub fn skip_blanks(&mut self) -> bool {
        loop {
            match self.rest().first() {
                None => return false,
                Some(byte) if byte.is_ascii_whitespace() => self.pos += 1,
                Some(b'#') if self.comments => {
                    self.line();
                }
                Some(_) => return true,
            }
        }
    }

    /// The next word; none at the end of the file.
    pub fn word(&mut self) -> Option<&'a [u8]> {
        if !self.skip_blanks() {
            return None;
        }
        let rest = self.rest();
        let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        self.pos += length;
        Some(&rest[..length])
    }

    /// The next word without passing over it; the cursor is at its begin afterwards.
    pub fn peek(&mut self) -> Option<&'a [u8]> {
        if !self.skip_blanks() {
            return None;
        }
        self.clone().word()
    }

    /// The next word, and where it begins.
    pub fn needed(&mut self, what: &'static str) -> Outcome<(usize, &'a [u8])> {
        self.skip_blanks();
        let start = self.pos;
        self.word().map(|word| (start, word)).ok_or_else(|| self.truncated(what))
    }

    /// Passes over a word that must be there, in upper or lower case.
    pub fn expect(&mut self, word: &'static str) -> Outcome<()> {
        let (start, found) = self.needed(word)?;
        if found.eq_ignore_ascii_case(word.as_bytes()) {
            return Ok(());
        }
        Err(fault(start, Kind::Unexpected { expected: word, found: quote(found) }))
    }

    /// The bytes up to the end of the line, without it; the cursor is behind it.
    pub fn line(&mut self) -> &'a [u8] {
        let rest = self.rest();
        let end = memchr::memchr(b'\n', rest);
        let line = &rest[..end.unwrap_or(rest.len())];
        self.pos += end.map_or(rest.len(), |end| end + 1);
        line.strip_suffix(b"\r").unwrap_or(line)
    }

    /// Error, at the end of the file.
    #[cold]
    pub fn truncated(&self, what: &'static str) -> Box<Fault> {
        fault(self.bytes.len(), Kind::Truncated { what })
    }

    /// Reads a number.
    pub fn number<N: FromLexical>(&mut self, what: &'static str) -> Outcome<N> {
        let (start, word) = self.needed(what)?;
        lexical_core::parse(word).map_err(|_| fault(start, Kind::NotANumber { what, text: quote(word) }))
    }

    /// Reads a count of things that need at least `each` bytes each in what is left of the file.
    pub fn count(&mut self, what: &'static str, each: usize) -> Outcome<usize> {
        self.skip_blanks();
        let start = self.pos;
        let count = self.number::<u64>(what)?;
        self.room(start, what, count, each)
    }

    /// Compares a count, which is at `start`, with the rest of the file.
    pub fn room(&self, start: usize, what: &'static str, count: u64, each: usize) -> Outcome<usize> {
        let (available, needed) = (self.rest().len() as u64, count.saturating_mul(each as u64));
        if needed > available {
            return Err(fault(start, Kind::CountTooLarge { what, count, needed, available }));
        }
        Ok(count as usize)
    }

    /// The next bytes.
    pub fn take(&mut self, count: usize, what: &'static str) -> Outcome<&'a [u8]> {
        let bytes = self.rest().get(..count).ok_or_else(|| self.truncated(what))?;
        self.pos += count;
        Ok(bytes)
    }

    /// Reads numbers as text.
    pub fn text(&mut self, scalar: Scalar, count: usize, what: &'static str) -> Outcome<Scalars> {
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

    /// Reads numbers as bytes.
    pub fn binary(
        &mut self,
        scalar: Scalar,
        count: usize,
        order: Order,
        what: &'static str,
    ) -> Outcome<Scalars> {
        let length = self.room(self.pos, what, count as u64, scalar.size())? * scalar.size();
        Ok(from_bytes(scalar, self.take(length, what)?, order))
    }

    /// Reads a whole number of 32 bits.
    pub fn int(&mut self, order: Order, what: &'static str) -> Outcome<i32> {
        let bytes = self.take(4, what)?.try_into().unwrap_or_default();
        Ok(if order == Order::Little { i32::from_le_bytes(bytes) } else { i32::from_be_bytes(bytes) })
    }

    /// Reads a whole number of 64 bits.
    pub fn long(&mut self, order: Order, what: &'static str) -> Outcome<u64> {
        let bytes = self.take(8, what)?.try_into().unwrap_or_default();
        Ok(if order == Order::Little { u64::from_le_bytes(bytes) } else { u64::from_be_bytes(bytes) })
    }

    /// Reads a number in double precision.
    pub fn double(&mut self, order: Order, what: &'static str) -> Outcome<f64> {
        self.long(order, what).map(f64::from_bits)
    }
}

/// Numbers from their bytes.
pub(crate) fn from_bytes(scalar: Scalar, bytes: &[u8], order: Order) -> Scalars {
    let native = if cfg!(target_endian = "big") { Order::Big } else { Order::Little };
    if order == native || scalar.size() == 1 {
        return Scalars::from_bytes(scalar, bytes);
    }
    let mut turned = bytes.to_vec();
    turned.chunks_exact_mut(scalar.size()).for_each(<[u8]>::reverse);
    Scalars::from_bytes(scalar, &turned)
}

/// Bytes of numbers.
pub(crate) fn to_bytes(scalars: &Scalars, order: Order) -> std::borrow::Cow<'_, [u8]> {
    let native = if cfg!(target_endian = "big") { Order::Big } else { Order::Little };
    let size = scalars.scalar().size();
    if order == native || size == 1 {
        return scalars.bytes().into();
    }
    let mut turned = scalars.bytes().to_vec();
    turned.chunks_exact_mut(size).for_each(<[u8]>::reverse);
    turned.into()
}
