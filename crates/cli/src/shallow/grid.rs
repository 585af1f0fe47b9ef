//! Grids of numbers in files: ESRI ASCII grids, NPY arrays, grey PNG pictures. The first row of each is the
//! northern one.
use crate::failure::Failure;
use ribbonmesh_io::{Place, ReadError, ReadErrorKind};
use std::fs;
use std::io::{self, Cursor, ErrorKind, Write};
use std::path::Path;

/// Numbers of a grid, row by row from the south.
pub struct Grid {
    pub columns: usize,
    pub rows: usize,
    pub values: Vec<f64>,
    /// Its place, as the file has it.
    pub place: Option<Georeference>,
}

/// Where an ESRI ASCII grid is.
#[derive(Clone, Copy)]
pub struct Georeference {
    /// Where the first value of the southern row is.
    pub first: [f64; 2],
    pub spacing: f64,
}

/// How numbers of a file become heights.
#[derive(Clone, Copy)]
pub struct Meaning {
    /// Heights of black and white, of a picture.
    pub range: [f64; 2],
    /// Height where a grid has no data.
    pub no_data: Option<f64>,
}

/// The formats, by the ending of a file.
enum Format {
    Asc,
    Npy,
    Png,
}

/// A fault of a file's content, with its place: `line 3: …`.
type Outcome<T> = Result<T, String>;

impl Grid {
    pub fn read(file: &Path, meaning: &Meaning) -> Result<Self, Failure> {
        let ending = file.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
        let format = match ending.as_deref() {
            Some("asc") => Format::Asc,
            Some("npy") => Format::Npy,
            Some("png") => Format::Png,
            _ => {
                return Err(Failure::Usage(format!(
                    "{}: a file that ends in .asc, .npy or .png is wanted",
                    file.display()
                )));
            }
        };
        let bytes = fs::read(file).map_err(|cause| {
            let kind = match cause.kind() {
                ErrorKind::NotFound => ReadErrorKind::Missing,
                ErrorKind::IsADirectory => ReadErrorKind::Directory,
                _ => ReadErrorKind::Io(cause),
            };
            ReadError { file: file.to_owned(), place: Place::File, kind }
        })?;
        let grid = match format {
            Format::Asc => asc(&bytes, meaning),
            Format::Npy => npy(&bytes),
            Format::Png => png(&bytes, meaning),
        };
        grid.map_err(|why| Failure::Refused(format!("{}, {why}", file.display())))
    }
}

/// Turns rows around.
fn flipped<T: Clone>(values: &[T], columns: usize) -> Vec<T> {
    values.chunks_exact(columns).rev().flatten().cloned().collect()
}

/// The most numbers of a grid, those of the greatest terrain.
const MOST: usize = 32_769 * 32_769;

fn sized(columns: usize, rows: usize, place: &str) -> Outcome<usize> {
    let count = columns.checked_mul(rows).filter(|count| (1..=MOST).contains(count));
    count.ok_or_else(|| format!("{place}: {columns} by {rows} numbers; expected 1 to {MOST}"))
}

fn asc(bytes: &[u8], meaning: &Meaning) -> Outcome<Grid> {
    let mut header = Header::default();
    // words with their lines
    let lines = bytes.split(|byte| *byte == b'\n').enumerate();
    let words = lines.flat_map(|(line, text)| {
        let words = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        words.map(move |word| (line + 1, word))
    });
    let mut words = words.peekable();
    while let Some(&(line, word)) = words.peek() {
        if !word[0].is_ascii_alphabetic() || word.eq_ignore_ascii_case(b"nan") {
            break;
        }
        words.next();
        let value = words.next().map(|(_, value)| value).unwrap_or_default();
        header.set(word, value).map_err(|why| format!("line {line}: {why}"))?;
    }
    let (columns, rows, georeference) = header.check()?;
    let count = sized(columns, rows, "line 1")?;
    // a number takes at least two bytes
    let mut values = Vec::with_capacity(count.min(bytes.len() / 2 + 1));
    for (line, word) in words {
        if values.len() == count {
            return Err(format!("line {line}: more than {columns} by {rows} numbers"));
        }
        let value = number(word).ok_or_else(|| format!("line {line}: {:?} is no number", shown(word)))?;
        let value = match (header.no_data == Some(value), meaning.no_data) {
            (true, None) => return Err(format!("line {line}: no data; --nodata says which height is there")),
            (true, Some(height)) => height,
            (false, _) => value,
        };
        values.push(value);
    }
    if values.len() < count {
        return Err(format!("at its end: {} numbers of {columns} by {rows}", values.len()));
    }
    Ok(Grid { columns, rows, values: flipped(&values, columns), place: Some(georeference) })
}
fn shown(word: &[u8]) -> String {
    String::from_utf8_lossy(&word[..word.len().min(40)]).into_owned()
}
fn number(word: &[u8]) -> Option<f64> {
    std::str::from_utf8(word).ok()?.parse().ok().filter(|x: &f64| x.is_finite())
}

