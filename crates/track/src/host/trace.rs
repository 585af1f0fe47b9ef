//! The positions on the input from which vertices come, by which columns that kernels do not carry are
//! transferred.
//!
//! A row of each vertex has its position on the input, which splits and collapses interpolate like colours,
//! and as the fourth number the low bits of its index there. A vertex that is still one of the input has both
//! exactly. Others have a position on the input's surface or near it; their values are those of the closest
//! point.
use super::error::TrackError;
use super::values::{ROW_OF_ZEROS, Row};
use crate::values::ROW;
use glam::Vec3;
use ribbonmesh::bvh::{Bvh, Closest};
use ribbonmesh::dynamic::DynamicMesh;
use ribbonmesh::mesh::{Column, Policy, Scalar, Scalars};
use ribbonmesh::{Device, TriangleMesh};
use rustc_hash::FxHashMap;

/// The largest whole number that the fourth number of a row stores exactly.
const LOW: u32 = (1 << 24) - 1;
/// Part of the distance to the middle of its face by which a corner is moved, to find the face of the input
/// in which it is.
const INTO: f32 = 0.01;

/// The input, and its vertices by their positions.
pub struct Trace {
    input: TriangleMesh,
    points: Vec<Vec3>,
    by_place: FxHashMap<[u32; 3], Vec<u32>>,
    tree: Bvh,
}

/// The row of a vertex of the input.
fn row_of(index: u32, p: Vec3) -> [f32; ROW] {
    [p.x, p.y, p.z, (index & LOW) as f32]
}
fn place_of(row: &[f32; ROW]) -> Vec3 {
    let [x, y, z, _] = *row;
    Vec3::new(x, y, z)
}
fn key(p: Vec3) -> [u32; 3] {
    p.to_array().map(f32::to_bits)
}

impl Trace {
    /// Makes the trace of an input whose columns for which `carried` is true are transferred by kernels.
    /// Builds a tree of its faces.
    pub fn new(
        device: &Device,
        input: &TriangleMesh,
        points: &[Vec3],
        carried: impl Fn(&Column) -> bool,
    ) -> Result<Self, TrackError> {
        let mut input = input.clone();
        let left = |column: &Column| follows(column);
        input.vertices_mut().retain(|column| left(column) && !carried(column));
        input.faces_of_mut().retain(left);
        input.corners_mut().retain(left);
        input.edges_of_mut().retain(|_| false);
        input.edges = vec![];
        let mut by_place: FxHashMap<[u32; 3], Vec<u32>> = FxHashMap::default();
        for (index, p) in (0..).zip(points) {
            by_place.entry(key(*p)).or_default().push(index);
        }
        let tree = Bvh::new(device, points, &input.faces)?;
        Ok(Self { input, points: points.to_vec(), by_place, tree })
    }
    /// Whether a mesh has columns that are transferred in this way.
    pub fn is_needed(mesh: &TriangleMesh, carried: impl Fn(&Column) -> bool) -> bool {
        mesh.vertices().iter().any(|column| follows(column) && !carried(column))
            || mesh.faces_of().iter().chain(mesh.corners()).any(follows)
    }
    /// The rows of the vertices `inputs`.
    pub fn rows(&self, dynamic: &DynamicMesh, inputs: &[u32]) -> Result<Row, TrackError> {
        let of = |&index: &u32| self.points.get(index as usize).map_or(ROW_OF_ZEROS, |p| row_of(index, *p));
        Ok(Row::from_ids(dynamic, &inputs.iter().map(of).collect::<Vec<_>>())?)
    }
    /// The vertex of the input to which this row belongs, if there is one.
    pub fn input_of(&self, row: &[f32; ROW]) -> Option<u32> {
        let same = self.by_place.get(&key(place_of(row)))?;
        same.iter().copied().find(|index| row_of(*index, Vec3::ZERO)[3].to_bits() == row[3].to_bits())
    }
    fn closest(&self, points: &[Vec3]) -> Result<Vec<Closest>, TrackError> {
        if points.is_empty() {
            return Ok(vec![]);
        }
        let points = self.tree.device().upload(points)?;
        Ok(self.tree.closest(&points, None)?.read()?)
    }
    /// The closest point of a face to `p`, as the weights of its corners: 1 for a corner that is that point.
    fn weights(&self, face: u32, p: Vec3) -> [f64; 3] {
        let corners = self.input.faces[face as usize].map(|v| self.points[v as usize]);
        if let Some(same) = corners.iter().position(|c| *c == p) {
            return std::array::from_fn(|i| f64::from(u8::from(i == same)));
        }
        let [a, b, c] = corners.map(|c| c.as_dvec3());
        let (u, v, w) = (b - a, c - a, p.as_dvec3() - a);
        let (uu, uv, vv, wu, wv) = (u.dot(u), u.dot(v), v.dot(v), w.dot(u), w.dot(v));
        let size = uu * vv - uv * uv;
        let (s, t) = ((vv * wu - uv * wv) / size, (uu * wv - uv * wu) / size);
        let weights = [1.0 - s - t, s, t].map(|x: f64| x.max(0.0));
        let sum: f64 = weights.iter().sum();
        // a face without area, which has no inside
        if sum.is_finite() && sum > 0.0 { weights.map(|x| x / sum) } else { [1.0, 0.0, 0.0] }
    }
    /// Gives a mesh, whose vertices have these rows, the columns of the input.
    pub fn transfer(&self, mesh: &mut TriangleMesh, rows: &[[f32; ROW]]) -> Result<(), TrackError> {
        mesh.tables = self.input.tables.clone();
        let places: Vec<Vec3> = rows.iter().map(place_of).collect();
        if !self.input.vertices().is_empty() {
            let found = self.closest(&places)?;
            let place = |(found, (row, p)): (&Closest, (&[f32; ROW], &Vec3))| {
                // an own row chooses the right one of several vertices at the same position
                if let Some(own) = self.input_of(row) {
                    return ([own; 3], [1.0, 0.0, 0.0]);
                }
                let weights = self.weights(found.face, *p);
                (self.input.faces[found.face as usize], weights)
            };
            let from: Vec<_> = found.iter().zip(rows.iter().zip(&places)).map(place).collect();
            for column in self.input.vertices() {
                mesh.vertices_mut().insert_column(mixed(column, &from))?;
            }
        }
        if self.input.faces_of().is_empty() && self.input.corners().is_empty() {
            return Ok(());
        }
        let corners: Vec<[Vec3; 3]> = mesh.faces.iter().map(|f| f.map(|v| places[v as usize])).collect();
        let middle = |[a, b, c]: &[Vec3; 3]| (*a + *b + *c) / 3.0;
        let of_faces = self.closest(&corners.iter().map(middle).collect::<Vec<_>>())?;
        let from: Vec<_> = of_faces.iter().map(|found| ([found.face; 3], [1.0, 0.0, 0.0])).collect();
        for column in self.input.faces_of() {
            mesh.faces_of_mut().insert_column(mixed(column, &from))?;
        }
        if self.input.corners().is_empty() {
            return Ok(());
        }
        let inwards = |of: &[Vec3; 3]| {
            let middle = middle(of);
            of.map(|p| p + INTO * (middle - p))
        };
        let found = self.closest(corners.iter().map(inwards).collect::<Vec<_>>().as_flattened())?;
        let of_corner = |(found, p): (&Closest, &Vec3)| {
            let first = 3 * found.face;
            ([first, first + 1, first + 2], self.weights(found.face, *p))
        };
        let from: Vec<_> = found.iter().zip(corners.as_flattened()).map(of_corner).collect();
        for column in self.input.corners() {
            mesh.corners_mut().insert_column(mixed(column, &from))?;
        }
        Ok(())
    }
}

