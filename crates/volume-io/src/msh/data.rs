//! Data of nodes and elements.

use ribbonmesh_io::{
    ReadErrorKind as Kind,
    core::{Outcome, fault, quote},
};
use ribbonmesh_mesh::{Scalar, Scalars};

use super::read::Reader;
use crate::{DataArray, builder::Target, joined::empty};

impl Reader<'_> {
    /// A section of data. Elements that it does not name get NaN; cells and faces get an array only if it
    /// names some.
    pub fn data(&mut self, of_nodes: bool, start: usize) -> Outcome<()> {
        let texts = self.at.count_of("texts", 1)?;
        self.at.line();
        let mut name = String::new();
        for text in 0..texts {
            let line = self.at.line().trim_ascii();
            let inner = line.strip_prefix(b"\"").and_then(|line| line.strip_suffix(b"\"")).unwrap_or(line);
            match text {
                0 => name = String::from_utf8_lossy(inner).into_owned(),
                _ => self.builder.notes.skip(format!("text {:?} of data {name:?}", quote(inner))),
            }
        }
        let reals = self.at.count_of("real numbers", 1)?;
        for _ in 0..reals {
            if self.at.number::<f64>("a time")? != 0.0 {
                self.builder.notes.skip(format!("time of data {name:?}"));
            }
        }
        let integers_at = self.here();
        let integers = self.at.count_of("whole numbers", 1)?;
        if integers < 3 {
            let (what, found) = ("the list of whole numbers of data".to_owned(), integers as u64);
            return Err(fault(integers_at, Kind::Length { what, expected: 3, found }));
        }
        let step: i64 = self.at.number("a time step")?;
        let width = self.at.count_of("numbers per row", 1)?;
        self.at.next_word();
        let rows_at = self.here();
        let rows: u64 = self.at.number("rows of data")?;
        for _ in 3..integers {
            self.at.number::<i64>("a whole number")?;
        }
        if self.binary {
            self.at.line();
        }
        let each = if self.binary { 4 + 8 * width } else { 2 + 2 * width };
        let rows = self.at.room(rows_at, "rows of data", rows, each.saturating_sub(1))?;
        let all = if of_nodes { self.nodes.len() } else { self.builder.elements() };
        // both are small compared with the file, and so is their product compared with its square, and no
        // larger than what is read
        let size = all.checked_mul(width).filter(|&size| size <= 64 * (rows * width).max(all).max(1));
        let Some(size) = size.filter(|_| width > 0) else {
            let reason = format!("data of {rows} rows with {width} numbers each");
            return Err(fault(rows_at, Kind::Malformed { reason }));
        };
        let mut values = match empty(Scalar::F64, size) {
            Scalars::F64(values) => values,
            _ => vec![],
        };
        let mut given = vec![false; all];
        for _ in 0..rows {
            let row_at = self.here();
            let tag = self.int("the tag of a row")?;
            let table = if of_nodes { &self.nodes } else { &self.elements };
            let row = u64::try_from(tag).ok().and_then(|tag| table.get(&tag)).map(|&row| row as usize);
            let Some(row) = row else {
                let (element, what) = (format!("data {name:?}"), "row");
                return Err(fault(
                    row_at,
                    Kind::OutOfRange { element, what, index: tag.into(), count: all as u64 },
                ));
            };
            let again = !of_nodes && self.listed_again.contains(&(row as u32));
            if std::mem::replace(&mut given[row], true) && !again {
                return Err(fault(row_at, Kind::Duplicate { what: format!("row {tag} of data {name:?}") }));
            }
            for i in 0..width {
                values[row * width + i] = self.double("a number of data")?;
            }
        }
        let array = DataArray { name: name.clone(), width, scalars: Scalars::F64(values) };
        if of_nodes {
            if self.builder.data.points(&name).is_some() && step > 0 {
                self.builder.notes.skip(format!("time step {step} of data {name:?}"));
                return Ok(());
            }
            if given.contains(&false) {
                self.builder.notes.filled.push(name);
            }
            return self.builder.of_points(array, start);
        }
        for wanted in [Target::Cell, Target::Face] {
            let mine: Vec<u32> = (0..)
                .zip(self.builder.targets())
                .filter(|(_, target)| **target == wanted)
                .map(|(row, _)| row)
                .collect();
            let count = mine.iter().filter(|&&row| given[row as usize]).count();
            if count == 0 {
                continue;
            }
            let data = &mut self.builder.data;
            let list = if wanted == Target::Cell { &mut data.cell_data } else { &mut data.face_data };
            if list.iter().any(|known| known.name == name) {
                if step > 0 {
                    self.builder.notes.skip(format!("time step {step} of data {name:?}"));
                    continue;
                }
                return Err(fault(start, Kind::Duplicate { what: format!("data {name:?}") }));
            }
            list.push(array.select(&mine));
            if count < mine.len() {
                self.builder.notes.filled.push(name.clone());
            }
        }
        Ok(())
    }
}