/// The head of an ESRI ASCII grid.
#[derive(Default)]
struct Header {
    columns: Option<usize>,
    rows: Option<usize>,
    x: Option<(f64, bool)>,
    y: Option<(f64, bool)>,
    spacing: Option<f64>,
    no_data: Option<f64>,
}
impl Header {
    fn set(&mut self, word: &[u8], value: &[u8]) -> Outcome<()> {
        let word = shown(word).to_ascii_lowercase();
        let wrong = || format!("{:?} is no value of {word}", shown(value));
        let whole = || std::str::from_utf8(value).ok().and_then(|v| v.parse().ok()).ok_or_else(wrong);
        let number = || number(value).ok_or_else(wrong);
        match word.as_str() {
            "ncols" => self.columns = Some(whole()?),
            "nrows" => self.rows = Some(whole()?),
            "xllcorner" | "xllcenter" => self.x = Some((number()?, word.ends_with("corner"))),
            "yllcorner" | "yllcenter" => self.y = Some((number()?, word.ends_with("corner"))),
            "cellsize" => self.spacing = Some(number()?),
            "nodata_value" => self.no_data = Some(number()?),
            _ => return Err(format!("{word:?} is no word of an ESRI ASCII grid")),
        }
        Ok(())
    }
    fn check(&self) -> Outcome<(usize, usize, Georeference)> {
        let missing = |what| format!("in its head: no {what}");
        let columns = self.columns.ok_or_else(|| missing("ncols"))?;
        let rows = self.rows.ok_or_else(|| missing("nrows"))?;
        let spacing = self.spacing.ok_or_else(|| missing("cellsize"))?;
        // a value is in the middle of its cell
        let at = |place: Option<(f64, bool)>| match place {
            Some((x, true)) => x + 0.5 * spacing,
            Some((x, false)) => x,
            None => 0.0,
        };
        Ok((columns, rows, Georeference { first: [at(self.x), at(self.y)], spacing }))
    }
}

fn npy(bytes: &[u8]) -> Outcome<Grid> {
    let cut = || format!("byte {}: the file ends early", bytes.len());
    if !bytes.starts_with(b"\x93NUMPY") {
        return Err("byte 0: no NPY array".into());
    }
    let (start, length) = match bytes.get(6) {
        Some(1) => (10, bytes.get(8..10).map(|b| u32::from(u16::from_le_bytes([b[0], b[1]])))),
        Some(2 | 3) => (12, bytes.get(8..12).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))),
        _ => return Err("byte 6: a version of NPY other than 1, 2 and 3".into()),
    };
    let end = start + length.ok_or_else(cut)? as usize;
    let head = String::from_utf8_lossy(bytes.get(start..end).ok_or_else(cut)?);
    let after = |key: &str| head.split_once(key).map(|(_, rest)| rest.trim_start_matches([':', ' ']));
    let wrong = |what: &str| format!("byte {start}: {what}");
    if after("'fortran_order'").is_none_or(|rest| !rest.starts_with("False")) {
        return Err(wrong("an array in Fortran's order; numpy.ascontiguousarray makes one in C's"));
    }
    let shape = after("'shape'").and_then(|rest| rest.strip_prefix('(')?.split_once(')'));
    let sizes: Vec<usize> = match shape {
        Some((sizes, _)) => sizes.split(',').filter_map(|size| size.trim().parse().ok()).collect(),
        None => vec![],
    };
    let [rows, columns] = sizes[..] else { return Err(wrong("an array that has not two dimensions")) };
    let count = sized(columns, rows, "in its head")?;
    let kind =
        after("'descr'").and_then(|rest| rest.strip_prefix('\'')?.split_once('\'')).map(|found| found.0);
    let (size, of): (usize, fn(&[u8]) -> f64) = match kind {
        Some("<f4") => (4, |b| f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]]))),
        Some("<f8") => (8, |b| f64::from_le_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]])),
        Some("<i2") => (2, |b| f64::from(i16::from_le_bytes([b[0], b[1]]))),
        Some("<u2") => (2, |b| f64::from(u16::from_le_bytes([b[0], b[1]]))),
        Some("|u1") => (1, |b| f64::from(b[0])),
        _ => return Err(wrong("an array of a type other than <f4, <f8, <i2, <u2 and |u1")),
    };
    let data = bytes.get(end..end + count * size).ok_or_else(cut)?;
    let values: Vec<f64> = data.chunks_exact(size).map(of).collect();
    if let Some(at) = values.iter().position(|value| !value.is_finite()) {
        return Err(format!("byte {}: {} is not finite", end + at * size, values[at]));
    }
    Ok(Grid { columns, rows, values: flipped(&values, columns), place: None })
}

