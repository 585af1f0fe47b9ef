//! Attributes of faces that were cut.
use rayon::prelude::*;
use ribbonmesh_mesh::{Column, Element, MeshError, Policy, Role, Scalars, TriangleMesh, vertex_normals};

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

/// A face of a result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewFace {
    /// The face of the input of which it is a part.
    pub(crate) face: u32,
    /// Its vertices in the result.
    pub(crate) vertices: [u32; 3],
    /// Whether it is turned relative to the input.
    pub(crate) turned: bool,
}

/// A mesh of parts of another one. Vertex `i` is `vertices[i]`; its position is `positions[i]`. The last
/// faces have the rows `corners`, those before are faces of the input. Attributes of vertices and corners are
/// means within the face where they are interpolated, else those of the nearest corner; faces have those of
/// their face. Normals follow a face that is turned. Also returns the columns that were dropped because their
/// policy says so. Attributes of edges are left out.
pub(crate) fn assemble(
    of: &TriangleMesh,
    positions: Vec<glam::DVec3>,
    vertices: &[Row],
    faces: &[NewFace],
    corners: &[[Row; 3]],
) -> Result<(TriangleMesh, Vec<String>), MeshError> {
    let mut mesh = TriangleMesh::new(positions, faces.par_iter().map(|face| face.vertices).collect());
    mesh.precision = of.precision;
    mesh.tables = of.tables.clone();
    let mut dropped: Vec<String> = of.edges_of().iter().map(|c| format!("edge.{}", c.name())).collect();
    for element in [Element::Vertex, Element::Face, Element::Corner] {
        let columns = of.attributes(element);
        if columns.into_iter().next().is_none() {
            continue;
        }
        let (mut of_element, mut turned) = (vec![], vec![]);
        let rows = match element {
            Element::Vertex => vertices,
            Element::Face => {
                of_element.extend(faces.iter().map(|face| Row::Old(face.face)));
                &of_element
            }
            Element::Corner | Element::Edge => {
                let whole = &faces[..faces.len() - corners.len()];
                of_element.extend(whole.iter().flat_map(|&NewFace { face, turned, .. }| {
                    let [second, third] = if turned { [2, 1] } else { [1, 2] };
                    [0, second, third].map(|k| Row::Old(3 * face + k))
                }));
                of_element.extend(corners.as_flattened());
                turned.extend(faces.iter().flat_map(|face| [face.turned; 3]));
                &of_element
            }
        };
        for column in columns {
            if column.policy() == Policy::Drop {
                dropped.push(format!("{element}.{}", column.name()));
                continue;
            }
            let is_normal = column.role() == Role::Normal && column.width() == 3;
            let values = match element {
                Element::Vertex if is_normal => normals(&mesh, column),
                Element::Corner if is_normal => gather(column, rows, Some(&turned)),
                _ => gather(column, rows, None),
            };
            let made = Column::from_scalars(column.name(), column.role(), column.width(), values);
            if let Some(made) = made {
                mesh.attributes_mut(element).insert_column(made.with_policy(column.policy()))?;
            }
        }
    }
    Ok((mesh, dropped))
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
