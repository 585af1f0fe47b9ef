//! Arrays of plain numbers in files, little-endian as all machines are on which this runs.
use crate::{Result, TilesError};
use bytemuck::{NoUninit, Pod};
use std::fs::{self, File};
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Bytes of a buffer of a file that is read or written from its beginning to its end.
pub const BUFFER: usize = 1 << 18;

/// Makes errors of a file.
pub fn failed(file: &Path) -> impl FnOnce(std::io::Error) -> TilesError {
    move |cause| TilesError::Disk { file: file.into(), cause }
}

/// A file that is being written, through a buffer.
pub struct Writer {
    path: PathBuf,
    out: BufWriter<File>,
}
impl Writer {
    /// A new file, where an old one vanishes.
    pub fn create(path: PathBuf) -> Result<Self> {
        Self::with_buffer(path, BUFFER)
    }
    /// The same, with a buffer of so many bytes.
    pub fn with_buffer(path: PathBuf, bytes: usize) -> Result<Self> {
        let file = File::create(&path).map_err(failed(&path))?;
        Ok(Self { out: BufWriter::with_capacity(bytes, file), path })
    }
    /// Adds numbers.
    pub fn add<T: NoUninit>(&mut self, values: &[T]) -> Result<()> {
        self.out.write_all(bytemuck::cast_slice(values)).map_err(failed(&self.path))
    }
    /// Waits until the file is on the disk.
    pub fn finish(self) -> Result<()> {
        let path = self.path.clone();
        self.flushed()?.sync_all().map_err(failed(&path))
    }
    /// Writes what is left, for a file that no later run needs.
    pub fn close(self) -> Result<()> {
        self.flushed().map(drop)
    }
    fn flushed(self) -> Result<File> {
        self.out.into_inner().map_err(|error| failed(&self.path)(error.into_error()))
    }
}

/// A file of numbers that is read from its beginning to its end, one by one.
pub struct Reader<T> {
    path: PathBuf,
    file: File,
    piece: Vec<T>,
    /// Place of the next number in the piece.
    at: usize,
    /// Numbers behind the piece.
    left: u64,
    most: usize,
}
impl<T: Pod> Reader<T> {
    /// Of `count` numbers, through a buffer of so many bytes.
    pub fn open(path: &Path, count: u64, bytes: usize) -> Result<Self> {
        let file = File::open(path).map_err(failed(path))?;
        let most = (bytes / size_of::<T>()).max(1);
        Ok(Self { path: path.into(), file, piece: vec![], at: 0, left: count, most })
    }
    /// The next number.
    #[inline]
    pub fn next(&mut self) -> Result<T> {
        if self.at == self.piece.len() {
            self.fill()?;
        }
        self.at += 1;
        Ok(self.piece[self.at - 1])
    }
    #[cold]
    fn fill(&mut self) -> Result<()> {
        // at least one: a number too many is an error of the file
        let some = self.left.clamp(1, self.most as u64);
        self.piece.resize(some as usize, T::zeroed());
        self.file.read_exact(bytemuck::cast_slice_mut(&mut self.piece)).map_err(failed(&self.path))?;
        (self.at, self.left) = (0, self.left.saturating_sub(some));
        Ok(())
    }
}

/// A file that is being written at any places.
pub struct Placed {
    path: PathBuf,
    file: File,
}
impl Placed {
    /// A new file, where an old one vanishes.
    pub fn create(path: PathBuf) -> Result<Self> {
        let file = File::create(&path).map_err(failed(&path))?;
        Ok(Self { path, file })
    }
    /// A file that is there.
    pub fn open(path: PathBuf) -> Result<Self> {
        let file = File::options().write(true).open(&path).map_err(failed(&path))?;
        Ok(Self { path, file })
    }
    /// Writes numbers from number `first` on.
    pub fn put<T: NoUninit>(&mut self, first: u64, values: &[T]) -> Result<()> {
        let at = SeekFrom::Start(first * size_of::<T>() as u64);
        let written = self.file.seek(at).and_then(|_| self.file.write_all(bytemuck::cast_slice(values)));
        written.map_err(failed(&self.path))
    }
    /// Waits until the file is on the disk.
    pub fn finish(self) -> Result<()> {
        self.file.sync_all().map_err(failed(&self.path))
    }
}

/// Reads `count` numbers from number `first` on.
pub fn read<T: Pod>(path: &Path, first: u64, count: usize) -> Result<Vec<T>> {
    let mut values = vec![T::zeroed(); count];
    let mut file = File::open(path).map_err(failed(path))?;
    file.seek(SeekFrom::Start(first * size_of::<T>() as u64)).map_err(failed(path))?;
    file.read_exact(bytemuck::cast_slice_mut(&mut values)).map_err(failed(path))?;
    Ok(values)
}

/// Gives numbers of a file piece by piece: `count` of them from number `first` on.
pub fn each_piece<T: Pod>(
    path: &Path,
    [first, mut count]: [u64; 2],
    mut visit: impl FnMut(&[T]) -> Result<()>,
) -> Result<()> {
    let mut file = File::open(path).map_err(failed(path))?;
    file.seek(SeekFrom::Start(first * size_of::<T>() as u64)).map_err(failed(path))?;
    let most = BUFFER / size_of::<T>();
    let mut piece: Vec<T> = vec![T::zeroed(); (count as usize).min(most)];
    while count > 0 {
        let some = count.min(most as u64) as usize;
        file.read_exact(bytemuck::cast_slice_mut(&mut piece[..some])).map_err(failed(path))?;
        visit(&piece[..some])?;
        count -= some as u64;
    }
    Ok(())
}

/// Writes a file that is there as a whole or not at all when the process is ended: under another name, then
/// renamed. `settled`: and when the machine fails, since it is on the disk before.
pub fn write_whole(path: &Path, bytes: &[&[u8]], settled: bool) -> Result<()> {
    let unfinished = path.with_extension("part");
    let mut file = File::create(&unfinished).map_err(failed(&unfinished))?;
    for bytes in bytes {
        file.write_all(bytes).map_err(failed(&unfinished))?;
    }
    if settled {
        file.sync_all().map_err(failed(&unfinished))?;
    }
    drop(file);
    fs::rename(&unfinished, path).map_err(failed(path))?;
    #[cfg(unix)]
    if let Some(folder) = path.parent().filter(|_| settled) {
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed(folder))?;
    }
    Ok(())
}

/// Copies a file, and waits until the copy is on the disk.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).map_err(failed(from))?;
    File::open(to).and_then(|file| file.sync_all()).map_err(failed(to))
}

/// An empty folder: one that is there is emptied.
pub fn empty_folder(path: &Path) -> Result<()> {
    remove_folder(path)?;
    fs::create_dir_all(path).map_err(failed(path))
}

/// Removes a file.
pub fn remove_file(path: &Path) -> Result<()> {
    fs::remove_file(path).map_err(failed(path))
}

/// Removes a folder with all that is in it, if it is there.
pub fn remove_folder(path: &Path) -> Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(failed(path)(error)),
        _ => Ok(()),
    }
}

/// A quadric as a row of a file: six quadratic, three linear and one constant coefficient, area, distance.
pub type Row = [f64; 12];

/// A row of zeros: no quadric.
pub const NO_QUADRIC: Row = [0.0; 12];
