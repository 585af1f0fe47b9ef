//! Writing VTI files: regular grids with data of their cells.
use crate::vtu::escaped;
use glam::DVec3;
use ribbonmesh_io::{WriteError, write_file};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// A regular grid of cubes with numbers of its cells.
#[derive(Clone, Debug)]
pub struct CellGrid<'a> {
    /// Cells along each axis.
    pub cells: [u32; 3],
    /// The corner with the least coordinates.
    pub origin: DVec3,
    /// The edge of a cell.
    pub edge: f64,
    /// Data of cells.
    pub arrays: Vec<CellArray<'a>>,
}
/// An array of a [`CellGrid`].
#[derive(Clone, Copy, Debug)]
pub struct CellArray<'a> {
    /// Its name.
    pub name: &'a str,
    /// Numbers of a cell, 1 or 3.
    pub width: usize,
    /// The numbers of each cell, x fastest.
    pub values: &'a [f32],
}

/// Writes a VTI file (VTK, serial XML, image data) with appended data, not compressed. A new file replaces
/// the target when it is complete; it is compressed as a whole if its name ends in `.gz` or `.zst`.
/// # Errors
/// [`WriteError`]: an array does not fit the cells, or the file cannot be written.
pub fn write_vti(path: impl AsRef<Path>, grid: &CellGrid<'_>) -> Result<(), WriteError> {
    write_file(path, |out| encode(&mut BufWriter::with_capacity(1 << 20, out), grid))
}

fn encode(out: &mut impl Write, grid: &CellGrid<'_>) -> io::Result<()> {
    let count = grid.cells.iter().map(|n| *n as usize).product::<usize>();
    if let Some(array) = grid.arrays.iter().find(|array| array.values.len() != array.width * count) {
        let (name, found, expected) = (array.name, array.values.len(), array.width * count);
        let why = format!("array {name:?} has {found} numbers where {expected} are needed");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    }
    let [nx, ny, nz] = grid.cells;
    let (extent, [x, y, z]) = (format!("0 {nx} 0 {ny} 0 {nz}"), grid.origin.to_array());
    writeln!(
        out,
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" \
         header_type=\"UInt64\">\n<ImageData WholeExtent=\"{extent}\" Origin=\"{x} {y} {z}\" \
         Spacing=\"{0} {0} {0}\">\n<Piece Extent=\"{extent}\">\n<CellData>",
        grid.edge
    )?;
    let mut offset = 0;
    for array in &grid.arrays {
        let (name, width) = (escaped(array.name), array.width);
        writeln!(
            out,
            "<DataArray type=\"Float32\" Name=\"{name}\" NumberOfComponents=\"{width}\" format=\"appended\" \
             offset=\"{offset}\"/>"
        )?;
        offset += 8 + 4 * array.values.len() as u64;
    }
    out.write_all(b"</CellData>\n</Piece>\n</ImageData>\n<AppendedData encoding=\"raw\">\n_")?;
    for array in &grid.arrays {
        out.write_all(&(4 * array.values.len() as u64).to_le_bytes())?;
        for value in array.values {
            out.write_all(&value.to_le_bytes())?;
        }
    }
    out.write_all(b"\n</AppendedData>\n</VTKFile>\n")?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ribbonmesh_io::WriteErrorKind;

    #[test]
    fn names_places_and_numbers() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("grid.vti");
        let (smoke, velocity) = ([0.0, 0.5, 1.0, -2.0], [1.5; 12]);
        let arrays = vec![
            CellArray { name: "smoke & \"fire\"", width: 1, values: &smoke },
            CellArray { name: "velocity", width: 3, values: &velocity },
        ];
        let mut grid = CellGrid { cells: [2, 2, 1], origin: DVec3::new(0.5, -1.0, 0.0), edge: 0.25, arrays };
        write_vti(&path, &grid).expect("written");
        let bytes = std::fs::read(&path).expect("a file");
        let data = bytes.windows(2).position(|two| two == b"\n_").expect("appended data") + 2;
        let head = std::str::from_utf8(&bytes[..data]).expect("text");
        for expected in [
            "WholeExtent=\"0 2 0 2 0 1\" Origin=\"0.5 -1 0\" Spacing=\"0.25 0.25 0.25\"",
            "Name=\"smoke &amp; &quot;fire&quot;\" NumberOfComponents=\"1\" format=\"appended\" offset=\"0\"",
            "Name=\"velocity\" NumberOfComponents=\"3\" format=\"appended\" offset=\"24\"",
        ] {
            assert!(head.contains(expected), "{head}");
        }
        let at = |offset: usize| &bytes[data + offset..];
        assert_eq!(at(0)[..8], 16_u64.to_le_bytes());
        assert_eq!(at(8 + 12)[..4], (-2.0_f32).to_le_bytes());
        assert_eq!((&at(24)[..8], &at(32)[..4]), (&48_u64.to_le_bytes()[..], &1.5_f32.to_le_bytes()[..]));
        assert!(at(80).starts_with(b"\n</AppendedData>"));
        grid.arrays[0].values = &smoke[..3];
        let error = write_vti(&path, &grid).expect_err("too short");
        assert!(
            matches!(error.kind, WriteErrorKind::Io(_)) && error.to_string().contains("3 numbers"),
            "{error}"
        );
    }
}
