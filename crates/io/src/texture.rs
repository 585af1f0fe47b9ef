//! Texture coordinates, which begin at the bottom or at the top of a picture.

use std::borrow::Cow;

use ribbonmesh_mesh::{Column, Element, Role, Scalars, TextureOrigin, TriangleMesh};

use crate::losses::Losses;

/// A column of a mesh whose texture coordinates, if it has such, begin where the format has it. That they are
/// turned is a loss where turning them back gives others.
pub(crate) fn turned<'m>(
    mesh: &TriangleMesh,
    column: Cow<'m, Column>,
    element: Element,
    wanted: TextureOrigin,
    losses: &mut Losses<'_>,
) -> Cow<'m, Column> {
    let textures = matches!(column.role(), Role::TextureCoordinate(_)) && column.width() >= 2;
    if !textures || mesh.tables.texture_origin == wanted {
        return column;
    }
    let (width, mut exact) = (column.width(), true);
    macro_rules! turn {
        ($values:ident) => {
            $values.chunks_exact(width).flat_map(|row| {
                let v = 1.0 - row[1];
                exact &= 1.0 - v == row[1] || row[1].is_nan();
                row.iter().enumerate().map(move |(i, value)| if i == 1 { v } else { *value })
            })
        };
    }
    let scalars = match column.scalars() {
        Scalars::F32(values) => Scalars::F32(turn!(values).collect()),
        Scalars::F64(values) => Scalars::F64(turn!(values).collect()),
        _ => return column,
    };
    if !exact {
        losses.round(element, column.name());
    }
    match Column::from_scalars(column.name(), column.role(), width, scalars) {
        Some(turned) => Cow::Owned(turned),
        None => column,
    }
}
