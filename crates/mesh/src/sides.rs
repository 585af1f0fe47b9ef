//! The faces around vertices and across sides.
use rayon::prelude::*;

/// The value for a side across which there is no face.
const NO_FACE: u32 = u32::MAX;

/// The faces around each vertex of some triangles, and the face across each side. *Side* `i` of a face leads
/// from its corner `i` to the next.
///
/// It is built in linear time, in parallel where it takes most of it; 24 bytes for each face and 4 for each
/// vertex.
#[derive(Clone, Debug, Default)]
pub struct Sides {
    /// The index in `faces` of the first face of each vertex, and the end.
    starts: Vec<u32>,
    faces: Vec<u32>,
    across: Vec<[u32; 3]>,
}

impl Sides {
    /// The sides of triangles whose indices are all below `vertices`. Across a side from a to b is the first
    /// other face with a side from b to a: in an oriented manifold there is one at most. A face with a corner
    /// that it has twice is around that vertex once.
    /// # Panics
    /// If an index is too large.
    pub fn of(vertices: usize, faces: &[[u32; 3]]) -> Self {
        let mut starts = vec![0_u32; vertices + 1];
        let corners = |f: usize| {
            let [a, b, c] = faces[f];
            [Some(a), (b != a).then_some(b), (c != a && c != b).then_some(c)].into_iter().flatten()
        };
        for v in (0..faces.len()).flat_map(corners) {
            starts[v as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut around = vec![0; sum as usize];
        // from the last face on, so that the places end as the starts, and faces ascend
        for f in (0..faces.len()).rev() {
            for v in corners(f) {
                starts[v as usize] -= 1;
                around[starts[v as usize] as usize] = f as u32;
            }
        }
        let mut sides = Self { starts, faces: around, across: vec![] };
        sides.across = (0..faces.len() as u32)
            .into_par_iter()
            .with_min_len(1 << 10)
            .map(|f| {
                let [a, b, c] = faces[f as usize];
                [[a, b], [b, c], [c, a]].map(|[a, b]| {
                    let leads_back = |other: &u32| {
                        let [p, q, r] = faces[*other as usize];
                        *other != f && (p == b && q == a || q == b && r == a || r == b && p == a)
                    };
                    sides.around(a).iter().copied().find(leads_back).unwrap_or(NO_FACE)
                })
            })
            .collect();
        sides
    }
    /// The faces with a vertex, ascending.
    pub fn around(&self, vertex: u32) -> &[u32] {
        let v = vertex as usize;
        &self.faces[self.starts[v] as usize..self.starts[v + 1] as usize]
    }
    /// The faces across the sides of a face; `None` for a side at which the surface ends.
    pub fn across(&self, face: u32) -> [Option<u32>; 3] {
        self.across[face as usize].map(|other| (other != NO_FACE).then_some(other))
    }
    /// The sides with no face across, as faces and numbers of sides, ascending.
    pub fn open(&self) -> impl Iterator<Item = (u32, usize)> {
        let of_face = |(f, across): (u32, &[u32; 3])| {
            let across = *across;
            (0..3).filter(move |&i| across[i] == NO_FACE).map(move |i| (f, i))
        };
        (0..).zip(&self.across).flat_map(of_face)
    }
    /// Whether no side is without a face across.
    pub fn is_closed(&self) -> bool {
        self.open().next().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes;
    use std::collections::HashMap;

    #[test]
    fn sides_of_a_closed_and_of_an_open_surface_are_those_by_a_map() {
        for mesh in [shapes::icosphere(5).unwrap(), shapes::mobius(7, 4).unwrap()] {
            let sides = Sides::of(mesh.positions.len(), &mesh.faces);
            let ends = |[a, b, c]: [u32; 3]| [[a, b], [b, c], [c, a]];
            let map: HashMap<[u32; 2], u32> =
                (0..).zip(&mesh.faces).flat_map(|(f, face)| ends(*face).map(|side| (side, f))).collect();
            let mut open = vec![];
            for (f, face) in (0..).zip(&mesh.faces) {
                let expected = ends(*face).map(|[a, b]| map.get(&[b, a]).copied());
                assert_eq!(sides.across(f), expected);
                open.extend((0..3).filter(|i| expected[*i].is_none()).map(|i| (f, i)));
            }
            assert_eq!(sides.open().collect::<Vec<_>>(), open);
            assert_eq!(sides.is_closed(), open.is_empty());
            for v in 0..mesh.positions.len() as u32 {
                let with = |f: &u32| mesh.faces[*f as usize].contains(&v);
                let expected: Vec<u32> = (0..mesh.faces.len() as u32).filter(with).collect();
                assert_eq!(sides.around(v), expected);
            }
        }
    }
    #[test]
    fn a_face_with_a_corner_twice_is_around_it_once() {
        let sides = Sides::of(4, &[[0, 0, 1], [1, 0, 2]]);
        assert_eq!(sides.around(0), [0, 1]);
        assert_eq!(sides.around(3), [] as [u32; 0]);
        assert_eq!(sides.across(0), [None, Some(1), None]);
    }
}
