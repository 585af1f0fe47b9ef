//! The result as a mesh, with attributes.
use crate::boolean::BooleanError;
use crate::boolean::draft::{Draft, Fresh, Piece};
use crate::boolean::kernels::TURNED;
use crate::boolean::on_grid::on_grid;
use crate::boolean::scene::{Scene, place as place_in};
use glam::{DVec3, Vec3};
use rayon::prelude::*;
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

/// The faces of a result that are faces of the input, with their vertices.
struct Whole {
    /// Vertices of the input.
    vertices: Vec<u32>,
    /// Faces of the input.
    faces: Vec<u32>,
    /// For each face its state; none without columns of corners.
    states: Vec<u32>,
}

/// The result as a mesh. Attributes of vertices and corners are means within the face of the input where they
/// are interpolated, else those of the nearest corner; faces have those of their face. Normals follow a face
/// that is turned. Also returns the columns that were dropped because their policy says so. Attributes of edges
/// are left out.
pub(crate) fn assemble(
    of: &TriangleMesh,
    draft: &Draft,
) -> Result<(TriangleMesh, Vec<String>), BooleanError> {
    let Draft { scene, fresh, pieces, .. } = draft;
    let count = scene.vertices();
    let of_pieces = || pieces.iter().flat_map(|piece| piece.vertices);
    let mut used: Vec<u32> = of_pieces().filter(|&v| v < count).collect();
    used.sort_unstable();
    used.dedup();
    let mut is_used = vec![false; fresh.len()];
    let mut use_fresh = |v: u32| {
        if let Some(fresh) = v.checked_sub(count) {
            is_used[fresh as usize] = true;
        }
    };
    of_pieces().for_each(&mut use_fresh);
    draft.moved.iter().copied().for_each(&mut use_fresh);
    let mut number = vec![0; fresh.len()];
    let listed: Vec<usize> = (0..fresh.len()).filter(|&i| is_used[i]).collect();
    (0..).zip(&listed).for_each(|(place, &i)| number[i] = place);
    let kept = scene.kept(&used, &number)?;
    let has_corners = of.attributes(Element::Corner).into_iter().next().is_some();
    let whole = Whole {
        vertices: kept.vertices.read()?,
        faces: kept.faces.read()?,
        states: if has_corners { kept.states.read()? } else { vec![] },
    };

    let rows = Rows::new(of, draft);
    let single = of.precision == Precision::Single;
    let place = |point: Vec3| {
        let at = scene.origin + point.as_dvec3();
        if single { at.as_vec3().as_dvec3() } else { at }
    };
    let mut positions: Vec<DVec3> = whole.vertices.par_iter().map(|&v| of.positions[v as usize]).collect();
    positions.extend(listed.iter().map(|&i| match fresh[i] {
        Fresh::Made(point) | Fresh::Middle(_, point) => place(point),
        Fresh::Copy(of_copy) => match fresh.get(rows.origin(of_copy).wrapping_sub(count) as usize) {
            Some(&(Fresh::Made(point) | Fresh::Middle(_, point))) => place(point),
            _ => of.positions[rows.origin(of_copy) as usize],
        },
    }));
    let mut faces = kept.corners.read()?;
    let numbered = |v: u32| match v.checked_sub(count) {
        None => place_in(&whole.vertices, v),
        Some(fresh) => whole.vertices.len() as u32 + number[fresh as usize],
    };
    faces.extend(pieces.iter().map(|piece| piece.vertices.map(numbered)));
    let mut mesh = TriangleMesh::new(positions, faces);
    mesh.precision = of.precision;
    mesh.tables = of.tables.clone();
    let of_fresh: Vec<Row> = listed.iter().map(|&i| rows.of_vertex(count + i as u32)).collect();
    let dropped = copy_columns(of, &mut mesh, &whole, &of_fresh, pieces, &rows)?;
    Ok((mesh, dropped))
}

/// The rows of the input from which attributes of new elements come.
struct Rows<'a> {
    of: &'a TriangleMesh,
    draft: &'a Draft,
    /// For each new vertex the last piece of which it is a corner.
    pieces: Vec<Option<Row>>,
}

