//! Reading files.

use std::{
    io::Read,
    path::{Path, PathBuf},
};

use ribbonmesh_io::{
    Place, ReadError, ReadErrorKind as Kind, core::fault_of_file, read_bytes, read_bytes_stream,
};

use crate::{VolumeData, VolumeFormat, VolumeNotes, medit, msh, ovm, vtk, vtu};

/// A volume from a file.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadedVolume {
    /// The volume.
    pub volume: VolumeData,
    /// The detected format of the file.
    pub format: VolumeFormat,
    /// Content that was changed or ignored.
    pub notes: VolumeNotes,
}

/// Reads a volume with all its data from a file. What it begins with determines the format, or else its
/// extension.
///
/// The whole file is read into memory, after decompression; one thread parses it in one pass.
///
/// # Errors
/// [`ReadError`]: the file is missing or a directory, its extension is unknown, or its content is invalid.
///
/// # Sources
/// VTK and VTU: Kitware, *VTK file formats* (documentation of VTK 9). MSH: Geuzaine and Remacle, *Gmsh
/// reference manual*, chapter *Gmsh file formats*. MEDIT: Frey, *MEDIT: an interactive mesh visualization
/// software*, INRIA RT-0253, 2001. OVM: RWTH Aachen, documentation of OpenVolumeMesh, *File format*.
pub fn read(path: impl AsRef<Path>) -> Result<LoadedVolume, ReadError> {
    read_as(path, None)
}

/// As [`read`], and in `format` where neither content nor extension names one.
///
/// # Errors
/// As [`read`].
pub fn read_as(path: impl AsRef<Path>, format: Option<VolumeFormat>) -> Result<LoadedVolume, ReadError> {
    let path = path.as_ref();
    let bytes = read_bytes(path)?;
    let format = match (VolumeFormat::of(&bytes), VolumeFormat::from_path(path), format) {
        (Some(found), _, _) => found,
        (None, Ok(named), _) | (None, Err(_), Some(named)) => named,
        (None, Err(unknown), None) => {
            return Err(ReadError { file: path.into(), place: Place::File, kind: unknown.into() });
        }
    };
    parse(&bytes, format, path)
}

/// Reads a volume from a stream, such as standard input, to its end; `name` is its name in errors. Without a
/// format, the content determines it.
///
/// # Errors
/// [`ReadError`]: the stream fails, its format cannot be told, or its content is refused.
pub fn read_stream(
    source: &mut dyn Read,
    format: Option<VolumeFormat>,
    name: &str,
) -> Result<LoadedVolume, ReadError> {
    let bytes = read_bytes_stream(source, name)?;
    let Some(format) = VolumeFormat::of(&bytes).or(format) else {
        let empty = bytes.iter().all(u8::is_ascii_whitespace);
        let kind = if empty { Kind::Empty } else { Kind::UnknownContent };
        return Err(ReadError { file: PathBuf::from(name), place: Place::File, kind });
    };
    parse(&bytes, format, Path::new(name))
}

/// Reads a volume from the bytes of a file of the given format; `name` is the file name in errors.
///
/// # Errors
/// [`ReadError`]: the content is invalid.
pub fn read_from(bytes: &[u8], format: VolumeFormat, name: &str) -> Result<LoadedVolume, ReadError> {
    parse(bytes, format, Path::new(name))
}

fn parse(bytes: &[u8], format: VolumeFormat, file: &Path) -> Result<LoadedVolume, ReadError> {
    let outcome = match format {
        _ if bytes.iter().all(u8::is_ascii_whitespace) => Err(fault_of_file(Kind::Empty)),
        VolumeFormat::Vtk => vtk::read::read(bytes),
        VolumeFormat::Vtu => vtu::read::read(bytes),
        VolumeFormat::Mesh => medit::read(bytes),
        VolumeFormat::Ovm => ovm::read::read(bytes),
        VolumeFormat::Msh => msh::read::read(bytes),
    };
    let is_text = |offset| is_text(bytes, format, offset);
    let (volume, notes) = outcome.map_err(|fault| fault.in_file(file, bytes, is_text))?;
    Ok(LoadedVolume { volume, format, notes })
}

/// Whether a byte belongs to the text of a file, where errors name lines.
fn is_text(bytes: &[u8], format: VolumeFormat, offset: usize) -> bool {
    match format {
        VolumeFormat::Vtk => !vtk::is_binary(bytes),
        VolumeFormat::Vtu => vtu::is_text(bytes, offset),
        VolumeFormat::Msh => !msh::is_binary(bytes),
        VolumeFormat::Mesh | VolumeFormat::Ovm => true,
    }
}
