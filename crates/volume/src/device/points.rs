//! Positions of subdivided volumes: averages of the middles of what is around (Joy and MacCracken 1996). The
//! text of Mueller-Roemer 2020, section 3.4.3 names face and edge points, which would not be B-splines on
//! regular grids; the middles are.
use super::tcsr::TcsrView;
use glam::Vec3;
use ribbonmesh::device::{Each, In, Out, Parameter, kernel};

/// Relations between the elements of a mesh.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Around<'a> {
    /// Ends of edges.
    pub ev: TcsrView<'a>,
    /// Edges of vertices.
    pub ve: TcsrView<'a>,
    /// Faces of vertices.
    pub vf: TcsrView<'a>,
    /// Cells of vertices.
    pub vc: TcsrView<'a>,
    /// Faces of edges.
    pub ef: TcsrView<'a>,
    /// Cells of edges.
    pub ec: TcsrView<'a>,
    /// Cells of faces.
    pub fc: TcsrView<'a>,
    /// Positions of vertices.
    pub x: In<'a, Vec3>,
    /// Middles of faces.
    pub faces: In<'a, Vec3>,
    /// Middles of cells.
    pub cells: In<'a, Vec3>,
}
impl Around<'_> {
    /// Whether a face has less than two cells.
    #[inline(always)]
    fn boundary(&self, face: u32) -> bool {
        self.fc.row_len(face) < 2
    }
    #[inline(always)]
    fn middle(&self, edge: u32) -> Vec3 {
        (self.x.get(self.ev.column(2 * edge)) + self.x.get(self.ev.column(2 * edge + 1))) * 0.5
    }
    /// Whether an edge has a face on the boundary; the mean of the middles of its faces, or of its faces on
    /// the boundary.
    #[inline(always)]
    fn edge(&self, edge: u32) -> (bool, Vec3) {
        let (mut all, mut outer) = (Mean::ZERO, Mean::ZERO);
        self.ef.of(edge, |face, _| {
            all.add(self.faces.get(face));
            if self.boundary(face) {
                outer.add(self.faces.get(face));
            }
        });
        (outer.n > 0.0, if outer.n > 0.0 { outer.get() } else { all.get() })
    }
}
/// A sum, and of how many.
#[derive(Clone, Copy)]
struct Mean {
    sum: Vec3,
    n: f32,
}
impl Mean {
    const ZERO: Self = Self { sum: Vec3::ZERO, n: 0.0 };
    #[inline(always)]
    fn add(&mut self, x: Vec3) {
        self.sum += x;
        self.n += 1.0;
    }
    #[inline(always)]
    fn get(self) -> Vec3 {
        self.sum / self.n
    }
    /// The mean of the values at the columns of a row.
    #[inline(always)]
    fn of(rows: TcsrView<'_>, row: u32, x: In<'_, Vec3>) -> Self {
        let mut mean = Self::ZERO;
        rows.of(row, |column, _| mean.add(x.get(column)));
        mean
    }
}

/// The mean of the values at the columns of each row; 0 for an empty row. Blocks: tiles.
#[kernel(threads = 256)]
pub fn means<'a>(row: Each, rows: TcsrView<'a>, x: In<'a, Vec3>, to: Out<'a, Vec3>) {
    let mean = Mean::of(rows, row, x);
    to.set(row, if mean.n > 0.0 { mean.get() } else { Vec3::ZERO });
}

/// Points of vertices, from `to[0]` on. Blocks: tiles.
#[kernel(threads = 128)]
pub fn vertex_points<'a>(vertex: Each, around: Around<'a>, to: Out<'a, Vec3>) {
    let x = around.x.get(vertex);
    let (mut faces, mut outer) = (Mean::ZERO, Mean::ZERO);
    around.vf.of(vertex, |face, _| {
        faces.add(around.faces.get(face));
        if around.boundary(face) {
            outer.add(around.faces.get(face));
        }
    });
    if faces.n == 0.0 {
        return to.set(vertex, x);
    }
    let on_boundary = outer.n > 0.0;
    let mut edges = Mean::ZERO;
    around.ve.of(vertex, |edge, _| {
        if !on_boundary || around.edge(edge).0 {
            edges.add(around.middle(edge));
        }
    });
    to.set(
        vertex,
        if on_boundary {
            (outer.get() + 2.0 * edges.get() + (outer.n - 3.0) * x) / outer.n
        } else {
            let cells = Mean::of(around.vc, vertex, around.cells).get();
            (cells + 3.0 * faces.get() + 3.0 * edges.get() + x) * 0.125
        },
    );
}

/// Points of edges, from `to[at]` on. Blocks: tiles.
#[kernel(threads = 128)]
pub fn edge_points<'a>(edge: Each, at: u32, around: Around<'a>, to: Out<'a, Vec3>) {
    let (middle, faces) = (around.middle(edge), around.ef.row_len(edge) as f32);
    if faces == 0.0 {
        return to.set(at + edge, middle);
    }
    let (on_boundary, mean) = around.edge(edge);
    to.set(
        at + edge,
        if on_boundary {
            (mean + middle) * 0.5
        } else {
            let cells = Mean::of(around.ec, edge, around.cells).get();
            (cells + 2.0 * mean + (faces - 3.0) * middle) / faces
        },
    );
}

/// Points of faces, from `to[at]` on. Blocks: tiles.
#[kernel(threads = 256)]
pub fn face_points<'a>(face: Each, at: u32, around: Around<'a>, to: Out<'a, Vec3>) {
    let middle = around.faces.get(face);
    let point = if around.boundary(face) {
        middle
    } else {
        (middle + Mean::of(around.fc, face, around.cells).get()) * 0.5
    };
    to.set(at + face, point);
}

/// Copies values to `to[at]` and on. Blocks: tiles.
#[kernel(threads = 256)]
pub fn copy_points<'a>(i: Each, at: u32, from: In<'a, Vec3>, to: Out<'a, Vec3>) {
    to.set(at + i, from.get(i));
}
