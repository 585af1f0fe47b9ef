//! Buffered output of numbers, as text or bytes.

use std::io::{self, Write};

use glam::DVec3;
use ribbonmesh_mesh::{Precision, Scalars};

use crate::cursor::{Order, to_bytes};

/// Bytes gathered before they are written.
const CHUNK: usize = 1 << 20;

/// Gathers text and bytes and writes them in large pieces.
pub(crate) struct Sink<'w> {
    out: &'w mut dyn Write,
    buffer: Vec<u8>,
    float: zmij::Buffer,
    integer: itoa::Buffer,
}

impl<'w> Sink<'w> {
    pub fn new(out: &'w mut dyn Write) -> Self {
        Self {
            out,
            buffer: Vec::with_capacity(CHUNK),
            float: zmij::Buffer::new(),
            integer: itoa::Buffer::new(),
        }
    }

    /// Adds bytes, and writes if enough has gathered.
    pub fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= CHUNK { self.flush() } else { Ok(()) }
    }

    /// Adds text.
    pub fn text(&mut self, text: &str) -> io::Result<()> {
        self.bytes(text.as_bytes())
    }

    /// Adds a decimal integer.
    pub fn integer(&mut self, value: impl itoa::Integer) -> io::Result<()> {
        self.buffer.extend_from_slice(self.integer.format(value).as_bytes());
        Ok(())
    }

    /// Adds integers with blanks between them, and a line end.
    pub fn integers<I: itoa::Integer>(&mut self, values: impl IntoIterator<Item = I>) -> io::Result<()> {
        for (i, value) in values.into_iter().enumerate() {
            if i > 0 {
                self.text(" ")?;
            }
            self.integer(value)?;
        }
        self.text("\n")
    }

    /// Adds the shortest decimal that reads back as this very number; `nan`, `inf`, `-inf` for the others.
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

    /// Adds a number of an array.
    pub fn number(&mut self, scalars: &Scalars, index: usize) -> io::Result<()> {
        match scalars {
            Scalars::U8(values) => self.integer(values[index]),
            Scalars::I8(values) => self.integer(values[index]),
            Scalars::U16(values) => self.integer(values[index]),
            Scalars::I16(values) => self.integer(values[index]),
            Scalars::U32(values) => self.integer(values[index]),
            Scalars::I32(values) => self.integer(values[index]),
            Scalars::U64(values) => self.integer(values[index]),
            Scalars::I64(values) => self.integer(values[index]),
            Scalars::F32(values) => {
                self.shortest(values[index], values[index].into());
                Ok(())
            }
            Scalars::F64(values) => {
                self.shortest(values[index], values[index]);
                Ok(())
            }
        }
    }

    /// Adds all numbers as text, `width` on a line.
    pub fn rows(&mut self, scalars: &Scalars, width: usize) -> io::Result<()> {
        for i in 0..scalars.len() {
            self.number(scalars, i)?;
            self.text(if (i + 1).is_multiple_of(width.max(1)) { "\n" } else { " " })?;
        }
        Ok(())
    }

    /// Adds all numbers as bytes.
    pub fn binary(&mut self, scalars: &Scalars, order: Order) -> io::Result<()> {
        self.flush()?;
        self.out.write_all(&to_bytes(scalars, order))
    }

    /// Writes all that has gathered.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }
}

/// Coordinates of positions, in their precision.
pub(crate) fn coordinates(positions: &[DVec3], precision: Precision) -> Scalars {
    let all = positions.iter().flat_map(|p| p.to_array());
    match precision {
        Precision::Single => Scalars::F32(all.map(|x| x as f32).collect()),
        Precision::Double => Scalars::F64(all.collect()),
    }
}
