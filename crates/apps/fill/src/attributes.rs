//! Attributes of new elements.
use crate::sheet::Sheet;
use glam::DVec3;
use ribbonmesh_mesh::{Column, Element, MeshError, Policy, Role, Scalars, TriangleMesh, vertex_normals};

/// What a hole got.
pub(crate) struct Added {
    /// The vertices of its loop.
    pub rim: Vec<u32>,
    /// A corner of the mesh at each of these.
    pub corners: Vec<u32>,
    /// The faces by their places in the loop and behind it.
    pub sheet: Sheet,
    /// The faces by the mesh's vertices.
    pub faces: Vec<[u32; 3]>,
    /// Positions of the new vertices.
    pub points: Vec<DVec3>,
    /// For each face the face of the mesh whose attributes it gets.
    pub sources: Vec<u32>,
}

/// Appends the new elements to a mesh, with values in all columns. Returns the columns that are dropped, since their policy
/// says so.
///
/// | element | integers, labels (`Nearest`, `Copy`) | other numbers (`Interpolate`) | normals (`Recompute`) |
/// |---|---|---|---|
/// | vertex | of the nearest of the three vertices between which it was made | mean of these | of the new faces |
/// | face | of the nearest face across the loop, counted in faces | the same | its own |
/// | corner | at the loop of a corner there, of that face if it has one; else of that face | the same; texture coordinates: none | the same; else of the vertex |
pub(crate) fn extend(mesh: &mut TriangleMesh, added: &[Added]) -> Result<Vec<String>, MeshError> {
    let kinds = [Element::Vertex, Element::Face, Element::Corner];
    if added.is_empty() {
        return Ok(vec![]);
    }
    let mut dropped = vec![];
    let mut columns: Vec<(Element, Column)> = vec![];
    for element in kinds {
        for column in mesh.attributes(element) {
            if column.policy() == Policy::Drop {
                dropped.push(format!("{element}.{}", column.name()));
                continue;
            }
            let values = match element {
                Element::Vertex => of_vertices(column, added),
                Element::Face => of_faces(column, added),
                _ => of_corners(column, added, &mesh.faces),
            };
            let grown = Column::from_scalars(column.name(), column.role(), column.width(), values);
            columns.extend(grown.map(|grown| (element, grown.with_policy(column.policy()))));
        }
    }
    mesh.positions.extend(added.iter().flat_map(|new| &new.points));
    mesh.faces.extend(added.iter().flat_map(|new| &new.faces));
    for element in kinds {
        mesh.attributes_mut(element).retain(|column| column.policy() != Policy::Drop);
    }
    for (element, column) in columns {
        mesh.attributes_mut(element).insert_column(column)?;
    }
    Ok(dropped)
}

/// Normals of the vertices of a sheet.
fn normals(sheet: &Sheet) -> Vec<[f64; 3]> {
    vertex_normals(&sheet.points, &sheet.faces).into_iter().map(|normal| normal.map(f64::from)).collect()
}

fn of_vertices(column: &Column, added: &[Added]) -> Scalars {
    let (width, old) = (column.width(), column.scalars());
    let mut values = old.clone();
    for new in added {
        let rim = new.rim.len();
        match column.policy() {
            Policy::Recompute if column.role() == Role::Normal && width == 3 => {
                normals(&new.sheet)[rim..].iter().for_each(|normal| values.push_rounded(normal));
            }
            Policy::Recompute | Policy::Drop => values.push_zeros(width * new.points.len()),
            Policy::Interpolate => {
                let row =
                    |&v: &u32| (0..width).map(move |i| old.as_f64(v as usize * width + i).unwrap_or(0.0));
                let mut rows: Vec<f64> = new.rim.iter().flat_map(row).collect();
                for parents in &new.sheet.parents {
                    let parents = parents.map_or_else(|| (0..rim as u32).collect(), |three| three.to_vec());
                    let mut mean = vec![0.0; width];
                    for v in &parents {
                        let row = &rows[*v as usize * width..][..width];
                        mean.iter_mut().zip(row).for_each(|(mean, x)| *mean += x / parents.len() as f64);
                    }
                    if column.role() == Role::Normal {
                        let length = mean.iter().map(|x| x * x).sum::<f64>().sqrt();
                        mean.iter_mut().for_each(|x| *x /= if length > 0.0 { length } else { 1.0 });
                    }
                    rows.extend(mean);
                }
                values.push_rounded(&rows[rim * width..]);
            }
            Policy::Copy | Policy::Nearest => {
                values.append_rows(old, width, &nearest(new));
            }
        }
    }
    values
}

/// For each new vertex a vertex of the loop: by way of the nearest of those between which it was made.
fn nearest(new: &Added) -> Vec<u32> {
    let rim = new.rim.len();
    let mut nearest: Vec<u32> = new.rim.clone();
    let points = &new.sheet.points;
    for (i, parents) in (rim..).zip(&new.sheet.parents) {
        let parents = parents.map_or_else(|| (0..rim as u32).collect(), |three| three.to_vec());
        let away = |v: &u32| points[i].distance_squared(points[*v as usize]);
        let closest = parents.into_iter().min_by(|a, b| away(a).total_cmp(&away(b)));
        nearest.push(closest.map_or(new.rim[0], |v| nearest[v as usize]));
    }
    nearest.split_off(rim)
}

fn of_faces(column: &Column, added: &[Added]) -> Scalars {
    let (width, old) = (column.width(), column.scalars());
    let mut values = old.clone();
    for new in added {
        if column.policy() == Policy::Recompute && column.role() == Role::Normal && width == 3 {
            for face in 0..new.faces.len() {
                values.push_rounded(&crate::weight::normal(new.sheet.corners(face)).0.to_array());
            }
        } else {
            values.append_rows(old, width, &new.sources);
        }
    }
    values
}

fn of_corners(column: &Column, added: &[Added], faces: &[[u32; 3]]) -> Scalars {
    let (width, old) = (column.width(), column.scalars());
    let mut values = old.clone();
    let none = matches!(column.role(), Role::TextureCoordinate(_)) && !column.scalar().is_integer();
    let own_normals = column.role() == Role::Normal && width == 3;
    for new in added {
        let count = 3 * new.faces.len();
        if none {
            values.push_rounded(&vec![f64::NAN; width * count]);
            continue;
        }
        let normals = if own_normals { normals(&new.sheet) } else { vec![] };
        let rim = new.rim.len() as u32;
        for ((face, local), &source) in new.faces.iter().zip(&new.sheet.faces).zip(&new.sources) {
            for (v, &i) in face.iter().zip(local) {
                let same = faces[source as usize].iter().position(|u| u == v);
                let at = match same {
                    Some(corner) => 3 * source + corner as u32,
                    None if i < rim => new.corners[i as usize],
                    None => 3 * source,
                };
                match normals.get(i as usize) {
                    Some(normal) if i >= rim => values.push_rounded(normal),
                    _ => _ = values.append_rows(old, width, &[at]),
                }
            }
        }
    }
    values
}