/// A column with a row for each position: interpolated, or that of the nearest of three rows.
fn mixed(column: &Column, from: &[([u32; 3], [f64; 3])]) -> Column {
    let (width, scalars) = (column.width(), column.scalars());
    let nearest = |(rows, weights): &([u32; 3], [f64; 3])| {
        let [a, b, c] = *weights;
        rows[if a >= b && a >= c {
            0
        } else if b >= c {
            1
        } else {
            2
        }]
    };
    let rows: Vec<u32> = from.iter().map(nearest).collect();
    let mut values = Scalars::with_capacity(column.scalar(), width * rows.len());
    values.append_rows(scalars, width, &rows);
    if column.policy() == Policy::Interpolate {
        // if one row has all of the weight, its numbers are copied already
        let between = from.iter().enumerate().filter(|(_, (_, weights))| weights.iter().all(|w| *w < 1.0));
        for (i, (rows, weights)) in between {
            for k in 0..width {
                let of = |row: u32| scalars.as_f64(row as usize * width + k).unwrap_or(f64::NAN);
                let parts = rows.iter().zip(weights).filter(|(_, w)| **w > 0.0);
                set(&mut values, i * width + k, parts.map(|(row, w)| of(*row) * w).sum());
            }
        }
    }
    let made = Column::from_scalars(column.name(), column.role(), width, values);
    // the column has the right number of values, so that this cannot fail
    made.unwrap_or_else(|| column.clone()).with_policy(column.policy())
}

/// Sets a number, rounded to the type of the others.
fn set(scalars: &mut Scalars, at: usize, value: f64) {
    macro_rules! each {
        ($($variant:ident $type:ty),*) => {
            match scalars {
                Scalars::F32(values) => values[at] = value as f32,
                Scalars::F64(values) => values[at] = value,
                $(Scalars::$variant(values) => values[at] = value.round() as $type,)*
            }
        };
    }
    each!(U8 u8, I8 i8, U16 u16, I16 i16, U32 u32, I32 i32, U64 u64, I64 i64);
}

/// Whether the values of a column are those of a position on the input.
fn follows(column: &Column) -> bool {
    !matches!(column.policy(), Policy::Drop | Policy::Recompute)
}
/// Whether a column's numbers can be carried by kernels.
pub fn can_be_carried(column: &Column) -> bool {
    matches!(column.scalar(), Scalar::F32 | Scalar::U8) && column.policy() == Policy::Interpolate
}
