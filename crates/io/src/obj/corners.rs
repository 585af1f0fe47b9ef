//! Texture coordinates and normals that corners of faces name.

use glam::{Vec2, Vec3};
use ribbonmesh_mesh::{Column, ColumnError, NONE, Role, TriangleMesh};

use crate::{
    ReadErrorKind,
    fault::{Outcome, fault},
};

/// The `vt` or `vn` lines of a file, and which of them corners have.
#[derive(Default)]
pub(super) struct CornerValues {
    pub rows: Vec<[f32; 3]>,
    /// Most numbers of a row.
    pub width: usize,
    /// One per corner of the triangles so far, from the first face that has one on; [`NONE`] for none.
    corners: Vec<u32>,
    /// The largest index of a row that had not been read yet, and its place in the file.
    forward: Option<(i64, usize)>,
    /// The first index that no row can have, its place in the file, and the rows before it.
    wrong: Option<(i64, usize, u64)>,
}

impl CornerValues {
    /// The row that an index means.
    #[inline(always)]
    pub fn row(&mut self, index: i64, offset: usize) -> u32 {
        let rows = self.rows.len() as i64;
        let row = match index {
            1.. => {
                if index > rows && self.forward.is_none_or(|(largest, _)| index > largest) {
                    self.forward = Some((index, offset));
                }
                index - 1
            }
            0 => -1,
            _ => rows.saturating_add(index),
        };
        u32::try_from(row).ok().filter(|&row| row != NONE).unwrap_or_else(|| {
            self.wrong.get_or_insert((index, offset, rows as u64));
            NONE
        })
    }

    /// Takes the rows of a polygon's corners, whose triangles begin with the one of number `first`.
    #[inline(always)]
    pub fn polygon(&mut self, first: usize, corners: impl Fn(usize) -> u32, count: usize) {
        if self.corners.is_empty() && (0..count).all(|corner| corners(corner) == NONE) {
            return;
        }
        self.corners.resize(3 * first, NONE);
        for i in 1..count - 1 {
            self.corners.extend([corners(0), corners(i), corners(i + 1)]);
        }
    }

    /// Refuses an index that no row has. A file without any rows may name them: somebody took them out.
    pub fn check(&self) -> Outcome<()> {
        if self.rows.is_empty() {
            return Ok(());
        }
        if let Some((index, offset, rows)) = self.wrong {
            return Err(fault(offset, ReadErrorKind::AttributeIndexOutOfRange { index, rows }));
        }
        match self.forward {
            Some((index, offset)) if index as u64 > self.rows.len() as u64 => {
                let rows = self.rows.len() as u64;
                Err(fault(offset, ReadErrorKind::AttributeIndexOutOfRange { index, rows }))
            }
            _ => Ok(()),
        }
    }

    /// Puts the values into the mesh: into a column of vertices where all corners of each vertex have the
    /// same, or else into one of corners. `missing` is the value of corners and vertices without one. Rows
    /// that no corner names, and that do not belong to a vertex by their number, are lost; says how many.
    pub fn finish(
        mut self,
        mesh: &mut TriangleMesh,
        name: &str,
        role: Role,
        missing: f32,
    ) -> Result<u64, ColumnError> {
        if self.rows.is_empty() {
            return Ok(0);
        }
        if self.corners.is_empty() {
            return Ok(self.rows.len() as u64);
        }
        self.corners.resize(3 * mesh.faces.len(), NONE);
        let rows = &self.rows;
        let none = [missing; 3];
        let value = |row: u32| rows.get(row as usize).map_or(none, |row| *row);
        let same = |a: u32, b: u32| a == b || value(a).map(f32::to_bits) == value(b).map(f32::to_bits);

        let mut of_vertex: Vec<Option<u32>> = vec![None; mesh.positions.len()];
        let vertices = mesh.faces.as_flattened();
        let function =
            vertices.iter().zip(&self.corners).all(|(&v, &row)| match &mut of_vertex[v as usize] {
                Some(known) => same(*known, row),
                unknown => {
                    *unknown = Some(row);
                    true
                }
            });
        let mut used = vec![false; rows.len()];
        self.corners.iter().filter(|row| **row != NONE).for_each(|&row| used[row as usize] = true);
        // vertices without a face have the row of their number, where all others have theirs
        let aligned = rows.len() == mesh.positions.len()
            && vertices == self.corners
            && !rows.as_flattened().iter().any(|value| value.is_nan());
        if function && aligned {
            for (vertex, row) in of_vertex.iter_mut().enumerate().filter(|(_, row)| row.is_none()) {
                *row = Some(vertex as u32);
                used[vertex] = true;
            }
        }
        let lost = used.iter().filter(|used| !**used).count() as u64;
        let values: Vec<[f32; 3]> = if function {
            of_vertex.into_iter().map(|row| value(row.unwrap_or(NONE))).collect()
        } else {
            self.corners.iter().map(|&row| value(row)).collect()
        };
        // many programs write a third number that is always 0
        let third = self.width > 2 && values.iter().any(|row| row[2] != 0.0 && !row[0].is_nan());
        let column = if role == Role::Normal || third {
            Column::with_role(name, role, values.into_iter().map(Vec3::from_array).collect())
        } else {
            Column::with_role(name, role, values.into_iter().map(|[u, v, _]| Vec2::new(u, v)).collect())
        };
        if function {
            mesh.vertices_mut().insert_column(column)?;
        } else {
            mesh.corners_mut().insert_column(column)?;
        }
        Ok(lost)
    }
}