impl<'a> Rows<'a> {
    fn new(of: &'a TriangleMesh, draft: &'a Draft) -> Self {
        let mut rows = Self { of, draft, pieces: vec![None; draft.fresh.len()] };
        for piece in &draft.pieces {
            for (&v, &point) in piece.vertices.iter().zip(&piece.corners) {
                if let Some(fresh) = v.checked_sub(draft.scene.vertices()) {
                    rows.pieces[fresh as usize] = Some(rows.within(piece, point, |_, vertex| vertex));
                }
            }
        }
        rows
    }
    /// The vertex of which another one is a copy, or itself.
    fn origin(&self, mut vertex: u32) -> u32 {
        let fresh = |v: u32| v.checked_sub(self.draft.scene.vertices());
        while let Some(&Fresh::Copy(of)) = fresh(vertex).and_then(|i| self.draft.fresh.get(i as usize)) {
            vertex = of;
        }
        vertex
    }
    fn of_vertex(&self, vertex: u32) -> Row {
        let Some(i) = vertex.checked_sub(self.draft.scene.vertices()) else { return Row::Old(vertex) };
        match self.draft.fresh[i as usize] {
            Fresh::Copy(of) | Fresh::Middle(of, _) => self.of_vertex(of),
            Fresh::Made(_) => self.pieces[i as usize].unwrap_or(Row::Old(0)),
        }
    }
    /// The row at a point of a piece; `row` names that of a corner of its face, by place and vertex.
    fn within(&self, piece: &Piece, point: Vec3, row: impl Fn(u32, u32) -> u32) -> Row {
        let Scene { origin, scale, .. } = self.draft.scene;
        let source = self.of.faces[piece.face as usize];
        let places = source.map(|v| self.of.positions[v as usize]);
        let rows = [0, 1, 2].map(|k| row(k, source[k as usize]));
        match places.iter().position(|&p| on_grid((p - origin).as_vec3(), scale) == point) {
            Some(k) => Row::Old(rows[k]),
            None => Row::Mean(rows, weights(places, origin + point.as_dvec3())),
        }
    }
}

/// Copies all columns of vertices, faces and corners. Returns those that are dropped.
fn copy_columns(
    of: &TriangleMesh,
    mesh: &mut TriangleMesh,
    whole: &Whole,
    of_fresh: &[Row],
    pieces: &[Piece],
    rows: &Rows<'_>,
) -> Result<Vec<String>, MeshError> {
    let mut dropped: Vec<String> = of.edges_of().iter().map(|c| format!("edge.{}", c.name())).collect();
    for element in [Element::Vertex, Element::Face, Element::Corner] {
        let columns = of.attributes(element);
        if columns.into_iter().next().is_none() {
            continue;
        }
        let (mut of_element, mut turned) = (vec![], vec![]);
        match element {
            Element::Vertex => {
                of_element.extend(whole.vertices.iter().map(|&v| Row::Old(v)));
                of_element.extend(of_fresh);
            }
            Element::Face => {
                let faces = whole.faces.iter().copied().chain(pieces.iter().map(|piece| piece.face));
                of_element.extend(faces.map(Row::Old));
            }
            Element::Corner | Element::Edge => {
                for (&face, &state) in whole.faces.iter().zip(&whole.states) {
                    let [second, third] = if state == TURNED { [2, 1] } else { [1, 2] };
                    of_element.extend([0, second, third].map(|k| Row::Old(3 * face + k)));
                    turned.extend([state == TURNED; 3]);
                }
                for piece in pieces {
                    let row = |point| rows.within(piece, point, |k, _| 3 * piece.face + k);
                    of_element.extend(piece.corners.map(row));
                    turned.extend([piece.turned; 3]);
                }
            }
        }
        for column in columns {
            if column.policy() == Policy::Drop {
                dropped.push(format!("{element}.{}", column.name()));
                continue;
            }
            let is_normal = column.role() == Role::Normal && column.width() == 3;
            let values = match element {
                Element::Vertex if is_normal => normals(mesh, column),
                Element::Corner if is_normal => gather(column, &of_element, Some(&turned)),
                _ => gather(column, &of_element, None),
            };
            let made = Column::from_scalars(column.name(), column.role(), column.width(), values);
            if let Some(made) = made {
                mesh.attributes_mut(element).insert_column(made.with_policy(column.policy()))?;
            }
        }
    }
    Ok(dropped)
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