fn png(bytes: &[u8], meaning: &Meaning) -> Outcome<Grid> {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::IDENTITY);
    let mut reader = decoder.read_info().map_err(|e| format!("as PNG: {e}"))?;
    let (colour, depth) = reader.output_color_type();
    let (columns, rows) = (reader.info().width as usize, reader.info().height as usize);
    let count = sized(columns, rows, "as PNG")?;
    let size = match (colour, depth) {
        (png::ColorType::Grayscale, png::BitDepth::Eight) => 1,
        (png::ColorType::Grayscale, png::BitDepth::Sixteen) => 2,
        _ => return Err(format!("as PNG: {colour:?} of {} bits; grey of 8 or 16 is wanted", depth as u8)),
    };
    let mut data = vec![0; count * size];
    reader.next_frame(&mut data).map_err(|e| format!("as PNG: {e}"))?;
    let [low, high] = meaning.range;
    let height = |share: f64| low + (high - low) * share;
    let values: Vec<f64> = match size {
        1 => data.iter().map(|&b| height(f64::from(b) / 255.0)).collect(),
        _ => data
            .chunks_exact(2)
            .map(|b| height(f64::from(u16::from_be_bytes([b[0], b[1]])) / 65_535.0))
            .collect(),
    };
    Ok(Grid { columns, rows, values: flipped(&values, columns), place: None })
}

/// Writes values of cells as an ESRI ASCII grid, whose lower left corner is at `corner`.
pub fn write_asc(
    out: &mut dyn Write,
    columns: usize,
    values: &[f32],
    corner: [f64; 2],
    spacing: f64,
) -> io::Result<()> {
    let rows = values.len() / columns;
    let [x, y] = corner;
    let mut text = format!(
        "ncols {columns}\nnrows {rows}\nxllcorner {x}\nyllcorner {y}\ncellsize {spacing}\nNODATA_value -9999\n"
    );
    for row in values.chunks_exact(columns).rev() {
        for (k, value) in row.iter().enumerate() {
            text.push_str(if k == 0 { "" } else { " " });
            text.push_str(&value.to_string());
        }
        text.push('\n');
        if text.len() > 1 << 16 {
            out.write_all(text.as_bytes())?;
            text.clear();
        }
    }
    out.write_all(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::{Meaning, asc, npy, write_asc};
    use crate::npy::write_npy;

    const MEANING: Meaning = Meaning { range: [0.0, 1.0], no_data: None };

    #[test]
    fn what_is_written_can_be_read() {
        let values = [1.5, -2.0, 1e-7, 3.0, 4.0, 5.25];
        let mut bytes = vec![];
        write_asc(&mut bytes, 3, &values, [10.0, 20.0], 2.0).expect("memory");
        let grid = asc(&bytes, &MEANING).expect("a grid");
        assert_eq!((grid.columns, grid.rows), (3, 2));
        assert_eq!(grid.values.iter().map(|v| *v as f32).collect::<Vec<_>>(), values);
        let place = grid.place.expect("a place");
        assert_eq!((place.first, place.spacing), ([11.0, 21.0], 2.0));
        let mut bytes = vec![];
        write_npy(&mut bytes, 3, 1, &values).expect("memory");
        let grid = npy(&bytes).expect("a grid");
        assert_eq!((grid.columns, grid.rows), (3, 2));
        assert_eq!(grid.values.iter().map(|v| *v as f32).collect::<Vec<_>>(), values);
        assert_eq!(npy(&bytes[..bytes.len() - 1]).err().expect("cut"), "byte 151: the file ends early");
    }

    #[test]
    fn faults_have_places() {
        let refused = |text: &str| asc(text.as_bytes(), &MEANING).err().expect("a fault");
        let head = "ncols 2\nnrows 2\ncellsize 1\nNODATA_value -9999\n";
        assert_eq!(refused(&format!("{head}1 2\n3 x4\n")), "line 6: \"x4\" is no number");
        assert_eq!(refused(&format!("{head}1 2\n3\n")), "at its end: 3 numbers of 2 by 2");
        assert_eq!(refused(&format!("{head}1 2\n3 4\n5")), "line 7: more than 2 by 2 numbers");
        assert!(refused(&format!("{head}1 2\n3 -9999\n")).starts_with("line 6: no data; --nodata"));
        assert_eq!(refused("ncols 2\nnrows 2\n1 2 3 4"), "in its head: no cellsize");
        assert_eq!(refused("ncols two\n"), "line 1: \"two\" is no value of ncols");
        assert_eq!(refused("columns 2\n"), "line 1: \"columns\" is no word of an ESRI ASCII grid");
        assert!(refused("ncols 9999999\nnrows 9999999\ncellsize 1\n").contains("expected 1 to"));
        assert_eq!(npy(b"abc").err().expect("a fault"), "byte 0: no NPY array");
    }
}
