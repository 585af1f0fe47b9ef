//! Values of a mesh at the corners of its faces.
use super::bake::{BakeError, Quantity};
use ribbonmesh::mesh::{Attributes, ColourSpace, Column, Role, Scalars, TriangleMesh};

/// Numbers of corners.
pub struct Values {
    /// Numbers of a corner.
    pub width: usize,
    /// All of them.
    pub numbers: Vec<f32>,
    /// Whether they are colours in linear light.
    pub linear: bool,
}

/// The most numbers of a texel.
const MOST: usize = 16;

/// A quantity at the corners of a mesh.
pub fn of_source(mesh: &TriangleMesh, quantity: &Quantity) -> Result<Values, BakeError> {
    let colours = [Role::Colour(ColourSpace::Srgb), Role::Colour(ColourSpace::Linear)];
    match quantity {
        Quantity::Colour => {
            let has = |all: Attributes<'_>| colours.iter().any(|role| all.with_role(*role).is_some());
            let found = places(mesh).into_iter().find(|(all, _)| has(*all)).ok_or(BakeError::Colours)?;
            let column =
                colours.iter().find_map(|role| found.0.with_role(*role)).ok_or(BakeError::Colours)?;
            let linear = column.role() == Role::Colour(ColourSpace::Linear);
            Ok(Values { linear, ..at_corners(mesh, column, found.1, largest(column.scalars()))? })
        }
        Quantity::Normal | Quantity::TangentNormal => {
            let own =
                places(mesh).into_iter().find_map(|(all, row)| Some((all.with_role(Role::Normal)?, row)));
            match own {
                Some((column, row)) if column.width() == 3 => at_corners(mesh, column, row, 1.0),
                _ => {
                    let normals = mesh.vertex_normals();
                    let numbers =
                        mesh.faces.as_flattened().iter().flat_map(|&v| normals[v as usize]).collect();
                    Ok(Values { width: 3, numbers, linear: false })
                }
            }
        }
        Quantity::Column(name) => {
            let found = places(mesh).into_iter().find_map(|(all, row)| Some((all.column(name)?, row)));
            let (column, row) =
                found.ok_or_else(|| BakeError::Column { name: name.clone(), columns: names(mesh) })?;
            at_corners(mesh, column, row, 1.0)
        }
    }
}

/// The row of a column for a corner.
type RowOf = fn(&TriangleMesh, usize) -> usize;

/// Columns of vertices, faces and corners, with the rows that corners have there.
fn places(mesh: &TriangleMesh) -> [(Attributes<'_>, RowOf); 3] {
    [
        (mesh.vertices(), |mesh, corner| mesh.faces[corner / 3][corner % 3] as usize),
        (mesh.corners(), |_, corner| corner),
        (mesh.faces_of(), |_, corner| corner / 3),
    ]
}
fn at_corners(mesh: &TriangleMesh, column: &Column, row: RowOf, scale: f64) -> Result<Values, BakeError> {
    let width = column.width();
    if width > MOST {
        return Err(BakeError::Width { width });
    }
    let number = |corner: usize, k: usize| {
        let value = column.scalars().as_f64(width * row(mesh, corner) + k).unwrap_or(0.0);
        (value / scale) as f32
    };
    let numbers = (0..3 * mesh.faces.len())
        .flat_map(|corner| (0..width).map(move |k| (corner, k)))
        .map(|(c, k)| number(c, k));
    Ok(Values { width, numbers: numbers.collect(), linear: false })
}
/// The number that stands for 1 in colours of a type.
fn largest(numbers: &Scalars) -> f64 {
    if !numbers.scalar().is_integer() {
        return 1.0;
    }
    let bits = 8 * numbers.scalar().size() as i32;
    2_f64.powi(bits) - 1.0
}
fn names(mesh: &TriangleMesh) -> String {
    let all: Vec<&str> = places(mesh).iter().flat_map(|(all, _)| all.iter().map(Column::name)).collect();
    if all.is_empty() { "none".into() } else { all.join(", ") }
}
