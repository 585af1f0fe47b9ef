//! Splitting edges.
use crate::{Column, Element, MeshError, Policy, Precision, Role, Scalars, TriangleMesh};
use std::collections::HashMap;

/// A corner of a new face: an old one, 0 to 2, or 3 plus the old corner at which the side begins in whose
/// middle it is.
type Place = u8;

impl TriangleMesh {
    /// Splits edges in their middles, see [`split_edges_at`](Self::split_edges_at).
    ///
    /// # Errors
    /// As [`split_edges_at`](Self::split_edges_at).
    pub fn split_edges(&mut self, edges: &[[u32; 2]]) -> Result<Vec<u32>, MeshError> {
        let edges: Vec<([u32; 2], f64)> = edges.iter().map(|&edge| (edge, 0.5)).collect();
        self.split_edges_at(&edges)
    }

    /// Splits edges at a part of the way from the first end to the second, all in one pass: a face becomes
    /// one, two, three or four (Chentanez, Müller, Macklin and Kim, *Grid-Free Surface Tracking on the GPU*,
    /// 2016, figure 3). Of two ways to divide the quadrilateral that two split edges leave, the one with the
    /// shorter diagonal is taken. New vertices come last, in the order of the list; the parts of a face
    /// replace it in the list. Returns the face of which each new one is a part. Pairs that are not an edge
    /// of a face become vertices without a face.
    ///
    /// Attributes follow: vertices and corners get the weighted mean of the two ends (integers and labels the
    /// value of the first), faces that of their face, and both halves of an edge that of the edge. Columns
    /// whose policy is to be dropped are dropped.
    ///
    /// # Errors
    /// [`MeshError`] where the mesh contradicts itself; [`MeshError::Row`] for a vertex that does not exist;
    /// [`MeshError::TooMany`]. The mesh is then unchanged.
    pub fn split_edges_at(&mut self, edges: &[([u32; 2], f64)]) -> Result<Vec<u32>, MeshError> {
        self.check()?;
        let count = self.positions.len();
        if let Some(&index) = edges.iter().flat_map(|(edge, _)| edge).find(|&&v| v as usize >= count) {
            return Err(MeshError::Row { element: Element::Vertex, index, count });
        }
        // the new vertex of each edge
        let mut middles: HashMap<[u32; 2], u32> = HashMap::with_capacity(edges.len());
        let mut ends: Vec<([u32; 2], f64)> = Vec::with_capacity(edges.len());
        for &([a, b], part) in edges {
            middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                ends.push(([a, b], part.clamp(0.0, 1.0)));
                (count + ends.len() - 1) as u32
            });
        }
        if (count + ends.len()) as u64 > u64::from(u32::MAX) {
            return Err(MeshError::TooMany { count: (count + ends.len()) as u64 });
        }
        let single = self.precision == Precision::Single;
        let place = |&([a, b], part): &([u32; 2], f64)| {
            let place = self.positions[a as usize].lerp(self.positions[b as usize], part);
            if single { place.as_vec3().as_dvec3() } else { place }
        };
        let mut positions = self.positions.clone();
        positions.extend(ends.iter().map(place));
        let mut faces = Vec::with_capacity(self.faces.len() + 2 * ends.len());
        let mut sources = Vec::with_capacity(faces.capacity());
        let mut corners: Vec<[Place; 3]> = Vec::with_capacity(faces.capacity());
        for (face, of) in (0..).zip(&self.faces) {
            let split: [Option<u32>; 3] = std::array::from_fn(|i| {
                let (a, b) = (of[i], of[(i + 1) % 3]);
                middles.get(&[a.min(b), a.max(b)]).copied()
            });
            let vertex = |place: Place| match place {
                0..3 => of[place as usize],
                _ => split[place as usize - 3].unwrap_or(of[0]),
            };
            let length = |a: Place, b: Place| {
                positions[vertex(a) as usize].distance_squared(positions[vertex(b) as usize])
            };
            for part in parts(split.map(|middle| middle.is_some()), length) {
                faces.push(part.map(vertex));
                corners.push(part);
                sources.push(face);
            }
        }
        // how far along side `i` of a face its new vertex is
        let part_of = |face: u32, i: usize| {
            let of = self.faces[face as usize];
            let (a, b) = (of[i], of[(i + 1) % 3]);
            let found = middles.get(&[a.min(b), a.max(b)]).map(|&v| ends[v as usize - count]);
            found.map_or(0.5, |([first, _], part)| if first == a { part } else { 1.0 - part })
        };
        let mut dropped = vec![];
        let mut columns: Vec<(Element, Column)> = vec![];
        for element in [Element::Vertex, Element::Face, Element::Corner] {
            for column in self.attributes(element) {
                if column.policy() == Policy::Drop {
                    dropped.push((element, column.name().to_owned()));
                    continue;
                }
                let values = match element {
                    Element::Vertex => of_vertices(column, &ends),
                    Element::Face => rows(column, &sources),
                    _ => of_corners(column, &sources, &corners, &part_of),
                };
                let column = Column::from_scalars(column.name(), column.role(), column.width(), values)
                    .map(|new| new.with_policy(column.policy()));
                columns.extend(column.map(|column| (element, column)));
            }
        }
        let (mut halves, mut of_halves) = (vec![], vec![]);
        for (edge, &[a, b]) in (0..).zip(&self.edges) {
            match middles.get(&[a.min(b), a.max(b)]) {
                Some(&middle) => {
                    halves.extend([[a, middle], [middle, b]]);
                    of_halves.extend([edge, edge]);
                }
                None => {
                    halves.push([a, b]);
                    of_halves.push(edge);
                }
            }
        }
        for column in &mut self.of_edges {
            let values = rows(column, &of_halves);
            if let Some(new) = Column::from_scalars(column.name(), column.role(), column.width(), values) {
                *column = new.with_policy(column.policy());
            }
        }
        (self.positions, self.faces, self.edges) = (positions, faces, halves);
        for (element, name) in dropped {
            self.attributes_mut(element).remove(&name);
        }
        for (element, column) in columns {
            self.attributes_mut(element).insert_column(column)?;
        }
        Ok(sources)
    }
}

