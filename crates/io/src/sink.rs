//! Buffered output of numbers, as text or bytes.

use std::io::{self, Write};

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
            buffer: Vec::with_capacity(CHUNK + 4096),
            float: zmij::Buffer::new(),
            integer: itoa::Buffer::new(),
        }
    }

    /// Adds bytes as they are.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// Adds the shortest decimal that reads back as this very number; `nan`, `inf`, `-inf` for the others.
    pub fn float(&mut self, value: f32) {
        let text = if value.is_finite() {
            self.float.format_finite(value)
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

    /// Adds three numbers with blanks between them.
    pub fn vector(&mut self, vector: &[f32; 3]) {
        for (axis, &value) in vector.iter().enumerate() {
            if axis > 0 {
                self.bytes(b" ");
            }
            self.float(value);
        }
    }

    /// Adds three numbers and a line end.
    pub fn row(&mut self, vector: &[f32; 3]) -> io::Result<()> {
        self.vector(vector);
        self.line()
    }

    /// Adds a line end, and writes if enough has gathered.
    pub fn line(&mut self) -> io::Result<()> {
        self.bytes(b"\n");
        self.settle()
    }

    /// Turns the blank that was added last into a line end, and writes if enough has gathered.
    pub fn end_row(&mut self) -> io::Result<()> {
        self.buffer.pop_if(|byte| *byte == b' ');
        self.line()
    }

    /// Adds comments, each line of each with the prefix.
    pub fn comments(&mut self, prefix: &str, comments: &[String]) -> io::Result<()> {
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
