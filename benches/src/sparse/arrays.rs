//! The measured matrices as arrays of NumPy, for other programs to multiply.
use anyhow::{Context, Result};
use ribbonmesh_sparse::{Csr, DenseBlock, Entry};
use serde::Serialize;
use std::fs::{File, create_dir_all, write};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Entries that consist of numbers of double precision.
pub trait Numbers: Entry {
    /// Rows and columns of a dense block; 1 for numbers.
    const BLOCK: usize;
    /// The numbers, row by row.
    fn numbers(&self) -> &[f64];
}
impl Numbers for f64 {
    const BLOCK: usize = 1;
    fn numbers(&self) -> &[f64] {
        std::slice::from_ref(self)
    }
}
impl Numbers for DenseBlock<f64, 3> {
    const BLOCK: usize = 3;
    fn numbers(&self) -> &[f64] {
        self.0.as_flattened()
    }
}

/// A matrix: three files whose names begin with `files`, in compressed sparse rows.
#[derive(Serialize)]
struct Matrix {
    matrix: String,
    files: String,
    rows: usize,
    columns: usize,
    entries: usize,
    block: usize,
}
/// A folder of matrices, and its table of contents, `matrices.json`.
pub struct Arrays {
    folder: PathBuf,
    matrices: Vec<Matrix>,
}
impl Arrays {
    /// A folder, which is made.
    pub fn new(folder: &Path) -> Result<Self> {
        create_dir_all(folder).with_context(|| format!("could not make {}", folder.display()))?;
        Ok(Self { folder: folder.to_owned(), matrices: vec![] })
    }
    /// Writes where rows begin, columns, and entries in double precision, which single precision is rounded
    /// from.
    pub fn write<E: Numbers>(&mut self, name: &str, matrix: &Csr<E>) -> Result<()> {
        let words: Vec<_> = name.split([',', ' ']).filter(|word| !word.is_empty()).collect();
        let files = words.join("-");
        let shape = match E::BLOCK {
            1 => format!("({},)", matrix.len()),
            n => format!("({}, {n}, {n})", matrix.len()),
        };
        let integers = |of: &[u32]| -> Vec<[u8; 4]> { of.iter().map(|x| x.to_le_bytes()).collect() };
        let (starts, columns) = (integers(matrix.starts()), integers(matrix.indices()));
        let numbers = matrix.values().iter().flat_map(|entry| entry.numbers());
        self.array(&format!("{files}.starts.npy"), "<i4", &format!("({},)", starts.len()), starts)?;
        self.array(&format!("{files}.columns.npy"), "<i4", &format!("({},)", columns.len()), columns)?;
        self.array(&format!("{files}.values.npy"), "<f8", &shape, numbers.map(|x| x.to_le_bytes()))?;
        let (rows, columns, entries) = (matrix.rows(), matrix.columns(), matrix.len());
        self.matrices.push(Matrix {
            matrix: name.to_owned(),
            files,
            rows,
            columns,
            entries,
            block: E::BLOCK,
        });
        Ok(())
    }
    /// Writes an array: version 1.0 of the format of NumPy.
    fn array<const N: usize>(
        &self,
        name: &str,
        kind: &str,
        shape: &str,
        numbers: impl IntoIterator<Item = [u8; N]>,
    ) -> Result<()> {
        let path = self.folder.join(name);
        let describe = || format!("could not write {}", path.display());
        let mut file = BufWriter::with_capacity(1 << 20, File::create(&path).with_context(describe)?);
        let head = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
        // magic number, version and length take 10 bytes; the whole head is a multiple of 64 and ends with a
        // new line
        let len = (10 + head.len() + 1).next_multiple_of(64) - 10;
        let mut all = b"\x93NUMPY\x01\x00".to_vec();
        all.extend((len as u16).to_le_bytes());
        all.extend(format!("{head:<width$}\n", width = len - 1).bytes());
        file.write_all(&all).with_context(describe)?;
        for bytes in numbers {
            file.write_all(&bytes).with_context(describe)?;
        }
        file.flush().with_context(describe)
    }
    /// Writes the table of contents; returns it.
    pub fn finish(&self) -> Result<PathBuf> {
        let path = self.folder.join("matrices.json");
        let text = serde_json::to_string_pretty(&self.matrices)? + "\n";
        write(&path, text).with_context(|| format!("could not write {}", path.display()))?;
        Ok(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_those_of_numpy() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let mut arrays = Arrays::new(folder.path())?;
        let matrix = Csr::from_triplets(2, 3, &[(0, 2, 0.5), (1, 0, 2.0)])?;
        arrays.write("a, b", &matrix)?;
        arrays.write("c", &matrix.map(|x| DenseBlock([[x; 3]; 3])))?;
        arrays.finish()?;
        let bytes = std::fs::read(folder.path().join("a-b.values.npy"))?;
        assert_eq!((&bytes[..6], bytes.len()), (&b"\x93NUMPY"[..], 128 + 16));
        assert_eq!((&bytes[126..128], &bytes[128..136]), (&b" \n"[..], &0.5_f64.to_le_bytes()[..]));
        let bytes = std::fs::read(folder.path().join("c.values.npy"))?;
        let head = String::from_utf8_lossy(&bytes[10..128]).into_owned();
        assert!(head.contains("'shape': (2, 3, 3)"), "{head}");
        assert_eq!(bytes.len(), 128 + 2 * 9 * 8);
        Ok(())
    }
}
