//! Writing.

use std::collections::HashMap;

use ribbonmesh_io::{WriteErrorKind as WriteKind, core::Sink};
use ribbonmesh_mesh::{Precision, Scalar, Scalars};

use super::TYPES;
use crate::{DataArray, VolumeData, VolumeLoss, data::coordinates, joined::empty};

/// Faces and edges, each once.
#[derive(Default)]
struct Topology {
    edges: Vec<[u32; 2]>,
    edge_of: HashMap<[u32; 2], u32>,
    /// Half-edges of each face.
    faces: Vec<Vec<u32>>,
    /// Half-faces by their vertices, the smallest first.
    half_face_of: HashMap<Vec<u32>, u32>,
}

impl Topology {
    /// A new face.
    fn push(&mut self, cycle: &[u32]) -> u32 {
        let face = self.faces.len() as u32;
        let next = |i: usize| cycle[(i + 1) % cycle.len()];
        let sides = (0..cycle.len()).map(|i| self.half_edge(cycle[i], next(i))).collect();
        self.faces.push(sides);
        let reversed: Vec<u32> = cycle.iter().rev().copied().collect();
        // of a face that is listed twice the first is that of cells
        self.half_face_of.entry(from_smallest(cycle)).or_insert(2 * face);
        self.half_face_of.entry(from_smallest(&reversed)).or_insert(2 * face + 1);
        2 * face
    }
    /// The half-face with these vertices, which is made if it is not there.
    fn half_face(&mut self, cycle: &[u32]) -> u32 {
        match self.half_face_of.get(&from_smallest(cycle)) {
            Some(&known) => known,
            None => self.push(cycle),
        }
    }
    fn half_edge(&mut self, from: u32, to: u32) -> u32 {
        let next = self.edges.len() as u32;
        let edge = *self.edge_of.entry([from.min(to), from.max(to)]).or_insert(next);
        if edge == next {
            self.edges.push([from, to]);
        }
        2 * edge + (self.edges[edge as usize][0] != from) as u32
    }
}

fn from_smallest(cycle: &[u32]) -> Vec<u32> {
    let mut own = cycle.to_vec();
    let at = (0..own.len()).min_by_key(|&i| own[i]).unwrap_or_default();
    own.rotate_left(at);
    own
}

/// Writes a file. Half-faces look out of their cells.
pub(crate) fn write(
    out: &mut Sink<'_>,
    data: &VolumeData,
    losses: &mut Vec<VolumeLoss>,
) -> Result<(), WriteKind> {
    let mut topology = Topology::default();
    for face in 0..data.cells.faces() {
        topology.push(data.cells.face(face));
    }
    let cells: Vec<Vec<u32>> = (0..data.cells.len())
        .map(|cell| data.cells.faces_of(cell).iter().map(|face| topology.half_face(face)).collect())
        .collect();
    if !data.title.is_empty() {
        losses.push(VolumeLoss::Title);
    }
    // without data nothing says that a face of cells is listed, too
    let mut of_cells = vec![false; topology.faces.len()];
    cells.iter().flatten().for_each(|&side| of_cells[side as usize / 2] = true);
    let listed = of_cells[..data.cells.faces()].iter().filter(|&&has| has).count();
    if data.face_data.is_empty() && listed > 0 {
        losses.push(VolumeLoss::Listed { count: listed });
    }

    out.text(&format!("OVM ASCII\nVertices\n{}\n", data.positions.len()))?;
    out.rows(&coordinates(&data.positions, Precision::Double), 3)?;
    out.text(&format!("Edges\n{}\n", topology.edges.len()))?;
    for edge in &topology.edges {
        out.integers(*edge)?;
    }
    for (name, lists) in [("Faces", &topology.faces), ("Polyhedra", &cells)] {
        out.text(&format!("{name}\n{}\n", lists.len()))?;
        for list in lists {
            out.integers([list.len() as u32].into_iter().chain(list.iter().copied()))?;
        }
    }

    let others = topology.faces.len() - data.cells.faces();
    let tables = [
        ("VProp", "point", &data.point_data, 0),
        ("FProp", "face", &data.face_data, others),
        ("CProp", "cell", &data.cell_data, 0),
    ];
    for (entity, element, arrays, missing) in tables {
        for array in arrays {
            property(out, entity, element, array, missing, losses)?;
        }
    }
    Ok(())
}

/// Writes an array, with `missing` rows more than it has.
fn property(
    out: &mut Sink<'_>,
    entity: &str,
    element: &'static str,
    array: &DataArray,
    missing: usize,
    losses: &mut Vec<VolumeLoss>,
) -> Result<(), WriteKind> {
    let name = array.name.clone();
    let plain = !name.contains(['"', '\n', '\r', '#']) && name.trim() == name;
    // small whole numbers are stored as larger ones: OpenVolumeMesh's small ones are characters
    let scalar = match array.scalars.scalar() {
        Scalar::U8 | Scalar::I8 | Scalar::U16 | Scalar::I16 => Scalar::I32,
        other => other,
    };
    let known = TYPES.iter().find(|(_, known, width)| *known == scalar && *width == array.width);
    let Some((kind, ..)) = known.filter(|_| plain) else {
        losses.push(VolumeLoss::Array { element, name });
        return Ok(());
    };
    if scalar != array.scalars.scalar() {
        losses.push(VolumeLoss::Type { element, name: name.clone(), stored: "i32" });
    }
    if missing > 0 {
        losses.push(VolumeLoss::Filled { element, name: name.clone() });
    }
    out.text(&format!("{entity} {kind} \"{name}\"\n"))?;
    out.rows(&array.scalars, array.width)?;
    let rest: Scalars = empty(array.scalars.scalar(), missing * array.width);
    Ok(out.rows(&rest, array.width)?)
}
