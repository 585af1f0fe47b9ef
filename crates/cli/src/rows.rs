//! Results of queries as text, in input order.
use rayon::prelude::*;
use ribbonmesh::device::{ElementKind, NONE, Vertex};
use ribbonmesh::{Op, Result, Rows, StaticMesh};
use std::io::{self, Write};

/// Rows that one task formats.
const CHUNK: usize = 1 << 13;
/// Tasks whose text is in memory at once.
const CHUNKS: usize = 64;

/// The name of an element in the input: one or two indices. The second one is [`NONE`] except for edges.
type Name = [u32; 2];

/// The names of ids.
pub struct Names {
    vertex: Vec<u32>,
    face: Vec<u32>,
    /// Empty where the query has no edges.
    edge: Vec<Name>,
}
impl Names {
    /// The names that the query needs.
    pub fn of(mesh: &StaticMesh, op: Op) -> Result<Self> {
        let (vertex, face) = (mesh.vertex_inputs().read()?, mesh.face_inputs().read()?);
        if op.source() != ElementKind::Edge && op.target() != ElementKind::Edge {
            return Ok(Self { vertex, face, edge: vec![] });
        }
        let ends = mesh.query(Op::EV)?.values().read()?;
        let name = |ends: &[u32]| {
            let (a, b) = (vertex[ends[0] as usize], vertex[ends[1] as usize]);
            [a.min(b), a.max(b)]
        };
        let edge = ends.par_chunks_exact(2).map(name).collect();
        Ok(Self { vertex, face, edge })
    }
    /// An edge's two vertices.
    pub fn edge(&self, id: u32) -> Name {
        self.edge[id as usize]
    }
    fn of_id(&self, kind: ElementKind, id: u32) -> Name {
        match kind {
            ElementKind::Vertex => [self.vertex[id as usize], NONE],
            ElementKind::Face => [self.face[id as usize], NONE],
            ElementKind::Edge => self.edge[id as usize],
        }
    }
    /// The ids of a kind in the order of their names.
    fn in_order(&self, kind: ElementKind) -> Vec<u32> {
        let inverse = |names: &[u32]| {
            let mut ids = vec![0; names.len()];
            (0..).zip(names).for_each(|(id, &name)| ids[name as usize] = id);
            ids
        };
        match kind {
            ElementKind::Vertex => inverse(&self.vertex),
            ElementKind::Face => inverse(&self.face),
            ElementKind::Edge => {
                let mut ids: Vec<u32> = (0..self.edge.len() as u32).collect();
                ids.par_sort_unstable_by_key(|&id| self.edge(id));
                ids
            }
        }
    }
}

/// A query's result with names.
pub struct Table {
    op: Op,
    rows: Rows,
    names: Names,
    /// Of an oriented query: the entry with which each row begins; [`NONE`] where it has no order.
    begin: Option<Vec<u32>>,
}

impl Table {
    /// Rows of [`StaticMesh::query`].
    pub fn plain(op: Op, rows: Rows, names: Names) -> Self {
        Self { op, rows, names, begin: None }
    }
    /// Rows of [`StaticMesh::query_oriented`]; closed walks begin at the neighbour of the lowest index.
    pub fn oriented(mesh: &StaticMesh, op: Op, names: Names) -> Result<Self> {
        let rows = mesh.query_oriented(op)?.download()?;
        let neighbours = mesh.query_oriented(Op::VV)?.download()?;
        let mut begin = mesh.boundary::<Vertex>()?.read()?;
        // a walk along the boundary has one beginning only
        begin.par_iter_mut().enumerate().for_each(|(v, begin)| {
            let around = if *begin == 0 { neighbours.entries(v) } else { &[] };
            let lowest = (0..).zip(around).min_by_key(|(_, u)| names.vertex[**u as usize]);
            *begin = lowest.map_or(0, |(at, _)| at);
        });
        for &v in rows.non_manifold() {
            begin[v as usize] = NONE;
        }
        Ok(Self { op, rows, names, begin: Some(begin) })
    }
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }
    /// After an oriented query: the vertices that cannot be walked around, ascending.
    pub fn not_walkable(&self) -> Vec<u32> {
        let mut vertices: Vec<u32> =
            self.rows.non_manifold().iter().map(|&v| self.names.vertex[v as usize]).collect();
        vertices.sort_unstable();
        vertices
    }
    /// One line per row, in large pieces.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let ids = self.names.in_order(self.op.source());
        for ids in ids.chunks(CHUNK * CHUNKS) {
            let texts: Vec<Vec<u8>> = ids.par_chunks(CHUNK).map(|ids| self.lines(ids)).collect();
            for text in texts {
                out.write_all(&text)?;
            }
        }
        Ok(())
    }
    fn lines(&self, ids: &[u32]) -> Vec<u8> {
        let (mut text, mut row) = (Vec::with_capacity(64 * ids.len()), vec![]);
        for &id in ids {
            push(&mut text, self.names.of_id(self.op.source(), id));
            text.push(b':');
            self.arrange(id, &mut row);
            for &name in &row {
                text.push(b' ');
                push(&mut text, name);
            }
            text.push(b'\n');
        }
        text
    }
    /// The names in row `id`, arranged.
    fn arrange(&self, id: u32, row: &mut Vec<Name>) {
        let name = |x: u32| if x == NONE { [NONE; 2] } else { self.names.of_id(self.op.target(), x) };
        match self.begin.as_ref().map(|begin| begin[id as usize]).filter(|&begin| begin != NONE) {
            Some(begin) => {
                row.clear();
                row.extend(self.rows.row(id as usize).map(name));
                row.rotate_left(begin as usize);
            }
            None => self.op.arrange(&self.rows, id as usize, name, row),
        }
    }
}

fn push(text: &mut Vec<u8>, [a, b]: Name) {
    if a == NONE {
        text.push(b'-');
        return;
    }
    let mut digits = itoa::Buffer::new();
    text.extend_from_slice(digits.format(a).as_bytes());
    if b != NONE {
        text.push(b'-');
        text.extend_from_slice(digits.format(b).as_bytes());
    }
}
