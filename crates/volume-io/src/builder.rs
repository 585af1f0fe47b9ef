//! Builder that readers fill: elements of any kind in the order of the file, and data for all of them.

use glam::DVec3;
use ribbonmesh_io::{
    ReadErrorKind as Kind,
    core::{Fault, Outcome, fault, fault_of_file},
};
use ribbonmesh_mesh::Scalars;
use ribbonmesh_volume::{CellKind, CellList};

use crate::{
    DataArray, VolumeData, VolumeNotes,
    shape::{Shape, turn_wedge},
};

/// Kind that an element of the file became.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Cell,
    Face,
    Nothing,
}

/// A volume on its way.
#[derive(Default)]
pub(crate) struct Builder {
    pub data: VolumeData,
    pub notes: VolumeNotes,
    targets: Vec<Target>,
}

impl Builder {
    /// Number of elements so far.
    pub fn elements(&self) -> usize {
        self.targets.len()
    }

    /// The kind that each element became.
    pub fn targets(&self) -> &[Target] {
        &self.targets
    }

    /// Appends an element of the file by its nodes, corners first; of a polyhedron its list of faces, as
    /// [`CellKind`] has it. `offset` is its place in the file.
    pub fn element(&mut self, shape: Shape, nodes: &[u32], offset: &dyn Fn() -> usize) -> Outcome<()> {
        let number = self.targets.len();
        let vertices = self.data.positions.len() as u64;
        if let Shape::Other(kind) = shape {
            self.notes.skip_elements(kind, 1);
            self.targets.push(Target::Nothing);
            return Ok(());
        }
        let inside = |ids: &[u32]| match ids.iter().find(|&&id| u64::from(id) >= vertices) {
            None => Ok(()),
            Some(&id) => {
                let (element, index) = (format!("cell {number}"), id.into());
                Err(fault(offset(), Kind::OutOfRange { element, what: "vertex", index, count: vertices }))
            }
        };
        if shape == Shape::Polyhedron {
            faces_of(nodes).ok_or_else(|| {
                let reason = format!("the list of faces of cell {number}, a polyhedron, is incomplete");
                fault(offset(), Kind::Malformed { reason })
            })?;
            let mut at = 1;
            while at < nodes.len() {
                let end = at + 1 + nodes[at] as usize;
                inside(&nodes[at + 1..end])?;
                at = end;
            }
        } else {
            inside(nodes)?;
        }
        let expected = shape.corners().unwrap_or(3);
        if nodes.len() < expected {
            let what = format!("the list of vertices of cell {number}");
            let (expected, found) = (expected as u64, nodes.len() as u64);
            return Err(fault(offset(), Kind::Length { what, expected, found }));
        }
        let cells = &mut self.data.cells;
        let corners = &nodes[..shape.corners().unwrap_or(nodes.len())];
        let target = match shape {
            Shape::Other(_) => Target::Nothing,
            Shape::Triangle | Shape::Quad | Shape::Polygon => {
                cells.push_face(corners);
                Target::Face
            }
            Shape::Pixel => {
                self.notes.reordered += 1;
                cells.push_face(&[corners[0], corners[1], corners[3], corners[2]]);
                Target::Face
            }
            Shape::Voxel => {
                self.notes.reordered += 1;
                let order = [0, 1, 3, 2, 4, 5, 7, 6].map(|i: usize| corners[i]);
                cells.push(CellKind::Hexahedron, &order);
                Target::Cell
            }
            Shape::Tetrahedron => {
                cells.push(CellKind::Tetrahedron, corners);
                Target::Cell
            }
            Shape::Pyramid => {
                cells.push(CellKind::Pyramid, corners);
                Target::Cell
            }
            Shape::Wedge => {
                cells.push(CellKind::Wedge, corners);
                Target::Cell
            }
            Shape::Hexahedron => {
                cells.push(CellKind::Hexahedron, corners);
                Target::Cell
            }
            Shape::Polyhedron => {
                cells.push(CellKind::Polyhedron, corners);
                Target::Cell
            }
        };
        self.targets.push(target);
        Ok(())
    }

    /// Adds data of vertices.
    pub fn of_points(&mut self, array: DataArray, offset: usize) -> Outcome<()> {
        check(&array, "point", self.data.positions.len(), offset)?;
        add(&mut self.data.point_data, array, "point", offset)
    }

    /// Adds data of all elements: the data of cells and of faces become arrays of their own.
    pub fn of_elements(&mut self, array: DataArray, offset: usize) -> Outcome<()> {
        check(&array, "cell", self.targets.len(), offset)?;
        let rows = |wanted| {
            let kept = self.targets.iter().zip(0_u32..).filter(|(target, _)| **target == wanted);
            kept.map(|(_, row)| row).collect::<Vec<u32>>()
        };
        let (cells, faces) = (rows(Target::Cell), rows(Target::Face));
        if !faces.is_empty() {
            add(&mut self.data.face_data, array.select(&faces), "face", offset)?;
        }
        if cells.len() == self.targets.len() {
            add(&mut self.data.cell_data, array, "cell", offset)
        } else if cells.is_empty() {
            Ok(())
        } else {
            add(&mut self.data.cell_data, array.select(&cells), "cell", offset)
        }
    }

    /// The volume, unless it is empty.
    pub fn finish(mut self) -> Outcome<(VolumeData, VolumeNotes)> {
        let (data, vertices) = (&self.data, self.data.positions.len() as u64);
        if vertices == 0 {
            return Err(fault_of_file(Kind::NoVertices));
        }
        if data.cells.is_empty() {
            return Err(fault_of_file(Kind::NoCells { vertices, faces: data.cells.faces() as u64 }));
        }
        self.turn_wedges();
        if self.notes.higher_order > 0 {
            self.notes.nodes_unused = self.unused();
        }
        Ok((self.data, self.notes))
    }

