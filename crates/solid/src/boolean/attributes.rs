//! New elements with attributes.
use crate::arrange::GRAIN;
use crate::boolean::BooleanError;
use crate::boolean::draft::{Draft, Fresh, Piece};
use crate::boolean::marked::Marks;
use crate::boolean::on_grid::on_grid;
use crate::boolean::scene::{Kept, Scene, place};
use crate::boolean::whole::Whole;
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use ribbonmesh::array;
use ribbonmesh_mesh::{
    Column, Element, MeshError, Policy, Precision, Role, Scalars, TriangleMesh, vertex_normals,
};

/// The origin of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Row {
    /// A row of the input.
    Old(u32),
    /// A point within a face: rows of its corners, with weights whose sum is 1.
    Mean([u32; 3], [f64; 3]),
}

impl Row {
    /// The old row, or the one with the greatest weight.
    fn nearest(self) -> u32 {
        match self {
            Self::Old(row) => row,
            Self::Mean(rows, weights) => {
                let first = if weights[1] > weights[0] { 1 } else { 0 };
                rows[if weights[2] > weights[first] { 2 } else { first }]
            }
        }
    }
}

/// Parts of a result.
pub(crate) struct Ending {
    /// Faces of the input, and their vertices.
    pub(crate) kept: Kept,
    /// New vertices and faces with all attributes.
    pub(crate) rest: TriangleMesh,
    /// Vertices of the new faces by their numbers in the result.
    pub(crate) corners: Vec<[u32; 3]>,
    /// Corners of the kept faces that get other vertices, and these vertices.
    pub(crate) moved: [Vec<u32>; 2],
    /// Columns that are dropped because their policy says so.
    pub(crate) dropped: Vec<String>,
}

/// Ends a draft. Attributes of new vertices and corners are means within the face of the input where they are
/// interpolated, else those of the nearest corner; new faces have those of their face. Normals follow a face
/// that is turned.
pub(crate) fn end(whole: &mut impl Whole, draft: &Draft) -> Result<Ending, BooleanError> {
    let Draft { scene, fresh, pieces, .. } = draft;
    let count = scene.vertices();
    let of_moved = draft.moved.par_iter().with_min_len(GRAIN).map(|&(.., vertex)| vertex);
    let of_both = pieces.par_iter().with_min_len(GRAIN).flat_map_iter(|piece| piece.vertices).chain(of_moved);
    let used = Marks::of(count as usize + fresh.len(), of_both).numbers();
    let (used, listed) = used.split_at(place(&used, count) as usize);
    let listed: Vec<u32> = listed.iter().map(|v| v - count).collect();
    let mut number = vec![0; fresh.len()];
    (0..).zip(&listed).for_each(|(place, &i)| number[i as usize] = place);
    let moved: Vec<u32> = draft.moved.iter().map(|of| of.0).collect();
    let (kept, moved) = scene.kept(used, &moved)?;
    let old = array::gather(&kept.numbers, &scene.device().upload(used)?)?.read()?;
    let first = kept.vertices.len() as u32;
    let numbered = |v: u32| match v.checked_sub(count) {
        None => old[place(used, v) as usize],
        Some(fresh) => first + number[fresh as usize],
    };
    let corners = pieces.par_iter().with_min_len(GRAIN).map(|piece| piece.vertices.map(numbered)).collect();
    let moved = [
        moved.iter().zip(&draft.moved).map(|(face, of)| 3 * face + of.1).collect(),
        draft.moved.iter().map(|of| numbered(of.2)).collect(),
    ];

    let faces = ascending(pieces.par_iter().with_min_len(GRAIN).map(|piece| piece.face));
    let like = ascending(
        listed.par_iter().with_min_len(GRAIN).map(|&i| draft.origin(count + i)).filter(|&v| v < count),
    );
    let (of, vertices) = whole.part(&faces, &like)?;
    let rows = Rows::new(&of, &vertices, &faces, draft);
    let at = |point: Vec3| {
        let at = scene.origin + point.as_dvec3();
        if of.precision == Precision::Single { at.as_vec3().as_dvec3() } else { at }
    };
    let position = |&i: &u32| match draft.position(count + i) {
        Ok(point) => at(point),
        Err(old) => of.positions[place(&vertices, old) as usize],
    };
    let mut rest = TriangleMesh::new(listed.iter().map(position).collect(), vec![[0; 3]; pieces.len()]);
    rest.precision = of.precision;
    let dropped = copy_columns(&of, &mut rest, &listed, pieces, &rows)?;
    Ok(Ending { kept, rest, corners, moved, dropped })
}

