//! Neighbours of elements, as arrays.
use super::on_surface;
use crate::arrays::give;
use crate::failure::Failure;
use crate::mesh::NativeMesh;
use crate::options::parse;
use crate::watch::{self, Size};
use pyo3::prelude::*;
use rayon::prelude::*;
use ribbonmesh::device::{ElementKind, NONE};
use ribbonmesh::{Error, Op, StaticMesh, Vertex};
use ribbonmesh_mesh::{Class, Subject};
use std::sync::Arc;

/// Numbers of elements in the order of the input; edges are numbered by their vertices.
struct Numbers {
    vertex: Vec<u32>,
    face: Vec<u32>,
    /// The rank of each edge; empty where the query has no edges.
    edge: Vec<u32>,
}

impl Numbers {
    fn of(mesh: &StaticMesh, op: Op) -> Result<Self, Error> {
        let (vertex, face) = (mesh.vertex_inputs().read()?, mesh.face_inputs().read()?);
        if op.source() != ElementKind::Edge && op.target() != ElementKind::Edge {
            return Ok(Self { vertex, face, edge: vec![] });
        }
        let ends = mesh.query(Op::EV)?.values().read()?;
        let pairs: Vec<[u32; 2]> = ends
            .par_chunks_exact(2)
            .map(|ends| {
                let [a, b] = [vertex[ends[0] as usize], vertex[ends[1] as usize]];
                [a.min(b), a.max(b)]
            })
            .collect();
        let mut ids: Vec<u32> = (0..pairs.len() as u32).collect();
        ids.par_sort_unstable_by_key(|&id| pairs[id as usize]);
        let mut edge = vec![0; ids.len()];
        (0..).zip(ids).for_each(|(rank, id)| edge[id as usize] = rank);
        Ok(Self { vertex, face, edge })
    }
    fn of_kind(&self, kind: ElementKind) -> &[u32] {
        match kind {
            ElementKind::Vertex => &self.vertex,
            ElementKind::Edge => &self.edge,
            ElementKind::Face => &self.face,
        }
    }
}

/// Rows one after the other.
struct Rows {
    offsets: Vec<i64>,
    /// -1 for none.
    indices: Vec<i32>,
    /// Vertices that cannot be walked around.
    not_walkable: Vec<i64>,
}

/// The neighbours of every element: offsets, indices, and the vertices that cannot be walked around.
#[pyfunction]
#[pyo3(signature = (mesh, op, oriented))]
pub fn query<'py>(
    py: Python<'py>,
    mesh: &NativeMesh,
    op: &str,
    oriented: bool,
) -> PyResult<[Bound<'py, PyAny>; 3]> {
    let op: Op = parse("op", op)?;
    if oriented && !op.has_orientation() {
        return Err(Failure::argument(format!("oriented is for {}, not for {op}", Op::names(true))).into());
    }
    let found = on_surface(py, mesh, None, None, move |_, turn, mut surface| {
        let (patches, _) = surface.patches()?;
        turn.install(|| rows(patches, op, oriented))
    })?;
    Ok([give(py, found.offsets, 1)?, give(py, found.indices, 1)?, give(py, found.not_walkable, 1)?])
}

fn rows(mesh: &StaticMesh, op: Op, oriented: bool) -> Result<Rows, Failure> {
    let numbers = Numbers::of(mesh, op)?;
    let found = match oriented {
        true => mesh.query_oriented(op)?.download()?,
        false => match mesh.query(op) {
            Err(Error::NonManifoldEdges { count, .. }) => {
                let text =
                    format!("edges with more than two faces: {count}; {op} needs edges of at most two");
                return Err(Failure::new(Class::refused(Subject::NotManifold), text));
            }
            result => result?.download()?,
        },
    };
    let begin = if oriented { beginnings(mesh, &numbers, found.non_manifold())? } else { vec![] };
    let targets = numbers.of_kind(op.target());
    let number = |x: u32| if x == NONE { NONE } else { targets[x as usize] };
    let arranged = |id: usize| -> Vec<u32> {
        let mut row = vec![];
        match begin.get(id).filter(|&&begin| begin != NONE) {
            Some(&begin) => {
                row.extend(found.row(id).map(number));
                row.rotate_left(begin as usize);
            }
            None => op.arrange(&found, id, number, &mut row),
        }
        row
    };
    let sources = numbers.of_kind(op.source());
    let mut ids = vec![0; sources.len()];
    (0..).zip(sources).for_each(|(id, &number)| ids[number as usize] = id);
    let rows: Vec<Vec<u32>> = ids.par_iter().map(|&id: &usize| arranged(id)).collect();
    let mut offsets = Vec::with_capacity(rows.len() + 1);
    let mut end = 0;
    offsets.push(end);
    for row in &rows {
        end += row.len() as i64;
        offsets.push(end);
    }
    let mut not_walkable: Vec<i64> = match oriented {
        true => found.non_manifold().iter().map(|&v| i64::from(numbers.vertex[v as usize])).collect(),
        false => vec![],
    };
    not_walkable.sort_unstable();
    // none is -1
    Ok(Rows { offsets, indices: bytemuck::cast_vec(rows.concat()), not_walkable })
}

/// With which entry the walk around each vertex begins; [`NONE`] where there is none.
fn beginnings(mesh: &StaticMesh, numbers: &Numbers, without: &[u32]) -> Result<Vec<u32>, Error> {
    let neighbours = mesh.query_oriented(Op::VV)?.download()?;
    let mut begin = mesh.boundary::<Vertex>()?.read()?;
    // a walk along the boundary has one beginning only
    begin.par_iter_mut().enumerate().for_each(|(v, begin)| {
        let around = if *begin == 0 { neighbours.entries(v) } else { &[] };
        let lowest = (0..).zip(around).min_by_key(|(_, u)| numbers.vertex[**u as usize]);
        *begin = lowest.map_or(0, |(at, _)| at);
    });
    without.iter().for_each(|&v| begin[v as usize] = NONE);
    Ok(begin)
}

/// The two vertices of every edge, the lesser first, in order.
#[pyfunction]
pub fn edges<'py>(py: Python<'py>, mesh: &NativeMesh) -> PyResult<Bound<'py, PyAny>> {
    let content = Arc::clone(&mesh.content);
    let size = Size::Faces(content.sizes[1]);
    let sides = watch::run(py, size, None, move |session| {
        let sides = content.host(session)?.sides();
        Ok(sides.into_iter().flatten().map(|v| v as i32).collect::<Vec<i32>>())
    })?;
    give(py, sides, 2)
}
