//! Writing files.

use std::{io::Write, path::Path};

use glam::DVec3;
use ribbonmesh_io::{
    WriteError, WriteErrorKind as Kind,
    core::{Sink, write_whole},
};

use crate::{DataArray, VolumeData, VolumeFormat, VolumeLoss, VolumeWriteOptions, medit, msh, ovm, vtk, vtu};

/// Writes a volume with all its data to a file, in the format of its extension. Returns the content that the
/// format cannot store.
///
/// A new file is written beside the target and replaces it only when it is complete; a file whose name ends
/// in `.gz` or `.zst` is compressed, as by [`ribbonmesh_io::write_file`].
///
/// Reading the file gives the same volume, bit for bit, apart from the losses.
///
/// # Errors
/// [`WriteError`]: the extension is unknown; the volume has no cells, an index out of range, a
/// polyhedron that does not close, a coordinate that is not finite, or an array of the wrong length; the
/// format has no cells of a kind; the file cannot be written.
pub fn write(
    path: impl AsRef<Path>,
    volume: &VolumeData,
    options: &VolumeWriteOptions,
) -> Result<Vec<VolumeLoss>, WriteError> {
    let path = path.as_ref();
    let format =
        VolumeFormat::from_path(path).map_err(|e| WriteError { file: path.into(), kind: e.into() })?;
    write_as(path, format, volume, options)
}

/// As [`write`](write()), in that format, whatever the extension names.
///
/// # Errors
/// As [`write`](write()).
pub fn write_as(
    path: impl AsRef<Path>,
    format: VolumeFormat,
    volume: &VolumeData,
    options: &VolumeWriteOptions,
) -> Result<Vec<VolumeLoss>, WriteError> {
    let path = path.as_ref();
    let error = |kind| WriteError { file: path.into(), kind };
    check(format, volume).map_err(error)?;
    let mut losses = Vec::new();
    write_whole(path, |out| encode(out, format, volume, options, &mut losses)).map_err(error)?;
    Ok(losses)
}

/// Writes a volume in a format to any writer, in pieces of about a megabyte.
///
/// # Errors
/// As [`write`](write()); if `out` fails, part of the file has been written.
pub fn write_to(
    out: &mut dyn Write,
    format: VolumeFormat,
    volume: &VolumeData,
    options: &VolumeWriteOptions,
) -> Result<Vec<VolumeLoss>, Kind> {
    check(format, volume)?;
    let mut losses = Vec::new();
    encode(out, format, volume, options, &mut losses)?;
    Ok(losses)
}

fn encode(
    out: &mut dyn Write,
    format: VolumeFormat,
    volume: &VolumeData,
    options: &VolumeWriteOptions,
    losses: &mut Vec<VolumeLoss>,
) -> Result<(), Kind> {
    let mut sink = Sink::new(out);
    let names = volume.regions.len();
    if matches!(format, VolumeFormat::Mesh | VolumeFormat::Ovm) && names > 0 {
        losses.push(VolumeLoss::RegionNames { count: names });
    }
    match format {
        VolumeFormat::Vtk => vtk::write::write(&mut sink, volume, options, losses)?,
        VolumeFormat::Vtu => vtu::write::write(&mut sink, volume, options, losses)?,
        VolumeFormat::Mesh => medit::write(&mut sink, volume, losses)?,
        VolumeFormat::Ovm => ovm::write::write(&mut sink, volume, losses)?,
        VolumeFormat::Msh => msh::write::write(&mut sink, volume, options, losses)?,
    }
    Ok(sink.flush()?)
}

fn check(format: VolumeFormat, volume: &VolumeData) -> Result<(), Kind> {
    let (vertices, cells) = (volume.positions.len(), volume.cells.len());
    if vertices == 0 || cells == 0 {
        return Err(Kind::Empty { what: "volume", vertices, elements: "cells", count: cells });
    }
    volume.cells.check(vertices).map_err(|error| Kind::Cells(Box::new(error)))?;
    let infinite = |position: &DVec3| !position.as_vec3().is_finite();
    if let Some(vertex) = volume.positions.iter().position(infinite) {
        return Err(Kind::NotFinite { vertex, value: volume.positions[vertex].to_array() });
    }
    let tables = [
        ("point", &volume.point_data, vertices),
        ("cell", &volume.cell_data, cells),
        ("face", &volume.face_data, volume.cells.faces()),
    ];
    for (element, arrays, rows) in tables {
        for (i, array) in arrays.iter().enumerate() {
            check_array(element, array, rows, &arrays[..i])?;
            if format == VolumeFormat::Vtu && array.name.contains('\0') {
                let reason = "has the character 0 in its name, which XML cannot store".into();
                return Err(Kind::Array { element, name: array.name.clone(), reason });
            }
        }
    }
    if matches!(format, VolumeFormat::Msh | VolumeFormat::Mesh) {
        medit::check_kinds(format, volume)?;
    }
    if matches!(format, VolumeFormat::Vtk | VolumeFormat::Msh | VolumeFormat::Ovm)
        && vertices + cells + volume.cells.faces() > i32::MAX as usize
    {
        let (format, what, count) = (format.to_string(), "elements", (vertices + cells) as u64);
        return Err(Kind::TooLarge { format, what, count, limit: i32::MAX as u64 });
    }
    Ok(())
}

fn check_array(
    element: &'static str,
    array: &DataArray,
    rows: usize,
    before: &[DataArray],
) -> Result<(), Kind> {
    let numbers = array.scalars.len();
    let reason = if array.name.is_empty() {
        "has no name".into()
    } else if before.iter().any(|known| known.name == array.name) {
        "occurs twice".into()
    } else if array.width == 0 || Some(numbers) != rows.checked_mul(array.width) {
        format!("has {numbers} numbers, and needs {rows} rows of {}", array.width)
    } else {
        return Ok(());
    };
    Err(Kind::Array { element, name: array.name.clone(), reason })
}
