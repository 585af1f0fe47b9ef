//! Values of the corners of faces from a table on disk.
use crate::Result;
use crate::disk::{self, Reader, Writer};
use bytemuck::Pod;
use std::fs;
use std::path::{Path, PathBuf};

/// Faces, front to back: calls with the rows of the corners of each.
pub type Faces<'a> = &'a dyn Fn(&mut dyn FnMut([u32; 3]) -> Result<()>) -> Result<()>;

/// A table of rows in a file.
pub struct Table<'p> {
    pub file: &'p Path,
    pub rows: u64,
    /// Rows that may be in memory at the same time.
    pub block: u64,
    /// Files for faces of which some corners have their values, while there are several blocks.
    pub between: [PathBuf; 2],
}

/// Gives each face with the rows of its corners: with as many rows of the table in memory as fit, and for the
/// next ones once more, through files.
pub fn look_up<T: Pod>(
    faces: Faces<'_>,
    count: u64,
    table: &Table<'_>,
    out: &mut dyn FnMut([T; 3]) -> Result<()>,
) -> Result<()> {
    let block = table.block.clamp(1, u32::MAX.into());
    let blocks = table.rows.div_ceil(block);
    let [known, next] = &table.between;
    for b in 0..blocks {
        let first = b * block;
        let rows: Vec<T> = disk::read(table.file, first, block.min(table.rows - first) as usize)?;
        let last = b + 1 == blocks;
        let mut before = (b > 0).then(|| Reader::open(known, 3 * count, disk::BUFFER)).transpose()?;
        let mut after = (!last).then(|| Writer::create(next.clone())).transpose()?;
        faces(&mut |corners| {
            let mut values = [T::zeroed(); 3];
            for (value, row) in values.iter_mut().zip(corners) {
                if let Some(before) = &mut before {
                    *value = before.next()?;
                }
                let row = u64::from(row).checked_sub(first).and_then(|row| rows.get(row as usize));
                *value = row.copied().unwrap_or(*value);
            }
            after.as_mut().map_or_else(|| out(values), |after| after.add(&values))
        })?;
        drop(before);
        match after {
            Some(after) => {
                after.close()?;
                fs::rename(next, known).map_err(disk::failed(next))?;
            }
            None if b > 0 => disk::remove_file(known)?,
            None => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_any_size_give_the_same() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("table");
        let values: Vec<u32> = (0..1000).map(|i| 7 * i).collect();
        let mut out = Writer::create(file.clone()).expect("a file");
        out.add(&values).expect("a disk");
        out.close().expect("a disk");
        let all: Vec<[u32; 3]> = (0..500).map(|i| [i, 999 - i, (37 * i) % 1000]).collect();
        let faces =
            |visit: &mut dyn FnMut([u32; 3]) -> Result<()>| all.iter().try_for_each(|&face| visit(face));
        for block in [1, 300, 1000, 5000] {
            let between = ["known", "next"].map(|name| folder.path().join(name));
            let mut found = vec![];
            let table = Table { file: &file, rows: 1000, block, between };
            look_up::<u32>(&faces, 500, &table, &mut |face| {
                found.push(face);
                Ok(())
            })
            .expect("a disk");
            assert!(found.iter().zip(&all).all(|(found, face)| *found == face.map(|v| 7 * v)), "{block}");
            assert_eq!(found.len(), all.len());
        }
    }
}
