//! Reading Matrix Market files.
use super::{Field, Format, MarketEntries, MarketError, MarketErrorKind, MarketMatrix, Symmetry};
use crate::{Complex, Csr, Entry};
use ribbonmesh_io::core::quote;
use std::path::Path;

/// Reads a Matrix Market file: coordinate or array; real, integer, complex or pattern; general, symmetric,
/// skew-symmetric or Hermitian. Decompressed if its name ends in `.gz` or `.zst`.
/// # Errors
/// [`MarketError`] names the file and the line.
pub fn read_market(path: impl AsRef<Path>) -> Result<MarketMatrix, MarketError> {
    let path = path.as_ref();
    parse_market(&ribbonmesh_io::read_bytes(path)?, path)
}
/// As [`read_market`], from bytes; `name` is their file's in errors.
/// # Errors
/// As [`read_market`].
pub fn parse_market(bytes: &[u8], name: impl AsRef<Path>) -> Result<MarketMatrix, MarketError> {
    let mut lines = Lines { bytes, line: 0 };
    parse(&mut lines).map_err(|kind| MarketError::Line { file: name.as_ref().into(), line: lines.line, kind })
}

type Outcome<T> = Result<T, MarketErrorKind>;

/// The lines of a file, and which one was read last.
struct Lines<'a> {
    bytes: &'a [u8],
    line: usize,
}
impl<'a> Lines<'a> {
    /// The next line; none, and a number after the last line, at the end.
    fn next(&mut self) -> Option<&'a [u8]> {
        self.line += 1;
        if self.bytes.is_empty() {
            return None;
        }
        let end = self.bytes.iter().position(|&byte| byte == b'\n').unwrap_or(self.bytes.len());
        let (line, rest) = self.bytes.split_at(end);
        self.bytes = rest.get(1..).unwrap_or_default();
        Some(line)
    }
    /// The words of the next line that is neither blank nor a comment.
    fn words(&mut self) -> Option<Vec<&'a [u8]>> {
        loop {
            let line = self.next()?;
            if line.first() == Some(&b'%') {
                continue;
            }
            let words: Vec<_> = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
            if !words.is_empty() {
                return Some(words);
            }
        }
    }
}

/// Numbers of a file, of the kind that a matrix is made of.
trait Parsed: Entry {
    /// Words of a number.
    fn words(field: Field) -> usize;
    fn parse(words: &[&[u8]], field: Field) -> Outcome<Self>;
    fn negated(self) -> Self;
    /// Whether it is its own conjugate.
    fn is_real(self) -> bool;
}
fn number(word: &[u8]) -> Outcome<f64> {
    let wrong = || MarketErrorKind::Number { word: quote(word), expected: "a number" };
    let parsed = std::str::from_utf8(word).ok().and_then(|text| match text.parse::<f64>() {
        Ok(number) => Some(number),
        // exponents of Fortran
        Err(_) => text.replace(['d', 'D'], "e").parse().ok(),
    });
    let parsed = parsed.ok_or_else(wrong)?;
    if parsed.is_finite() { Ok(parsed) } else { Err(MarketErrorKind::NotFinite { word: quote(word) }) }
}
fn count(word: &[u8]) -> Outcome<u64> {
    let parsed = std::str::from_utf8(word).ok().and_then(|text| text.parse().ok());
    parsed.ok_or_else(|| MarketErrorKind::Number {
        word: quote(word),
        expected: "a whole number, not negative",
    })
}
impl Parsed for f64 {
    fn words(field: Field) -> usize {
        usize::from(field != Field::Pattern)
    }
    fn parse(words: &[&[u8]], field: Field) -> Outcome<Self> {
        match (field, words) {
            (Field::Integer, [word]) => {
                let parsed = std::str::from_utf8(word).ok().and_then(|text| text.parse::<i64>().ok());
                let exact = parsed.filter(|whole| whole.unsigned_abs() <= 1 << 53);
                let expected = "a whole number up to 2^53";
                let wrong = || MarketErrorKind::Number { word: quote(word), expected };
                exact.map(|whole| whole as f64).ok_or_else(wrong)
            }
            (_, [word]) => number(word),
            _ => Ok(1.0),
        }
    }
    fn negated(self) -> Self {
        -self
    }
    fn is_real(self) -> bool {
        true
    }
}
impl Parsed for Complex<f64> {
    fn words(_: Field) -> usize {
        2
    }
    fn parse(words: &[&[u8]], _: Field) -> Outcome<Self> {
        match words {
            [re, im] => Ok(Self::new(number(re)?, number(im)?)),
            _ => Err(MarketErrorKind::Words { expected: 2, found: words.len() }),
        }
    }
    fn negated(self) -> Self {
        Self::new(-self.re, -self.im)
    }
    fn is_real(self) -> bool {
        self.im == 0.0
    }
}

/// Contents of the banner and of the line of sizes.
struct Head {
    format: Format,
    field: Field,
    symmetry: Symmetry,
    rows: u64,
    columns: u64,
    entries: u64,
}