/// Numbers in order, each once.
fn ascending(numbers: impl ParallelIterator<Item = u32>) -> Vec<u32> {
    let mut all: Vec<u32> = numbers.collect();
    all.par_sort_unstable();
    all.dedup();
    all
}

/// The rows of a part of the input from which attributes of new elements come.
struct Rows<'a> {
    of: &'a TriangleMesh,
    /// The vertices and faces of the part in the input.
    vertices: &'a [u32],
    faces: &'a [u32],
    draft: &'a Draft,
    /// For each new vertex the last piece of which it is a corner, and the place there.
    pieces: Vec<(u32, u8)>,
}

impl<'a> Rows<'a> {
    fn new(of: &'a TriangleMesh, vertices: &'a [u32], faces: &'a [u32], draft: &'a Draft) -> Self {
        let mut last = vec![(u32::MAX, 0); draft.fresh.len()];
        // only attributes of vertices need them
        let has_columns = of.attributes(Element::Vertex).into_iter().next().is_some();
        for (i, piece) in (0..).zip(&draft.pieces).filter(|_| has_columns) {
            for (k, v) in (0..).zip(piece.vertices) {
                if let Some(fresh) = v.checked_sub(draft.scene.vertices()) {
                    last[fresh as usize] = (i, k);
                }
            }
        }
        Self { of, vertices, faces, draft, pieces: last }
    }
    fn of_vertex(&self, vertex: u32) -> Row {
        let Some(i) = vertex.checked_sub(self.draft.scene.vertices()) else {
            return Row::Old(place(self.vertices, vertex));
        };
        match self.draft.fresh[i as usize] {
            Fresh::Copy(of) | Fresh::Middle(of, _) => self.of_vertex(of),
            Fresh::Made(_) => {
                let (piece, k) = self.pieces[i as usize];
                let row = |piece: &Piece| self.within(piece, piece.corners[k as usize], |_, vertex| vertex);
                self.draft.pieces.get(piece as usize).map_or(Row::Old(0), row)
            }
        }
    }
    /// The place of a piece's face in the part.
    fn face(&self, piece: &Piece) -> u32 {
        place(self.faces, piece.face)
    }
    /// The row at a point of a piece; `row` names that of a corner of its face, by place and vertex.
    fn within(&self, piece: &Piece, point: Vec3, row: impl Fn(u32, u32) -> u32) -> Row {
        let Scene { origin, scale, .. } = self.draft.scene;
        let source = self.of.faces[self.face(piece) as usize];
        let places = source.map(|v| self.of.positions[v as usize]);
        let rows = [0, 1, 2].map(|k| row(k, source[k as usize]));
        match places.iter().position(|&p| on_grid((p - origin).as_vec3(), scale) == point) {
            Some(k) => Row::Old(rows[k]),
            None => Row::Mean(rows, weights(places, origin + point.as_dvec3())),
        }
    }
}

/// Gives new vertices, those with some numbers, and new faces all columns. Returns those that are dropped.
fn copy_columns(
    of: &TriangleMesh,
    rest: &mut TriangleMesh,
    fresh: &[u32],
    pieces: &[Piece],
    rows: &Rows<'_>,
) -> Result<Vec<String>, MeshError> {
    let mut dropped = vec![];
    for element in [Element::Vertex, Element::Face, Element::Corner] {
        let of_corners = |piece: &Piece| {
            let face = 3 * rows.face(piece);
            piece.corners.map(|point| rows.within(piece, point, |k, _| face + k))
        };
        let columns = of.attributes(element);
        let of_element: Vec<Row> = match element {
            _ if columns.into_iter().next().is_none() => continue,
            Element::Vertex => {
                let first = rows.draft.scene.vertices();
                fresh.par_iter().map(|&i| rows.of_vertex(first + i)).collect()
            }
            Element::Face => pieces.par_iter().map(|piece| Row::Old(rows.face(piece))).collect(),
            _ => pieces.par_iter().flat_map_iter(of_corners).collect(),
        };
        for column in columns {
            if column.policy() == Policy::Drop {
                dropped.push(format!("{element}.{}", column.name()));
                continue;
            }
            let turned = match element {
                Element::Corner if is_normal(column) => {
                    Some(pieces.iter().flat_map(|piece| [piece.turned; 3]).collect::<Vec<bool>>())
                }
                _ => None,
            };
            let values = gather(column, &of_element, turned.as_deref());
            let made = Column::from_scalars(column.name(), column.role(), column.width(), values);
            if let Some(made) = made {
                rest.attributes_mut(element).insert_column(made.with_policy(column.policy()))?;
            }
        }
    }
    Ok(dropped)
}