/// The parts of a face of which some sides are split.
fn parts(split: [bool; 3], length: impl Fn(Place, Place) -> f64) -> Vec<[Place; 3]> {
    // so turned that the first side is split and the third is not
    let first = match split {
        [false, false, false] => return vec![[0, 1, 2]],
        [true, true, true] => return vec![[0, 3, 5], [1, 4, 3], [2, 5, 4], [3, 4, 5]],
        [true, _, false] => 0,
        [false, true, _] => 1,
        [_, false, true] => 2,
    };
    let at = |i: u8| (first + i) % 3;
    let [a, b, c] = [0, 1, 2].map(at);
    let [ab, bc] = [3 + a, 3 + b];
    if !split[b as usize] {
        return vec![[a, ab, c], [ab, b, c]];
    }
    match length(a, bc) <= length(ab, c) {
        true => vec![[ab, b, bc], [a, ab, bc], [a, bc, c]],
        false => vec![[ab, b, bc], [a, ab, c], [ab, bc, c]],
    }
}

/// The rows of a column that are named.
fn rows(column: &Column, named: &[u32]) -> Scalars {
    let mut values = Scalars::with_capacity(column.scalar(), column.width() * named.len());
    values.append_rows(column.scalars(), column.width(), named);
    values
}

fn of_vertices(column: &Column, ends: &[([u32; 2], f64)]) -> Scalars {
    let mut values = column.scalars().clone();
    for &(ends, part) in ends {
        push_mean(&mut values, column, ends, part);
    }
    values
}

fn of_corners(
    column: &Column,
    sources: &[u32],
    corners: &[[Place; 3]],
    part_of: &impl Fn(u32, usize) -> f64,
) -> Scalars {
    let mut values = Scalars::with_capacity(column.scalar(), 3 * column.width() * sources.len());
    for (source, places) in sources.iter().zip(corners) {
        for &place in places {
            match place {
                0..3 => {
                    _ = values.append_rows(column.scalars(), column.width(), &[3 * source + u32::from(place)])
                }
                _ => {
                    let side = u32::from(place) - 3;
                    let ends = [3 * source + side, 3 * source + (side + 1) % 3];
                    push_mean(&mut values, column, ends, part_of(*source, side as usize));
                }
            }
        }
    }
    values
}

