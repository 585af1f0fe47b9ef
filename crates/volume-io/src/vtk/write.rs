//! Writing VTK legacy files.

use std::io;

use ribbonmesh_io::core::{Order, Sink};
use ribbonmesh_mesh::Scalars;

use super::names::{encoded, name};
use crate::{
    DataArray, VolumeData, VolumeLoss, VolumeWriteOptions, VtkVersion, data::coordinates, joined::joined,
    regions,
};

/// VTK's numbers of all cells and then of all faces.
pub(crate) fn types(data: &VolumeData) -> Vec<u8> {
    let cells = (0..data.cells.len()).map(|i| data.cells.cell(i).0.vtk() as u8);
    let faces = (0..data.cells.faces()).map(|i| match data.cells.face(i).len() {
        3 => 5,
        4 => 9,
        _ => 7,
    });
    cells.chain(faces).collect()
}

/// Writes a file.
pub(crate) fn write(
    out: &mut Sink<'_>,
    data: &VolumeData,
    options: &VolumeWriteOptions,
    losses: &mut Vec<VolumeLoss>,
) -> io::Result<()> {
    let version = if options.vtk_version == VtkVersion::V3 { "3.0" } else { "5.1" };
    // one line of at most 255 bytes
    let fits = data.title.len() < 256 && !data.title.contains(['\n', '\r']);
    if !fits {
        losses.push(VolumeLoss::Title);
    }
    let title = if fits { &data.title } else { "" };
    let encoding = if options.ascii { "ASCII" } else { "BINARY" };
    out.text(&format!("# vtk DataFile Version {version}\n{title}\n{encoding}\nDATASET UNSTRUCTURED_GRID\n"))?;
    let ascii = options.ascii;
    let numbers = |out: &mut Sink<'_>, scalars: &Scalars, width: usize| {
        if ascii {
            return out.rows(scalars, width);
        }
        out.binary(scalars, Order::Big)?;
        out.text("\n")
    };
    if let Some(arrays) = regions::arrays(data) {
        out.text(&format!("FIELD FieldData {}\n", arrays.len()))?;
        for array in &arrays {
            out.text(&format!("{} 1 {} {}\n", array.name, array.rows(), name(array.scalars.scalar())))?;
            numbers(out, &array.scalars, 1)?;
        }
    }
    let points = coordinates(&data.positions, data.precision);
    out.text(&format!("POINTS {} {}\n", data.positions.len(), name(points.scalar())))?;
    numbers(out, &points, 3)?;
    let cells = &data.cells;
    let lists = || (0..cells.len()).map(|i| cells.cell(i).1).chain((0..cells.faces()).map(|i| cells.face(i)));
    let (rows, words) = (cells.len() + cells.faces(), lists().map(<[u32]>::len).sum::<usize>());
    if options.vtk_version == VtkVersion::V3 {
        out.text(&format!("CELLS {rows} {}\n", rows + words))?;
        if ascii {
            for list in lists() {
                out.integers(std::iter::once(list.len() as u32).chain(list.iter().copied()))?;
            }
        } else {
            let all = lists().flat_map(|list| std::iter::once(list.len() as u32).chain(list.iter().copied()));
            numbers(out, &Scalars::U32(all.collect()), 1)?;
        }
    } else {
        out.text(&format!("CELLS {} {words}\nOFFSETS vtktypeint64\n", rows + 1))?;
        let mut starts = vec![0_i64];
        starts.extend(lists().scan(0, |sum, list| {
            *sum += list.len() as i64;
            Some(*sum)
        }));
        numbers(out, &Scalars::I64(starts), 1)?;
        out.text("CONNECTIVITY vtktypeint64\n")?;
        if ascii {
            for list in lists() {
                out.integers(list.iter().copied())?;
            }
        } else {
            numbers(out, &Scalars::I64(lists().flatten().map(|&v| v.into()).collect()), 1)?;
        }
    }
    out.text(&format!("CELL_TYPES {rows}\n"))?;
    numbers(out, &Scalars::I32(types(data).into_iter().map(i32::from).collect()), 1)?;
    let mut table = |title: String, arrays: &[DataArray]| {
        if arrays.is_empty() {
            return Ok(());
        }
        out.text(&format!("{title}\nFIELD FieldData {}\n", arrays.len()))?;
        for array in arrays {
            let (name, of) = (encoded(&array.name), name(array.scalars.scalar()));
            out.text(&format!("{name} {} {} {of}\n", array.width, array.rows()))?;
            numbers(out, &array.scalars, array.width)?;
        }
        Ok::<_, io::Error>(())
    };
    table(format!("POINT_DATA {}", data.positions.len()), &data.point_data)?;
    table(format!("CELL_DATA {rows}"), &joined(data, losses))
}