    /// Turns all wedges if most of them have a negative volume. VTK's own documentation and its own writers
    /// disagree, and so do files of other programs; a few inverted wedges among many others stay as they are.
    fn turn_wedges(&mut self) {
        let data = &mut self.data;
        let (mut positive, mut negative) = (0_u64, 0_u64);
        for cell in 0..data.cells.len() {
            if let (CellKind::Wedge, &[a, b, c, d, e, f]) = data.cells.cell(cell) {
                let [a, b, c, d, e, f] = [a, b, c, d, e, f].map(|v| data.positions[v as usize]);
                let normal = (b - a).cross(c - a) + (e - d).cross(f - d);
                let height = normal.dot(d + e + f - a - b - c);
                (positive, negative) =
                    (positive + u64::from(height < 0.0), negative + u64::from(height > 0.0));
            }
        }
        if negative <= positive {
            return;
        }
        let mut turned = CellList::new();
        for (kind, own) in (0..data.cells.len()).map(|cell| data.cells.cell(cell)) {
            match (kind, own.first_chunk::<6>()) {
                (CellKind::Wedge, Some(own)) => turned.push(kind, &turn_wedge(own)),
                _ => turned.push(kind, own),
            }
        }
        let given = std::mem::replace(&mut data.cells, turned);
        data.cells.set_faces_of(&given);
        self.notes.wedges_turned = positive + negative;
    }

    /// The number of vertices that no cell and no face has.
    fn unused(&self) -> u64 {
        let mut used = vec![false; self.data.positions.len()];
        let cells = &self.data.cells;
        for (kind, words) in (0..cells.len()).map(|i| cells.cell(i)) {
            let lists =
                if kind == CellKind::Polyhedron { faces_of(words).unwrap_or_default() } else { vec![words] };
            lists.concat().iter().for_each(|&v| used[v as usize] = true);
        }
        (0..cells.faces()).flat_map(|i| cells.face(i)).for_each(|&v| used[v as usize] = true);
        used.iter().filter(|used| !**used).count() as u64
    }
}

/// The faces of a polyhedron by its list; `None` if the list is not complete, or has a face of fewer than
/// three vertices.
pub(crate) fn faces_of(words: &[u32]) -> Option<Vec<&[u32]>> {
    let (&count, mut rest) = words.split_first()?;
    let mut faces = Vec::new();
    while let Some((&length, after)) = rest.split_first() {
        let face = after.get(..length as usize).filter(|face| face.len() >= 3)?;
        faces.push(face);
        rest = &after[face.len()..];
    }
    (faces.len() == count as usize && count > 0).then_some(faces)
}

fn check(array: &DataArray, element: &str, rows: usize, offset: usize) -> Outcome<()> {
    let expected = rows as u64 * array.width as u64;
    let found = array.scalars.len() as u64;
    if found == expected && array.width > 0 {
        return Ok(());
    }
    let what = format!("{element} data {:?}", array.name);
    Err(fault(offset, Kind::Length { what, expected, found }))
}

fn add(arrays: &mut Vec<DataArray>, array: DataArray, element: &str, offset: usize) -> Outcome<()> {
    if arrays.iter().any(|known| known.name == array.name) {
        let what = format!("{element} data {:?}", array.name);
        return Err(fault(offset, Kind::Duplicate { what }));
    }
    arrays.push(array);
    Ok(())
}

/// Error of a coordinate that is not finite in single precision.
#[cold]
pub(crate) fn not_finite(offset: usize, vertex: usize, value: f64) -> Box<Fault> {
    fault(offset, Kind::NotFinite { text: format!("{value} of vertex {vertex}") })
}

/// Positions of three coordinates each, from vertex `first` on; all must be finite in single precision, too.
/// `offset` says where coordinate `i` is in the file.
pub(crate) fn positions(
    coordinates: &Scalars,
    first: usize,
    offset: impl Fn(usize) -> usize,
) -> Outcome<Vec<DVec3>> {
    let count = coordinates.len() / 3;
    let mut positions = Vec::with_capacity(count);
    for vertex in 0..count {
        let at = |axis| coordinates.as_f64(3 * vertex + axis).unwrap_or_default();
        let position = DVec3::new(at(0), at(1), at(2));
        if !position.as_vec3().is_finite() {
            let axis = (0..3).find(|&axis| !(at(axis) as f32).is_finite()).unwrap_or_default();
            return Err(not_finite(offset(3 * vertex + axis), first + vertex, at(axis)));
        }
        positions.push(position);
    }
    Ok(positions)
}

/// Numbers of elements as 32-bit indices. `offset` is their place in the file.
pub(crate) fn indices(scalars: &Scalars, what: &'static str, offset: usize) -> Outcome<Vec<u32>> {
    let wide = |i: usize| match scalars {
        Scalars::I64(values) => values[i].into(),
        Scalars::U64(values) => values[i].into(),
        _ => scalars.as_f64(i).unwrap_or(f64::NAN) as i128,
    };
    let index = |i: usize| {
        let value = wide(i);
        u32::try_from(value).map_err(|_| {
            let text = value.to_string();
            fault(offset, Kind::NotANumber { what, text })
        })
    };
    if !scalars.scalar().is_integer() {
        let text = scalars.scalar().name().into();
        return Err(fault(offset, Kind::NotANumber { what, text }));
    }
    (0..scalars.len()).map(index).collect()
}