/// Appends the weighted mean of two rows; the first where they are not interpolated.
fn push_mean(values: &mut Scalars, column: &Column, [a, b]: [u32; 2], part: f64) {
    let width = column.width();
    let normal = column.role() == Role::Normal;
    if column.policy() != Policy::Interpolate && !normal {
        values.append_rows(column.scalars(), width, &[a]);
        return;
    }
    let number = |row: u32, i: usize| column.scalars().as_f64(row as usize * width + i).unwrap_or(0.0);
    let mut mean: Vec<f64> = (0..width).map(|i| number(a, i) * (1.0 - part) + number(b, i) * part).collect();
    if normal {
        let length = mean.iter().map(|x| x * x).sum::<f64>().sqrt();
        mean.iter_mut().for_each(|x| *x /= if length > 0.0 { length } else { 1.0 });
    }
    values.push_rounded(&mean);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ColourSpace;
    use crate::shapes;
    use glam::DVec3;

    fn square() -> TriangleMesh {
        let corners = vec![DVec3::ZERO, DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::Y];
        TriangleMesh::new(corners, vec![[0, 1, 2], [0, 2, 3]])
    }

    #[test]
    fn all_ways_to_split_a_face() {
        for mask in 0..8 {
            let mut mesh = square();
            let sides = [[0, 1], [1, 2], [2, 0]];
            let split: Vec<[u32; 2]> = (0..3).filter(|i| mask >> i & 1 == 1).map(|i| sides[i]).collect();
            let sources = mesh.split_edges(&split).expect("a square");
            let [parts, others] = [0, 1].map(|face| sources.iter().filter(|f| **f == face).count());
            assert_eq!((parts, others), (1 + split.len(), 1 + mask / 4), "{mask}");
            assert_eq!(mesh.positions.len(), 4 + split.len());
            assert!((mesh.area() - 1.0).abs() < 1e-12);
            let up = |f: &[u32; 3]| {
                let [a, b, c] = f.map(|v| mesh.positions[v as usize]);
                (b - a).cross(c - a).z > 0.0
            };
            assert!(mesh.faces.iter().all(up), "{mask}: {:?}", mesh.faces);
            mesh.check().expect("consistent");
        }
    }

    #[test]
    fn a_closed_surface_stays_closed() {
        let mut mesh = shapes::icosphere(3).expect("small");
        let sides = mesh.sides();
        let some: Vec<[u32; 2]> = sides.iter().step_by(3).map(|&[a, b]| [b, a]).chain([sides[0]]).collect();
        let (faces, vertices) = (mesh.faces.len(), mesh.positions.len());
        let sources = mesh.split_edges(&some).expect("edges");
        assert!(mesh.is_closed());
        // each edge is split once, though one is named twice
        let n = some.len() - 1;
        assert_eq!((mesh.positions.len(), mesh.faces.len()), (vertices + n, faces + 2 * n));
        assert!(sources.is_sorted() && sources.len() == mesh.faces.len());
    }

    #[test]
    fn attributes_follow() {
        let mut mesh = square();
        mesh.vertices_mut().insert("height", vec![0.0_f32, 1.0, 2.0, 5.0]).expect("4");
        mesh.vertices_mut().insert("label", vec![7_i32, 8, 9, 10]).expect("4");
        let colour = Column::with_role(
            "colour",
            Role::Colour(ColourSpace::Srgb),
            vec![[0_u8, 0, 0], [255, 9, 0], [3, 3, 3], [1, 1, 1]],
        );
        mesh.vertices_mut().insert_column(colour).expect("4");
        mesh.faces_of_mut().insert("part", vec![3_u8, 4]).expect("2");
        let uv: Vec<[f32; 2]> = (0..6).map(|i| [i as f32, -1.0]).collect();
        mesh.corners_mut().insert_column(Column::with_role("uv", Role::TextureCoordinate(0), uv)).expect("6");
        mesh.edges = vec![[1, 0], [2, 3]];
        mesh.edges_of_mut().insert("crease", vec![0.5_f32, 1.0]).expect("2");
        let sources = mesh.split_edges(&[[0, 1], [0, 2]]).expect("edges");
        assert_eq!(sources, [0, 0, 0, 1, 1]);
        assert_eq!(mesh.vertices().get::<f32>("height").expect("kept"), [0.0, 1.0, 2.0, 5.0, 0.5, 1.0]);
        assert_eq!(mesh.vertices().get::<i32>("label").expect("kept")[4..], [7, 7]);
        assert_eq!(mesh.vertices().get::<[u8; 3]>("colour").expect("kept")[4], [128, 5, 0]);
        assert_eq!(mesh.faces_of().get::<u8>("part").expect("kept"), [3, 3, 3, 4, 4]);
        assert_eq!(mesh.edges, [[1, 4], [4, 0], [2, 3]]);
        assert_eq!(mesh.edges_of().get::<f32>("crease").expect("kept"), [0.5, 0.5, 1.0]);
        let uv = mesh.corners().get::<[f32; 2]>("uv").expect("kept");
        for (face, corners) in mesh.faces.iter().enumerate() {
            for (i, v) in corners.iter().enumerate() {
                let first = sources[face] == 0;
                let expected = match v {
                    0..3 if first => *v as f32,
                    0 => 3.0,
                    2 => 4.0,
                    3 => 5.0,
                    4 => 0.5,
                    _ if first => 1.0,
                    _ => 3.5,
                };
                assert_eq!(uv[3 * face + i], [expected, -1.0], "{face} {i}");
            }
        }
        mesh.check().expect("consistent");
    }

    #[test]
    fn at_any_part() {
        let mut mesh = square();
        let uv: Vec<f32> = (0..6).map(|i| i as f32).collect();
        mesh.corners_mut().insert("uv", uv).expect("6");
        mesh.split_edges_at(&[([2, 0], 0.25)]).expect("an edge");
        assert_eq!(mesh.positions[4], DVec3::new(0.75, 0.75, 0.0));
        let uv = mesh.corners().get::<f32>("uv").expect("kept");
        let of_new = |face: usize| mesh.faces[face].iter().position(|&v| v == 4).map(|i| uv[3 * face + i]);
        // the first face has corner 2 at vertex 2 and 0 at vertex 0, the second 4 and 3
        assert_eq!([0, 1, 2, 3].map(of_new), [Some(1.5), Some(1.5), Some(3.75), Some(3.75)]);
    }

    #[test]
    fn what_is_refused() {
        let mut mesh = square();
        let before = mesh.clone();
        let error = mesh.split_edges(&[[0, 4]]).expect_err("no such vertex");
        assert_eq!(error, MeshError::Row { element: Element::Vertex, index: 4, count: 4 });
        assert_eq!(mesh, before);
    }
}
