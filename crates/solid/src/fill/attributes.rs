//! Attributes of new elements.
use crate::fill::sheet::Sheet;
use glam::DVec3;
use ribbonmesh_mesh::{Column, Element, MeshError, Policy, Role, Scalars, TriangleMesh, vertex_normals};

/// New elements of a hole.
#[derive(Clone)]
pub(crate) struct Added {
    /// The vertices of its loop, or of the two that a strip joins.
    pub rim: Vec<u32>,
    /// Number of vertices of the first loop.
    pub first: usize,
    /// A corner of the mesh at each of these.
    pub corners: Vec<u32>,
    /// The faces, by vertices of the sheet: first those of the loop, then the new ones.
    pub sheet: Sheet,
    /// The faces, by vertices of the mesh; none until the new ones are numbered.
    pub faces: Vec<[u32; 3]>,
    /// Positions of the new vertices.
    pub points: Vec<DVec3>,
    /// The face of the mesh across the side from each vertex of the loop to the next.
    pub across: Vec<u32>,
    /// For each face the face of the mesh whose attributes it gets.
    pub sources: Vec<u32>,
}

impl Added {
    /// Numbers the new vertices of the mesh from `first` on.
    pub fn number(&mut self, first: u32) {
        let rim = self.rim.len() as u32;
        let number = |i: u32| if i < rim { self.rim[i as usize] } else { first + i - rim };
        self.faces = self.sheet.faces.iter().map(|face| face.map(number)).collect();
    }
}

/// Appends the new elements to a mesh, with values in all columns. Returns the columns that are dropped
/// because their policy says so.
///
/// | element | integers, labels (`Nearest`, `Copy`) | other numbers (`Interpolate`) | normals (`Recompute`) |
/// |---|---|---|---|
/// | vertex | of the nearest of the three vertices between which it was made | mean of these | of the new faces |
/// | face | of the nearest face across the loop, counted in faces | the same | its own |
/// | corner | at the loop of a corner there, of that face if it has one; else of that face | the same | the same; else of the vertex |
///
/// Texture coordinates of corners continue across the loop if no seam meets it; if seams meet it, the
/// coordinates of a face stay within the chart of the face across the loop ([`Charts`]).
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

/// For each new vertex a vertex of the loop, found through the nearest of the vertices between which it was
/// made.
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
                values.push_rounded(&crate::fill::weight::normal(new.sheet.corners(face)).0.to_array());
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
    let textured = matches!(column.role(), Role::TextureCoordinate(_)) && !column.scalar().is_integer();
    let own_normals = column.role() == Role::Normal && width == 3;
    for new in added {
        if textured {
            values.push_rounded(&Charts::of(old, width, new, faces).corners(new));
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

/// Texture coordinates along the loop of a hole, or the two loops of a strip.
struct Charts {
    width: usize,
    /// The coordinates at each vertex, in the face across the side to the next vertex.
    behind: Vec<Vec<f64>>,
    /// The coordinates at each vertex, in the face across the side before it.
    before: Vec<Vec<f64>>,
    /// Index of the vertex before each.
    previous: Vec<usize>,
    /// The part of a loop between seams to which the side after each vertex belongs.
    arcs: Vec<usize>,
}

/// Greatest difference of texture coordinates that is not a seam.
const SEAM: f64 = 1e-6;

impl Charts {
    fn of(old: &Scalars, width: usize, new: &Added, faces: &[[u32; 3]]) -> Self {
        let n = new.rim.len();
        let previous: Vec<usize> = (0..n)
            .map(|i| match i {
                0 => new.first - 1,
                i if i == new.first => n - 1,
                i => i - 1,
            })
            .collect();
        let at = |side: usize, v: u32| -> Vec<f64> {
            let face = new.across[side] as usize;
            let corner = 3 * face + faces[face].iter().position(|u| *u == v).unwrap_or(0);
            (0..width).map(|i| old.as_f64(corner * width + i).unwrap_or(0.0)).collect()
        };
        let behind = (0..n).map(|i| at(i, new.rim[i])).collect();
        let before = (0..n).map(|i| at(previous[i], new.rim[i])).collect();
        let mut charts = Self { width, behind, before, previous, arcs: vec![0; n] };
        let mut arc = 0;
        for part in [0..new.first, new.first..n] {
            // the walk along a loop begins at a seam, if it has one
            let (start, length) = (part.start, part.len());
            let seam = part.clone().find(|&i| charts.seam(i)).unwrap_or(start);
            for k in 0..length {
                let i = start + (seam - start + k) % length;
                arc += usize::from(k == 0 || charts.seam(i));
                charts.arcs[i] = arc;
            }
        }
        charts
    }
    /// Whether a seam meets the loop at a vertex of it. A vertex without coordinates counts as a seam.
    fn seam(&self, i: usize) -> bool {
        let same = |(a, b): (&f64, &f64)| (a - b).abs() <= SEAM * (1.0 + a.abs().max(b.abs()));
        !self.behind[i].iter().zip(&self.before[i]).all(same)
    }
    /// The coordinates of all corners of the new faces. If there is one loop without a seam, inner vertices
    /// get the mean of the vertices between which they were made. Otherwise corners that are not at the loop
    /// within the chart of a face get the coordinates of the side across which that face is: the texture ends
    /// there in a line, but is not mixed with another one.
    fn corners(&self, new: &Added) -> Vec<f64> {
        let (n, width) = (self.behind.len(), self.width);
        if new.first == n && !(0..n).any(|i| self.seam(i)) {
            let rows = means(width, self.behind.concat(), n, &new.sheet.parents);
            let corners = new.sheet.faces.as_flattened().iter();
            return corners.flat_map(|&v| &rows[v as usize * width..][..width]).copied().collect();
        }
        let mut values = vec![];
        for (face, side) in new.sheet.faces.iter().zip(new.sheet.nearest_sides()) {
            let side = side as usize;
            for &v in face {
                values.extend(match v as usize {
                    v if v < n && self.arcs[v] == self.arcs[side] => &self.behind[v],
                    v if v < n && self.arcs[self.previous[v]] == self.arcs[side] => &self.before[v],
                    _ => &self.behind[side],
                });
            }
        }
        values
    }
}

/// Completes the rows of all vertices of a sheet. The rows of the loop are given; each further vertex gets
/// the mean of the vertices between which it was made.
fn means(width: usize, mut rows: Vec<f64>, rim: usize, parents: &[Option<[u32; 3]>]) -> Vec<f64> {
    for parents in parents {
        let parents = parents.map_or_else(|| (0..rim as u32).collect(), |three| three.to_vec());
        for i in 0..width {
            let sum: f64 = parents.iter().map(|&v| rows[v as usize * width + i]).sum();
            rows.push(sum / parents.len() as f64);
        }
    }
    rows
}
