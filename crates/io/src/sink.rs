//! Buffered output of numbers, as text or bytes.

use std::io::{self, Write};

use glam::DVec3;
use ribbonmesh_mesh::{Column, Precision, Scalars};

use crate::{
    cursor::{Order, to_bytes},
    decimal::unmistakable,
};

/// Bytes gathered before they are written.
const CHUNK: usize = 1 << 20;

/// Gathers text and bytes and writes them in large pieces. Methods that give a result may write; the others
/// only gather.
pub struct Sink<'w> {
    out: &'w mut dyn Write,
    buffer: Vec<u8>,
    float: zmij::Buffer,
    /// Whether a coordinate shows that the file is in double precision.
    is_double: bool,
    integer: itoa::Buffer,
}

impl<'w> Sink<'w> {
    /// A sink that writes to `out`.
    pub fn new(out: &'w mut dyn Write) -> Self {
        Self {
            out,
            buffer: Vec::with_capacity(CHUNK + 4096),
            float: zmij::Buffer::new(),
            is_double: false,
            integer: itoa::Buffer::new(),
        }
    }

    /// Adds bytes as they are.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// Adds text, and writes if enough has gathered.
    pub fn text(&mut self, text: &str) -> io::Result<()> {
        self.bytes(text.as_bytes());
        self.settle()
    }

    /// Adds the shortest decimal that reads back as this very number; `nan`, `inf`, `-inf` for the others.
    pub(crate) fn float(&mut self, value: f32) {
        self.shortest(value, value.into());
    }

    /// As [`Sink::float`], for a number in double precision.
    pub(crate) fn double(&mut self, value: f64) {
        self.shortest(value, value);
    }

    fn shortest(&mut self, number: impl zmij::Float, value: f64) {
        let text = if value.is_finite() {
            self.float.format_finite(number)
        } else if value.is_nan() {
            "nan"
        } else if value > 0.0 {
            "inf"
        } else {
            "-inf"
        };
        self.buffer.extend_from_slice(text.strip_suffix(".0").unwrap_or(text).as_bytes());
    }

    /// Adds a decimal integer.
    pub fn integer(&mut self, value: impl itoa::Integer) {
        self.buffer.extend_from_slice(self.integer.format(value).as_bytes());
    }

    /// Adds a number of an array.
    pub fn number(&mut self, scalars: &Scalars, index: usize) {
        match scalars {
            Scalars::U8(values) => self.integer(values[index]),
            Scalars::I8(values) => self.integer(values[index]),
            Scalars::U16(values) => self.integer(values[index]),
            Scalars::I16(values) => self.integer(values[index]),
            Scalars::U32(values) => self.integer(values[index]),
            Scalars::I32(values) => self.integer(values[index]),
            Scalars::U64(values) => self.integer(values[index]),
            Scalars::I64(values) => self.integer(values[index]),
            Scalars::F32(values) => self.float(values[index]),
            Scalars::F64(values) => self.double(values[index]),
        }
    }

    /// Adds integers with blanks between them, and a line end.
    pub fn integers<I: itoa::Integer>(&mut self, values: impl IntoIterator<Item = I>) -> io::Result<()> {
        for value in values {
            self.integer(value);
            self.bytes(b" ");
        }
        self.end_row()
    }

    /// Adds all numbers as text, `width` on a line.
    pub fn rows(&mut self, scalars: &Scalars, width: usize) -> io::Result<()> {
        for i in 0..scalars.len() {
            self.number(scalars, i);
            self.text(if (i + 1).is_multiple_of(width.max(1)) { "\n" } else { " " })?;
        }
        Ok(())
    }

    /// Adds all numbers as bytes.
    pub fn binary(&mut self, scalars: &Scalars, order: Order) -> io::Result<()> {
        self.flush()?;
        self.out.write_all(&to_bytes(scalars, order))
    }

    /// Adds a number of a column so that it does not look whole.
    pub(crate) fn number_with_point(&mut self, scalars: &Scalars, index: usize) {
        let start = self.buffer.len();
        self.number(scalars, index);
        if self.buffer[start..].iter().all(|byte| byte.is_ascii_digit() || *byte == b'-') {
            self.bytes(b".0");
        }
    }

    /// Adds a row of a column with blanks between its numbers.
    pub(crate) fn column_row(&mut self, column: &Column, row: usize) {
        for i in 0..column.width() {
            if i > 0 {
                self.bytes(b" ");
            }
            self.number(column.scalars(), row * column.width() + i);
        }
    }

    /// Adds a coordinate of a text in double precision before readers can know that it is.
    fn first_double(&mut self, value: f64) {
        let start = self.buffer.len();
        self.double(value);
        self.is_double = value != f64::from(value as f32);
        let text = String::from_utf8_lossy(&self.buffer[start..]).into_owned();
        if let Some(text) = unmistakable(value, &text) {
            self.buffer.truncate(start);
            self.bytes(text.as_bytes());
        }
    }

    /// Adds a position with blanks between its coordinates.
    #[inline(always)]
    pub(crate) fn position(&mut self, position: DVec3, precision: Precision) {
        for (axis, value) in position.to_array().into_iter().enumerate() {
            if axis > 0 {
                self.bytes(b" ");
            }
            match precision {
                Precision::Single => self.float(value as f32),
                Precision::Double if self.is_double => self.double(value),
                Precision::Double => self.first_double(value),
            }
        }
    }

    /// Adds a line end, and writes if enough has gathered.
    pub(crate) fn line(&mut self) -> io::Result<()> {
        self.bytes(b"\n");
        self.settle()
    }

    /// Turns the blank that was added last into a line end, and writes if enough has gathered.
    pub(crate) fn end_row(&mut self) -> io::Result<()> {
        self.buffer.pop_if(|byte| *byte == b' ');
        self.line()
    }

    /// Adds comments, each line of each with the prefix.
    pub(crate) fn comments(&mut self, prefix: &str, comments: &[String]) -> io::Result<()> {
        for line in comments.iter().flat_map(|comment| comment.split(['\n', '\r'])) {
            self.bytes(prefix.as_bytes());
            self.bytes(line.as_bytes());
            self.line()?;
        }
        Ok(())
    }

    /// Writes if enough has gathered.
    #[inline(always)]
    pub fn settle(&mut self) -> io::Result<()> {
        if self.buffer.len() >= CHUNK { self.flush() } else { Ok(()) }
    }

    /// Writes all that has gathered.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }
}
