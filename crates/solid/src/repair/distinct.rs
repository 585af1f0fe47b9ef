//! Choice of the faces that stay: none has a vertex twice, and no two have the same vertices.
use crate::repair::edges::Edges;
use crate::repair::folds::doubled;
use crate::repair::kernels::note;
use crate::repair::linked::{Judged, Linked, Region, Side, marks, rows, set};
use crate::repair::quads::doubled_quads;
use crate::repair::{RepairOptions, RepairReport};
use glam::DVec3;
use ribbonmesh::{Buffer, Result, array};

/// The faces that stay.
pub(crate) struct Distinct {
    /// These faces.
    pub linked: Linked,
    /// The faces of the input that stay, if some do not.
    pub inputs: Option<Buffer<u32>>,
    /// Sides of edges of more than two faces, and of edges of two that disagree there.
    pub noted: Vec<Side>,
}

/// Drops faces with a vertex twice, with the option those without area, and duplicates.
pub(crate) fn distinct(
    positions: &Buffer<DVec3>,
    faces: Buffer<u32>,
    options: &RepairOptions,
    report: &mut RepairReport,
) -> Result<Distinct> {
    let device = positions.device().clone();
    let judged = Judged::of(positions.len(), faces, options.remove_zero_area.then_some(positions))?;
    let inputs = judged.dropped.map(|dropped| {
        report.degenerate_faces_dropped = dropped.degenerate;
        report.zero_area_faces_dropped = dropped.flat;
        dropped.stay
    });
    let all = note::CROWDED | note::DISAGREES | note::TWIN;
    let linked = Linked::of(positions.len(), judged.faces, all)?;
    let noted = linked.noted(inputs.as_ref())?;
    let gone = doubles(positions, &linked, &noted, inputs.as_ref(), report)?;
    if gone.is_empty() {
        return Ok(Distinct { linked, inputs, noted: meeting(noted) });
    }
    let mut stays = device.unspecified::<u32>(linked.len())?;
    array::fill(&mut stays, 1)?;
    set(&mut stays, &gone, &vec![0; gone.len()])?;
    let list = array::select(&stays)?;
    let linked = Linked::of(positions.len(), rows(linked.faces(), &list)?, note::CROWDED | note::DISAGREES)?;
    let inputs = Some(match inputs {
        Some(inputs) => array::gather(&inputs, &list)?,
        None => list,
    });
    let noted = linked.noted(inputs.as_ref())?;
    Ok(Distinct { linked, inputs, noted })
}

/// Sides of edges of more than two faces, and of edges of two that disagree.
fn meeting(mut noted: Vec<Side>) -> Vec<Side> {
    noted.retain(|side| side.notes & (note::CROWDED | note::DISAGREES) != 0);
    noted
}

/// Finds faces that others stand for: duplicates, and halves of squares that exist twice.
fn doubles(
    positions: &Buffer<DVec3>,
    linked: &Linked,
    noted: &[Side],
    inputs: Option<&Buffer<u32>>,
    report: &mut RepairReport,
) -> Result<Vec<u32>> {
    let device = positions.device();
    let near = noted.iter().filter(|side| side.notes & (note::CROWDED | note::TWIN) != 0);
    let mut vertices: Vec<u32> = near.flat_map(|side| [side.ends[0], side.ends[1], side.apex]).collect();
    if vertices.is_empty() {
        return Ok(vec![]);
    }
    vertices.sort_unstable();
    vertices.dedup();
    let marked = marks(device, positions.len(), &vertices)?;
    let region = Region::around(&marked, linked.faces(), inputs, &linked.across)?;
    let at = array::gather(positions, &device.upload(&region.vertices)?)?.read()?;

    let edges = Edges::of(at.len(), &region.faces);
    let mut found = doubled(&edges, &region.faces);
    let mut gone = vec![false; region.faces.len()];
    let dropped = found.duplicates.iter().map(|pair| &pair[0]).chain(&found.folded);
    dropped.for_each(|&face| gone[face as usize] = true);
    found.duplicates.extend(doubled_quads(&edges, &at, &region.faces, &gone));
    found.duplicates.sort_unstable();
    found.duplicates.iter().for_each(|pair| gone[pair[0] as usize] = true);

    let pairs = found.duplicates.into_iter().map(|pair| pair.map(|face| region.inputs[face as usize]));
    report.duplicate_faces_dropped = pairs.collect();
    report.folded_faces_dropped = found.folded.into_iter().map(|face| region.inputs[face as usize]).collect();
    Ok(region.ids.iter().zip(gone).filter(|(_, gone)| *gone).map(|(face, _)| *face).collect())
}
