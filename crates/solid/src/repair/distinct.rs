//! Choice of the faces that stay: none has a vertex twice, and no two have the same vertices.
use crate::repair::crowded::Around;
use crate::repair::edges::Edges;
use crate::repair::judged::Judged;
use crate::repair::linked::{Linked, Side, set};
use crate::repair::quads::doubled_quads;
use crate::repair::twins::without_twins;
use crate::repair::{RepairOptions, RepairReport};
use glam::DVec3;
use ribbonmesh::{Buffer, Result, array};

/// The faces that stay.
pub(crate) struct Distinct {
    /// These faces.
    pub linked: Linked,
    /// The faces of the input that stay, if some do not.
    pub inputs: Option<Buffer<u32>>,
    /// Sides of edges of more than two faces, ascending.
    pub crowded: Vec<Side>,
}

/// Drops faces with a vertex twice, with the option those without area, and duplicates.
pub(crate) fn distinct(
    positions: &Buffer<DVec3>,
    faces: Buffer<u32>,
    options: &RepairOptions,
    report: &mut RepairReport,
) -> Result<Distinct> {
    let judged = Judged::of(positions.len(), faces, options.remove_zero_area.then_some(positions))?;
    let inputs = judged.dropped.map(|dropped| {
        report.degenerate_faces_dropped = dropped.degenerate;
        report.zero_area_faces_dropped = dropped.flat;
        dropped.stay
    });
    let (linked, inputs) = without_twins(positions.len(), judged.faces, inputs, report)?;
    let crowded = linked.crowded(inputs.as_ref())?;
    let gone = squares(positions, &linked, &crowded, inputs.as_ref(), report)?;
    if gone.is_empty() {
        return Ok(Distinct { linked, inputs, crowded });
    }
    let mut stays = positions.device().unspecified::<u32>(linked.len())?;
    array::fill(&mut stays, 1)?;
    set(&mut stays, &gone, &vec![0; gone.len()])?;
    let list = array::select(&stays)?;
    let linked = linked.left(&list)?;
    let inputs = Some(match inputs {
        Some(inputs) => array::gather(&inputs, &list)?,
        None => list,
    });
    let crowded = linked.crowded(inputs.as_ref())?;
    Ok(Distinct { linked, inputs, crowded })
}

/// Finds halves of squares that exist twice: the faces that others stand for.
fn squares(
    positions: &Buffer<DVec3>,
    linked: &Linked,
    crowded: &[Side],
    inputs: Option<&Buffer<u32>>,
    report: &mut RepairReport,
) -> Result<Vec<u32>> {
    if crowded.is_empty() {
        return Ok(vec![]);
    }
    let Around { region, at, .. } = Around::of(positions, linked, crowded, inputs)?;
    let found = doubled_quads(&Edges::of(at.len(), &region.faces), &at, &region.faces);
    let pairs = found.iter().map(|pair| pair.map(|face| region.inputs[face as usize]));
    report.duplicate_faces_dropped.extend(pairs);
    report.duplicate_faces_dropped.sort_unstable();
    Ok(found.iter().map(|pair| region.ids[pair[0] as usize]).collect())
}
