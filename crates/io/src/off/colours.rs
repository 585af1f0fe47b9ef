//! Colours of OFF files: three or four numbers, whole from 0 to 255, or from 0 to 1.

use ribbonmesh_mesh::{Column, Role, Scalars};

use crate::{Notes, cursor::Cursor, fault::Outcome};

/// Colours of vertices or faces.
#[derive(Default)]
pub(super) struct Colours {
    /// Rows of the elements so far, from the first that has a colour on; opaque white where there is none.
    rows: Vec<[f32; 4]>,
    /// Elements with a colour.
    known: u64,
    /// Whether a number has a point.
    fractions: bool,
    /// Whether a colour has an opacity.
    opacity: bool,
    /// Colours of one or two numbers, which are indices of colours in another file.
    indices: u64,
}

/// No colour.
const MISSING: [f32; 4] = [f32::NAN; 4];

impl Colours {
    /// Reads the rest of a line, except for the last `behind` numbers, as the colour of element `element`.
    pub fn read(&mut self, text: &mut Cursor<'_>, element: usize, behind: usize) -> Outcome<()> {
        let mut numbers = [0.0; 6];
        let mut ends = [text.pos; 7];
        let mut points = [false; 6];
        let mut count = 0;
        while count < numbers.len() && !text.line_ends() {
            let start = text.pos;
            numbers[count] = text.number("a colour")?;
            points[count] = text.between(start).iter().any(|byte| matches!(byte, b'.' | b'e' | b'E'));
            count += 1;
            ends[count] = text.pos;
        }
        let channels = count.saturating_sub(behind).min(4);
        text.pos = ends[channels];
        let [r, g, b, a, ..] = numbers;
        let row = match channels {
            3 => [r, g, b, MISSING[3]],
            4 => [r, g, b, a],
            _ => {
                self.indices += 1;
                return Ok(());
            }
        };
        self.fractions |= points[..channels].contains(&true);
        self.push(row, element);
        Ok(())
    }

    /// Reads a colour of four channels, on this line or later ones.
    pub fn read_four(&mut self, text: &mut Cursor<'_>, element: usize) -> Outcome<()> {
        let mut row = [0.0; 4];
        for value in &mut row {
            *value = text.number("a colour")?;
            let word = text.before();
            self.fractions |= word.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E'));
        }
        self.push(row, element);
        Ok(())
    }

    /// Takes a colour of fractions, of binary data.
    pub fn take(&mut self, row: [f32; 4], element: usize) {
        self.fractions = true;
        self.push(row, element);
    }

    fn push(&mut self, row: [f32; 4], element: usize) {
        self.fractions |= row.iter().any(|value| *value < 0.0 || *value > 255.0);
        self.opacity |= !row[3].is_nan();
        self.rows.resize(element, MISSING);
        self.rows.push(row);
        self.known += 1;
    }

    /// Gives the colour of the last element to all up to `elements`.
    pub fn repeat(&mut self, elements: usize) {
        if let Some(&last) = self.rows.last()
            && self.rows.len() < elements
        {
            self.known += (elements - self.rows.len()) as u64;
            self.rows.resize(elements, last);
        }
    }

    /// The column of all elements.
    pub fn column(mut self, name: &str, role: Role, elements: usize, notes: &mut Notes) -> Option<Column> {
        notes.values_skipped += self.indices;
        if self.known == 0 {
            return None;
        }
        self.rows.resize(elements, MISSING);
        notes.uncoloured += elements as u64 - self.known;
        let white = if self.fractions { 1.0 } else { 255.0 };
        let width = if self.opacity { 4 } else { 3 };
        let values = self.rows.iter().flat_map(|row| &row[..width]);
        let values = values.map(|&value| if value.is_nan() { white } else { value });
        let scalars = if self.fractions {
            Scalars::F32(values.collect())
        } else {
            Scalars::U8(values.map(|value| value as u8).collect())
        };
        Column::from_scalars(name, role, width, scalars)
    }
}