/// Whether a column has normals.
fn is_normal(column: &Column) -> bool {
    column.role() == Role::Normal && column.width() == 3
}

/// Computes normals of vertices anew, and reverses those of the corners of some faces.
pub(crate) fn renew_normals(mesh: &mut TriangleMesh, turned: &[u32]) -> Result<(), MeshError> {
    let mut renewed = vec![];
    for column in mesh.attributes(Element::Corner).into_iter().filter(|column| is_normal(column)) {
        if !turned.is_empty() {
            renewed.push((Element::Corner, column, reversed(column, turned)));
        }
    }
    for column in mesh.attributes(Element::Vertex).into_iter().filter(|column| is_normal(column)) {
        renewed.push((Element::Vertex, column, normals(mesh, column)));
    }
    let column = |(element, column, values): (Element, &Column, Scalars)| {
        let made = Column::from_scalars(column.name(), column.role(), column.width(), values)?;
        Some((element, made.with_policy(column.policy())))
    };
    let renewed: Vec<(Element, Column)> = renewed.into_iter().filter_map(column).collect();
    for (element, column) in renewed {
        mesh.attributes_mut(element).insert_column(column)?;
    }
    Ok(())
}

/// Barycentric coordinates of a point near a triangle.
fn weights([a, b, c]: [DVec3; 3], p: DVec3) -> [f64; 3] {
    let normal = (b - a).cross(c - a);
    let whole = normal.length_squared();
    if whole == 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let v = ((p - a).cross(c - a).dot(normal) / whole).clamp(0.0, 1.0);
    let w = ((b - a).cross(p - a).dot(normal) / whole).clamp(0.0, 1.0 - v);
    [1.0 - v - w, v, w]
}

/// Normals of corners, those of listed faces in the other direction; the list ascends.
fn reversed(column: &Column, faces: &[u32]) -> Scalars {
    let old = column.scalars();
    let mut values = Scalars::with_capacity(column.scalar(), old.len());
    let mut next = 0;
    for &face in faces {
        values.append_rows(old, 3, &(next..3 * face).collect::<Vec<u32>>());
        next = 3 * face + 3;
        let at = |i: u32| old.as_f64((9 * face + i) as usize).unwrap_or(0.0);
        values.push_rounded(&(0..9).map(|i| -at(i)).collect::<Vec<f64>>());
    }
    values.append_rows(old, 3, &(next..(old.len() / 3) as u32).collect::<Vec<u32>>());
    values
}

/// Normals of all vertices.
fn normals(mesh: &TriangleMesh, column: &Column) -> Scalars {
    let mut values = Scalars::with_capacity(column.scalar(), 3 * mesh.positions.len());
    for normal in vertex_normals(&mesh.positions, &mesh.faces) {
        values.push_rounded(&normal.map(f64::from));
    }
    values
}

/// Rows of a column; those that are marked are turned around.
fn gather(column: &Column, rows: &[Row], turned: Option<&[bool]>) -> Scalars {
    let (width, old) = (column.width(), column.scalars());
    let mut values = Scalars::with_capacity(column.scalar(), width * rows.len());
    let interpolates = matches!(column.policy(), Policy::Interpolate | Policy::Recompute);
    let mut copied: Vec<u32> = vec![];
    for (i, &row) in rows.iter().enumerate() {
        let turns = turned.is_some_and(|turned| turned[i]);
        let (rows, weights) = match row {
            Row::Mean(rows, weights) if interpolates => (rows, weights),
            row if turns => ([row.nearest(); 3], [1.0, 0.0, 0.0]),
            row => {
                copied.push(row.nearest());
                continue;
            }
        };
        values.append_rows(old, width, &copied);
        copied.clear();
        let at = |row: u32, k: usize| old.as_f64(row as usize * width + k).unwrap_or(0.0);
        let mut mean: Vec<f64> =
            (0..width).map(|k| rows.iter().zip(weights).map(|(&row, w)| w * at(row, k)).sum()).collect();
        if column.role() == Role::Normal {
            let length = mean.iter().map(|x| x * x).sum::<f64>().sqrt();
            let length = if length > 0.0 { length } else { 1.0 };
            mean.iter_mut().for_each(|x| *x *= if turns { -1.0 } else { 1.0 } / length);
        }
        values.push_rounded(&mean);
    }
    values.append_rows(old, width, &copied);
    values
}
