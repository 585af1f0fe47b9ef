//! Rows of a file that are the same vertex, found within a bound of memory.
use crate::disk::{self, Reader, Writer};
use crate::{Result, TilesError};
use bytemuck::Pod;
use glam::DVec3;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::{BuildHasher, Hash};
use std::path::{Path, PathBuf};

/// A file's rows, front to back: calls with the key and the place of each.
pub type Rows<'a, K> = &'a dyn Fn(&mut dyn FnMut(K, DVec3) -> Result<()>) -> Result<()>;

/// The mesh that is made of rows.
pub trait Sink {
    /// Takes the next vertex.
    fn vertex(&mut self, p: DVec3) -> Result<()>;
    /// Takes the vertex of the next row.
    fn row(&mut self, vertex: u32) -> Result<()>;
}

/// Bytes of an entry of the hash table of keys, in which at most 7 of 8 places are used.
const fn entry<K>() -> u64 {
    (size_of::<(K, u32)>() + 1) as u64
}

/// Distinct keys that fit into so many bytes, without growing.
fn fitting<K>(bytes: u64) -> u64 {
    let places = (bytes / entry::<K>()).max(16);
    (1 << places.ilog2()) / 8 * 7
}

/// A table of keys that is never larger than it may.
struct Known<K>(FxHashMap<K, u32>);
impl<K: Eq + Hash> Known<K> {
    fn of(most: u64) -> Self {
        Self(FxHashMap::with_capacity_and_hasher(most as usize, FxBuildHasher))
    }
    /// The number of a key, and whether it is new; [`None`] where there is no room for it.
    fn number(&mut self, key: K, most: u64) -> Option<(u32, bool)> {
        let next = self.0.len() as u32;
        if u64::from(next) == most {
            return self.0.get(&key).map(|&known| (known, false));
        }
        let number = *self.0.entry(key).or_insert(next);
        Some((number, number == next))
    }
}

/// Welds rows in one pass, with all keys in memory; false where `bytes` do not suffice.
pub fn at_once<K: Pod + Eq + Hash>(
    rows: Rows<'_, K>,
    count: u64,
    bytes: u64,
    out: &mut impl Sink,
) -> Result<bool> {
    let most = fitting::<K>(bytes).min(count).min(u32::MAX.into());
    let mut known = Known::of(most);
    let mut full = false;
    let done = rows(&mut |key, p| {
        let Some((number, new)) = known.number(key, most) else {
            full = true;
            // ends the pass
            return Err(TilesError::TooManyVertices);
        };
        if new {
            out.vertex(p)?;
        }
        out.row(number)
    });
    if full { Ok(false) } else { done.map(|()| true) }
}

/// Welds any number of rows: keys are distributed by their hashes to files in a folder, each with few enough
/// of them. Reads the rows three times. A vertex has the place among the vertices that its first row has
/// among the first rows, as in [`at_once`].
pub fn by_parts<K: Pod + Eq + Hash>(
    rows: Rows<'_, K>,
    count: u64,
    bytes: u64,
    folder: &Path,
    out: &mut impl Sink,
) -> Result<()> {
    disk::empty_folder(folder)?;
    let most = fitting::<K>(bytes / 2);
    // more parts than needed, since hashes are not quite even
    let parts = (count.div_ceil(most) + 1).next_power_of_two().max(2) as usize;
    let buffer = (bytes as usize / 2 / parts).clamp(1 << 12, disk::BUFFER);
    let part = |key: &K| (FxBuildHasher.hash_one(key) >> 32) as usize & (parts - 1);
    let file = |kind: &str, part: usize| folder.join(format!("{kind}-{part}"));
    let all = |kind: &'static str| (0..parts).map(move |part| file(kind, part));

    let mut keys = writers(all("keys"), buffer)?;
    let mut counts = vec![0_u64; parts];
    rows(&mut |key, _| {
        counts[part(&key)] += 1;
        keys[part(&key)].add(&[key])
    })?;
    finish(keys)?;
    // the number of each row's key among those of its part
    for (p, &count) in counts.iter().enumerate() {
        number_part::<K>(&file("keys", p), count, most, Writer::create(file("locals", p))?)?;
        disk::remove_file(&file("keys", p))?;
    }
    // vertices are numbered where they appear first
    let mut locals = readers::<u32>(all("locals"), &counts, buffer)?;
    let mut numbers = writers(all("numbers"), buffer)?;
    let mut seen = vec![0_u32; parts];
    let mut next = 0_u32;
    rows(&mut |key, p| {
        let part = part(&key);
        if locals[part].next()? == seen[part] {
            if next == u32::MAX {
                return Err(TilesError::TooManyVertices);
            }
            numbers[part].add(&[next])?;
            (next, seen[part]) = (next + 1, seen[part] + 1);
            out.vertex(p)?;
        }
        Ok(())
    })?;
    drop(locals);
    finish(numbers)?;
    for (p, (&count, &seen)) in counts.iter().zip(&seen).enumerate() {
        let numbers: Vec<u32> = disk::read(&file("numbers", p), 0, seen as usize)?;
        let mut out = Writer::create(file("rows", p))?;
        disk::each_piece(&file("locals", p), [0, count], |locals: &[u32]| {
            locals.iter().try_for_each(|&local| out.add(&[numbers[local as usize]]))
        })?;
        out.close()?;
        disk::remove_file(&file("locals", p))?;
    }
    let mut numbers = readers::<u32>(all("rows"), &counts, buffer)?;
    rows(&mut |key, _| out.row(numbers[part(&key)].next()?))?;
    drop(numbers);
    disk::remove_folder(folder)
}

