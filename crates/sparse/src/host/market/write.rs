//! Writing Matrix Market files.
use super::{Field, Format, MarketError, Symmetry};
use crate::{Complex, Csr, Entry, Real};
use std::io::{BufWriter, Write};
use std::path::Path;

/// An entry that a Matrix Market file can hold.
pub trait MarketEntry: Entry + PartialEq {
    /// The real and the imaginary part.
    fn parts(self) -> [f64; 2];
    /// Whether there are imaginary parts.
    const COMPLEX: bool;
}
impl MarketEntry for f32 {
    fn parts(self) -> [f64; 2] {
        [self.into(), 0.0]
    }
    const COMPLEX: bool = false;
}
impl MarketEntry for f64 {
    fn parts(self) -> [f64; 2] {
        [self, 0.0]
    }
    const COMPLEX: bool = false;
}
impl<R: Real> MarketEntry for Complex<R> {
    fn parts(self) -> [f64; 2] {
        [self.re.to_f64(), self.im.to_f64()]
    }
    const COMPLEX: bool = true;
}

/// Options for writing a Matrix Market file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarketOptions {
    /// The way of listing entries.
    pub format: Format,
    /// The kind of numbers; none: `Complex` for complex entries, else `Real`.
    pub field: Option<Field>,
    /// The symmetry, which the matrix must have.
    pub symmetry: Symmetry,
    /// Lines of comment.
    pub comments: Vec<String>,
}
impl Default for MarketOptions {
    fn default() -> Self {
        Self { format: Format::Coordinate, field: None, symmetry: Symmetry::General, comments: vec![] }
    }
}

/// Writes a matrix as a Matrix Market file, which replaces an older one once it is complete; compressed if
/// the name ends in `.gz` or `.zst`. Numbers are written such that reading gives the same ones.
/// # Errors
/// [`MarketError::NotOfForm`] names an entry that is not finite, or that a field or symmetry of the options
/// does not have; [`MarketError::Write`].
pub fn write_market<E: MarketEntry>(
    path: impl AsRef<Path>,
    matrix: &Csr<E>,
    options: &MarketOptions,
) -> Result<(), MarketError> {
    let field = options.field.unwrap_or(if E::COMPLEX { Field::Complex } else { Field::Real });
    let symmetry = options.symmetry;
    let wrong = |row, column, what: String| Err(MarketError::NotOfForm { row, column, what });
    let square = matrix.rows() == matrix.columns();
    for (row, column, entry) in matrix.triplets() {
        let [re, im] = entry.parts();
        let sound = re.is_finite() && im.is_finite();
        let of_field = match field {
            Field::Real => im == 0.0,
            Field::Integer => im == 0.0 && re.fract() == 0.0 && re.abs() <= (1_u64 << 53) as f64,
            Field::Complex => true,
            Field::Pattern => [re, im] == [1.0, 0.0] && options.format == Format::Coordinate,
        };
        if !(sound && of_field) {
            return wrong(row, column, if sound { field.to_string() } else { "finite".to_owned() });
        }
        let mirrored = |[re, im]: [f64; 2]| match symmetry {
            Symmetry::General | Symmetry::Symmetric => [re, im],
            Symmetry::SkewSymmetric => [-re, -im],
            Symmetry::Hermitian => [re, -im],
        };
        let stored = |row: u32, column: u32| matrix.row(row as usize).0.binary_search(&column).is_ok();
        if symmetry != Symmetry::General
            && !(square
                && mirrored(matrix.get(column as usize, row).parts()) == [re, im]
                && stored(column, row))
        {
            return wrong(row, column, symmetry.to_string());
        }
    }
    if matrix.is_empty() && symmetry != Symmetry::General && !square {
        return wrong(0, 0, symmetry.to_string());
    }
    let combined = match (options.format, field, symmetry) {
        (Format::Array, Field::Pattern, _) | (_, Field::Pattern, Symmetry::SkewSymmetric) => false,
        (_, field, Symmetry::Hermitian) => field == Field::Complex,
        _ => true,
    };
    if !combined {
        return wrong(0, 0, format!("{field} and {symmetry}"));
    }
    let listed = |row: u32, column: u32| match symmetry {
        Symmetry::General => true,
        Symmetry::SkewSymmetric => row > column,
        _ => row >= column,
    };
    let number = |out: &mut dyn Write, entry: E| -> std::io::Result<()> {
        let [re, im] = entry.parts();
        match field {
            Field::Real => writeln!(out, "{re:?}"),
            Field::Integer => writeln!(out, "{}", re as i64),
            Field::Complex => writeln!(out, "{re:?} {im:?}"),
            Field::Pattern => writeln!(out),
        }
    };
    ribbonmesh_io::write_file(path, |out| {
        let mut out = BufWriter::new(out);
        let format = if options.format == Format::Array { "array" } else { "coordinate" };
        writeln!(out, "%%MatrixMarket matrix {format} {field} {symmetry}")?;
        for comment in options.comments.iter().flat_map(|comment| comment.lines()) {
            writeln!(out, "%{comment}")?;
        }
        let (rows, columns) = (matrix.rows(), matrix.columns());
        if options.format == Format::Array {
            writeln!(out, "{rows} {columns}")?;
            for column in 0..columns as u32 {
                for row in (0..rows as u32).filter(|&row| listed(row, column)) {
                    number(&mut out, matrix.get(row as usize, column))?;
                }
            }
        } else {
            let count = matrix.triplets().filter(|&(row, column, _)| listed(row, column)).count();
            writeln!(out, "{rows} {columns} {count}")?;
            for (row, column, entry) in matrix.triplets().filter(|&(row, column, _)| listed(row, column)) {
                write!(out, "{} {} ", row + 1, column + 1)?;
                number(&mut out, entry)?;
            }
        }
        out.flush()
    })?;
    Ok(())
}
