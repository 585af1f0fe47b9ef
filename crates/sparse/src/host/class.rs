//! Statistics of rows, and classes of matrices.
use super::{Csr, Launched};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Statistics of a matrix's rows.
#[derive(Clone, Debug, PartialEq)]
pub struct RowStatistics {
    /// The number of rows.
    pub rows: usize,
    /// The number of entries.
    pub entries: usize,
    /// The entries of the longest row.
    pub longest: u32,
    lengths: Vec<u32>,
}
impl RowStatistics {
    /// The statistics of offsets of rows, which ascend. Linear.
    pub(crate) fn of(starts: &[u32]) -> Self {
        let lengths: Vec<u32> = starts.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let longest = lengths.iter().max().copied().unwrap_or(0);
        let entries = starts.last().map_or(0, |&end| end as usize);
        Self { rows: lengths.len(), entries, longest, lengths }
    }
    /// The statistics of a matrix. Linear in the rows.
    pub fn of_matrix<E: Launched>(matrix: &Csr<E>) -> Self {
        Self::of(matrix.starts())
    }
    /// Places, padding included, in slices of `rows` rows, at least 1. ELL is a single slice.
    pub fn places_of_slices(&self, rows: usize) -> u64 {
        let width = |slice: &[u32]| u64::from(slice.iter().max().copied().unwrap_or(0));
        self.lengths.chunks(rows.max(1)).map(|slice| rows as u64 * width(slice)).sum()
    }
    /// Places of ELL, per entry.
    pub fn padding_of_ell(&self) -> f64 {
        let places = self.rows as f64 * f64::from(self.longest);
        if self.entries == 0 { 1.0 } else { places / self.entries as f64 }
    }
    /// The mean number of entries of a row.
    pub fn mean(&self) -> f64 {
        if self.rows == 0 { 0.0 } else { self.entries as f64 / self.rows as f64 }
    }
}

/// Matrices for which the same variant is taken: matrices of one entry type whose numbers of rows, mean
/// lengths of rows, and longest rows are alike, up to a factor of two.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MatrixClass {
    /// The name of the entry type, without paths.
    pub entry: String,
    /// Binary logarithm of the number of rows, rounded down.
    pub rows: u32,
    /// Binary logarithm of the mean number of entries of a row, rounded to the nearest; 0 below 1.
    pub mean: u32,
    /// Binary logarithm of the longest row over the mean, rounded to the nearest.
    pub spread: u32,
}
impl MatrixClass {
    /// The class of a matrix. Linear in the rows.
    pub fn of<E: Launched>(matrix: &Csr<E>) -> Self {
        let rows = RowStatistics::of_matrix(matrix);
        let logarithm = |x: f64| if x <= 1.0 { 0 } else { x.log2().round() as u32 };
        let mean = rows.mean();
        let spread = if mean > 0.0 { f64::from(rows.longest) / mean } else { 1.0 };
        Self {
            entry: short_name(std::any::type_name::<E>()),
            rows: (rows.rows.max(1) as u64).ilog2(),
            mean: logarithm(mean),
            spread: logarithm(spread),
        }
    }
}
impl fmt::Display for MatrixClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entry, rows, mean, spread } = self;
        write!(f, "{entry}, 2^{rows} rows, 2^{mean} entries per row, longest 2^{spread} times that")
    }
}

/// The name of a type without the paths of its parts.
fn short_name(name: &str) -> String {
    let (mut short, mut word) = (String::new(), String::new());
    for letter in name.chars() {
        match letter {
            ':' => word.clear(),
            letter if letter.is_alphanumeric() || letter == '_' => word.push(letter),
            other => {
                short.push_str(&word);
                word.clear();
                short.push(other);
            }
        }
    }
    short + &word
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DenseBlock, Quaternion};

    #[test]
    fn names_have_no_paths() {
        assert_eq!(short_name(std::any::type_name::<f64>()), "f64");
        assert_eq!(short_name(std::any::type_name::<Quaternion<f32>>()), "Quaternion<f32>");
        assert_eq!(short_name(std::any::type_name::<DenseBlock<f64, 3>>()), "DenseBlock<f64, 3>");
    }
    #[test]
    fn places_are_counted() {
        let rows = RowStatistics::of(&[0, 3, 3, 4, 9, 10]);
        assert_eq!((rows.rows, rows.entries, rows.longest, rows.mean()), (5, 10, 5, 2.0));
        assert_eq!(rows.places_of_slices(2), 2 * 3 + 2 * 5 + 2);
        assert_eq!(rows.padding_of_ell(), 2.5);
        let none = RowStatistics::of(&[0]);
        assert_eq!((none.rows, none.mean(), none.padding_of_ell()), (0, 0.0, 1.0));
    }
}
