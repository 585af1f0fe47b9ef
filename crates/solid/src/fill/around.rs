//! The corners at vertices of a boundary.

pub(crate) use crate::fill::kernels::NONE;
pub(crate) use crate::repair::{before, behind};

/// The vertex at which a side begins.
pub(crate) fn start(faces: &[[u32; 3]], side: u32) -> u32 {
    faces.as_flattened()[side as usize]
}

/// The corners at each vertex of a boundary.
pub(crate) struct Around {
    /// For each vertex its row, or [`NONE`].
    rows: Vec<u32>,
    offsets: Vec<u32>,
    corners: Vec<u32>,
}

impl Around {
    /// Finds the corners of the vertices at which `sides` begin. Two passes over the faces.
    pub fn of(vertices: usize, faces: &[[u32; 3]], sides: &[u32]) -> Self {
        let mut rows = vec![NONE; vertices];
        let mut count = 0;
        for &side in sides {
            let row = &mut rows[start(faces, side) as usize];
            if *row == NONE {
                (*row, count) = (count, count + 1);
            }
        }
        let row_of = |v: &u32| Some(rows[*v as usize]).filter(|&row| row != NONE).map(|row| row as usize);
        let mut offsets = vec![0; count as usize + 1];
        for row in faces.as_flattened().iter().filter_map(row_of) {
            offsets[row + 1] += 1;
        }
        for i in 0..count as usize {
            offsets[i + 1] += offsets[i];
        }
        let mut corners = vec![0; offsets[count as usize] as usize];
        let mut next = offsets.clone();
        for (corner, v) in (0..).zip(faces.as_flattened()) {
            if let Some(row) = row_of(v) {
                corners[next[row] as usize] = corner;
                next[row] += 1;
            }
        }
        Self { rows, offsets, corners }
    }
    /// The row of a vertex, if it has one.
    pub fn row(&self, vertex: u32) -> Option<usize> {
        Some(self.rows[vertex as usize]).filter(|&row| row != NONE).map(|row| row as usize)
    }
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.offsets.len() - 1
    }
    /// The corners at a vertex, ascending; empty for a vertex without a row.
    pub fn corners(&self, vertex: u32) -> &[u32] {
        let Some(row) = self.row(vertex) else { return &[] };
        &self.corners[self.offsets[row] as usize..self.offsets[row + 1] as usize]
    }
}
