//! Polygons to triangles.

mod ears;
mod plane;
mod reflex;

use glam::DVec3;
use ribbonmesh_mesh::{Column, Precision, TriangleMesh};

use crate::{
    Notes, ReadErrorKind,
    fault::{Outcome, fault},
};

/// The corners of a polygon as they are read. It becomes a fan of triangles around its first corner, and
/// takes note of itself if it has more than three corners: whether the fan covers it is seen when all
/// positions are known.
#[derive(Default)]
pub(crate) struct Fan {
    first: u32,
    last: u32,
    corners: u64,
}

impl Fan {
    /// Adds a corner, and from the third on a triangle to `faces`.
    pub fn push(&mut self, corner: u32, faces: &mut Vec<[u32; 3]>) {
        match self.corners {
            0 => self.first = corner,
            1 => {}
            _ => faces.push([self.first, self.last, corner]),
        }
        self.last = corner;
        self.corners += 1;
    }

    /// Counts the polygon, whose triangles are the last of `faces`. One of fewer than three corners, which is
    /// at byte `offset`, is left out; gives whether it was kept.
    pub fn finish(self, offset: usize, faces: &[[u32; 3]], notes: &mut Notes) -> Outcome<bool> {
        match self.corners {
            0..=2 => {
                let kind = ReadErrorKind::TooFewCorners { corners: self.corners };
                notes.leave_out(fault(offset, kind))?;
                return Ok(false);
            }
            3 => {}
            corners => {
                notes.polygons_triangulated += 1;
                notes.triangles_from_polygons += corners - 2;
                notes.polygons.0.push((faces.len() - (corners - 2) as usize, corners as usize - 2));
            }
        }
        Ok(true)
    }
}

/// Polygons of more than three corners: the first of the triangles of each, and how many these are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Polygons(Vec<(usize, usize)>);

impl Polygons {
    /// The faces all of whose corners are at places that `keep` holds for. A polygon stays whole or not at
    /// all.
    pub fn faces_without(&self, mesh: &TriangleMesh, keep: impl Fn(&DVec3) -> bool) -> Vec<u32> {
        let good = |face: &[u32; 3]| face.iter().all(|&vertex| keep(&mesh.positions[vertex as usize]));
        let mut kept: Vec<bool> = mesh.faces.iter().map(good).collect();
        for &(first, count) in &self.0 {
            let polygon = &mut kept[first..first + count];
            if polygon.contains(&false) {
                polygon.fill(false);
            }
        }
        (0..).zip(kept).filter(|(_, kept)| *kept).map(|(face, _)| face).collect()
    }

    /// Gives polygons that their fans do not cover other triangles, as many and with the same corners. Rows
    /// of corners follow. Takes O(n log n) for a polygon of n corners whose ears are small, and never more
    /// than a fixed number of steps for each corner.
    pub fn settle(self, mesh: &mut TriangleMesh) {
        let mut moved: Vec<(usize, Vec<[u32; 3]>)> = vec![];
        let epsilon = match mesh.precision {
            Precision::Single => f64::from(f32::EPSILON),
            Precision::Double => f64::EPSILON,
        };
        let mut corners = vec![];
        for (first, count) in self.0 {
            let fan = &mesh.faces[first..first + count];
            if let [[a, b, c], [_, _, d]] = *fan
                && plane::is_other_diagonal_better([a, b, c, d].map(|v| mesh.positions[v as usize]))
            {
                mesh.faces[first..first + 2].copy_from_slice(&[[a, b, d], [b, c, d]]);
                moved.push((first, vec![[0, 1, 3], [1, 2, 3]]));
                continue;
            }
            if plane::is_plainly_right(fan, &mesh.positions, epsilon) {
                continue;
            }
            corners.clear();
            corners.extend([fan[0][0], fan[0][1]]);
            corners.extend(fan.iter().map(|triangle| triangle[2]));
            let triangles = plane::Polygon::of(&corners, &mesh.positions, epsilon)
                .and_then(|polygon| ears::better_than_fan(&polygon));
            if let Some(triangles) = triangles {
                let faces = &mut mesh.faces[first..];
                for (face, triangle) in faces.iter_mut().zip(&triangles) {
                    *face = triangle.map(|corner| corners[corner as usize]);
                }
                moved.push((first, triangles));
            }
        }
        if !moved.is_empty() {
            move_rows(&moved, mesh);
        }
    }
}

/// Moves the rows of corners to the new indices of the corners.
fn move_rows(moved: &[(usize, Vec<[u32; 3]>)], mesh: &mut TriangleMesh) {
    let columns: Vec<Column> = mesh.corners().iter().cloned().collect();
    // more corners than rows can be named are more than memory holds
    let Ok(count) = u32::try_from(3 * mesh.faces.len()) else { return };
    if columns.is_empty() {
        return;
    }
    let mut rows: Vec<u32> = (0..count).collect();
    for (first, triangles) in moved {
        let base = 3 * *first as u32;
        // corner 0 of the polygon is the first of the fan's first triangle, corner i the second of triangle
        // i - 1, and the last corner the third of the last triangle
        let last = triangles.len() as u32 + 1;
        let row = |corner: u32| match corner {
            0 => base,
            corner if corner == last => base + 3 * (corner - 2) + 2,
            corner => base + 3 * (corner - 1) + 1,
        };
        let places = &mut rows[3 * first..3 * (first + triangles.len())];
        for (place, &corner) in places.iter_mut().zip(triangles.as_flattened()) {
            *place = row(corner);
        }
    }
    mesh.corners_mut().retain(|_| false);
    for column in columns {
        let mut scalars = ribbonmesh_mesh::Scalars::with_capacity(column.scalar(), column.scalars().len());
        scalars.append_rows(column.scalars(), column.width(), &rows);
        let (name, role, width, policy) = (column.name(), column.role(), column.width(), column.policy());
        let column =
            Column::from_scalars(name, role, width, scalars).map(|column| column.with_policy(policy));
        // as long as it was, under the name that it had
        if let Some(column) = column {
            let _ = mesh.corners_mut().insert_column(column);
        }
    }
}