fn number_part<K: Pod + Eq + Hash>(keys: &Path, count: u64, most: u64, mut out: Writer) -> Result<()> {
    // grows where a part has more keys than it should
    let mut known = Known::<K>::of(most.min(count));
    disk::each_piece(keys, [0, count], |keys: &[K]| {
        keys.iter().try_for_each(|&key| {
            let (number, _) = known.number(key, u64::MAX).ok_or(TilesError::TooManyVertices)?;
            out.add(&[number])
        })
    })?;
    out.close()
}

fn writers(files: impl Iterator<Item = PathBuf>, buffer: usize) -> Result<Vec<Writer>> {
    files.map(|file| Writer::with_buffer(file, buffer)).collect()
}
fn readers<T: Pod>(
    files: impl Iterator<Item = PathBuf>,
    counts: &[u64],
    buffer: usize,
) -> Result<Vec<Reader<T>>> {
    files.zip(counts).map(|(file, &count)| Reader::open(&file, count, buffer)).collect()
}
fn finish(files: Vec<Writer>) -> Result<()> {
    files.into_iter().try_for_each(Writer::close)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default, PartialEq, Debug)]
    struct Made {
        vertices: Vec<DVec3>,
        rows: Vec<u32>,
    }
    impl Sink for Made {
        fn vertex(&mut self, p: DVec3) -> Result<()> {
            self.vertices.push(p);
            Ok(())
        }
        fn row(&mut self, vertex: u32) -> Result<()> {
            self.rows.push(vertex);
            Ok(())
        }
    }

    #[test]
    fn parts_give_what_one_pass_gives() {
        // each key some ten times, in no order
        let keys: Vec<[u32; 3]> =
            (0..50_000_u32).map(|i| [i.wrapping_mul(2_654_435_761) % 5_003, 7, 1]).collect();
        let rows = |visit: &mut dyn FnMut([u32; 3], DVec3) -> Result<()>| {
            keys.iter().try_for_each(|&key| visit(key, DVec3::splat(key[0].into())))
        };
        let count = keys.len() as u64;
        let mut known = Made::default();
        assert!(at_once(&rows, count, 1 << 20, &mut known).expect("no disk"));
        assert_eq!((known.vertices.len(), known.rows.len()), (5_003, keys.len()));
        assert!(!at_once(&rows, count, 1 << 14, &mut Made::default()).expect("no disk"));
        let folder = tempfile::tempdir().expect("a folder");
        for bytes in [1 << 14, 1 << 17, 1 << 22] {
            let mut made = Made::default();
            by_parts(&rows, count, bytes, &folder.path().join("weld"), &mut made).expect("a disk");
            assert_eq!(made, known, "{bytes}");
        }
    }
}