fn parse(lines: &mut Lines<'_>) -> Outcome<MarketMatrix> {
    let banner = String::from_utf8_lossy(lines.next().unwrap_or_default()).to_lowercase();
    let mut words = banner.split_ascii_whitespace();
    if (words.next(), words.next()) != (Some("%%matrixmarket"), Some("matrix")) {
        return Err(MarketErrorKind::Banner);
    }
    let wrong = |word: Option<&str>, expected| {
        Err(MarketErrorKind::Word { word: quote(word.unwrap_or_default().as_bytes()), expected })
    };
    let format = match words.next() {
        Some("coordinate") => Format::Coordinate,
        Some("array") => Format::Array,
        word => return wrong(word, "`coordinate` or `array`"),
    };
    let field = match words.next() {
        Some("real" | "double") => Field::Real,
        Some("integer") => Field::Integer,
        Some("complex") => Field::Complex,
        Some("pattern") => Field::Pattern,
        word => return wrong(word, "`real`, `integer`, `complex` or `pattern`"),
    };
    let symmetry = match words.next() {
        Some("general") => Symmetry::General,
        Some("symmetric") => Symmetry::Symmetric,
        Some("skew-symmetric") => Symmetry::SkewSymmetric,
        Some("hermitian") => Symmetry::Hermitian,
        word => return wrong(word, "`general`, `symmetric`, `skew-symmetric` or `hermitian`"),
    };
    if let Some(word) = words.next() {
        return wrong(Some(word), "the end of the line");
    }
    match (format, field, symmetry) {
        (Format::Array, Field::Pattern, _) => return Err(MarketErrorKind::PatternArray),
        (_, Field::Pattern, Symmetry::SkewSymmetric)
        | (_, Field::Pattern | Field::Real | Field::Integer, Symmetry::Hermitian) => {
            return Err(MarketErrorKind::Combination { field, symmetry });
        }
        _ => {}
    }
    let mut comments = vec![];
    while lines.bytes.first() == Some(&b'%') {
        let line = lines.next().unwrap_or_default();
        let line = String::from_utf8_lossy(line);
        comments.push(line.trim_start_matches('%').trim().to_owned());
    }
    let sizes = lines.words().ok_or(MarketErrorKind::NoSize)?;
    let expected = if format == Format::Array { 2 } else { 3 };
    if sizes.len() != expected {
        return Err(MarketErrorKind::Words { expected, found: sizes.len() });
    }
    let (rows, columns) = (count(sizes[0])?, count(sizes[1])?);
    // what a few bytes may not make the memory of
    let most = (64 * lines.bytes.len() as u64).max(1 << 24).min(u64::from(u32::MAX >> 1));
    for (what, n) in [("rows", rows), ("columns", columns)] {
        if n > most {
            return Err(MarketErrorKind::TooMany { what, count: n });
        }
    }
    if symmetry != Symmetry::General && rows != columns {
        return Err(MarketErrorKind::NotSquare { rows, columns, symmetry });
    }
    let entries = match (format, symmetry) {
        (Format::Coordinate, _) => count(sizes[2])?,
        (_, Symmetry::General) => rows * columns,
        (_, Symmetry::SkewSymmetric) => rows * rows.saturating_sub(1) / 2,
        _ => rows * (rows + 1) / 2,
    };
    let head = Head { format, field, symmetry, rows, columns, entries };
    let entries = match field {
        Field::Complex => MarketEntries::Complex(matrix(lines, &head)?),
        _ => MarketEntries::Real(matrix(lines, &head)?),
    };
    Ok(MarketMatrix { format, field, symmetry, comments, entries })
}

fn matrix<E: Parsed>(lines: &mut Lines<'_>, head: &Head) -> Outcome<Csr<E>> {
    let &Head { format, field, symmetry, rows, columns, entries } = head;
    let (own, places) = (E::words(field), if format == Format::Array { 0 } else { 2 });
    // a digit and a blank or the line's end for each word
    let room = (lines.bytes.len() as u64 + 1) / (2 * (own + places)) as u64;
    if entries > room {
        return Err(MarketErrorKind::Room { entries, room });
    }
    let most = u64::from(u32::MAX >> 1);
    let all = if symmetry == Symmetry::General { entries } else { 2 * entries };
    if all > most {
        return Err(MarketErrorKind::TooMany { what: "entries", count: all });
    }
    let mut triplets: Vec<(u32, u32, E)> = Vec::with_capacity(all as usize);
    // the next place of an array
    let first = |column: u64| match symmetry {
        Symmetry::General => 1,
        Symmetry::SkewSymmetric => column + 1,
        _ => column,
    };
    let (mut row, mut column) = (first(1), 1);
    for found in 0..entries {
        let words = lines.words().ok_or(MarketErrorKind::End { expected: entries, found })?;
        if words.len() != own + places {
            return Err(MarketErrorKind::Words { expected: own + places, found: words.len() });
        }
        if format == Format::Coordinate {
            (row, column) = (count(words[0])?, count(words[1])?);
            if row == 0 || column == 0 || row > rows || column > columns {
                return Err(MarketErrorKind::Outside { row, column, rows, columns });
            }
        } else if row > rows {
            column += 1;
            row = first(column);
        }
        let value = E::parse(&words[places..], field)?;
        let (i, j) = (row as u32 - 1, column as u32 - 1);
        if symmetry != Symmetry::General && i < j {
            return Err(MarketErrorKind::Above { row, column, symmetry });
        }
        let on_diagonal = i == j;
        if on_diagonal
            && ((symmetry == Symmetry::Hermitian && !value.is_real())
                || (symmetry == Symmetry::SkewSymmetric && format == Format::Coordinate))
        {
            return Err(MarketErrorKind::Diagonal { row, symmetry });
        }
        triplets.push((i, j, value));
        if !on_diagonal {
            match symmetry {
                Symmetry::General => {}
                Symmetry::Symmetric => triplets.push((j, i, value)),
                Symmetry::SkewSymmetric => triplets.push((j, i, value.negated())),
                Symmetry::Hermitian => triplets.push((j, i, value.adjoint())),
            }
        }
        row += 1;
    }
    if lines.words().is_some() {
        return Err(MarketErrorKind::Rest);
    }
    // checked above
    Csr::from_triplets(rows as usize, columns as usize, &triplets)
        .map_err(|_| MarketErrorKind::TooMany { what: "entries", count: triplets.len() as u64 })
}
